import InputEvents
import Input

/// Reads the state of a touch device.
struct OverlayState {
    /// Why the state is read.
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
    mutating func note(_ report: InputReport) {
        if report.type == InputCode.key, report.code == InputCode.touch { hasTouchButton = true }
    }

    /// Whether the device's state has a contact.
    func isTouched(_ node: InputNode) -> Bool {
        guard let slots = node.slots else {
            return !node.hasContacts && node.value(InputCode.key, InputCode.touch) != 0
        }
        return (0..<slots).contains { node.value(InputCode.trackingID, slot: $0) >= 0 }
    }

    /// Returns the state of `node`; nil if there is nothing to read.
    func snapshot(of node: InputNode, _ reason: Reason) -> TouchSnapshot? {
        if let slots = node.slots {
            let contacts = (0..<slots).map { slot in
                func value(_ axis: UInt16) -> Int32? {
                    node.has(InputCode.absolute, axis) ? node.value(axis, slot: slot) : nil
                }
                return TouchSnapshot.Contact(
                    trackingID: contact(in: slot, of: node, reason), x: value(InputCode.positionX),
                    y: value(InputCode.positionY), toolType: value(InputCode.toolType),
                    distance: value(InputCode.contactDistance))
            }
            let isTouched = !node.hasContacts || hasTouchButton ? touchButton(of: node) : nil
            return .slots(contacts, selected: node.slot, isTouched: isTouched)
        }
        if node.hasContacts { return reason == .reportsLost ? .unknown : nil }
        func value(_ axis: UInt16) -> Int32? {
            node.has(InputCode.absolute, axis) ? node.value(InputCode.absolute, axis) : nil
        }
        let only = TouchSnapshot.Contact(
            x: value(InputCode.x), y: value(InputCode.y), distance: value(InputCode.distance))
        return .single(only, isTouched: touchButton(of: node))
    }

    /// Whether BTN_TOUCH is pressed; nil for a device without it.
    private func touchButton(of node: InputNode) -> Bool? {
        node.has(InputCode.key, InputCode.touch) ? node.value(InputCode.key, InputCode.touch) != 0 : nil
    }

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
