import InputEvents

/// Turns the reports of a touch device into changes of contacts, packet by packet (kernel:
/// Documentation/input/multi-touch-protocol.rst). Reads protocol B, protocol A, and single-touch devices; it recognises
/// the protocol from the reports.
///
/// Devices do not repeat unchanged values, so all values are stored. For any sequence of reports, contacts land and
/// lift alternately, and a contact without evidence that it is still down lifts.
struct PacketReader {
    /// A change of a contact, in units of the device.
    struct Change: Hashable {
        /// The contact's slot, or the number assigned to it for a device without slots.
        var slot: Int
        var phase: Touch.Phase
        var x: Int32
        var y: Int32
        /// `Touch.delay` of the player, in microseconds.
        var delay: Int32 = 0
    }

    /// Maximum number of slots. Devices announce up to 60.
    static let slotsMax = 256

    private var slots = [Slot](repeating: Slot(), count: 16)
    /// The slot of the following values; nil for one beyond the maximum.
    private var slot: Int? = 0
    /// Last value of `BTN_TOUCH`; nil if it was never reported.
    private var isTouched: Bool?
    private var hasReleased = false
    private var hasDropped = false
    private var hasTrackingIDs = false
    /// The contacts of a device without slots, matched from packet to packet.
    private var anonymous: AnonymousContacts

    private struct Slot {
        /// Tracking id as reported; −1 for none.
        var trackingID: Int32 = -1
        var x: Int32 = 0
        var y: Int32 = 0
        var isFinger = true
        var isHovering = false
        var delay: Int32 = 0
        /// Whether the contact was lifted although its tracking id was not: its next position, if there is one, lands
        /// it again.
        var isStale = false

        /// The state that was reported last: whether it is down, and its position.
        var isDown = false
        var reportedX: Int32 = 0
        var reportedY: Int32 = 0

        /// Whether anything has changed since the last packet, …
        var isChanged = false
        /// … the previous contact ended, …
        var hasEnded = false
        /// … a contact began, …
        var hasBegun = false
        /// … or a contact both began and ended.
        var hasFlashed = false
    }

    /// Tracking id for the contact of a device without ids.
    private static let onlyContact: Int32 = 0

    init(axes: TouchAxes) {
        anonymous = AnonymousContacts(axes: axes)
    }

    /// Reads one report; at the end of a packet, appends its changes to `changes`.
    mutating func read(_ report: InputReport, into changes: inout [Change]) {
        switch (report.type, report.code) {
        case (InputCode.synchronisation, InputCode.report): endPacket(into: &changes)
        case (InputCode.synchronisation, InputCode.contactReport): endContact()
        case (InputCode.synchronisation, InputCode.dropped): hasDropped = true
        case (InputCode.key, InputCode.touch): touch(report.value != 0)
        case (InputCode.absolute, InputCode.slot): select(Int(report.value))
        case (InputCode.absolute, let code): store(code, report.value)
        case (InputCode.simulated, InputCode.soundDelay): if let slot { slots[slot].delay = report.value }
        default: break
        }
    }

    /// Reads the device's state in place of a packet; appends the changes since the last packet to `changes`.
    mutating func read(_ snapshot: TouchSnapshot, into changes: inout [Change]) {
        switch snapshot {
        case .slots(let contacts, let selected, let isTouched):
            for (index, contact) in contacts.enumerated() {
                select(index)
                store(InputCode.positionX, contact.x)
                store(InputCode.positionY, contact.y)
                store(InputCode.toolType, contact.toolType)
                store(InputCode.contactDistance, contact.distance)
                store(InputCode.trackingID, contact.trackingID)
            }
            select(selected)
            if let isTouched { touch(isTouched) }
            endPacket(into: &changes)
        case .single(let contact, let isTouched):
            store(InputCode.x, contact.x)
            store(InputCode.y, contact.y)
            store(InputCode.distance, contact.distance)
            if let isTouched { touch(isTouched) }
            endPacket(into: &changes)
        case .unknown:
            hasDropped = true
            endPacket(into: &changes)
        }
    }

    /// Cancels all contacts of a device that was disconnected.
    mutating func cancelAll(into changes: inout [Change]) {
        for index in slots.indices where slots[index].isDown { report(.cancel, index, into: &changes) }
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

    private mutating func store(_ code: UInt16, _ value: Int32?) {
        guard let slot, let value else { return }
        switch code {
        case InputCode.trackingID:
            if !hasTrackingIDs {
                hasTrackingIDs = true
                setTrackingID(-1, of: 0)
            }
            setTrackingID(value, of: slot)
            anonymous.set(id: value)
        case InputCode.positionX:
            slots[slot].x = value
            anonymous.set(x: value)
        case InputCode.positionY:
            slots[slot].y = value
            anonymous.set(y: value)
        // Multi-touch devices repeat the oldest contact in these codes.
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
        let isNew = id != slots[index].trackingID || slots[index].isStale
        guard isNew else { return }
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
        // After lost reports only newer values are valid.
        if hasDropped { isTouched = nil }
        if anonymous.isUsed {
            // Contacts from before the device turned out to have no slots.
            for index in slots.indices where slots[index].isDown { report(.up, index, into: &changes) }
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
                if slots[index].isChanged { reportChanges(of: index, into: &changes) }
            }
        }
        hasReleased = false
        hasDropped = false
    }

    /// Appends the changes of one slot in the packet.
    private mutating func reportChanges(of index: Int, into changes: inout [Change]) {
        let slot = slots[index]
        slots[index].isChanged = false
        slots[index].hasEnded = false
        slots[index].hasBegun = false
        slots[index].hasFlashed = false
        let touches = slot.trackingID >= 0 && slot.isFinger && !slot.isHovering && !slot.isStale
        if slot.isDown, slot.hasEnded || !touches {
            // A following contact has already overwritten the position.
            if slot.hasBegun || slot.hasFlashed {
                slots[index].x = slot.reportedX
                slots[index].y = slot.reportedY
            }
            report(slot.isFinger ? .up : .cancel, index, into: &changes)
            slots[index].x = slot.x
            slots[index].y = slot.y
        }
        if slot.hasFlashed, slot.isFinger, !slot.isHovering {
            report(.down, index, into: &changes)
            report(.up, index, into: &changes)
        }
        if touches {
            if !slots[index].isDown {
                report(.down, index, into: &changes)
            } else if slot.x != slot.reportedX || slot.y != slot.reportedY {
                report(.move, index, into: &changes)
            }
        }
    }

    private mutating func report(_ phase: Touch.Phase, _ index: Int, into changes: inout [Change]) {
        let slot = slots[index]
        changes.append(
            Change(slot: index, phase: phase, x: slot.x, y: slot.y, delay: phase == .down ? slot.delay : 0))
        slots[index].isDown = phase == .down || phase == .move
        slots[index].reportedX = slots[index].x
        slots[index].reportedY = slots[index].y
    }
}
