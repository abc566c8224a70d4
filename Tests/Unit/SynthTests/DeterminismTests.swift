import Synth
import Testing

/// Patterns and commands used by several tests.
enum Session {
    /// A melody with accents, sustained triads, a bass line and kick, snare and hat, at normal velocity.
    static let typical: [SynthCommand] = {
        let run = [0, 2, 4, 5, 7, 9, 11, 9]
        var cells = [Int: [Int: Cell]]()
        for step in 0..<32 {
            cells[run[step % 8], default: [:]][step] = .normal
        }
        let melody = cells.sorted { $0.key < $1.key }.map { SynthCommand.row(.melody, $0.key, $0.value) }
        let held = Dictionary(uniqueKeysWithValues: (0..<32).map { ($0, $0 % 8 == 0 ? Cell.normal : .sustain) })
        let chords = [0, 4, 7].map { SynthCommand.row(.chords, $0, held.filter { $0.key % 8 < 4 }) }
        return melody + chords + [
            .row(.bass, 0, .normal, on: stride(from: 0, to: 32, by: 4)),
            .row(.bass, 7, .normal, on: stride(from: 2, to: 32, by: 8)),
            .row(.rhythm, 0, .normal, on: stride(from: 0, to: 32, by: 8)),
            .row(.rhythm, 3, .normal, on: stride(from: 4, to: 32, by: 8)),
            .row(.rhythm, 7, .normal, on: stride(from: 0, to: 32, by: 2)),
        ]
    }()

    /// Four bars with all features of the engine: every drum and note, runs, limiting, stealing, mutes, changes of
    /// tempo, length, volume and every control, auditions, Stop and Play with a count-in and the click.
    static func busy(rate: Int) -> [SynthCommand] {
        func frame(_ seconds: Double) -> Int { Int(seconds * Double(rate)) }
        let fill = Track.allCases.flatMap { track in
            (0..<12).map { note in
                SynthCommand.row(
                    track, note, [note: .accent, note + 1: .sustain, (note + 16): .normal, 31 - note: .normal],
                    at: frame(4))
            }
        }
        var commands: [SynthCommand] = typical
        commands.append(.play(at: 7))
        commands.append(.audition(.chords, 11, velocity: 2, steps: 3, at: frame(0.9)))
        commands.append(.tempo(143, at: frame(1.3)))
        commands.append(.silent([.bass], at: frame(2.1)))
        commands.append(.volume(0.7, at: frame(2.2)))
        commands.append(.silent([], at: frame(2.6)))
        commands.append(.length(12, at: frame(3.1)))
        commands.append(.volume(1, at: frame(3.9)))
        commands += fill
        commands.append(.length(32, at: frame(4.1)))
        commands.append(.tempo(187, at: frame(4.4)))
        commands += (0..<100).map { .audition(.melody, $0 % 12, steps: 9, at: frame(5) + 11 * $0) }
        for (index, track) in Track.allCases.enumerated() {
            for (control, value) in controls {
                commands.append(.set(control, value + index, of: track, at: frame(5.2) + 37 * index))
            }
        }
        commands.append(.set(SynthSwing, 66, at: frame(5.3)))
        commands.append(.set(SynthDelaySteps, 1, at: frame(5.4)))
        commands.append(.set(SynthDelayFeedback, 60, at: frame(5.41)))
        commands.append(.set(SynthReverbTime, 7, at: frame(5.6)))
        commands.append(.metronome(true, at: frame(5.7)))
        commands.append(.fade(at: frame(5.9)))
        commands.append(.stop(at: frame(6.3)))
        commands.append(.play(after: 1, at: frame(6.4) + 13))
        return commands
    }

    /// A control of a track and a value other than its default.
    private static let controls: [(SynthControl, Int)] = [
        (SynthTrackVolume, 120), (SynthTrackPan, -40), (SynthTrackCutoff, 3000), (SynthTrackResonance, 7),
        (SynthTrackAttack, 5), (SynthTrackDecay, 60), (SynthTrackSustain, 50), (SynthTrackRelease, 200),
        (SynthTrackDelay, 30), (SynthTrackReverb, 40),
    ]
}

@Suite("The same commands give the same samples")
struct DeterminismTests {
    private func render(rate: Int, seconds: Int, block: Int) throws -> (sound: [Float], reports: [SynthReport]) {
        let engine = try TestEngine(rate: UInt32(rate))
        engine.post(Session.busy(rate: rate))
        let sound = engine.renderInterleaved(rate * seconds, block: block)
        return (sound, engine.reports)
    }

    @Test("in any block size, to the bit", arguments: [1, 16, 64, 128, 333, 4096])
    func blockSizes(block: Int) throws {
        let (expected, reports) = try render(rate: 48000, seconds: 7, block: 256)
        let (sound, ownReports) = try render(rate: 48000, seconds: 7, block: block)
        #expect(sound == expected)
        #expect(ownReports.map(\.frame) == reports.map(\.frame))
    }

    @Test("posted early or at the last moment")
    func postingTime() throws {
        let commands = Session.busy(rate: 48000)
        let expected = try render(rate: 48000, seconds: 7, block: 256).sound
        let engine = try TestEngine()
        var sound: [Float] = []
        var next = 0
        for block in 0..<(48000 * 7 / 500) {
            while next < commands.count && commands[next].frame < (block + 1) * 500 {
                engine.post(commands[next])
                next += 1
            }
            sound += engine.renderInterleaved(500, block: 500)
        }
        #expect(sound == expected)
    }

    /// The hash (64-bit FNV-1a) of every sample's bits. It is the same on x86-64 and arm64, in debug and release: `make
    /// check-arm64` and `make check-debug`. After an intended change of the sound, `Tests/run SynthTests --filter
    /// DeterminismTests` prints the new hashes.
    @Test(
        "on every machine and in every build",
        arguments: [
            (44100, 0x0dd7_c906_e872_3d81), (48000, 0x25db_46d2_3f24_a341), (96000, 0x230d_0357_52e0_b995),
        ] as [(Int, UInt64)])
    func golden(rate: Int, expected: UInt64) throws {
        let hash = hash(of: try render(rate: rate, seconds: 8, block: 128).sound)
        #expect(hash == expected, "0x\(String(hash, radix: 16))")
    }
}
