import InputEvents
import Instrument

/// Parses a terminal's input: keys, and the mouse in SGR form (xterm's control sequences, modes 1002 and 1006; modified
/// keys as in the kitty keyboard protocol), byte by byte.
struct TerminalInput {
    /// The phase of a mouse button.
    enum PointerPhase: Hashable {
        case press, drag, release
    }

    enum Event: Hashable {
        case key(KeyStroke)
        case quit
        /// The left or right button, in cells from the top left corner at 0, 0.
        case pointer(PointerPhase, isRight: Bool, column: Int, row: Int)
        /// The terminal reports releases of keys (kitty's protocol).
        case reportsReleases
    }

    /// Whether the panel asks for a name, so that q is a letter.
    var isNaming = false

    private enum Sequence {
        case none
        case escape
        /// After ESC O: one byte follows.
        case single
        /// After ESC [, with the bytes since.
        case control([UInt8])
        /// Longer than any sequence that has a meaning; it lasts to its final byte.
        case overlong
    }

    private var sequence = Sequence.none

    /// Maximum length of a sequence. A mouse report is far shorter.
    private static let lengthMax = 32

    /// Whether it is inside a sequence.
    var isInSequence: Bool {
        if case .none = sequence { false } else { true }
    }

    /// Ends an incomplete sequence, since its rest never arrives late: ESC alone is the Escape key.
    mutating func endSequence() -> Event? {
        defer { sequence = .none }
        if case .escape = sequence { return .key(.press(.escape)) }
        return nil
    }

    /// Parses one byte; returns the event that it completes.
    mutating func parse(_ byte: UInt8) -> Event? {
        switch (sequence, byte) {
        case (_, 0x1b):
            sequence = .escape
            return nil
        case (.none, _):
            return plain(byte)
        case (.escape, UInt8(ascii: "[")):
            sequence = .control([])
            return nil
        case (.escape, UInt8(ascii: "O")):
            sequence = .single
            return nil
        case (.escape, _):
            sequence = .none
            return nil
        case (.single, _):
            sequence = .none
            return Self.arrow(byte, .press)
        case (.control(let parameters), 0x40...0x7e):
            sequence = .none
            return control(parameters, final: byte)
        case (.control(let parameters), _):
            sequence = parameters.count < Self.lengthMax ? .control(parameters + [byte]) : .overlong
            return nil
        case (.overlong, _):
            if (0x40...0x7e).contains(byte) { sequence = .none }
            return nil
        }
    }

    private func plain(_ byte: UInt8) -> Event? {
        switch byte {
        case UInt8(ascii: " "): .key(.press(.spaceBar))
        case 0x0d, 0x0a: .key(.press(.enter))
        case 0x09: .key(.press(.latch))
        case 0x1a: .key(.press(.undo))
        // Ctrl-Y: most terminals send the same for Ctrl-Shift-Z and Ctrl-Z.
        case 0x19: .key(.press(.redo))
        case 0x08, 0x7f: .key(.press(.erase))
        case 0x03: .quit
        case 0x21...0x7e: typed(Unicode.Scalar(byte))
        default: nil
        }
    }

    /// A typed character; q quits unless the panel asks for a name.
    private func typed(_ character: Unicode.Scalar) -> Event {
        let isQuit = !isNaming && (character == "q" || character == "Q")
        return isQuit ? .quit : .key(.type(Character(character)))
    }

    /// The phases of a key in kitty's protocol.
    private enum Phase: Int {
        case press = 1
        case again, release

        /// The stroke of `key`; nil for a repetition or a release without effect.
        func stroke(_ key: Key) -> KeyStroke? {
            switch self {
            case .press: .press(key)
            case .again: key.repeats ? .press(key) : nil
            case .release: key.isHeld ? .release(key) : nil
            }
        }
    }

    private static func arrow(_ final: UInt8, _ phase: Phase) -> Event? {
        let key: Key
        switch final {
        case UInt8(ascii: "A"): key = .arrowUp
        case UInt8(ascii: "B"): key = .arrowDown
        case UInt8(ascii: "C"): key = .arrowRight
        case UInt8(ascii: "D"): key = .arrowLeft
        default: return nil
        }
        return phase.stroke(key).map { .key($0) }
    }

    private func control(_ parameters: [UInt8], final: UInt8) -> Event? {
        if parameters.first == UInt8(ascii: "<") {
            return Self.mouse(Self.numbers(parameters.dropFirst()), isRelease: final == UInt8(ascii: "m"))
        }
        if parameters.first == UInt8(ascii: "?") { return final == UInt8(ascii: "u") ? Self.flags(parameters) : nil }
        let numbers = Self.numbers(parameters[...])
        let phase = Self.phase(parameters)
        switch final {
        case UInt8(ascii: "A")...UInt8(ascii: "D"):
            // An arrow with Ctrl or Alt is another program's.
            return numbers.count < 2 || (numbers[1] - 1) & 6 == 0 ? Self.arrow(final, phase) : nil
        case UInt8(ascii: "~"): return numbers.first == 3 ? phase.stroke(.erase).map { .key($0) } : nil
        case UInt8(ascii: "u"): return modified(numbers, phase)
        default: return nil
        }
    }

    /// The answer to the query for kitty's protocol: whether releases are reported.
    private static func flags(_ parameters: [UInt8]) -> Event? {
        let flags = numbers(parameters.dropFirst()).first ?? 0
        return flags & 2 != 0 ? .reportsReleases : nil
    }

    /// The phase of a key: the part after the colon of the second parameter.
    private static func phase(_ parameters: [UInt8]) -> Phase {
        let fields = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard fields.count > 1 else { return .press }
        let parts = fields[1].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count > 1, let number = Int(String(decoding: parts[1], as: UTF8.self)) else { return .press }
        return Phase(rawValue: number) ?? .press
    }

    /// A key of kitty's protocol: its code point, 1 + the modifiers' bits, and the code point of its text.
    private func modified(_ numbers: [Int], _ phase: Phase) -> Event? {
        guard let code = numbers.first else { return nil }
        let modifiers = (numbers.count > 1 ? numbers[1] : 1) - 1
        let (isShift, isAlt, isControl) = (modifiers & 1 != 0, modifiers & 2 != 0, modifiers & 4 != 0)
        if let key = Self.key(code) {
            // A release counts with any modifier: they may have changed since the press.
            guard phase == .release || !isAlt && !isControl else { return nil }
            return phase.stroke(key).map { .key($0) }
        }
        guard !isAlt, phase == .press else { return nil }
        switch (code, isControl) {
        case (0x5a, true), (0x7a, true): return .key(.press(isShift ? .redo : .undo))
        case (0x59, true), (0x79, true): return .key(.press(.redo))
        case (0x43, true), (0x63, true): return .quit
        case (_, true): return nil
        default:
            let text = numbers.count > 2 ? numbers[2] : code
            guard let byte = UInt8(exactly: text), (0x21...0x7e).contains(byte) else { return nil }
            return typed(Unicode.Scalar(byte))
        }
    }

    /// The key with `code`, apart from keys that type.
    private static func key(_ code: Int) -> Key? {
        switch code {
        case 0x20: .spaceBar
        case 0x0d, 57414: .enter
        case 0x09: .latch
        case 0x1b: .escape
        case 0x08, 0x7f: .erase
        default: nil
        }
    }

    private static func mouse(_ numbers: [Int], isRelease: Bool) -> Event? {
        guard numbers.count == 3, numbers[1] >= 1, numbers[2] >= 1 else { return nil }
        let (button, isMotion, isWheel) = (numbers[0] & 3, numbers[0] & 32 != 0, numbers[0] & 192 != 0)
        guard !isWheel, button == 0 || button == 2 else { return nil }
        let phase: PointerPhase = isRelease ? .release : isMotion ? .drag : .press
        return .pointer(phase, isRight: button == 2, column: numbers[1] - 1, row: numbers[2] - 1)
    }

    /// The numbers between semicolons, each without its sub-parameters, 1 for an empty one; empty if one is not a
    /// number.
    private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int] {
        let fields = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let values = fields.map { field in
            field.isEmpty ? 1 : Int(String(decoding: field.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self))
        }
        return values.contains(nil) ? [] : values.compactMap { $0 }
    }
}
