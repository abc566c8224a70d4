import Instrument
import Overlay

/// Reports the whole state of a touch device, as the kernel does not repeat values that have not changed.
struct OverlayState {
    /// Why the state is reported.
    enum Reason: Hashable {
        /// The device was opened.
        case opened
        /// The kernel has dropped reports.
        case reportsLost
        /// The known state may be wrong.
        case inDoubt
    }

    /// Whether the device has reported BTN_TOUCH: some announce it and never report it.
    private var hasTouchButton = false

    /// Notes a report.
    mutating func take(_ report: InputReport) {
        if report.type == InputCode.key, report.code == InputCode.touch { hasTouchButton = true }
    }

    /// Whether the device's state has a contact.
    func isTouched(_ node: InputNode) -> Bool {
        guard let slots = node.slots else {
            return !node.hasContacts && node.value(InputCode.key, InputCode.touch) != 0
        }
        return (0..<slots).contains { node.value(InputCode.trackingID, slot: $0) >= 0 }
    }

    /// Appends the state of `node` to `reports`.
    func append(_ node: InputNode, _ reason: Reason, at now: Instant, into reports: inout [InputReport]) {
        func report(_ type: UInt16, _ code: UInt16, _ value: Int32) {
            reports.append(InputReport(time: now, type: type, code: code, value: value))
        }
        if let slots = node.slots {
            for slot in 0..<slots {
                report(InputCode.absolute, InputCode.slot, Int32(slot))
                for axis in Self.slotAxes where node.has(InputCode.absolute, axis) {
                    report(InputCode.absolute, axis, node.value(axis, slot: slot))
                }
                report(InputCode.absolute, InputCode.trackingID, contact(in: slot, of: node, reason))
            }
            report(InputCode.absolute, InputCode.slot, Int32(node.slot))
        } else if node.hasContacts {
            // Protocol A has no state: the next packet has all contacts, and until then there are none.
            guard reason == .reportsLost else { return }
            report(InputCode.synchronisation, InputCode.dropped, 0)
        } else {
            for axis in Self.axes where node.has(InputCode.absolute, axis) {
                report(InputCode.absolute, axis, node.value(InputCode.absolute, axis))
            }
        }
        if !node.hasContacts || hasTouchButton && node.slots != nil, node.has(InputCode.key, InputCode.touch) {
            report(InputCode.key, InputCode.touch, node.value(InputCode.key, InputCode.touch))
        }
        report(InputCode.synchronisation, InputCode.report, 0)
    }

    /// Axes of a device without slots.
    private static let axes = [InputCode.x, InputCode.y, InputCode.distance]
    /// Axes of each slot.
    private static let slotAxes = [
        InputCode.positionX, InputCode.positionY, InputCode.toolType, InputCode.contactDistance,
    ]

    /// The tracking id in a slot, or −1. Some devices report a lift by BTN_TOUCH alone and leave the tracking ids.
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
