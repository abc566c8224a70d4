/// A kind of values for single steps of a track (docs/spec.md, section 12). A step without a value has the lane's
/// neutral one.
public enum Lane: String, Sendable {
    /// MIDI velocity of the step's notes, 1-127; without a value the cell's: normal 80, accent 127.
    case velocity
    /// Probability that the step sounds, in per cent, 0-100; without a value 100.
    case chance
    /// Condition under which the step sounds: the `code` of a `StepCondition`; without a value always.
    case when
    /// Hits within the step, 1-8; without a value 1.
    case ratchet
    /// Whether the hits of a ratchet become softer (-1), stay (0) or become louder (1).
    case ramp
    /// Length of a hit's notes in per cent of a step, 5-400; without a value the cells' length.
    case gate
    /// Delay of the step in per cent of its length, -50 to 50.
    case shift
    /// Whether the note glides from the one before, without an attack: 0 or 1. Of melody and bass.
    case slide
    /// Change of the track's cut-off from this step on, until the next step with notes: 100 is five octaves up, -100
    /// down.
    case cutoff
    /// Change of the track's resonance, as for `cutoff`: 100 is 24 dB.
    case resonance
    /// Change of the track's pan, as for `cutoff`: 100 is from the middle to the right.
    case pan
    /// Change of what the track sends to the delay, as for `cutoff`, in per cent.
    case delay
    /// Change of what the track sends to the reverberation, as for `delay`.
    case reverb
    /// Degrees of the scale by which all melodic notes that begin from this step on sound higher, until the next value,
    /// -7 to 7. Of the whole pattern: the same on every track (`Harmony`).
    case harmony

    /// The lanes of a track, in the order of the cases.
    public static let ofTracks: [Lane] = [
        .velocity, .chance, .when, .ratchet, .ramp, .gate, .shift, .slide, .cutoff, .resonance, .pan, .delay, .reverb,
    ]

    /// The lane's place in the order of the cases.
    public var index: Int {
        switch self {
        case .velocity: 0
        case .chance: 1
        case .when: 2
        case .ratchet: 3
        case .ramp: 4
        case .gate: 5
        case .shift: 6
        case .slide: 7
        case .cutoff: 8
        case .resonance: 9
        case .pan: 10
        case .delay: 11
        case .reverb: 12
        case .harmony: 13
        }
    }

    /// Range of the values.
    public var values: ClosedRange<Int> {
        switch self {
        case .velocity: 1...127
        case .chance: 0...100
        case .when: 1...StepCondition.all.count
        case .ratchet: 1...8
        case .ramp: -1...1
        case .gate: 5...400
        case .shift: -50...50
        case .slide: 0...1
        case .cutoff, .resonance, .pan, .delay, .reverb: -100...100
        case .harmony: Harmony.values
        }
    }

    /// Whether steps of `track` can have a value.
    public func exists(on track: Track) -> Bool { self != .slide || track == .melody || track == .bass }
}

/// A condition under which a step sounds.
public enum StepCondition: Hashable, Sendable {
    /// In turn `turn` of every `turns` turns of the track; turns count from 1 at Play, 1 ≤ `turn` ≤ `turns`, and
    /// `turns` is 2-8.
    case every(turn: Int, of: Int)
    /// In the first turn.
    case first
    /// Not in the first turn.
    case notFirst
    /// While FILL is held.
    case fill
    /// While FILL is not held.
    case notFill
    /// If the condition before it on the same track was met.
    case previous
    /// If the condition before it on the same track was not met.
    case notPrevious

    /// All conditions, in the order of their codes.
    public static let all: [StepCondition] =
        (2...8).flatMap { turns in (1...turns).map { .every(turn: $0, of: turns) } }
        + [.first, .notFirst, .fill, .notFill, .previous, .notPrevious]

    private static let words = Dictionary(uniqueKeysWithValues: all.map { ($0.word, $0) })
    private static let codes = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1, $0 + 1) })

    /// Its value in a lane, from 1.
    public var code: Int { Self.codes[self] ?? 1 }

    /// The condition with this code; nil if there is none.
    public init?(code: Int) {
        guard Self.all.indices.contains(code - 1) else { return nil }
        self = Self.all[code - 1]
    }

    /// Its name in files: `2:4`, `first`, `notFirst`, `fill`, `notFill`, `prev`, `notPrev`.
    public var word: String {
        switch self {
        case .every(let turn, let turns): "\(turn):\(turns)"
        case .first: "first"
        case .notFirst: "notFirst"
        case .fill: "fill"
        case .notFill: "notFill"
        case .previous: "prev"
        case .notPrevious: "notPrev"
        }
    }

    /// The condition with this name in files; nil if there is none.
    public init?(word: String) {
        guard let condition = Self.words[word] else { return nil }
        self = condition
    }
}
