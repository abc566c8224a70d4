/// The channels of the tracks on MIDI ports, counted from 0. No two tracks share one.
public struct TrackChannels: Hashable, Sendable {
    private var channels: [Int?] = Track.allCases.map { $0.midiChannel }

    /// 1, 2, 3 and 10 in MIDI's own count.
    public init() {}

    /// The channel of `track`; nil if it sends nothing and has no channel of its own for keys.
    public subscript(_ track: Track) -> Int? {
        get { channels[track.rawValue] }
        set { channels[track.rawValue] = newValue }
    }

    /// The track on `channel`; nil for none.
    public func track(on channel: Int) -> Track? { channels.firstIndex(of: channel).flatMap { Track(rawValue: $0) } }

    /// The channels in use.
    public var used: [Int] { channels.compactMap { $0 } }
}
