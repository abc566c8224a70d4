import Instrument
import Overlay

/// Tells the state that a touch device is in as though it were reported just now, from the first value to the last. The
/// kernel does not repeat what has not changed.
struct OverlayState {
    /// Why it is told.
    enum Reason: Hashable {
        /// The device was opened, …
        case opened
        /// … the kernel has lost some of its reports, …
        case reportsLost
        /// … or what is known of it may not be so.
        case inDoubt
    }

    /// The device has reported BTN_TOUCH: some announce it and never do.
    private var hasTouchButton = false

    /// Takes note of a report.
    mutating func take(_ report: InputReport) {
        if report.type == InputCode.key, report.code == InputCode.touch { hasTouchButton = true }
    }

    /// Whether anything touches the device, as far as its state tells.
    func isTouched(_ node: InputNode) -> Bool {
        guard let slots = node.slots else {
            return !node.hasContacts && node.value(InputCode.key, InputCode.touch) != 0
        }
        return (0..<slots).contains { node.value(InputCode.trackingID, slot: $0) >= 0 }
    }

    /// Appends the state of `node` to `reports`.
    func append(_ node: InputNode, _ reason: Reason, at now: Instant, into reports: inout [InputReport]) {
        func say(_ type: UInt16, _ code: UInt16, _ value: Int32) {
            reports.append(InputReport(time: now, type: type, code: code, value: value))
        }
        if let slots = node.slots {
            for slot in 0..<slots {
                say(InputCode.absolute, InputCode.slot, Int32(slot))
                for axis in Self.slotAxes where node.has(InputCode.absolute, axis) {
                    say(InputCode.absolute, axis, node.value(axis, slot: slot))
                }
                say(InputCode.absolute, InputCode.trackingID, contact(in: slot, of: node, reason))
            }
            say(InputCode.absolute, InputCode.slot, Int32(node.slot))
        } else if node.hasContacts {
            // Protocol A has no state: the next packet says where all contacts are, and until then there are none.
            guard reason == .reportsLost else { return }
            say(InputCode.synchronisation, InputCode.dropped, 0)
        } else {
            for axis in Self.axes where node.has(InputCode.absolute, axis) {
                say(InputCode.absolute, axis, node.value(InputCode.absolute, axis))
            }
        }
        if !node.hasContacts || hasTouchButton && node.slots != nil, node.has(InputCode.key, InputCode.touch) {
            say(InputCode.key, InputCode.touch, node.value(InputCode.key, InputCode.touch))
        }
        say(InputCode.synchronisation, InputCode.report, 0)
    }

    /// What a device without slots has.
    private static let axes = [InputCode.x, InputCode.y, InputCode.distance]
    /// What each slot has besides a contact.
    private static let slotAxes = [
        InputCode.positionX, InputCode.positionY, InputCode.toolType, InputCode.contactDistance,
    ]

    /// The tracking id in a slot, or −1. Some devices say that their contacts have lifted by BTN_TOUCH alone, and leave the ids.
    private func contact(in slot: Int, of node: InputNode, _ reason: Reason) -> Int32 {
        let id = node.value(InputCode.trackingID, slot: slot)
        let isReported = hasTouchButton || reason == .opened
        guard isReported, node.has(InputCode.key, InputCode.touch), node.value(InputCode.key, InputCode.touch) == 0
        else { return id }
        let isHovering =
            node.has(InputCode.absolute, InputCode.contactDistance)
            && node.value(InputCode.contactDistance, slot: slot) > 0
        return isHovering ? id : -1
    }
}
