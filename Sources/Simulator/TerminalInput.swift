import InputEvents
import Instrument

/// Parses a terminal's input: keys, and the mouse in SGR form (xterm's control sequences, modes 1002 and 1006; modified keys as
/// in the kitty keyboard protocol), byte by byte.
struct TerminalInput {
    /// The phase of a mouse button.
    enum PointerPhase: Hashable {
        case press, drag, release
    }

    enum Event: Hashable {
        case key(Key)
        case quit
        /// The left or right button, in cells from the top left corner at 0, 0.
        case pointer(PointerPhase, isRight: Bool, column: Int, row: Int)
    }

    private enum Sequence {
        case none
        case escape
        /// After ESC O: one byte follows.
        case single
        /// After ESC [, with the bytes since.
        case control([UInt8])
    }

    private var sequence = Sequence.none

    /// Maximum length of a sequence. A mouse report is far shorter.
    private static let lengthMax = 32

    /// Whether it is inside a sequence.
    var isInSequence: Bool {
        if case .none = sequence { false } else { true }
    }

    /// Drops an incomplete sequence: the Escape key alone, since the rest of a sequence never arrives late.
    mutating func forgetSequence() { sequence = .none }

    /// Parses one byte; returns the event that it completes.
    mutating func take(_ byte: UInt8) -> Event? {
        switch (sequence, byte) {
        case (_, 0x1b):
            sequence = .escape
            return nil
        case (.none, _):
            return Self.plain(byte)
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
            return Self.arrow(byte)
        case (.control(let parameters), 0x40...0x7e):
            sequence = .none
            return Self.control(parameters, final: byte)
        case (.control(let parameters), _):
            sequence = parameters.count < Self.lengthMax ? .control(parameters + [byte]) : .none
            return nil
        }
    }

    private static func plain(_ byte: UInt8) -> Event? {
        switch byte {
        case UInt8(ascii: " "): .key(.playStop)
        case 0x1a: .key(.undo)
        // Ctrl-Y: most terminals send the same for Ctrl-Shift-Z and Ctrl-Z.
        case 0x19: .key(.redo)
        case 0x08, 0x7f: .key(.clear)
        case 0x03, UInt8(ascii: "q"): .quit
        default: nil
        }
    }

    private static func arrow(_ final: UInt8) -> Event? {
        switch final {
        case UInt8(ascii: "A"): .key(.faster)
        case UInt8(ascii: "B"): .key(.slower)
        default: nil
        }
    }

    private static func control(_ parameters: [UInt8], final: UInt8) -> Event? {
        if parameters.first == UInt8(ascii: "<") {
            return mouse(numbers(parameters.dropFirst()), isRelease: final == UInt8(ascii: "m"))
        }
        let numbers = numbers(parameters[...])
        switch final {
        case UInt8(ascii: "A"), UInt8(ascii: "B"): return arrow(final)
        case UInt8(ascii: "~"): return numbers.first == 3 ? .key(.clear) : nil
        case UInt8(ascii: "u"): return modified(numbers)
        default: return nil
        }
    }

    /// A key with modifiers: its code point, then 1 + the modifiers' bits.
    private static func modified(_ numbers: [Int]) -> Event? {
        guard let code = numbers.first else { return nil }
        let modifiers = (numbers.count > 1 ? numbers[1] : 1) - 1
        let (isShift, isAlt, isControl) = (modifiers & 1 != 0, modifiers & 2 != 0, modifiers & 4 != 0)
        guard !isAlt else { return nil }
        switch (code, isControl) {
        case (0x5a, true), (0x7a, true): return .key(isShift ? .redo : .undo)
        case (0x59, true), (0x79, true): return .key(.redo)
        case (0x43, true), (0x63, true): return .quit
        case (0x20, false): return .key(.playStop)
        case (0x08, false), (0x7f, false): return .key(.clear)
        case (0x51, false), (0x71, false): return .quit
        default: return nil
        }
    }

    private static func mouse(_ numbers: [Int], isRelease: Bool) -> Event? {
        guard numbers.count == 3, numbers[1] >= 1, numbers[2] >= 1 else { return nil }
        let (button, isMotion, isWheel) = (numbers[0] & 3, numbers[0] & 32 != 0, numbers[0] & 192 != 0)
        guard !isWheel, button == 0 || button == 2 else { return nil }
        let phase: PointerPhase = isRelease ? .release : isMotion ? .drag : .press
        return .pointer(phase, isRight: button == 2, column: numbers[1] - 1, row: numbers[2] - 1)
    }

    /// The numbers between semicolons, each without its sub-parameters; empty if one is not a number.
    private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int] {
        let fields = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let values = fields.map { field in
            Int(String(decoding: field.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self))
        }
        return values.contains(nil) ? [] : values.compactMap { $0 }
    }
}
