/// Values of the sound sheet's faders, the names of the tracks' sounds and of the pads' samples, saved with the pattern. The defaults
/// are SPEC section 6.
///
/// One array holds all of it, because the loop copies and compares the settings on every pass.
public struct SoundSettings: Hashable, Sendable {
    /// The controls in the order of `SoundControl.allCases`, then the bits of each name, 0 for none: of the tracks' sounds, and of the
    /// pads' samples.
    private var values = Self.defaults

    private static let defaults = SoundControl.allCases.map(\.defaultValue) + nameWords.map { _ in 0 }
    private static let nameWords =
        Track.allCases.map { $0.name + ".name" } + Track.rhythm.notes.map { "rhythm.pads.\($0 + 1).sample" }

    /// The default sound of SPEC section 6, without effects and swing.
    public init() {}

    /// The value of `control`, clamped to its range with the track's model. Another model clamps the controls that depend on it.
    public subscript(control: SoundControl) -> Int {
        get { values[control.index] }
        set {
            values[control.index] = newValue.clamped(to: range(of: control))
            guard case .track(let track, .model) = control else { return }
            for control in TrackControl.allCases where control.dependsOnModel {
                let control = SoundControl.track(track, control)
                values[control.index] = values[control.index].clamped(to: range(of: control))
            }
        }
    }

    /// The name of the sound of `track`, a label: the values are the sound. Nil for none.
    public subscript(nameOf track: Track) -> SoundName? {
        get { self[namePlace: track.rawValue] }
        set { self[namePlace: track.rawValue] = newValue }
    }

    /// The sample that `pad` of rhythm plays; nil for its drum.
    public subscript(sampleOf pad: Int) -> SoundName? {
        get { self[namePlace: Track.allCases.count + pad] }
        set { self[namePlace: Track.allCases.count + pad] = newValue }
    }

    private subscript(namePlace place: Int) -> SoundName? {
        get { SoundName(trusted: values[SoundControl.allCases.count + place]) }
        set { values[SoundControl.allCases.count + place] = newValue?.bits ?? 0 }
    }

    /// The model of `track`; plain for rhythm, which has a kit.
    public func model(of track: Track) -> SoundModel {
        track == .rhythm ? .plain : SoundModel(rawValue: self[.track(track, .model)]) ?? .plain
    }

    /// The range of `control` with the track's model; 0 only for an own control that the model lacks.
    public func range(of control: SoundControl) -> ClosedRange<Int> {
        guard case .track(let track, let control) = control, control.dependsOnModel else { return control.range }
        let model = model(of: track)
        guard let timbre = control.timbre else { return 0...ModulationTarget.highest(model) }
        return model.timbres.indices.contains(timbre) ? model.timbres[timbre].range : 0...0
    }

    /// Whether `control` has an effect with the track's model. The drums' envelopes are fixed, and each drum is one note.
    public func isAvailable(_ control: SoundControl) -> Bool {
        if case .pad(let pad, let control) = control { return !control.isOfSample || self[sampleOf: pad] != nil }
        guard case .track(let track, let control) = control else { return true }
        if let timbre = control.timbre { return model(of: track).timbres.indices.contains(timbre) }
        guard track == .rhythm else { return true }
        switch control {
        case .attack, .decay, .sustain, .release, .unison, .chorus: return false
        default: return true
        }
    }
}

extension SoundSettings {
    /// All that differs from the defaults as words and numbers, for a library: each control by its `word`, and the bits of
    /// each name as `TRACK.name` or `rhythm.pads.PAD.sample`.
    public var entries: [(word: String, value: Int)] {
        SoundControl.allCases.filter { self[$0] != $0.defaultValue }.map { ($0.word, self[$0]) }
            + Self.nameWords.enumerated().compactMap { place, word in self[namePlace: place].map { (word, $0.bits) } }
    }

    /// Range of the value of an entry with this word; nil for an unknown word. Not every number in the range of a name is one.
    public static func range(ofEntry word: String) -> ClosedRange<Int>? {
        if nameWords.contains(word) { return SoundName.bitsRange }
        return SoundControl(word: word)?.range
    }

    /// Maximum number of entries.
    public static let entriesMax = SoundControl.allCases.count + nameWords.count

    /// The settings of `entries`; nil if one has an unknown word or a value out of range. A word may occur once.
    public init?(entries: [(word: String, value: Int)]) {
        self.init()
        for (word, value) in entries {
            if let place = Self.nameWords.firstIndex(of: word) {
                guard let name = SoundName(bits: value) else { return nil }
                self[namePlace: place] = name
            } else {
                guard let control = SoundControl(word: word), control.range.contains(value) else { return nil }
                values[control.index] = value
            }
        }
        // Only now: the ranges depend on the models, and the order of the entries is free.
        for track in Track.allCases { self[.track(track, .model)] = self[.track(track, .model)] }
    }
}

/// A sound parameter that the player can set.
public enum SoundControl: Hashable, Sendable {
    /// A parameter of one track.
    case track(Track, TrackControl)
    /// Percent of a pair of steps that the first step takes; 50 is straight.
    case swing
    /// Delay time in steps.
    case delaySteps
    /// Delay feedback: level of a repeat, in percent of the one before.
    case delayFeedback
    /// Percent of the way from the middle to the side of each repeat of the delay.
    case delayWidth
    /// Reverberation time (RT60), in tenths of a second.
    case reverbTime
    /// Amount of the master's compressor in percent; 0 is off.
    case compression
    /// Tilt of the master's tone: −100 is dark, 100 bright; 0 is off.
    case tone
    /// A parameter of one pad of the rhythm track, 0 to 11: the number of its drum.
    case pad(Int, PadControl)

    /// Range of values, with any model.
    public var range: ClosedRange<Int> {
        switch self {
        // A kit is a model of its own kind.
        case .track(.rhythm, .model): 0...SoundKit.allCases.count - 1
        case .track(_, let control): control.range
        case .swing: 50...75
        case .delaySteps: 1...8
        case .delayFeedback: 0...90
        case .delayWidth, .compression: 0...100
        case .reverbTime: 3...100
        case .tone: -100...100
        case .pad(_, let control): control.range
        }
    }

    /// Default value.
    public var defaultValue: Int {
        switch self {
        case .track(let track, let control): control.defaultValue(for: track)
        case .swing, .delayWidth: 50
        case .delaySteps: 3
        case .delayFeedback: 35
        case .reverbTime: 20
        case .compression, .tone: 0
        case .pad(_, let control): control.defaultValue
        }
    }

    /// The keys, outermost first: `["bass", "cutoff"]`, `["swing"]`. A document has a model's own controls under the names that
    /// the model gives them instead.
    public var path: [String] {
        switch self {
        case .track(.rhythm, .model): [Track.rhythm.name, "kit"]
        case .track(let track, let control): [track.name, control.key]
        case .swing: ["swing"]
        case .delaySteps: ["delay", "steps"]
        case .delayFeedback: ["delay", "feedback"]
        case .delayWidth: ["delay", "width"]
        case .reverbTime: ["reverb", "time"]
        case .compression: ["master", "compression"]
        case .tone: ["master", "tone"]
        case .pad(let pad, let control): [Track.rhythm.name, "pads", "\(pad + 1)", control.key]
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
    fileprivate var index: Int {
        let shared = Track.allCases.count * TrackControl.allCases.count
        switch self {
        case .track(let track, let control): return track.rawValue * TrackControl.allCases.count + control.rawValue
        case .swing: return shared
        case .delaySteps: return shared + 1
        case .delayFeedback: return shared + 2
        case .delayWidth: return shared + 3
        case .reverbTime: return shared + 4
        case .compression: return shared + 5
        case .tone: return shared + 6
        case .pad(let pad, let control):
            return shared + Self.shared.count + pad * PadControl.allCases.count + control.rawValue
        }
    }
}

extension SoundControl: CaseIterable {
    /// Every control, track by track, then the shared ones, then pad by pad. The drums have fixed envelopes, so the rhythm track's envelope
    /// controls exist but have no effect. The own controls that a model lacks are 0.
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

/// The parameters of each track, in the order of the engine's commands.
public enum TrackControl: Int, CaseIterable, Sendable {
    /// Percent of the level in SPEC section 6.
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
    /// Sustain level in percent of the peak.
    case sustain
    /// Release time in milliseconds; 0 ends with the note, in 0.3 of its length and at most 150 ms.
    case release
    /// Delay send in percent.
    case delay
    /// Reverberation send in percent.
    case reverb
    /// A `SoundModel`; on the rhythm track a `SoundKit`.
    case model
    /// The sound's own level in tenths of a decibel, beside the player's volume.
    case level
    /// Detuned copies of each note.
    case unison
    /// Drive in percent.
    case drive
    /// Chorus in percent.
    case chorus
    /// Rate of the LFO in hundredths of a hertz.
    case lfoRate
    /// An `LFOShape`.
    case lfoShape
    /// Depth of the LFO in percent.
    case lfoDepth
    /// A `ModulationTarget`.
    case lfoTarget
    /// Depth of the modulation envelope in percent; negative moves its target down.
    case envelopeDepth
    /// A `ModulationTarget`.
    case envelopeTarget
    /// Decay time of the modulation envelope in milliseconds, from the note's begin.
    case envelopeDecay
    /// The model's own controls: `SoundModel.timbres`.
    case timbre1, timbre2, timbre3, timbre4, timbre5, timbre6

    /// Key in a track's object, and in touch scripts.
    public var key: String { Self.keys[rawValue] }

    private static let keys = [
        "volume", "pan", "cutoff", "resonance", "attack", "decay", "sustain", "release", "delay", "reverb", "model",
        "level", "unison", "drive", "chorus", "lfoRate", "lfoShape", "lfoDepth", "lfoTarget", "envelopeDepth",
        "envelopeTarget", "envelopeDecay", "timbre1", "timbre2", "timbre3", "timbre4", "timbre5", "timbre6",
    ]

    /// Place among the model's own controls, from 0; nil for the others.
    public var timbre: Int? { self >= .timbre1 ? rawValue - Self.timbre1.rawValue : nil }

    /// Whether the range depends on the track's model.
    var dependsOnModel: Bool { self == .lfoTarget || self == .envelopeTarget || timbre != nil }

    /// Range of values, with any model.
    public var range: ClosedRange<Int> {
        switch self {
        case .volume: 0...200
        case .pan, .envelopeDepth: -100...100
        case .cutoff: 20...20_000
        case .resonance: 0...24
        case .attack, .decay, .release: 0...5000
        case .model: 0...SoundModel.allCases.count - 1
        case .level: -240...240
        case .unison: 1...4
        case .lfoRate: 2...2000
        case .lfoShape: 0...LFOShape.allCases.count - 1
        case .lfoTarget, .envelopeTarget: 0...ModulationTarget.highest
        case .envelopeDecay: 1...5000
        case .sustain, .delay, .reverb, .drive, .chorus, .lfoDepth: 0...100
        case .timbre1, .timbre2, .timbre3, .timbre4, .timbre5, .timbre6: 0...100
        }
    }

    fileprivate func defaultValue(for track: Track) -> Int {
        switch self {
        case .volume, .sustain: 100
        case .cutoff: [2000, 1500, 400, range.upperBound][track.rawValue]
        case .resonance, .unison: 1
        case .lfoRate: 500
        case .envelopeTarget: ModulationTarget.cutoff.rawValue
        case .envelopeDecay: 300
        default: 0
        }
    }
}

extension TrackControl: Comparable {
    /// The order of the cases.
    public static func < (a: TrackControl, b: TrackControl) -> Bool { a.rawValue < b.rawValue }
}
