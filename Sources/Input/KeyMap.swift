import InputEvents

/// A key of a keyboard that the box uses. The raw value is its code in the kernel
/// (include/uapi/linux/input-event-codes.h).
public enum KeyCode: UInt16, CaseIterable, Sendable {
    case backspace = 14
    case leftControl = 29
    case leftShift = 42
    case z = 44
    case rightShift = 54
    case leftAlt = 56
    case space = 57
    case rightControl = 97
    case up = 103
    case down = 108
    case delete = 111
    case leftMeta = 125
    case rightMeta = 126
}

/// The functions of a keyboard's keys (SPEC 4), the same as on the simulated panel. Z is at its place on a US keyboard.
public enum KeyMap {
    /// Modifiers: with one held, Z is undo or redo and the other keys have no function.
    private static let controls: [KeyCode] = [.leftControl, .rightControl, .leftMeta, .rightMeta]
    private static let shifts: [KeyCode] = [.leftShift, .rightShift]
    /// A modifier that, with a control key, leaves the key to other programs.
    private static let alternatives: [KeyCode] = [.leftAlt]

    /// The function of key `code` at `value`: 1 is a press, 2 a repeat. `isHeld` gives the state of another key.
    public static func key(_ code: UInt16, _ value: Int32, isHeld: (KeyCode) -> Bool) -> Key? {
        guard value == 1 || value == 2, let code = KeyCode(rawValue: code) else { return nil }
        let isPress = value == 1
        if controls.contains(where: isHeld) {
            guard isPress, code == .z, !alternatives.contains(where: isHeld) else { return nil }
            return shifts.contains(where: isHeld) ? .redo : .undo
        }
        return switch code {
        case .space: isPress ? .playStop : nil
        case .delete, .backspace: isPress ? .clear : nil
        // These repeat while held.
        case .up: .faster
        case .down: .slower
        default: nil
        }
    }
}
