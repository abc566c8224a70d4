import CEvdev
import Instrument

/// What the keys of a keyboard mean (SPEC 4), the same as on the simulated panel. Z is where it is on a US keyboard.
enum KeyMeaning {
    /// Held, they make another key of Z, and none of the others.
    static let controls = keys(KEY_LEFTCTRL, KEY_RIGHTCTRL, KEY_LEFTMETA, KEY_RIGHTMETA)
    static let shifts = keys(KEY_LEFTSHIFT, KEY_RIGHTSHIFT)
    /// With the controls it makes a key that is left to others.
    static let alternatives = keys(KEY_LEFTALT)

    /// The keys that mean something by themselves; those that go on while they are held are marked.
    private static let table: [(code: Int32, key: Key, repeats: Bool)] = [
        (KEY_SPACE, .space, false), (KEY_DELETE, .clear, false), (KEY_BACKSPACE, .clear, false), (KEY_UP, .up, true),
        (KEY_DOWN, .down, true),
    ]

    /// What key `code` means as it takes `value`: 1 as it is pressed, 2 as it repeats. `isHeld` tells of the others.
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
