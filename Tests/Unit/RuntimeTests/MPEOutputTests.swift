import InputEvents
import Instrument
import Runtime
import TestSupport
import Testing

@Suite("Chords that leave by MPE")
struct MPEOutputTests {
    private static let channels: TrackChannels = {
        var channels = TrackChannels()
        channels.isChordsMPE = true
        return channels
    }()

    /// Registered parameter 6 on the manager, channel 16: five members.
    private static let configuration: [[UInt8]] = [
        [0xbf, 101, 0], [0xbf, 100, 6], [0xbf, 6, 5], [0xbf, 101, 127], [0xbf, 100, 127],
    ]

    private func note(_ note: Int, _ track: Track = .chords, steps: Int = 4) -> Engine.Report {
        .note(Engine.Note(track: track, note: note, velocity: 80, steps: Double(steps)), step: 0)
    }

    /// What the sender says to `reports`, in order.
    private func sent(
        _ reports: [Engine.Report], begins pattern: Pattern? = nil, in tuning: Tuning = Tuning()
    ) -> [[UInt8]] {
        var sender = MIDISender(Self.channels)
        var sent: [[UInt8]] = []
        for report in reports {
            var begun: Pattern?
            if case .transmission(.start) = report { begun = pattern }
            sender.handle(report, at: 0, begins: begun, in: tuning) { sent.append($0.bytes) }
        }
        sender.flush { sent.append($0.bytes) }
        return sent
    }

    @Test("each note has a channel of its own, and ends on it; the other tracks keep theirs")
    func members() {
        let first = UInt8(Track.chords.midiKey(of: 0))
        let notes = [0, 4, 7].map { note($0) } + [note(0, .bass)]
        let ends: [Engine.Report] = (1...4).map { .step($0, number: $0) }
        let messages = sent(notes + ends).filter { $0[0] & 0xf0 != 0xe0 }
        #expect(messages[..<3] == [[0x9a, first, 80], [0x9b, first + 4, 80], [0x9c, first + 7, 80]])
        #expect(messages[3][0] == 0x92)
        #expect(messages[4...].map { $0[0] } == [0x8a, 0x8b, 0x8c, 0x82])
    }

    @Test("a free channel is taken before one with a note, and the one whose note is oldest first")
    func order() {
        let short = note(1, steps: 1)
        let reports = [note(0), short, .step(1, number: 1), note(2), note(3), note(4), note(5), note(6), note(7)]
        #expect(sent(reports).filter { $0[0] & 0xf0 == 0x90 }.map { $0[0] & 15 } == [10, 11, 12, 13, 14, 11, 10, 12])
    }

    @Test(
        "the zone is told at Play and to new devices; programs, controllers and the end of all notes where MPE has them"
    )
    func zone() {
        var pattern = Pattern()
        pattern[program: .chords] = SoundProgram(9)
        let messages = sent(
            [
                .transmission(.start(step: 0)), .step(0, number: 0), .transmission(.control(.chords, .cutoff, 20)),
                .transmission(.silence(TrackSet([.chords]))),
            ], begins: pattern)
        let silence: [[UInt8]] = (0xba...0xbe).map { [UInt8($0), 123, 0] }
        let rest: [[UInt8]] = [[0xfa], [0xcf, 8]] + silence + [[0xbf, 74, 0]]
        #expect(messages == Self.configuration + rest)
        #expect(MIDISender.greeting(of: Self.channels) == Self.configuration)
        #expect(MIDISender.greeting(of: TrackChannels()).isEmpty)
        var without = Self.channels
        without[.chords] = nil
        #expect(MIDISender.greeting(of: without).isEmpty && without.used == [0, 2, 9])
    }

    /// Steps of the wheel: 8192 are 48 semitones. The third of just intonation is 13.686 cents flat, its fifth 1.955 sharp,
    /// its A 15.641 flat, from which all are counted; A4 at 432 Hz is 31.767 cents flat.
    static let bends: [(name: String, tuning: Tuning, bends: [Int])] = [
        ("equal", Tuning(), [0, 0, 0]),
        (
            "just",
            Tuning(cents: [
                0, 111_731, 203_910, 315_641, 386_314, 498_045, 590_224, 701_955, 813_686, 884_359, 1_017_596,
                1_088_269,
            ]), [27, 3, 30]
        ),
        (
            "432 Hz",
            {
                var tuning = Tuning()
                tuning.a4 = 432_000
                return tuning
            }(), [-54, -54, -54]
        ),
    ]

    @Test("notes leave in the tuning of the pattern, each bent before it begins", arguments: bends)
    func tuning(row: (name: String, tuning: Tuning, bends: [Int])) throws {
        #expect(Track.chords.midiKey(of: 0) % 12 == 0)
        let chord: [Engine.Report] = [note(0), note(4), note(7)]
        let messages = sent(chord + (1...4).map { .step($0, number: $0) }, in: row.tuning)
        // A wheel counts for the next note alone: a device that was plugged in before it has heard no other.
        var wheels = [Int: Int](), found: [Int?] = []
        for bytes in messages {
            let channel = Int(bytes[0] & 15)
            if bytes[0] & 0xf0 == 0xe0 { wheels[channel] = Int(bytes[1]) + Int(bytes[2]) << 7 - 8192 }
            if bytes[0] & 0xf0 == 0x90 { found.append(wheels.removeValue(forKey: channel)) }
        }
        let wanted: [Int?] = row.bends
        #expect(found == wanted)
    }

    @Test("of notes at random each ends once, on the channel on which it began")
    func random() {
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SplitMix(seed: seed)
            var reports: [Engine.Report] = []
            for step in 1...200 {
                for _ in 0..<Int.random(in: 0...6, using: &random) {
                    let length = Int.random(in: 1...9, using: &random)
                    reports.append(note(Int.random(in: 0..<36, using: &random), steps: length))
                }
                reports.append(.step(step, number: step))
            }
            reports.append(.transmission(.silence(TrackSet([.chords]))))
            var sounding: Set<[UInt8]> = []
            for bytes in sent(reports) {
                switch bytes[0] & 0xf0 {
                case 0x90: #expect(sounding.insert([bytes[0] & 15, bytes[1]]).inserted, "seed \(seed)")
                case 0x80: #expect(sounding.remove([bytes[0] & 15, bytes[1]]) != nil, "seed \(seed)")
                default: break
                }
            }
            #expect(sounding.isEmpty, "seed \(seed)")
        }
    }
}
