/// How the music sounds: what stands on the sound sheet's faders, kept with the pattern. The defaults are SPEC section 6.
public struct SoundSettings: Hashable, Sendable {
    private var values = SoundControl.allCases.map(\.standard)

    /// The sound of SPEC section 6, dry and straight.
    public init() {}

    /// The value of `control`, kept within its range.
    public subscript(control: SoundControl) -> Int {
        get { values[control.index] }
        set { values[control.index] = newValue.clamped(to: control.range) }
    }
}

/// Something about the sound that a player can turn.
public enum SoundControl: Hashable, Sendable {
    /// One of a track's own.
    case track(Track, TrackControl)
    /// Per cent of a pair of steps that its first takes; 50 is straight.
    case swing
    /// Steps between two repeats of the delay.
    case delaySteps
    /// Per cent of a repeat's level that the next one has.
    case delayFeedback
    /// Tenths of a second in which the reverberation falls by 60 dB.
    case reverbTime

    /// Values that it can have.
    public var range: ClosedRange<Int> {
        switch self {
        case .track(_, let control): control.range
        case .swing: 50...75
        case .delaySteps: 1...8
        case .delayFeedback: 0...90
        case .reverbTime: 3...100
        }
    }

    /// The value that it has in a box that nobody has touched.
    public var standard: Int {
        switch self {
        case .track(let track, let control): control.standard(for: track)
        case .swing: 50
        case .delaySteps: 3
        case .delayFeedback: 35
        case .reverbTime: 20
        }
    }

    /// The words that files use, from the outside in: `["bass", "cutoff"]`, `["swing"]`.
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

    /// The control whose path is `word`; nil if there is none.
    public init?(word: String) {
        guard let control = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = control
    }

    /// Its place in `allCases`.
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
    /// Every control, track by track and then what they share. The drums keep the shapes of their recipes, so the rhythm
    /// track's envelope is there but changes nothing.
    public static let allCases: [SoundControl] =
        Track.allCases.flatMap { track in TrackControl.allCases.map { .track(track, $0) } }
        + [.swing, .delaySteps, .delayFeedback, .reverbTime]
}

/// What each track has of its own. The raw value is the word that files use.
public enum TrackControl: String, CaseIterable, Sendable {
    /// Per cent of the level in SPEC section 6.
    case volume
    /// −100 is left, 100 right.
    case pan
    /// Hertz of the low-pass. The rhythm track's stands behind its drums; at the top it is out of the way.
    case cutoff
    /// Decibels of the low-pass at its cut-off.
    case resonance
    /// Milliseconds to the peak; 0 follows the note's length: 10, or 20 for a note over 200.
    case attack
    /// Milliseconds from the peak to the sustain level.
    case decay
    /// Per cent of the peak at which a note is held.
    case sustain
    /// Milliseconds from a note's end to silence; 0 ends with the note, in 0.3 of its length and at most 150.
    case release
    /// Per cent that goes to the delay.
    case delay
    /// Per cent that goes to the reverberation.
    case reverb

    /// Values that it can have.
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

    fileprivate func standard(for track: Track) -> Int {
        switch self {
        case .volume, .sustain: 100
        case .cutoff: [2000, 1500, 400, range.upperBound][track.rawValue]
        case .resonance: 1
        case .pan, .attack, .decay, .release, .delay, .reverb: 0
        }
    }

    /// Its place in `allCases`.
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
