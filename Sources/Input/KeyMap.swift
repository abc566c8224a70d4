import InputEvents

/// A key of a keyboard that the box uses. The raw value is its code in the kernel
/// (include/uapi/linux/input-event-codes.h); its name is the name of its place on an American keyboard.
public enum KeyCode: UInt16, CaseIterable, Sendable {
    case escape = 1
    case one, two, three, four, five, six, seven, eight, nine, zero
    case minus, equals
    case backspace = 14
    case tab = 15
    case q = 16
    case w, e, r, t, y, u, i, o, p
    case enter = 28
    case leftControl = 29
    case a = 30
    case s, d, f, g, h, j, k, l, semicolon
    case grave = 41
    case leftShift = 42
    case z = 44
    case x, c, v, b, n, m, comma, period, slash
    case rightShift = 54
    case leftAlt = 56
    case space = 57
    case keypadEnter = 96
    case rightControl = 97
    case rightAlt = 100
    case up = 103
    case left = 105
    case right = 106
    case down = 108
    case delete = 111
    case leftMeta = 125
    case rightMeta = 126
}

/// The functions of a keyboard's keys (docs/spec.md, section 4), the same as on the simulated panel, at their places on
/// an American keyboard.
public enum KeyMap {
    /// Modifiers: with one held, Z is undo or redo, Y is redo, and the other keys have no function.
    private static let controls: [KeyCode] = [.leftControl, .rightControl, .leftMeta, .rightMeta]
    private static let shifts: [KeyCode] = [.leftShift, .rightShift]
    /// A modifier that, with a control key, leaves the key to other programs. Nothing is typed with one held.
    private static let alternatives: [KeyCode] = [.leftAlt, .rightAlt]

    /// The stroke of key `code` at `value`: 0 is a release, 1 a press, 2 a repeat. `isHeld` gives the state of another
    /// key.
    public static func stroke(_ code: UInt16, _ value: Int32, isHeld: (KeyCode) -> Bool) -> KeyStroke? {
        guard (0...2).contains(value), let code = KeyCode(rawValue: code) else { return nil }
        let (key, isPress) = (key(code), value == 1)
        // A release counts with any modifier: they may have changed since the press.
        if value == 0 { return key.flatMap { $0.isHeld ? .release($0) : nil } }
        let (isShifted, isAlternative) = (shifts.contains(where: isHeld), alternatives.contains(where: isHeld))
        if controls.contains(where: isHeld) {
            guard isPress, !isAlternative else { return nil }
            switch code {
            case .z: return .press(isShifted ? .redo : .undo)
            case .y: return .press(.redo)
            default: return nil
            }
        }
        if let key { return isPress || key.repeats ? .press(key) : nil }
        guard isPress, !isAlternative, let pair = characters[code] else { return nil }
        return .type(isShifted ? pair.shifted : pair.plain)
    }

    private static func key(_ code: KeyCode) -> Key? {
        switch code {
        case .space: .spaceBar
        case .enter, .keypadEnter: .enter
        case .tab: .latch
        case .escape: .escape
        case .delete, .backspace: .erase
        case .up: .arrowUp
        case .down: .arrowDown
        case .left: .arrowLeft
        case .right: .arrowRight
        default: nil
        }
    }

    /// The characters of an American keyboard, without and with Shift.
    private static let characters: [KeyCode: (plain: Character, shifted: Character)] = {
        let first: [(KeyCode, String, String)] = [
            (.one, "1234567890-=", "!@#$%^&*()_+"), (.q, "QWERTYUIOP", "QWERTYUIOP"), (.a, "ASDFGHJKL;", "ASDFGHJKL:"),
            (.grave, "`", "~"), (.z, "ZXCVBNM,./", "ZXCVBNM<>?"),
        ]
        var characters: [KeyCode: (plain: Character, shifted: Character)] = [:]
        for (code, plain, shifted) in first {
            for (place, pair) in zip(plain, shifted).enumerated() {
                guard let key = KeyCode(rawValue: code.rawValue + UInt16(place)) else { continue }
                characters[key] = (pair.0, pair.1)
            }
        }
        return characters
    }()
}
