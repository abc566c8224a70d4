/// The parameters of a pad of the rhythm track, which plays the drum of its number or a part of a sample.
public enum PadControl: Int, CaseIterable, Sendable {
    /// Percent of the level at which the sample was recorded, or of the drum's.
    case volume
    /// Semitones.
    case tune
    /// Begin and end of the part, in millionths of the sample's length. With the end before the begin it plays backwards.
    case start, end
    /// Group in which a pad ends the one that sounds; 0 is that of the drum, in which the hats end each other.
    case choke

    /// Key in a pad's object.
    public var key: String { Self.keys[rawValue] }
    private static let keys = ["volume", "tune", "start", "end", "choke"]

    /// Range of values.
    public var range: ClosedRange<Int> {
        switch self {
        case .volume: 0...200
        case .tune: -24...24
        case .start, .end: 0...Self.whole
        case .choke: 0...Self.groups
        }
    }

    /// Default value.
    public var defaultValue: Int {
        switch self {
        case .volume: 100
        case .end: Self.whole
        default: 0
        }
    }

    /// Whether a drum has no such parameter.
    var isOfSample: Bool { self == .start || self == .end }

    /// The length of a sample.
    public static let whole = 1_000_000
    /// Number of choke groups, beside those of the drums.
    public static let groups = 4
}
