import Instrument

/// The contacts of protocol A, in which every packet says where all contacts are and most devices leave it to the reader
/// which of them is which (kernel: Documentation/input/multi-touch-protocol.rst, "Finger Tracking").
///
/// Each contact is taken for the one that was nearest in the packet before, the nearest pairs first. A finger that is a long
/// way from every other is a new one.
struct AnonymousContacts {
    /// The device has ended a contact as protocol A does.
    private(set) var isUsed = false
    /// The packet so far has said where all contacts are.
    private(set) var hasPacket = false

    private let width: Double
    private let height: Double
    private var contact = Place()
    private var hasPlace = false
    private var found: [Place] = []
    private var known = [Place?](repeating: nil, count: Touch.contactsMax)

    private struct Place {
        var x: Int32 = 0
        var y: Int32 = 0
        /// Some devices do say which is which.
        var id: Int32?
        /// The packet says where it is.
        var isFound = true
    }

    /// A finger does not cross more of the overlay than this from one packet to the next: 4 m/s on an overlay of 31 cm that
    /// reports every 20 ms.
    private static let reach = 0.25

    init(axes: TouchAxes) {
        width = axes.x.units
        height = axes.y.units
        found.reserveCapacity(Touch.contactsMax)
    }

    mutating func take(x: Int32) {
        contact.x = x
        hasPlace = true
    }

    mutating func take(y: Int32) {
        contact.y = y
        hasPlace = true
    }

    mutating func take(id: Int32) { contact.id = id }

    /// Ends a contact of the packet; one without a place says that there is none.
    mutating func endContact(isTouch: Bool) {
        isUsed = true
        hasPacket = true
        if hasPlace, isTouch, found.count < Touch.contactsMax { found.append(contact) }
        hasPlace = false
        contact.id = nil
    }

    /// Ends a packet: says what has become of each contact.
    mutating func endPacket(into changes: inout [PacketReader.Change]) {
        guard hasPacket else { return forgetPacket() }
        for index in known.indices { known[index]?.isFound = false }
        while let (index, place) = nearest() {
            let before = known[index]
            known[index] = found.remove(at: place)
            known[index]?.isFound = true
            if before?.x != known[index]?.x || before?.y != known[index]?.y { say(.move, index, into: &changes) }
        }
        for index in known.indices where known[index]?.isFound == false { end(index, .up, into: &changes) }
        for place in found {
            guard let index = known.firstIndex(where: { $0 == nil }) else { break }
            known[index] = place
            say(.down, index, into: &changes)
        }
        forgetPacket()
    }

    /// Ends every contact.
    mutating func endAll(_ phase: Touch.Phase, into changes: inout [PacketReader.Change]) {
        for index in known.indices where known[index] != nil { end(index, phase, into: &changes) }
        forgetPacket()
    }

    private mutating func end(_ index: Int, _ phase: Touch.Phase, into changes: inout [PacketReader.Change]) {
        say(phase, index, into: &changes)
        known[index] = nil
    }

    private func say(_ phase: Touch.Phase, _ index: Int, into changes: inout [PacketReader.Change]) {
        guard let place = known[index] else { return }
        changes.append(.init(slot: index, phase: phase, x: place.x, y: place.y))
    }

    private mutating func forgetPacket() {
        hasPacket = false
        hasPlace = false
        found.removeAll(keepingCapacity: true)
    }

    /// The contact and the place, neither of them taken yet, that are nearest to each other.
    private func nearest() -> (contact: Int, place: Int)? {
        var best: (contact: Int, place: Int)?
        var least = Self.reach * Self.reach
        for (index, contact) in known.enumerated() {
            guard let contact, !contact.isFound else { continue }
            for (number, place) in found.enumerated() {
                let distance = squaredDistance(contact, place)
                if distance < least {
                    least = distance
                    best = (index, number)
                }
            }
        }
        return best
    }

    /// In widths and heights of the overlay. Those that the device names are where it says, however far.
    private func squaredDistance(_ one: Place, _ other: Place) -> Double {
        if let id = one.id, let otherID = other.id { return id == otherID ? -1 : .infinity }
        let across = (Double(one.x) - Double(other.x)) / width
        let down = (Double(one.y) - Double(other.y)) / height
        return across * across + down * down
    }
}
