import Documents
import Input

/// Reads evemu's format (evemu's README.md): lines of a letter, a colon and fields. Uses reports (`E:`), axes (`A:`)
/// and the name (`N:`). Versions 1.1 to 1.3 also describe the device in comments, and some recordings have only those.
struct EvemuReader {
    private var name: String?
    private var axes = RecordedAxes()
    private var reports = RecordedReports()
    private var described = Description()

    /// Letters of ignored lines: capability bits, ids, properties, and the state of LEDs and switches.
    private static let unusedLetters = Array("IPBLS".utf8)

    static func recording(_ bytes: [UInt8]) throws(FormatError) -> TouchRecording {
        var reader = EvemuReader()
        var line = Fields(bytes: bytes)
        while line.next() { try reader.read(&line) }
        var axes = try reader.axes.touch()
        if axes == nil { axes = try reader.described.axes.touch() }
        return TouchRecording(name: reader.name ?? reader.described.name, axes: axes, reports: reader.reports.reports)
    }

    /// Whether `line` begins with a letter and a colon.
    static func isLine(_ line: ArraySlice<UInt8>) -> Bool {
        guard let letter = line.first, line.dropFirst().first == UInt8(ascii: ":") else { return false }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
    }

    private mutating func read(_ line: inout Fields) throws(FormatError) {
        switch line.letter() {
        case nil: break
        case UInt8(ascii: "E"): try readReport(&line)
        case UInt8(ascii: "A"): try readAxis(&line)
        case UInt8(ascii: "N"): name = line.rest().map { String(decoding: $0, as: UTF8.self) }
        case UInt8(ascii: "#"): described.read(&line)
        case let letter? where Self.unusedLetters.contains(letter): break
        default: throw line.refused("is not of evemu's format; should start with E:, A:, N:, I:, P:, B:, L:, S: or #")
        }
    }

    private mutating func readReport(_ line: inout Fields) throws(FormatError) {
        let time = try line.time()
        let type = try line.number("the type", 0...0xffff, radix: 16)
        let code = try line.number("the code", 0...0xffff, radix: 16)
        let value = try line.number("the value", RecordedReports.values)
        try line.end()
        if let problem = reports.add(at: time, type: UInt16(type), code: UInt16(code), value: Int32(value)) {
            throw line.refused(problem)
        }
    }

    private mutating func readAxis(_ line: inout Fields) throws(FormatError) {
        let code = try line.number("the axis", 0...0xffff, radix: 16)
        let minimum = try line.number("the least value", RecordedReports.values)
        let maximum = try line.number("the greatest value", RecordedReports.values)
        _ = try line.number("the fuzz", RecordedReports.values)
        _ = try line.number("the flatness", RecordedReports.values)
        if line.hasMore { _ = try line.number("the resolution", RecordedReports.values) }
        try line.end()
        axes.byCode[UInt16(code)] = .init(minimum: minimum, maximum: maximum, place: line.place)
    }
}

/// The device's description in evemu's comments. They are meant for people, so unreadable parts are skipped.
private struct Description {
    private(set) var name: String?
    private(set) var axes = RecordedAxes()
    private var type: Int?
    private var code: UInt16?
    private var minimum: Int?

    private static let nameIntroduction = Array("Input device name: \"".utf8)

    mutating func read(_ line: inout Fields) {
        if let rest = line.rest(), rest.starts(with: Self.nameIntroduction), rest.last == UInt8(ascii: "\"") {
            let quoted = rest.dropFirst(Self.nameIntroduction.count).dropLast()
            if !quoted.isEmpty { name = String(decoding: quoted, as: UTF8.self) }
            return
        }
        switch line.word() {
        case "Event":
            let kind = line.word()
            let number = line.word().flatMap { Int($0) }
            if kind == "type" { type = number }
            code = kind == "code" && type == Int(InputCode.absolute) ? number.flatMap { UInt16(exactly: $0) } : nil
            minimum = nil
        case "Min": minimum = line.word().flatMap { Int($0) }
        case "Max":
            guard let code, let minimum, let maximum = line.word().flatMap({ Int($0) }) else { return }
            axes.byCode[code] = .init(minimum: minimum, maximum: maximum, place: line.place)
        default: break
        }
    }
}

/// The fields of each line in turn.
private struct Fields {
    private let bytes: [UInt8]
    private var number = 0
    /// Start of the unread part of the line.
    private var at = 0
    private var lineEnd = 0
    private var nextLine: Int

    init(bytes: [UInt8]) {
        self.bytes = bytes
        nextLine = bytes.textStart
    }

    /// Moves to the next line; returns false after the last.
    mutating func next() -> Bool {
        guard nextLine < bytes.count else { return false }
        at = nextLine
        lineEnd = at
        while lineEnd < bytes.count, bytes[lineEnd] != 0x0a { lineEnd += 1 }
        nextLine = lineEnd + 1
        number += 1
        return true
    }

    var place: String { "line \(number)" }

    func refused(_ problem: String) -> FormatError { FormatError(place, problem) }

    // MARK: Parts

    /// The letter at the start of the line, or `#` for a comment; nil for a blank line, 0 for anything else.
    mutating func letter() -> UInt8? {
        skipSpace()
        guard at < lineEnd else { return nil }
        let letter = bytes[at]
        at += 1
        if letter == UInt8(ascii: "#") { return letter }
        guard at < lineEnd, bytes[at] == UInt8(ascii: ":") else { return 0 }
        at += 1
        return letter
    }

    /// Whether there is another field.
    var hasMore: Bool {
        mutating get {
            skipSpace()
            return at < lineEnd && bytes[at] != UInt8(ascii: "#")
        }
    }

    /// The next field as text.
    mutating func word() -> String? { field().map { String(decoding: bytes[$0], as: UTF8.self) } }

    /// The rest of the line without surrounding white space; nil if it is empty.
    mutating func rest() -> ArraySlice<UInt8>? {
        skipSpace()
        var end = lineEnd
        while end > at, isSpace(bytes[end - 1]) { end -= 1 }
        return at < end ? bytes[at..<end] : nil
    }

    /// The next field: a time in seconds with six decimals, returned in microseconds.
    mutating func time() throws(FormatError) -> Int64 {
        let wanted = "seconds and six decimals, such as 0.000001"
        guard let field = field() else { throw refused("the time is missing, should be \(wanted)") }
        let point = bytes[field].firstIndex(of: UInt8(ascii: ".")) ?? field.upperBound
        guard field.upperBound - point == 7,
            let seconds = value(field.lowerBound..<point, radix: 10), RecordedReports.seconds.contains(seconds),
            let microseconds = value(point + 1..<field.upperBound, radix: 10)
        else { throw refused("the time is \(shown(field)), should be \(wanted)") }
        return Int64(seconds * 1_000_000 + microseconds)
    }

    /// The next field: a number with an optional sign; `name` is for the message.
    mutating func number(_ name: String, _ range: ClosedRange<Int>, radix: Int = 10) throws(FormatError) -> Int {
        let kind = radix == 16 ? "hexadecimal digits, up to ffff" : "a whole number of 32 bits"
        guard let field = field() else { throw refused("\(name) is missing, should be \(kind)") }
        let isNegative = range.lowerBound < 0 && bytes[field.lowerBound] == UInt8(ascii: "-")
        guard let size = value(field.lowerBound + (isNegative ? 1 : 0)..<field.upperBound, radix: radix),
            range.contains(isNegative ? -size : size)
        else { throw refused("\(name) is \(shown(field)), should be \(kind)") }
        return isNegative ? -size : size
    }

    /// Throws if there is another field.
    mutating func end() throws(FormatError) {
        guard hasMore, let field = field() else { return }
        throw refused("ends with \(shown(field)), should end before it")
    }

    // MARK: Text

    private mutating func field() -> Range<Int>? {
        guard hasMore else { return nil }
        let start = at
        while at < lineEnd, !isSpace(bytes[at]), bytes[at] != UInt8(ascii: "#") { at += 1 }
        return start..<at
    }

    /// Parses digits, with leading zeros or not; nil if they are invalid, or greater than any number in a recording.
    private func value(_ digits: Range<Int>, radix: Int) -> Int? {
        guard !digits.isEmpty else { return nil }
        var value = 0
        for index in digits {
            guard let digit = digit(bytes[index]), digit < radix, value <= RecordedReports.seconds.upperBound else {
                return nil
            }
            value = value * radix + digit
        }
        return value
    }

    private func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    /// A field for a message.
    private func shown(_ field: Range<Int>) -> String {
        JSONField(.string(String(decoding: bytes[field], as: UTF8.self))).shown
    }

    private mutating func skipSpace() { while at < lineEnd, isSpace(bytes[at]) { at += 1 } }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }
}
