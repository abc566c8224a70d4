/// Values of the sound sheet's faders, saved with the pattern. The defaults are SPEC section 6.
public struct SoundSettings: Hashable, Sendable {
    private var values = SoundControl.allCases.map(\.defaultValue)

    /// The default sound of SPEC section 6, without effects and swing.
    public init() {}

    /// The value of `control`, clamped to its range.
    public subscript(control: SoundControl) -> Int {
        get { values[control.index] }
        set { values[control.index] = newValue.clamped(to: control.range) }
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
    /// Reverberation time (RT60), in tenths of a second.
    case reverbTime

    /// Range of values.
    public var range: ClosedRange<Int> {
        switch self {
        case .track(_, let control): control.range
        case .swing: 50...75
        case .delaySteps: 1...8
        case .delayFeedback: 0...90
        case .reverbTime: 3...100
        }
    }

    /// Default value.
    public var defaultValue: Int {
        switch self {
        case .track(let track, let control): control.defaultValue(for: track)
        case .swing: 50
        case .delaySteps: 3
        case .delayFeedback: 35
        case .reverbTime: 20
        }
    }

    /// The keys in files, outermost first: `["bass", "cutoff"]`, `["swing"]`.
    public var path: [String] {
        switch self {
        case .track(let track, let control): [track.name, control.rawValue]
        case .swing: ["swing"]
        case .delaySteps: ["delay", "steps"]
        case .delayFeedback: ["delay", "feedback"]
        case .reverbTime: ["reverb", "time"]
        }
    }

    /// The path as one word: `bass.cutoff`, `swing`.
    public var word: String { path.joined(separator: ".") }

    /// The control with the path `word`; nil for none.
    public init?(word: String) {
        guard let control = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = control
    }

    /// Index in `allCases`.
    fileprivate var index: Int {
        let perTrack = TrackControl.allCases.count
        switch self {
        case .track(let track, let control): return track.rawValue * perTrack + control.index
        case .swing: return Track.allCases.count * perTrack
        case .delaySteps: return Track.allCases.count * perTrack + 1
        case .delayFeedback: return Track.allCases.count * perTrack + 2
        case .reverbTime: return Track.allCases.count * perTrack + 3
        }
    }
}

extension SoundControl: CaseIterable {
    /// Every control, track by track and then the shared ones. The drums have fixed envelopes, so the rhythm track's envelope
    /// controls exist but have no effect.
    public static let allCases: [SoundControl] =
        Track.allCases.flatMap { track in TrackControl.allCases.map { .track(track, $0) } }
        + [.swing, .delaySteps, .delayFeedback, .reverbTime]
}

/// The parameters of each track. The raw value is the key in files.
public enum TrackControl: String, CaseIterable, Sendable {
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

    /// Range of values.
    public var range: ClosedRange<Int> {
        switch self {
        case .volume: 0...200
        case .pan: -100...100
        case .cutoff: 20...20_000
        case .resonance: 0...24
        case .attack, .decay, .release: 0...5000
        case .sustain, .delay, .reverb: 0...100
        }
    }

    fileprivate func defaultValue(for track: Track) -> Int {
        switch self {
        case .volume, .sustain: 100
        case .cutoff: [2000, 1500, 400, range.upperBound][track.rawValue]
        case .resonance: 1
        case .pan, .attack, .decay, .release, .delay, .reverb: 0
        }
    }

    /// Index in `allCases`.
    fileprivate var index: Int {
        switch self {
        case .volume: 0
        case .pan: 1
        case .cutoff: 2
        case .resonance: 3
        case .attack: 4
        case .decay: 5
        case .sustain: 6
        case .release: 7
        case .delay: 8
        case .reverb: 9
        }
    }
}
