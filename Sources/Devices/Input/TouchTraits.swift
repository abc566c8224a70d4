import CEvdev
import Input

/// Axes and contacts of a touch device.
public struct TouchTraits: Hashable, Sendable {
    /// The axes' ranges.
    public var axes: TouchAxes
    /// Maximum number of contacts; nil if the device does not report it (protocol A).
    public var contacts: Int?

    /// Both in a few words.
    public var description: String {
        let x = "\(axes.x.lowerBound)-\(axes.x.upperBound)"
        let y = "\(axes.y.lowerBound)-\(axes.y.upperBound)"
        let fingers = contacts.map { "\($0) contact\($0 == 1 ? "" : "s")" } ?? "contacts without slots"
        return "\(x) × \(y), \(fingers)"
    }
}

extension InputNode {
    /// Whether the device reports the positions of several contacts.
    var hasContacts: Bool {
        has(InputCode.absolute, InputCode.positionX) && has(InputCode.absolute, InputCode.positionY)
    }

    /// Whether the device reports touches, by any protocol.
    var hasTouch: Bool {
        hasContacts
            || has(InputCode.absolute, InputCode.x) && has(InputCode.absolute, InputCode.y)
                && has(InputCode.key, InputCode.touch)
    }

    /// Whether the device is a touch overlay for fingers: it has INPUT_PROP_DIRECT and is not for pens only.
    var isOverlay: Bool {
        let isForPens = has(InputCode.key, UInt16(BTN_TOOL_PEN)) || has(InputCode.key, UInt16(BTN_STYLUS))
        return hasTouch && hasProperty(INPUT_PROP_DIRECT) && (hasContacts || !isForPens)
    }

    /// The traits of a device that `hasTouch`. Throws for an axis without a range.
    func touchTraits() throws(DeviceFailure) -> TouchTraits {
        let x = try range(of: hasContacts ? InputCode.positionX : InputCode.x)
        let y = try range(of: hasContacts ? InputCode.positionY : InputCode.y)
        if slots == 0 {
            throw DeviceFailure("\(title) has no slots for contacts", fix: Self.anotherDevice, isLasting: true)
        }
        return TouchTraits(axes: TouchAxes(x: x, y: y), contacts: hasContacts ? slots : 1)
    }

    private func range(of axis: UInt16) throws(DeviceFailure) -> ClosedRange<Int32> {
        let (first, last) = range(axis)
        guard first < last else {
            let name = libevdev_event_code_get_name(UInt32(InputCode.absolute), UInt32(axis)).map {
                String(cString: $0)
            }
            throw DeviceFailure(
                "\(title) cannot be used, as its \(name ?? "axis") goes from \(first) to \(last)",
                fix: Self.anotherDevice,
                isLasting: true)
        }
        return first...last
    }

    private static let anotherDevice = "use another overlay, or the maker's driver"

    /// Name and path, for messages.
    var title: String { "\(name) (\(path))" }
}
