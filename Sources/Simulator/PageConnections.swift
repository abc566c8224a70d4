/// The page's connections: how many there may be, and which one makes room for a new one.
///
/// One machine cannot take all of them, and many machines that only hold them open lose them to those who ask.
struct PageConnections {
    /// Connections at once, watching or fetching. They bound the memory that strangers can take.
    static let countMax = 64
    /// Connections at once from one address. A browser fetches the page over six and watches over one.
    static let shareMax = 32

    private struct Connection {
        /// The bits of the pointer to its `lws`.
        let bits: UInt
        let address: UInt32
        var isViewer = false
    }

    /// Oldest first.
    private var connections: [Connection] = []

    /// Whether `address` may open another connection.
    func admit(_ address: UInt32) -> Bool { connections.count { $0.address == address } < Self.shareMax }

    /// Takes note of a connection; returns the bits of the one that has to close for it, if there are too many.
    mutating func open(_ bits: UInt, from address: UInt32) -> UInt? {
        // The oldest that does not watch: it has had the longest time to ask.
        let oldest = connections.count < Self.countMax ? nil : connections.firstIndex { !$0.isViewer }
        let bitsOfOldest = oldest.map { connections.remove(at: $0).bits }
        connections.append(Connection(bits: bits, address: address))
        return bitsOfOldest
    }

    /// Marks a connection as one that watches: it does not have to make room.
    mutating func watch(_ bits: UInt) {
        guard let place = connections.firstIndex(where: { $0.bits == bits }) else { return }
        connections[place].isViewer = true
    }

    /// Forgets a connection that closed.
    mutating func close(_ bits: UInt) { connections.removeAll { $0.bits == bits } }
}
