/// Other instruments and programs that stop the music at once while the performance lock is on. What is not among them
/// gets the word LOCKED.
public struct StopSources: OptionSet, Hashable, Sendable {
    /// One bit for each.
    public let rawValue: UInt8

    /// The sources with the bits `rawValue`.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The instrument whose MIDI clock the box follows.
    public static let midi = StopSources(rawValue: 1)
    /// The clock jack.
    public static let clock = StopSources(rawValue: 2)
    /// The Link session.
    public static let link = StopSources(rawValue: 4)
    /// Programs, by Open Sound Control.
    public static let osc = StopSources(rawValue: 8)

    /// The sources until a configuration has others: those that lead the box.
    public static let leaders: StopSources = [.midi, .clock, .link]

    /// Each source with its word in configurations.
    public static let words: [(word: String, choice: StopSources)] = [
        ("midi", .midi), ("clock", .clock), ("link", .link), ("osc", .osc),
    ]
}
