/// The channels of the tracks on MIDI ports, counted from 0. No two tracks share one.
public struct TrackChannels: Hashable, Sendable {
    private var channels: [Int?] = Track.allCases.map { $0.midiChannel }
    /// Whether the chords leave by MPE, in the upper zone: each note on a member channel of its own, what is said to all
    /// of them on the manager's.
    public var isChordsMPE = false

    /// The zone's member channels and its manager (MIDI Polyphonic Expression, version 1.0, section 2.1): the upper one, as the
    /// lower one's are the other tracks'.
    public static let members = 10..<15
    /// The manager of the zone.
    public static let manager = 15

    /// 1, 2, 3 and 10 in MIDI's own count.
    public init() {}

    /// The channel of `track`; nil if it sends nothing and has no channel of its own for keys.
    public subscript(_ track: Track) -> Int? {
        get { channels[track.rawValue] }
        set { channels[track.rawValue] = newValue }
    }

    /// The track on `channel`; nil for none.
    public func track(on channel: Int) -> Track? { channels.firstIndex(of: channel).flatMap { Track(rawValue: $0) } }

    /// The channel on which programs and controllers of `track` leave; nil if it sends nothing.
    public func sent(_ track: Track) -> Int? { isMPE(track) ? Self.manager : self[track] }

    /// The channels on which notes of `track` leave.
    public func notes(of track: Track) -> [Int] { isMPE(track) ? Array(Self.members) : self[track].map { [$0] } ?? [] }

    /// Whether `track` leaves by MPE.
    public func isMPE(_ track: Track) -> Bool { track == .chords && isChordsMPE && self[track] != nil }

    /// The channels that the tracks name.
    public var named: [Int] { channels.compactMap { $0 } }

    /// The channels on which notes leave.
    public var used: [Int] { Track.allCases.flatMap { notes(of: $0) } }
}
