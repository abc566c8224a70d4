/// A machine on the network that occupies one of few places: it sends light, or subscribes to changes.
public protocol NetworkGuest {
    /// Its IPv4 address.
    var address: UInt32 { get }
    /// Time of its last packet, in microseconds.
    var last: Int64 { get }
}

extension Array where Element: NetworkGuest {
    /// Index of the guest that makes room for another at `now`, in microseconds: a guest of the address with most
    /// guests, or a guest that was silent for `silence`; among these the guest with the longest silence. Nil if each
    /// must stay. `kept`: the guest that stays in any case.
    public func leastWanted(silence: Int64, at now: Int64, kept: Int? = nil) -> Int? {
        func count(_ guest: Element) -> Int { self.count { $0.address == guest.address } }
        let most = map(count).max() ?? 0
        return
            indices
            .filter { index in
                let isOneOfMany = most > 1 && count(self[index]) == most
                return index != kept && (isOneOfMany || now - self[index].last >= silence)
            }
            .min { self[$0].last < self[$1].last }
    }
}
