import Instrument

/// From the reports of a touch device to what each packet of them says of contacts (kernel:
/// Documentation/input/multi-touch-protocol.rst). Reads protocol B, protocol A, and devices that know of one finger only;
/// which it is shows in the reports.
///
/// A device keeps what it does not repeat, so everything is remembered. Whatever a device reports, contacts land and lift in
/// turn, and one that nothing vouches for any more lifts.
struct PacketReader {
    /// What happened to a contact, in units of the device.
    struct Change: Hashable {
        /// The contact: its slot, or where there are none the place that it was given.
        var slot: Int
        var phase: Touch.Phase
        var x: Int32
        var y: Int32
    }

    /// Slots that are followed. Devices announce up to 60.
    static let slotsMax = 256

    private var slots = [Slot](repeating: Slot(), count: 16)
    /// The slot that values are for; nil for one that is not followed.
    private var slot: Int? = 0
    /// `BTN_TOUCH`, if it was ever reported.
    private var isTouched: Bool?
    private var hasReleased = false
    private var hasDropped = false
    private var hasTrackingIDs = false
    /// The contacts of a device without slots, followed from packet to packet.
    private var anonymous: AnonymousContacts

    private struct Slot {
        /// The contact in it as the device has reported it; −1 for none.
        var trackingID: Int32 = -1
        var x: Int32 = 0
        var y: Int32 = 0
        var isFinger = true
        var isHovering = false
        /// The contact has been lifted though its tracking id has not: its next place, if there is one, lands it again.
        var isStale = false

        /// What was said last: that it is down, and where.
        var isDown = false
        var saidX: Int32 = 0
        var saidY: Int32 = 0

        /// Since the last packet something about it has changed, …
        var isChanged = false
        /// … the contact that was there ended, …
        var hasEnded = false
        /// … one began, …
        var hasBegun = false
        /// … or one began and ended.
        var hasFlashed = false
    }

    /// The tracking id of the contact of a device that has no such ids.
    private static let onlyContact: Int32 = 0

    init(axes: TouchAxes) {
        anonymous = AnonymousContacts(axes: axes)
    }

    /// Takes in one report; appends what it says of contacts, if it ends a packet, to `changes`.
    mutating func take(_ report: InputReport, into changes: inout [Change]) {
        switch (report.type, report.code) {
        case (InputCode.synchronisation, InputCode.report): endPacket(into: &changes)
        case (InputCode.synchronisation, InputCode.contactReport): endContact()
        case (InputCode.synchronisation, InputCode.dropped): hasDropped = true
        case (InputCode.key, InputCode.touch): touch(report.value != 0)
        case (InputCode.absolute, InputCode.slot): select(Int(report.value))
        case (InputCode.absolute, let code): take(code, report.value)
        default: break
        }
    }

    /// Ends every contact, for a device that has gone: each is withdrawn, for nobody knows what it meant.
    mutating func cancelAll(into changes: inout [Change]) {
        for index in slots.indices where slots[index].isDown { say(.cancel, index, into: &changes) }
        anonymous.endAll(.cancel, into: &changes)
    }

    // MARK: Values

    private mutating func select(_ index: Int) {
        guard (0..<Self.slotsMax).contains(index) else {
            slot = nil
            return
        }
        while slots.count <= index { slots.append(Slot()) }
        slot = index
    }

    private mutating func touch(_ isPressed: Bool) {
        isTouched = isPressed
        if !isPressed { hasReleased = true }
        if !hasTrackingIDs, !anonymous.isUsed { setTrackingID(isPressed ? Self.onlyContact : -1, of: 0) }
    }

    private mutating func take(_ code: UInt16, _ value: Int32) {
        guard let slot else { return }
        switch code {
        case InputCode.trackingID:
            if !hasTrackingIDs {
                hasTrackingIDs = true
                setTrackingID(-1, of: 0)
            }
            setTrackingID(value, of: slot)
            anonymous.take(id: value)
        case InputCode.positionX:
            slots[slot].x = value
            anonymous.take(x: value)
        case InputCode.positionY:
            slots[slot].y = value
            anonymous.take(y: value)
        // A device that reports contacts repeats the oldest of them here.
        case InputCode.x where !hasTrackingIDs && !anonymous.isUsed: slots[0].x = value
        case InputCode.y where !hasTrackingIDs && !anonymous.isUsed: slots[0].y = value
        case InputCode.toolType: slots[slot].isFinger = value == InputCode.toolFinger
        case InputCode.contactDistance, InputCode.distance: slots[slot].isHovering = value > 0
        default: return
        }
        slots[slot].isChanged = true
        if code != InputCode.toolType { slots[slot].isStale = slots[slot].isStale && isTouched == false }
    }

    private mutating func setTrackingID(_ id: Int32, of index: Int) {
        let isNews = id != slots[index].trackingID || slots[index].isStale
        guard isNews else { return }
        if slots[index].hasBegun {
            slots[index].hasFlashed = true
        } else if slots[index].trackingID >= 0 {
            slots[index].hasEnded = true
        }
        slots[index].hasBegun = id >= 0
        slots[index].trackingID = id
        slots[index].isStale = false
        slots[index].isChanged = true
    }

    /// Protocol A's end of a contact within a packet.
    private mutating func endContact() {
        if !anonymous.isUsed { setTrackingID(-1, of: 0) }
        anonymous.endContact(isTouch: slots[0].isFinger && !slots[0].isHovering)
        slots[0].isFinger = true
        slots[0].isHovering = false
        slots[0].isChanged = false
    }

    // MARK: Packets

    private mutating func endPacket(into changes: inout [Change]) {
        // Where reports were lost nothing is known but what has been reported since.
        if hasDropped { isTouched = nil }
        if anonymous.isUsed {
            // What came before the device was seen to have no slots.
            for index in slots.indices where slots[index].isDown { say(.up, index, into: &changes) }
            if hasDropped || (hasReleased && !anonymous.hasPacket) {
                anonymous.endAll(.up, into: &changes)
            } else {
                anonymous.endPacket(into: &changes)
            }
        } else {
            for index in slots.indices {
                let isInDoubt = hasReleased && isTouched == false || hasDropped && !slots[index].isChanged
                if isInDoubt, slots[index].trackingID >= 0, !slots[index].hasBegun {
                    slots[index].isStale = true
                    slots[index].isChanged = true
                }
                if slots[index].isChanged { settle(index, into: &changes) }
            }
        }
        hasReleased = false
        hasDropped = false
    }

    /// Says what a packet has changed about one slot.
    private mutating func settle(_ index: Int, into changes: inout [Change]) {
        let slot = slots[index]
        slots[index].isChanged = false
        slots[index].hasEnded = false
        slots[index].hasBegun = false
        slots[index].hasFlashed = false
        let touches = slot.trackingID >= 0 && slot.isFinger && !slot.isHovering && !slot.isStale
        if slot.isDown, slot.hasEnded || !touches {
            // The place is the next contact's already if there is one.
            if slot.hasBegun || slot.hasFlashed {
                slots[index].x = slot.saidX
                slots[index].y = slot.saidY
            }
            say(slot.isFinger ? .up : .cancel, index, into: &changes)
            slots[index].x = slot.x
            slots[index].y = slot.y
        }
        if slot.hasFlashed, slot.isFinger, !slot.isHovering {
            say(.down, index, into: &changes)
            say(.up, index, into: &changes)
        }
        if touches {
            if !slots[index].isDown {
                say(.down, index, into: &changes)
            } else if slot.x != slot.saidX || slot.y != slot.saidY {
                say(.move, index, into: &changes)
            }
        }
    }

    private mutating func say(_ phase: Touch.Phase, _ index: Int, into changes: inout [Change]) {
        changes.append(Change(slot: index, phase: phase, x: slots[index].x, y: slots[index].y))
        slots[index].isDown = phase == .down || phase == .move
        slots[index].saidX = slots[index].x
        slots[index].saidY = slots[index].y
    }
}
