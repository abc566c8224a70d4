import CMath
import InputEvents
import Instrument

/// The zone of MPE in which chords leave: the channel of each note, and its bend.
struct MPEZone: Sendable {
    /// For each member channel the count of the zone's notes when its newest began.
    private var newest = TrackChannels.members.map { _ in 0 }
    private var notes = 0

    /// The range of the members' wheels in cents, which a zone has from its beginning (MIDI Polyphonic Expression, version
    /// 1.0, section 2.4).
    private static let range = 4800.0
    /// The key of A4, whose frequency a tuning has.
    private static let a4Key = 69

    /// The messages that make the zone: registered parameter 6 with the number of members, which also centres the wheels.
    static var configuration: [MIDIMessage] {
        [(101, 0), (100, 6), (6, TrackChannels.members.count), (101, 127), (100, 127)].map { number, value in
            .control(channel: TrackChannels.manager, number: number, value: value)
        }
    }

    /// Begins the zone anew; returns its messages.
    mutating func begin() -> [MIDIMessage] {
        self = MPEZone()
        return Self.configuration
    }

    /// The channel of the next note: of those with the fewest notes, by `count`, the one whose newest is oldest, as a note that
    /// fades should keep its bend.
    mutating func member(_ count: (_ channel: Int) -> Int) -> Int {
        let order = newest.indices.map { (count(TrackChannels.members.lowerBound + $0), newest[$0], $0) }
        let member = order.min { $0 < $1 }?.2 ?? 0
        notes += 1
        newest[member] = notes
        return TrackChannels.members.lowerBound + member
    }

    /// The message that bends the notes on `channel` to `key` in `tuning`. It belongs before each note, also an unbent one: a
    /// device that was plugged in since has its wheels centred.
    func bend(_ channel: Int, to key: Int, in tuning: Tuning) -> MIDIMessage {
        func offset(_ key: Int) -> Int { tuning.offset(ofPitchClass: key % Pattern.octave) }
        let reference = 1200 * log2(Double(tuning.a4) / Double(Tuning().a4))
        let cents = reference + Double(offset(key) - offset(Self.a4Key)) / Double(Tuning.parts)
        // At most two octaves and a semitone: two offsets, and A4.
        return .bend(channel: channel, value: Int((cents * 8192 / Self.range).rounded()))
    }
}
