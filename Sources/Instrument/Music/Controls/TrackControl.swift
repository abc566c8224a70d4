/// The parameters of each track, in the order of the engine's commands.
public enum TrackControl: Int, CaseIterable, Sendable {
    /// Per cent of the level in docs/spec.md, section 6.
    case volume
    /// Pan: −100 is left, 100 is right.
    case pan
    /// Low-pass cut-off in hertz. On the rhythm track the filter follows the drums; the maximum bypasses it.
    case cutoff
    /// Low-pass resonance: gain at the cut-off in decibels.
    case resonance
    /// Attack time in milliseconds; 0 follows the note's length: 10 ms, or 20 ms for a note over 200 ms.
    case attack
    /// Decay time in milliseconds, from the peak to the sustain level.
    case decay
    /// Sustain level in per cent of the peak.
    case sustain
    /// Release time in milliseconds; 0 ends with the note, in 0.3 of its length and at most 150 ms.
    case release
    /// Delay send in per cent.
    case delay
    /// Reverberation send in per cent.
    case reverb
    /// A `SoundModel`; on the rhythm track a `SoundKit`.
    case model
    /// The sound's own level in tenths of a decibel, beside the player's volume.
    case level
    /// Detuned copies of each note.
    case unison
    /// Drive in per cent.
    case drive
    /// Chorus in per cent.
    case chorus
    /// Rate of the LFO in hundredths of a hertz.
    case lfoRate
    /// An `LFOShape`.
    case lfoShape
    /// Depth of the LFO in per cent.
    case lfoDepth
    /// A `ModulationTarget`.
    case lfoTarget
    /// Depth of the modulation envelope in per cent; negative moves its target down.
    case envelopeDepth
    /// A `ModulationTarget`.
    case envelopeTarget
    /// Decay time of the modulation envelope in milliseconds, from the note's begin.
    case envelopeDecay
    /// The model's own controls: `SoundModel.timbres`.
    case timbre1, timbre2, timbre3, timbre4, timbre5, timbre6

    /// Key in a track's object, and in touch scripts.
    public var key: String { row.key }

    /// Range of values, with any model.
    public var range: ClosedRange<Int> { row.range }

    /// Place among the model's own controls, from 0; nil for the others.
    public var timbre: Int? { self >= .timbre1 ? rawValue - Self.timbre1.rawValue : nil }

    /// Whether the range depends on the track's model.
    var dependsOnModel: Bool { self == .lfoTarget || self == .envelopeTarget || timbre != nil }
}

extension TrackControl: Comparable {
    /// The order of the cases.
    public static func < (a: TrackControl, b: TrackControl) -> Bool { a.rawValue < b.rawValue }
}

extension TrackControl {
    /// Its row of the table.
    var row: ControlRow { Self.rows[rawValue] }

    /// The row of a kit, the rhythm track's model.
    static let kit = ControlRow(key: "kit", 0...SoundKit.allCases.count - 1, letter: "", "MODEL", .model)

    /// In the order of the cases.
    private static let rows: [ControlRow] =
        [
            ControlRow(key: "volume", 0...200, default: 100, letter: "V", "VOLUME", .number("VOL", unit: "%")),
            ControlRow(key: "pan", -100...100, letter: "P", "PAN", .pan, isBipolar: true),
            ControlRow(
                key: "cutoff", 20...20_000, defaults: [2000, 1500, 400, 20_000], letter: "F", "CUT-OFF", .frequency,
                .thirdOctaves),
            ControlRow(key: "resonance", 0...24, default: 1, letter: "Q", "RESONANCE", .number("RES", unit: "DB")),
            ControlRow(key: "attack", 0...5000, letter: "A", "ATTACK", .time("ATK", zero: "AUTO"), .quartic),
            ControlRow(key: "decay", 0...5000, letter: "D", "DECAY", .time("DEC", zero: "0"), .quartic),
            ControlRow(key: "sustain", 0...100, default: 100, letter: "S", "SUSTAIN", .number("SUS", unit: "%")),
            ControlRow(key: "release", 0...5000, letter: "R", "RELEASE", .time("REL", zero: "AUTO"), .quartic),
            ControlRow(key: "delay", 0...100, letter: "D", "DELAY", .number("DLY", unit: "%")),
            ControlRow(key: "reverb", 0...100, letter: "S", "SPACE", .number("SPC", unit: "%")),
            ControlRow(key: "model", 0...SoundModel.allCases.count - 1, letter: "", "MODEL", .model),
            ControlRow(key: "level", -240...240, letter: "", "LEVEL", .number("LVL")),
            ControlRow(key: "unison", 1...4, default: 1, letter: "U", "UNISON", .number("UNI", prefix: "X")),
            ControlRow(key: "drive", 0...100, letter: "D", "DRIVE", .number("DRV", unit: "%")),
            ControlRow(key: "chorus", 0...100, letter: "C", "CHORUS", .number("CHO", unit: "%")),
            ControlRow(key: "lfoRate", 2...2000, default: 500, letter: "L", "LFO RATE", .rate, .quartic),
            ControlRow(key: "lfoShape", 0...LFOShape.allCases.count - 1, letter: "L", "LFO SHAPE", .lfoShape),
            ControlRow(key: "lfoDepth", 0...100, letter: "A", "LFO DEPTH", .number("DEP", unit: "%")),
            ControlRow(key: "lfoTarget", 0...ModulationTarget.highest, letter: "T", "LFO TO", .target),
            ControlRow(key: "envelopeDepth", -100...100, letter: "E", "ENVELOPE", .number("ENV"), isBipolar: true),
            ControlRow(
                key: "envelopeTarget", 0...ModulationTarget.highest, default: ModulationTarget.cutoff.rawValue,
                letter: "T", "ENVELOPE TO", .target),
            ControlRow(
                key: "envelopeDecay", 1...5000, default: 300, letter: "E", "ENVELOPE DECAY", .time("E", zero: "AUTO"),
                .quartic),
        ]
        + timbres

    private static let timbres: [ControlRow] = (0..<SoundModel.timbresMax).map {
        ControlRow(key: "timbre\($0 + 1)", 0...100, letter: "-", nil, .timbre($0))
    }
}
