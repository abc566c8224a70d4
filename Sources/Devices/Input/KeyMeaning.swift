import CEvdev
import Instrument

/// The functions of a keyboard's keys (SPEC 4), the same as on the simulated panel. Z is at its place on a US keyboard.
enum KeyMeaning {
    /// Modifiers: with one held, Z is undo or redo and the other keys have no function.
    static let controls = keys(KEY_LEFTCTRL, KEY_RIGHTCTRL, KEY_LEFTMETA, KEY_RIGHTMETA)
    static let shifts = keys(KEY_LEFTSHIFT, KEY_RIGHTSHIFT)
    /// A modifier that, with a control key, leaves the key to other programs.
    static let alternatives = keys(KEY_LEFTALT)

    /// The keys without a modifier, and whether they repeat while held.
    private static let table: [(code: Int32, key: Key, repeats: Bool)] = [
        (KEY_SPACE, .space, false), (KEY_DELETE, .clear, false), (KEY_BACKSPACE, .clear, false), (KEY_UP, .up, true),
        (KEY_DOWN, .down, true),
    ]

    /// The function of key `code` at `value`: 1 is a press, 2 a repeat. `isHeld` gives the state of another key.
    static func key(_ code: UInt16, _ value: Int32, isHeld: (_ code: UInt16) -> Bool) -> Key? {
        guard value == 1 || value == 2 else { return nil }
        if controls.contains(where: isHeld) {
            guard value == 1, code == UInt16(KEY_Z), !alternatives.contains(where: isHeld) else { return nil }
            return shifts.contains(where: isHeld) ? .redo : .undo
        }
        guard let entry = table.first(where: { UInt16($0.code) == code }) else { return nil }
        return value == 1 || entry.repeats ? entry.key : nil
    }

    private static func keys(_ codes: Int32...) -> [UInt16] { codes.map { UInt16($0) } }
}
