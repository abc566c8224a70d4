import InputEvents

/// The contacts of protocol A: every packet contains the positions of all contacts, and most devices leave it to the
/// reader to match them with earlier ones (kernel: Documentation/input/multi-touch-protocol.rst, "Finger Tracking").
///
/// Each position is matched with the nearest contact of the packet before, the nearest pairs first. A position too far
/// from all contacts is a new contact.
struct AnonymousContacts {
    /// Whether the device has used protocol A's end of a contact.
    private(set) var isUsed = false
    /// Whether the current packet contains positions.
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
        /// The contact's id, which some devices report.
        var id: Int32?
        /// Whether the current packet contains the contact.
        var isFound = true
    }

    /// Maximum movement between two packets as part of the overlay: 4 m/s on an overlay of 31 cm that reports every 20
    /// ms.
    private static let reach = 0.25

    init(axes: TouchAxes) {
        width = axes.x.units
        height = axes.y.units
        found.reserveCapacity(Touch.contactsMax)
    }

    mutating func set(x: Int32) {
        contact.x = x
        hasPlace = true
    }

    mutating func set(y: Int32) {
        contact.y = y
        hasPlace = true
    }

    mutating func set(id: Int32) { contact.id = id }

    /// Ends a contact of the packet. A contact without a position means that there are none.
    mutating func endContact(isTouch: Bool) {
        isUsed = true
        hasPacket = true
        if hasPlace, isTouch, found.count < Touch.contactsMax { found.append(contact) }
        hasPlace = false
        contact.id = nil
    }

    /// Ends a packet and appends the change of each contact.
    mutating func endPacket(into changes: inout [PacketReader.Change]) {
        guard hasPacket else { return forgetPacket() }
        for index in known.indices { known[index]?.isFound = false }
        while let (index, place) = nearest() {
            let before = known[index]
            known[index] = found.remove(at: place)
            known[index]?.isFound = true
            if before?.x != known[index]?.x || before?.y != known[index]?.y { report(.move, index, into: &changes) }
        }
        for index in known.indices where known[index]?.isFound == false { end(index, .up, into: &changes) }
        for place in found {
            guard let index = known.firstIndex(where: { $0 == nil }) else { break }
            known[index] = place
            report(.down, index, into: &changes)
        }
        forgetPacket()
    }

    /// Ends all contacts.
    mutating func endAll(_ phase: Touch.Phase, into changes: inout [PacketReader.Change]) {
        for index in known.indices where known[index] != nil { end(index, phase, into: &changes) }
        forgetPacket()
    }

    private mutating func end(_ index: Int, _ phase: Touch.Phase, into changes: inout [PacketReader.Change]) {
        report(phase, index, into: &changes)
        known[index] = nil
    }

    private func report(_ phase: Touch.Phase, _ index: Int, into changes: inout [PacketReader.Change]) {
        guard let place = known[index] else { return }
        changes.append(.init(slot: index, phase: phase, x: place.x, y: place.y))
    }

    private mutating func forgetPacket() {
        hasPacket = false
        hasPlace = false
        found.removeAll(keepingCapacity: true)
    }

    /// The unmatched contact and the unmatched position that are nearest to each other.
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

    /// Squared distance as part of the overlay's width and height. Contacts with ids match by id at any distance.
    private func squaredDistance(_ one: Place, _ other: Place) -> Double {
        if let id = one.id, let otherID = other.id { return id == otherID ? -1 : .infinity }
        let across = (Double(one.x) - Double(other.x)) / width
        let down = (Double(one.y) - Double(other.y)) / height
        return across * across + down * down
    }
}
