import Glibc
import SignalAnalysis
import Synth
import SynthProbe
import Testing

/// The models other than the plain one, each with controls of its own that sound, as commands for `track`.
enum Models {
    static let all: [(model: SynthModel, timbre: [Int])] = [
        (SynthAnalogue, [30, 20, 40, 5]), (SynthPluck, [60, 70, 30]), (SynthFm, [30, 50, 70, 20, 40, 100]),
        (SynthOrgan, [8, 4, 8, 6, 3, 2]), (SynthStrings, [40, 90, 20]), (SynthAcid, [20, 30, 60, 80]),
        (SynthWavetable, [40, 20, 30]),
    ]

    static func commands(_ model: SynthModel, _ timbre: [Int], of track: Track, at frame: Int = 0) -> [SynthCommand] {
        [.set(SynthTrackModel, Int(model.rawValue), of: track, at: frame)]
            + timbre.enumerated().map { index, value in
                .timbre(index, value, of: track, at: frame)
            } + [.set(SynthTrackCutoff, 5000, of: track, at: frame)]
    }

    /// Every model on every melodic track in turn, under a busy pattern, with all modulation, unison, drive, chorus and
    /// the master's compressor and tone.
    static func session(rate: Int) -> [SynthCommand] {
        func frame(_ seconds: Double) -> Int { Int(seconds * Double(rate)) }
        var commands = Session.busy(rate: rate).filter { $0.frame < frame(5) }
        for (index, entry) in all.enumerated() {
            let start = frame(Double(index) * 0.7) + 100 * index
            for track in [Track.melody, .chords, .bass] {
                commands += Models.commands(entry.model, entry.timbre, of: track, at: start)
            }
            commands += [
                .set(SynthTrackUnison, 1 + index % 4, of: .melody, at: start),
                .set(SynthTrackDrive, 15 * index, of: .bass, at: start),
                .set(SynthTrackChorus, 10 * index, of: .chords, at: start),
                .set(SynthTrackLfoShape, index % 5, of: .chords, at: start),
                .set(SynthTrackLfoRate, 700, of: .chords, at: start),
                .set(SynthTrackLfoDepth, 30, of: .chords, at: start),
                .set(SynthTrackLfoTarget, 2 * index, of: .chords, at: start),
                .set(SynthTrackEnvelopeTarget, 2 * index + 1, of: .bass, at: start),
                .set(SynthTrackEnvelopeDepth, 70 - 20 * index, of: .bass, at: start),
                .set(SynthTrackLevel, 10 * index - 30, of: .melody, at: start),
                .set(SynthTrackModel, index % Int(synth_kits.rawValue), of: .rhythm, at: start),
                .set(SynthTrackDrive, index == 3 ? 0 : 12 * index, of: .rhythm, at: start),
                .set(SynthTrackLfoDepth, 25 * (index % 3), of: .rhythm, at: start),
                .set(SynthTrackLfoTarget, 1 + index, of: .rhythm, at: start),
                .set(SynthTrackEnvelopeDepth, 10 * index - 30, of: .rhythm, at: start),
                .set(SynthTrackEnvelopeTarget, 8 - index, of: .rhythm, at: start),
                .set(SynthTrackDelay, 30, of: .melody, at: start),
                .set(SynthTrackReverb, 30, of: .chords, at: start),
            ]
        }
        commands += [
            .set(SynthDelayWidth, 100, at: frame(1)), .set(SynthCompression, 60, at: frame(2)),
            .set(SynthTone, 40, at: frame(3)), .set(SynthTone, -40, at: frame(4)),
        ]
        return commands.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(
            \.element)
    }
}

@Suite("The models")
struct ModelTests {
    private func render(rate: Int, block: Int) throws -> [Float] {
        let engine = try TestEngine(rate: UInt32(rate))
        #expect(engine.post(Models.session(rate: rate)))
        return engine.renderInterleaved(6 * rate, block: block)
    }

    @Test("give the same samples in any block size", arguments: [1, 16, 64, 333, 4096])
    func blockSizes(block: Int) throws {
        #expect(try render(rate: 48_000, block: block) == render(rate: 48_000, block: 256))
    }

    /// As in `DeterminismTests`.
    @Test(
        "give the same samples on every machine and in every build",
        arguments: [(44_100, 0x4503_6b77_4c47_5007), (48_000, 0xdc9a_2441_1db6_380b), (96_000, 0x54f0_2b2d_2dfb_ce27)]
            as [(Int, UInt64)])
    func golden(rate: Int, expected: UInt64) throws {
        let sound = try render(rate: rate, block: 128)
        #expect(sound.allSatisfy { $0.isFinite })
        let hash = hash(of: sound)
        #expect(hash == expected, "0x\(String(hash, radix: 16))")
    }

    @Test("give the same samples in the code for this processor and in the code for every processor")
    func variants() throws {
        let commands = Models.session(rate: 48_000)
        var sound = [Float](repeating: .nan, count: 2 * 6 * 48_000)
        synth_probe_engine(48_000, commands, UInt32(commands.count), &sound, UInt32(sound.count / 2))
        #expect(try sound == render(rate: 48_000, block: 256))
    }

    @Test("stay at a level whatever the LFO does to their own controls", arguments: 0..<7, 0..<6)
    func modulated(index: Int, target: Int) throws {
        for (depth, base) in [(100, 0), (100, 100), (60, 30)] {
            let engine = try TestEngine()
            engine.post(
                Models.commands(Models.all[index].model, [Int](repeating: base, count: 6), of: .melody) + [
                    .set(SynthTrackLfoTarget, Int(SynthTargetTimbre.rawValue) + target, of: .melody),
                    .set(SynthTrackLfoDepth, depth, of: .melody), .set(SynthTrackLfoRate, 130, of: .melody),
                    .row(.melody, 4, .accent, on: stride(from: 0, to: 32, by: 2)),
                    .row(.melody, 23, .normal, on: stride(from: 1, to: 32, by: 2)), .play(),
                ])
            // The limiter would hide it: a model that grows without end is soon at any level.
            let (_, stems) = engine.renderStems(3 * Int(engine.rate))
            #expect(stems.allSatisfy { abs($0) < 4 }, "depth \(depth) at \(base)")
            #expect(peak(stems) > 0.001)
        }
    }

    @Test("sound on every note of every track, and end in silence", arguments: 0..<7, [Track.melody, .chords, .bass])
    func notes(index: Int, track: Track) throws {
        let entry = Models.all[index]
        for note in -12...23 {
            let engine = try TestEngine()
            engine.post(Models.commands(entry.model, entry.timbre, of: track))
            engine.post(.audition(track, note, steps: 2))
            let sound = engine.renderInterleaved(36_000)
            let level = decibels(rms(sound[..<16_000]))
            #expect(level > -45 && level < -15, "note \(note): \(level) dB")
            #expect(sound[60_000...].allSatisfy { $0 == 0 }, "note \(note)")
        }
    }

    /// A low note, which has little roughness of its own, from one model to each other.
    @Test("change without a click while notes sound", arguments: 0..<7, 0..<7)
    func change(from: Int, to: Int) throws {
        let (first, second) = (Models.all[from], Models.all[to])
        func sound(_ commands: [SynthCommand]) throws -> [Float] {
            let engine = try TestEngine()
            engine.post([.set(SynthTrackReverb, 0, of: .chords)] + commands)
            return engine.renderStereo(20_000).left
        }
        let start = Models.commands(first.model, first.timbre, of: .chords) + [.audition(.chords, -12, steps: 16)]
        let changed = try sound(start + Models.commands(second.model, second.timbre, of: .chords, at: 9_600))
        let steady = try sound(start)
        let allowed = 1.2 * roughness(steady[4_800...]) + 0.002
        let found = roughness(changed[9_500...])
        #expect(found <= allowed, "\(found / allowed) times as rough")
    }

    /// Not the organ itself, nor the strings, whose ensemble ends more slowly.
    @Test(
        "play a first note with their own values while notes of another model still ring", arguments: [0, 1, 2, 5, 6])
    func firstNote(other: Int) throws {
        func sound(_ start: [SynthCommand]) throws -> ArraySlice<Float> {
            let engine = try TestEngine()
            engine.post(start)
            engine.post(Models.commands(SynthOrgan, [8, 0, 6, 4, 0, 0], of: .chords, at: 9_600))
            engine.post(.audition(.chords, 0, steps: 8, at: 9_600))
            // The old notes fade within 5 ms.
            return engine.renderStereo(20_000).left[10_000...]
        }
        let entry = Models.all[other]
        let alone = try sound([])
        let after = try sound(
            Models.commands(entry.model, entry.timbre, of: .chords) + [
                .set(SynthTrackCutoff, 300, of: .chords), .audition(.chords, 7, steps: 16, at: 4_800),
            ])
        let difference = zip(alone, after).map { abs($0 - $1) }.max() ?? 1
        #expect(difference < 1e-6, "\(difference)")
    }

    /// Each control from one end to the other.
    static let jumps: [(control: SynthControl, from: Int, to: Int)] = [
        (SynthTrackVolume, 200, 0), (SynthTrackPan, -100, 100), (SynthTrackCutoff, 20_000, 100),
        (SynthTrackResonance, 24, 0), (SynthTrackDelay, 0, 100), (SynthTrackReverb, 100, 0),
        (SynthTrackLevel, 60, -240),
        (SynthTrackDrive, 0, 100), (SynthTrackDrive, 60, 0), (SynthTrackChorus, 100, 0),
        (SynthTrackLfoDepth, 0, 60), (SynthTrackEnvelopeDepth, 60, -60),
    ]

    @Test("glide when a control jumps", arguments: jumps)
    func jump(jump: (control: SynthControl, from: Int, to: Int)) throws {
        // The organ is steady and has no edges.
        let organ = Models.commands(SynthOrgan, [8, 0, 8, 4, 0, 0], of: .melody)
        func side(_ commands: [SynthCommand]) throws -> [Float] {
            let engine = try TestEngine()
            engine.post(
                organ + [.set(jump.control, jump.from, of: .melody), .audition(.melody, -5, steps: 16, at: 10)]
                    + commands)
            return engine.renderStereo(20_000).left
        }
        let moved = try side([.set(jump.control, jump.to, of: .melody, at: 9_600)])
        let before = try side([])
        let after = try side([.set(jump.control, jump.to, of: .melody, at: 1)])
        let allowed = 1.2 * (roughness(before[4_800...]) + roughness(after[4_800...])) + 0.001
        let found = roughness(moved[9_500...])
        #expect(found <= allowed, "\(found / allowed) times as rough")
    }

    /// The frequency of a sound by its upward crossings of zero.
    private func pitch(_ sound: ArraySlice<Float>) -> Double {
        var crossings: [Double] = []
        for index in sound.indices.dropLast() where sound[index] < 0 && sound[index + 1] >= 0 {
            crossings.append(Double(index) + Double(sound[index] / (sound[index] - sound[index + 1])))
        }
        guard let first = crossings.first, let last = crossings.last, crossings.count > 1 else { return 0 }
        return Double(crossings.count - 1) / (last - first) * 48_000
    }

    /// A sine: the organ's 8' alone.
    private func sine(_ commands: [SynthCommand], steps: UInt32 = 16, frames: Int = 48_000) throws -> [Float] {
        let engine = try TestEngine()
        engine.post(
            Models.commands(SynthOrgan, [0, 0, 8], of: .melody) + commands + [.audition(.melody, 9, steps: steps)])
        return engine.renderStereo(frames).left
    }

    @Test("play the pitch of the note: A4 is 440 Hz")
    func concertPitch() throws {
        let found = pitch(try sine([])[4_800..<40_000])
        #expect(abs(1200 * log2(found / 440)) < 0.1, "\(found) Hz")
    }

    @Test("an LFO of square shape moves the pitch by the square of its depth in octaves")
    func lfo() throws {
        let sound = try sine([
            .set(SynthTrackLfoShape, Int(SynthLfoSquare.rawValue), of: .melody),
            .set(SynthTrackLfoRate, 200, of: .melody),
            .set(SynthTrackLfoDepth, 50, of: .melody), .set(SynthTrackLfoTarget, 0, of: .melody),
        ])
        // Two periods a second: up for a quarter of a second, then down.
        let up = 1200 * log2(pitch(sound[2_400..<11_000]) / 440)
        let down = 1200 * log2(pitch(sound[14_400..<23_000]) / 440)
        #expect(abs(up - 300) < 3 && abs(down + 300) < 3, "\(up), \(down) cents")
    }

    @Test("the modulation envelope falls from its depth to nothing in its time")
    func envelope() throws {
        let sound = try sine([
            .set(SynthTrackEnvelopeTarget, 0, of: .melody), .set(SynthTrackEnvelopeDepth, 100, of: .melody),
            .set(SynthTrackEnvelopeDecay, 500, of: .melody),
        ])
        let early = pitch(sound[100..<500])
        let late = pitch(sound[26_000..<40_000])
        #expect(early > 700 && early < 880, "\(early) Hz")
        #expect(abs(late - 440) < 0.5, "\(late) Hz")
    }

    @Test(
        "an acid note that follows another slides from it in 60 ms; with a pause it does not", arguments: [true, false])
    func slide(follows: Bool) throws {
        let engine = try TestEngine()
        engine.post(
            Models.commands(SynthAcid, [0, 0, 0, 100], of: .melody) + [.set(SynthTrackCutoff, 600, of: .melody)])
        engine.post([.audition(.melody, -3, steps: 4), .audition(.melody, 9, steps: 4, at: follows ? 24_000 : 30_000)])
        let sound = engine.renderStereo(60_000).left
        let start = follows ? 24_000 : 30_000
        let early = pitch(sound[(start + 500)..<(start + 1500)])
        let late = pitch(sound[(start + 6_000)..<(start + 15_000)])
        #expect(follows ? early < 330 && early > 220 : abs(early - 440) < 30, "\(early) Hz")
        #expect(abs(late - 440) < 2, "\(late) Hz")
    }

    @Test("unison keeps the level, widens the sound and beats", arguments: 2...4)
    func unison(copies: Int) throws {
        func sides(_ copies: Int) throws -> (left: [Float], right: [Float]) {
            let engine = try TestEngine()
            engine.post(Models.commands(SynthStrings, [0, 0, 0], of: .chords))
            engine.post([.set(SynthTrackUnison, copies, of: .chords), .audition(.chords, 0, steps: 32)])
            return engine.renderStereo(96_000)
        }
        let one = try sides(1)
        let many = try sides(copies)
        #expect(one.left == one.right)
        #expect(many.left != many.right)
        let difference = decibels(rms(many.left) / rms(one.left))
        #expect(abs(difference) < 2.5, "\(difference) dB")
    }

    @Test("drive adds harmonics and keeps the level")
    func drive() throws {
        let clean = try sine([.set(SynthTrackDrive, 0, of: .melody), .set(SynthTrackCutoff, 20_000, of: .melody)])
        let driven = try sine([.set(SynthTrackDrive, 80, of: .melody), .set(SynthTrackCutoff, 20_000, of: .melody)])
        #expect(abs(decibels(rms(driven) / rms(clean))) < 4)
        func third(_ sound: [Float]) -> Double {
            let spectrum = Spectrum(
                Array((sound + sound)[9_600..<(9_600 + Spectrum.count)]), rate: 48_000)
            return decibels(spectrum.amplitude(at: 1320) / spectrum.amplitude(at: 440))
        }
        #expect(third(driven) > -25 && third(clean) < -45, "\(third(driven)), \(third(clean)) dB")
    }

    @Test("the rhythm track: drive makes its hits denser, an LFO moves its pan")
    func rhythm() throws {
        func sides(_ commands: [SynthCommand]) throws -> (left: [Float], right: [Float]) {
            let engine = try TestEngine()
            engine.post(commands + [.audition(.rhythm, 10, velocity: 2, at: 4_800)])
            return engine.renderStereo(24_000)
        }
        let plain = try sides([])
        let driven = try sides([.set(SynthTrackDrive, 100, of: .rhythm)]).left
        // A ride decays: what drive takes from its peak it gives to its tail.
        let tails = (
            rms(plain.left[14_000...]) / Double(peak(plain.left)), rms(driven[14_000...]) / Double(peak(driven))
        )
        #expect(tails.1 > 1.5 * tails.0, "\(tails)")
        let moved = try sides([
            .set(SynthTrackLfoTarget, Int(SynthTargetPan.rawValue), of: .rhythm),
            .set(SynthTrackLfoDepth, 100, of: .rhythm),
            .set(SynthTrackLfoRate, 500, of: .rhythm),
        ])
        let share = moved.left.indices.filter { $0 > 6_000 && $0 < 20_000 }.map { index in
            abs(moved.left[index]) - abs(moved.right[index])
        }
        #expect(share.max() ?? 0 > 0.02 && share.min() ?? 0 < -0.02)
    }

    @Test("the chorus and the ensemble make two different sides", arguments: [SynthOrgan, SynthStrings])
    func chorus(model: SynthModel) throws {
        let engine = try TestEngine()
        engine.post(Models.commands(model, model == SynthStrings ? [30, 100, 0] : [8, 0, 8, 0, 0, 0], of: .chords))
        engine.post([
            .set(SynthTrackChorus, model == SynthStrings ? 0 : 80, of: .chords), .audition(.chords, 0, steps: 32),
        ])
        let (left, right) = engine.renderStereo(96_000)
        let side = rms(zip(left, right).map { ($0 - $1) / 2 })
        let middle = rms(zip(left, right).map { ($0 + $1) / 2 })
        #expect(decibels(side / middle) > -15, "\(decibels(side / middle)) dB")
    }

    @Test("stealing, Stop and muting do not click", arguments: 0..<7)
    func stop(index: Int) throws {
        let entry = Models.all[index]
        func sound(_ commands: [SynthCommand]) throws -> [Float] {
            let engine = try TestEngine()
            engine.post(Models.commands(entry.model, entry.timbre, of: .chords) + [.audition(.chords, -12, steps: 32)])
            engine.post(commands)
            return engine.renderStereo(20_000).left
        }
        let steady = try sound([])
        let allowed = 1.2 * roughness(steady[4_800...]) + 0.002
        for command in [SynthCommand.stop(at: 9_600), .silent([.chords], at: 9_600)] {
            let found = roughness(try sound([command])[9_500...])
            #expect(found <= allowed, "\(found / allowed) times as rough")
        }
    }
}
