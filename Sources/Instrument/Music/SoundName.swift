import Display

/// The name of a sound or of a tuning: one to eight letters of the panel's font, without spaces at its ends. Packed
/// into an integer, so that the settings that contain it are compared and copied without allocation.
public struct SoundName: Hashable, Sendable {
    /// The letters from the first on, six bits each, lowest bits first: places in `alphabet`, counted from 1. Stored in
    /// libraries.
    public let bits: Int64

    /// Range of `bits`.
    static let bitsRange: ClosedRange<Int64> = 1...(1 << Int64(lettersMax * bitsPerLetter)) - 1
    /// Maximum letters.
    public static let lettersMax = 8
    private static let bitsPerLetter = 6
    /// The letters. Their order is part of every library: new ones belong at the end, up to 63.
    private static let alphabet = Array(" ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:-+/!?><=%#~♯♭▶■✓←")
    private static let lines = alphabet.map { TextLine(String($0)) }
    private static let narrowLines = alphabet.map { TextLine(String($0), room: 3) }
    /// Columns that the longest name may take: eight letters of three.
    private static let widthMax = 31

    /// The name `text`; nil if it is empty, too long, begins or ends with a space or has a letter that the panel lacks.
    public init?(_ text: String) {
        let places = text.map { Self.alphabet.firstIndex(of: $0) }
        guard (1...Self.lettersMax).contains(places.count), text.first != " ", text.last != " " else { return nil }
        var bits: Int64 = 0
        for place in places.reversed() {
            guard let place else { return nil }
            bits = bits << Self.bitsPerLetter | Int64(place + 1)
        }
        self.bits = bits
    }

    /// The name of the first letters of `text` in the panel's spelling, at most eight; nil if it has none.
    public init?(shortening text: String) {
        let spelt = Font.spelling(String(text.map { $0 == "_" ? " " : $0 }))
        let letters = spelt.filter { Self.alphabet.contains($0) && $0 != "?" }
        var short = letters.drop { $0 == " " }.prefix(Self.lettersMax)
        while short.last == " " { short.removeLast() }
        self.init(String(short))
    }

    /// The name with the bits of another; nil for 0.
    init?(trusted bits: Int64) {
        if bits == 0 { return nil }
        self.bits = bits
    }

    /// The name with these `bits`; nil if they are of no name.
    public init?(bits: Int64) {
        guard Self.bitsRange.contains(bits) else { return nil }
        var letters: [Character] = []
        var rest = bits
        while rest > 0 {
            let place = Int(rest & 63)
            guard (1...Self.alphabet.count).contains(place) else { return nil }
            letters.append(Self.alphabet[place - 1])
            rest >>= Self.bitsPerLetter
        }
        self.init(String(letters))
    }

    /// The letters.
    public var text: String {
        var text = ""
        forEachLetter { text.append(Self.alphabet[$0]) }
        return text
    }

    private func forEachLetter(_ body: (Int) -> Void) {
        var rest = bits
        while rest > 0 {
            body(Int(rest & 63) - 1)
            rest >>= Self.bitsPerLetter
        }
    }

    /// Width on the panel in columns, at most 31.
    var width: Int { max(0, width(of: lines)) }

    /// The letters as they are drawn: narrow if the name would take more room than every name has.
    private var lines: [TextLine] { width(of: Self.lines) <= Self.widthMax ? Self.lines : Self.narrowLines }

    private func width(of lines: [TextLine]) -> Int {
        var width = -1
        forEachLetter { width += lines[$0].width + 1 }
        return width
    }

    /// Draws the name from `column`, `row` on, without allocation. Only LEDs within the `rows` are drawn.
    func draw(into frame: inout Frame, column: Int, row: Int, colour: RGB, rows: Range<Int>? = nil) {
        var next = column
        var rest = bits
        let lines = lines
        while rest > 0 {
            let line = lines[Int(rest & 63) - 1]
            line.draw(into: &frame, column: next, row: row, colour: colour, clipRows: rows)
            next += line.width + 1
            rest >>= Self.bitsPerLetter
        }
    }
}
