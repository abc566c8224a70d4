/// The four tracks, top to bottom (docs/spec.md, section 1).
public enum Track: Int, CaseIterable, Sendable {
    /// One voice, rows 2-7.
    case melody
    /// Triads and arpeggios, rows 8-13.
    case chords
    /// Roots and fifths, rows 14-17.
    case bass
    /// Twelve drums, rows 18-21.
    case rhythm

    /// Name in files.
    public var name: String { ["melody", "chords", "bass", "rhythm"][rawValue] }

    /// Abbreviation on the panel.
    var abbreviation: String { ["MEL", "CHD", "BAS", "RHY"][rawValue] }

    /// Rows of the panel, from the track's highest note down.
    public var rows: Range<Int> {
        switch self {
        case .melody: 2..<8
        case .chords: 8..<14
        case .bass: 14..<18
        case .rhythm: 18..<22
        }
    }

    /// The track at `row` of the panel; nil for none.
    init?(row: Int) {
        guard let track = Track.allCases.first(where: { $0.rows.contains(row) }) else { return nil }
        self = track
    }

    /// Range of notes. Note 0 of a melodic track is the lowest of the middle octave; an octave lies below and one
    /// above. Rhythm has twelve drums.
    public var notes: ClosedRange<Int> { self == .rhythm ? 0...11 : -12...23 }

    /// MIDI note of note 0 (docs/spec.md, section 6); nil for rhythm, whose notes are drums.
    public var firstMIDINote: Int? {
        switch self {
        case .melody: 60
        case .chords: 48
        case .bass: 36
        case .rhythm: nil
        }
    }
}

/// A set of tracks.
public struct TrackSet: OptionSet, Hashable, Sendable {
    /// Bit *n* is the track whose raw value is *n*.
    public let rawValue: UInt8

    /// The set whose bits are `rawValue`.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The set of `tracks`.
    public init(_ tracks: Track...) { self.init(tracks) }

    /// The set of `tracks`.
    public init(_ tracks: some Sequence<Track>) {
        rawValue = tracks.reduce(0) { $0 | 1 << UInt8($1.rawValue) }
    }

    /// Whether `track` is in the set.
    public func contains(_ track: Track) -> Bool { rawValue >> UInt8(track.rawValue) & 1 == 1 }

    /// The set with `track` added if absent, removed if present.
    func toggling(_ track: Track) -> TrackSet { TrackSet(rawValue: rawValue ^ 1 << UInt8(track.rawValue)) }

    /// The silent tracks, if the tracks of the set are muted and `soloed` is the soloed track.
    public func silent(soloed: Track?) -> TrackSet {
        TrackSet(Track.allCases.filter { contains($0) || (soloed != nil && soloed != $0) })
    }

    /// The only track of the set; nil for none and for several.
    var only: Track? { tracks.count == 1 ? tracks[0] : nil }

    /// The tracks of the set, top to bottom.
    public var tracks: [Track] { Track.allCases.filter(contains) }
}
