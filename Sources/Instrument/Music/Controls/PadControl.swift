/// The parameters of a pad of the rhythm track, which plays the drum of its number or a part of a sample.
public enum PadControl: Int, CaseIterable, Sendable {
    /// Per cent of the level at which the sample was recorded, or of the drum's.
    case volume
    /// Semitones.
    case tune
    /// Begin and end of the part, in millionths of the sample's length. With the end before the begin it plays
    /// backwards.
    case start, end
    /// Group in which a pad ends the one that sounds; 0 is the drum's own group, in which the hats end each other.
    case choke

    /// Key in a pad's object.
    public var key: String { row.key }

    /// Range of values.
    public var range: ClosedRange<Int> { row.range }

    /// Default value.
    public var defaultValue: Int { row.defaults[0] }

    /// Whether a drum has no such parameter.
    var isOfSample: Bool { self == .start || self == .end }

    /// The length of a sample.
    public static let whole = 1_000_000
    /// Number of choke groups, beside the drums' own.
    public static let groups = 4

    /// Its row of the table.
    var row: ControlRow { Self.rows[rawValue] }

    /// In the order of the cases.
    private static let rows: [ControlRow] = [
        ControlRow(key: "volume", 0...200, default: 100, letter: "V", "VOLUME", .number("VOL", unit: "%")),
        ControlRow(key: "tune", -24...24, letter: "T", "TUNE", .signed("TUN"), isBipolar: true),
        ControlRow(key: "start", 0...whole, letter: "S", "START", .share("BEG", of: whole)),
        ControlRow(key: "end", 0...whole, default: whole, letter: "E", "END", .share("END", of: whole)),
        ControlRow(key: "choke", 0...groups, letter: "", "CHOKE GROUP", .number("CHK")),
    ]
}
