import Synth
import TestSupport
import Testing

/// One frame in stems: the tracks, then the mix.
private struct StemFrames {
    /// Left and right of each frame, interleaved.
    let tracks: [[Float]]
    let mix: [Float]

    init(_ stems: [Float]) {
        let size = Int(synth_stem_samples)
        func part(_ number: Int) -> [Float] {
            (0..<(2 * stems.count / size)).map { stems[$0 / 2 * size + 2 * number + $0 % 2] }
        }
        tracks = Track.allCases.indices.map(part)
        mix = part(Track.allCases.count)
    }

    subscript(track: Track) -> [Float] { tracks[Int(track.rawValue)] }

    /// The largest difference of the mix from the sum of the tracks.
    var rest: Float {
        mix.indices.reduce(0) { rest, index in
            max(rest, abs(mix[index] - tracks.reduce(0) { $0 + $1[index] }))
        }
    }
}

@Suite("Stems: the tracks beside the mix")
struct StemTests {
    private static let rate = 48_000

    /// Commands that set every control of a track to a random value of its range, one of two to its default.
    private func controls(using random: inout SplitMix) -> [SynthCommand] {
        Track.allCases.flatMap { track in
            (SynthTrackVolume.rawValue...SynthTrackTimbre.rawValue + 5).compactMap { number -> SynthCommand? in
                let control = SynthControl(number)
                let range = synth_range(control)
                let value = Int.random(in: Int(range.lowest)...Int(range.highest), using: &random)
                guard Bool.random(using: &random) else { return nil }
                return .set(control, value, of: track)
            }
        }
    }

    /// Random patterns, sounds, kits, pads, sends, swing, mutes and held notes, without what the master adds.
    private func session(_ random: inout SplitMix, seconds: Double) -> [SynthCommand] {
        let frames = Int(seconds * Double(Self.rate))
        func frame() -> Int { Int.random(in: 1...frames, using: &random) }
        var begin = controls(using: &random)
        for track in Track.allCases {
            for note in 0..<12 where Int.random(in: 0..<3, using: &random) == 0 {
                let cells = random.next() & random.next() & random.next()
                begin.append(.row(track, note, cells: cells))
            }
        }
        begin += [
            .set(SynthSwing, Int.random(in: 50...75, using: &random)),
            .set(SynthDelaySteps, Int.random(in: 1...8, using: &random)),
            .set(SynthDelayFeedback, Int.random(in: 0...90, using: &random)),
            .set(SynthReverbTime, Int.random(in: 3...100, using: &random)),
            .pad(0, slot: 0), .pad(4, slot: 1, tune: 5), .tempo(UInt32.random(in: 90...300, using: &random)),
            .play(),
        ]
        var later: [SynthCommand] = []
        for track in Track.allCases {
            let press = SynthNoteOnCommand(
                expression: .init(bend: 5000, pressure: 40, brightness: 20), track: track.rawValue, note: 5, velocity: 2
            )
            let note = SynthNoteOffCommand(track: track.rawValue, note: 5)
            let at = frame()
            later += [
                SynthCommand(SynthNoteOn, .init(note_on: press), at: at),
                SynthCommand(SynthNoteOff, .init(note_off: note), at: at + 9000),
                .set(SynthTrackModel, Int.random(in: 0...7, using: &random), of: track, at: frame()),
                .set(SynthTrackPan, Int.random(in: -100...100, using: &random), of: track, at: frame()),
                .set(SynthTrackDelay, Int.random(in: 0...100, using: &random), of: track, at: frame()),
            ]
        }
        later += [
            .silent([Track.allCases.randomElement(using: &random) ?? .bass], at: frame()),
            .metronome(true, at: frame()),
            .tempo(170, at: frame()),
        ]
        return begin + later.sorted { $0.frame < $1.frame }
    }

    private func engine(_ commands: [SynthCommand]) throws -> TestEngine {
        let engine = try TestEngine(rate: UInt32(Self.rate))
        let noise = (0..<9000).map { Int16(truncatingIfNeeded: $0 &* 7919) / 4 }
        try #require(engine.load(noise, slot: 0) && engine.load(noise, slot: 1, channels: 2, rate: 44_100))
        try #require(engine.post(commands))
        return engine
    }

    private func stems(_ commands: [SynthCommand], seconds: Double) throws -> StemFrames {
        StemFrames(try engine(commands).renderStems(Int(seconds * Double(Self.rate))).stems)
    }

    @Test("the sound is the same with stems, and both are in any block size", arguments: [1, 100, 128, 333, 4096])
    func sameSound(block: Int) throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let busy = Session.busy(rate: Self.rate).filter { $0.frame < 2 * Self.rate }
        for commands in [session(&random, seconds: 2), busy] {
            let sound = try engine(commands).renderInterleaved(2 * Self.rate, block: block)
            let (other, stems) = try engine(commands).renderStems(2 * Self.rate, block: block)
            // To the bit: the hashes distinguish 0 from -0.
            #expect(hash(of: other) == hash(of: sound), "PIXELBOOP_SEED=\(seed)")
            let expected = try engine(commands).renderStems(2 * Self.rate, block: 256).stems
            #expect(stems == expected, "PIXELBOOP_SEED=\(seed)")
        }
    }

    @Test("the mix is the master's input: what is heard without compressor, tone and limiter is its multiple")
    func masterInput() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        var loudest: Float = 0
        for round in 0..<8 {
            // Too quiet for the limiter.
            let volume: UInt32 = 2
            let gain = Float(volume) * (Float(makeUp) / 65536)
            let engine = try engine([.volume(Double(volume) / 65536)])
            engine.skip(4800)
            try #require(engine.post(session(&random, seconds: 2)))
            let (sound, stems) = engine.renderStems(2 * Self.rate)
            let mix = StemFrames(stems).mix
            let end = sound.count - 2 * engine.latency
            let wrong = (0..<end).first { sound[$0 + 2 * engine.latency] != mix[$0] * gain }
            #expect(wrong == nil, "PIXELBOOP_SEED=\(seed) round \(round), peak \(peak(mix) * gain)")
            loudest = max(loudest, peak(mix))
        }
        #expect(loudest > 0.1, "PIXELBOOP_SEED=\(seed)")
    }

    @Test("without sends the tracks are the whole mix, but for the rounding of the sums")
    func sum() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        var loudest: Float = 0
        for round in 0..<8 {
            var commands = session(&random, seconds: 2).filter {
                let control = $0.payload.control.control
                return $0.kind != SynthMetronome && !($0.kind == SynthSet && control == SynthTrackDelay)
            }
            // The modulation may open a send.
            let closed = [SynthTrackDelay, SynthTrackReverb, SynthTrackLfoDepth, SynthTrackEnvelopeDepth]
            let at = commands.firstIndex { $0.kind == SynthPlay } ?? 0
            commands.insert(
                contentsOf: Track.allCases.flatMap { track in closed.map { .set($0, 0, of: track) } }, at: at)
            let stems = try stems(commands, seconds: 2)
            let peaks = stems.tracks.map { peak($0) }
            #expect(stems.rest <= 1e-6 * peaks.reduce(0, +), "PIXELBOOP_SEED=\(seed) round \(round)")
            loudest = max(loudest, peaks.max() ?? 0)
        }
        #expect(loudest > 0.1, "PIXELBOOP_SEED=\(seed)")
    }

    @Test("a silent track's stem is silence")
    func silence() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for track in Track.allCases {
            let commands = session(&random, seconds: 1).filter { $0.kind != SynthSilent }
            let stems = try stems([.silent([track])] + commands, seconds: 1)
            #expect(peak(stems[track]) == 0, "PIXELBOOP_SEED=\(seed)")
            #expect(peak(stems.mix) > 0)
        }
    }

    @Test("the only track's stem is the mix to the bit", arguments: Track.allCases, [0, 1, 2, 3, 4, 5, 6, 7])
    func alone(track: Track, model: Int) throws {
        let commands: [SynthCommand] = [
            .set(SynthTrackModel, model, of: track), .timbre(0, 8, of: track), .set(SynthTrackUnison, 3, of: track),
            .set(SynthTrackPan, 30, of: track), .set(SynthTrackLfoDepth, 20, of: track),
            .set(SynthTrackLfoTarget, Int(SynthTargetVolume.rawValue), of: track),
            .set(SynthTrackChorus, 40, of: track, at: 9000), .set(SynthTrackDrive, 40, of: track, at: 15_000),
            .row(track, 0, .normal, on: stride(from: 0, to: 32, by: 3)),
            .row(track, 7, .accent, on: stride(from: 1, to: 32, by: 2)), .play(),
        ]
        let stems = try stems(commands.sorted { $0.frame < $1.frame }, seconds: 1)
        #expect(stems[track] == stems.mix)
        #expect(peak(stems.mix) > 0.01)
        for other in Track.allCases where other != track { #expect(peak(stems[other]) == 0) }
    }

    @Test("a stem is the track alone, whatever the others play", arguments: [0, 1, 3, 4, 5, 6, 7])
    func owner(model: Int) throws {
        // Lanes are shared by the tracks, so that the sums are rounded otherwise. No plucks: each begins with another
        // noise.
        let melodic = [Track.melody, .chords, .bass]
        let begin = melodic.flatMap { track in
            [.set(SynthTrackModel, model, of: track)] + (0..<3).map { SynthCommand.timbre($0, 6, of: track) }
        }
        let rows = melodic.enumerated().flatMap { index, track in
            (0..<6).map { note in
                SynthCommand.row(track, 2 * note, .normal, on: stride(from: note, to: 32, by: 3 + index))
            }
        }
        let all = try stems(begin + rows + [.play()], seconds: 2)
        for track in melodic {
            let others = Set(melodic).subtracting([track])
            let alone = try stems(begin + [.silent(others)] + rows + [.play()], seconds: 2)
            let difference = zip(all[track], alone.mix).map { $0 - $1 }
            #expect(peak(difference) < 1e-6, "\(track)")
            #expect(peak(alone.mix) > 0.01)
        }
    }

    @Test("stems at rest are silence, and the click is in the mix alone")
    func click() throws {
        let silent = try stems([], seconds: 0.1)
        #expect(peak(silent.mix) == 0 && silent.rest == 0)
        let stems = try stems([.metronome(true), .play(after: 1)], seconds: 0.2)
        #expect(peak(stems.mix) > 0.01)
        for track in Track.allCases { #expect(peak(stems[track]) == 0) }
    }
}
