/// A sound parameter that the player can set.
public enum SoundControl: Hashable, Sendable {
    /// A parameter of one track.
    case track(Track, TrackControl)
    /// Per cent of a pair of steps that the first step takes; 50 is straight.
    case swing
    /// Delay time in steps.
    case delaySteps
    /// Delay feedback: level of a repeat, in per cent of the one before.
    case delayFeedback
    /// Per cent of the way from the middle to the side of each repeat of the delay.
    case delayWidth
    /// Reverberation time (RT60), in tenths of a second.
    case reverbTime
    /// Amount of the master's compressor in per cent; 0 is off.
    case compression
    /// Tilt of the master's tone: −100 is dark, 100 bright; 0 is off.
    case tone
    /// A parameter of one pad of the rhythm track, 0 to 11: the number of its drum.
    case pad(Int, PadControl)

    /// Its row of the tables of controls.
    var row: ControlRow {
        switch self {
        // A kit is a model of its own kind.
        case .track(.rhythm, .model): TrackControl.kit
        case .track(_, let control): control.row
        case .pad(_, let control): control.row
        case .swing, .delaySteps, .delayFeedback, .delayWidth, .reverbTime, .compression, .tone:
            Self.rows[index - Self.firstShared]
        }
    }

    /// Range of values, with any model.
    public var range: ClosedRange<Int> { row.range }

    /// Default value.
    public var defaultValue: Int {
        if case .track(let track, _) = self { row.defaults[track.rawValue] } else { row.defaults[0] }
    }

    /// The keys, outermost first: `["bass", "cutoff"]`, `["swing"]`. A document has a model's own controls under the
    /// names that the model gives them instead.
    public var path: [String] {
        switch self {
        case .track(let track, _): [track.name, row.key]
        case .swing: [row.key]
        case .delaySteps, .delayFeedback, .delayWidth: ["delay", row.key]
        case .reverbTime: ["reverb", row.key]
        case .compression, .tone: ["master", row.key]
        case .pad(let pad, _): [Track.rhythm.name, "pads", "\(pad + 1)", row.key]
        }
    }

    /// The path as one word: `bass.cutoff`, `swing`.
    public var word: String { path.joined(separator: ".") }

    /// The control with the path `word`; nil for none.
    public init?(word: String) {
        guard let control = Self.byWord[word] else { return nil }
        self = control
    }

    private static let byWord = Dictionary(uniqueKeysWithValues: allCases.map { ($0.word, $0) })

    /// Index in `allCases`.
    var index: Int {
        switch self {
        case .track(let track, let control): track.rawValue * TrackControl.allCases.count + control.rawValue
        case .swing: Self.firstShared
        case .delaySteps: Self.firstShared + 1
        case .delayFeedback: Self.firstShared + 2
        case .delayWidth: Self.firstShared + 3
        case .reverbTime: Self.firstShared + 4
        case .compression: Self.firstShared + 5
        case .tone: Self.firstShared + 6
        case .pad(let pad, let control):
            Self.firstShared + Self.shared.count + pad * PadControl.allCases.count + control.rawValue
        }
    }

    /// Index of the first control that belongs to no track.
    private static let firstShared = Track.allCases.count * TrackControl.allCases.count
}

extension SoundControl: CaseIterable {
    /// Every control, track by track, then the shared ones, then pad by pad. The drums have fixed envelopes, so the
    /// rhythm track's envelope controls exist but have no effect. The own controls that a model lacks are 0.
    public static let allCases: [SoundControl] =
        Track.allCases.flatMap { track in TrackControl.allCases.map { .track(track, $0) } } + shared + pads

    /// The controls that belong to no track.
    public static let shared: [SoundControl] =
        [.swing, .delaySteps, .delayFeedback, .delayWidth, .reverbTime, .compression, .tone]

    /// The controls of the pads.
    public static let pads: [SoundControl] = Track.rhythm.notes.flatMap { pad in
        PadControl.allCases.map { .pad(pad, $0) }
    }
}

extension SoundControl {
    /// The rows of `shared`.
    private static let rows: [ControlRow] = [
        ControlRow(key: "swing", 50...75, default: 50, letter: "W", "SWING", .number("SWG", unit: "%")),
        ControlRow(key: "steps", 1...8, default: 3, letter: "T", "DELAY STEPS", .number("STEPS")),
        ControlRow(key: "feedback", 0...90, default: 35, letter: "F", "DELAY FEEDBACK", .number("FB", unit: "%")),
        ControlRow(key: "width", 0...100, default: 50, letter: "W", "DELAY WIDTH", .number("WID", unit: "%")),
        ControlRow(
            key: "time", 3...100, default: 20, letter: "L", "REVERB TIME", .tenths("REV", unit: "S"), .quadratic),
        ControlRow(key: "compression", 0...100, letter: "C", "COMPRESSION", .number("CMP", unit: "%")),
        ControlRow(key: "tone", -100...100, letter: "T", "TONE", .number("TON"), isBipolar: true),
    ]
}
