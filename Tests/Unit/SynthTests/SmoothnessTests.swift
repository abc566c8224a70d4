import Synth
import Testing

/// The largest second difference of a sound, which reveals jumps and corners. A jump of `a` has at least `a`; the 261
/// Hz of the melody's lowest note at level `a` has a / 860.
func roughness<Samples: Collection>(_ samples: Samples) -> Float where Samples.Element == Float {
    var largest: Float = 0
    var previous: Float = 0
    var difference: Float = 0
    for (index, sample) in samples.enumerated() {
        let next = sample - previous
        if index >= 2 {
            largest = max(largest, abs(next - difference))
        }
        difference = next
        previous = sample
    }
    return largest
}

@Suite("No clicks")
struct SmoothnessTests {
    /// Long notes on all melodic tracks and a kick, sounding since 4800 frames before `change`.
    private let change = 9600

    private func playing(_ commands: [SynthCommand]) throws -> (sound: [Float], engine: TestEngine) {
        let engine = try TestEngine()
        let notes: [SynthCommand] = [
            .audition(.melody, 0, velocity: 2, steps: 16), .audition(.chords, 4, velocity: 2, steps: 16),
            .audition(.bass, 7, velocity: 2, steps: 16), .audition(.rhythm, 0, at: 8000),
        ]
        engine.post(notes + commands)
        return (engine.render(24000, block: 100), engine)
    }

    /// Expects no more roughness around and after the change than in the notes before it.
    private func expectSmooth(_ sound: [Float], from start: Int? = nil, allowance: Float = 1.1) {
        let change = start ?? self.change
        let before = roughness(sound[(change - 4800)..<change])
        let after = roughness(sound[(change - 2)...])
        #expect(after <= before * allowance, "\(after / before) times as rough")
    }

    @Test("the detector finds a cut")
    func detector() throws {
        var sound = try playing([]).sound
        expectSmooth(sound)
        for frame in (change + 172)..<sound.count {
            sound[frame] = 0
        }
        #expect(roughness(sound[change...]) > 2 * roughness(sound[..<change]))
    }

    @Test("Stop and Fade silence every note within 5 ms and the limiter's delay", arguments: [false, true])
    func stop(fade: Bool) throws {
        let (sound, engine) = try playing([fade ? .fade(at: change) : .stop(at: change)])
        expectSmooth(sound)
        #expect(peak(sound[(change + engine.latency - 1)...]) > 0.1)
        #expect(peak(sound[(change + engine.latency + 240)...]) == 0)
    }

    @Test("muting a track fades its notes and no other track's", arguments: Track.allCases)
    func mute(track: Track) throws {
        let (sound, engine) = try playing([.silent([track], at: change)])
        expectSmooth(sound)
        let others = try TestEngine()
        let rest: [SynthCommand] = [
            .audition(.melody, 0, velocity: 2, steps: 16), .audition(.chords, 4, velocity: 2, steps: 16),
            .audition(.bass, 7, velocity: 2, steps: 16), .audition(.rhythm, 0, at: 8000),
        ]
        others.post(rest.filter { $0.payload.audition.track != track.rawValue })
        let expected = others.render(24000)
        // The same except for the order of additions.
        let from = change + 240 + engine.latency
        #expect(zip(sound[from...], expected[from...]).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test("an unmuted track starts with its next note")
    func unmute() throws {
        let (sound, engine) = try playing([
            .silent(Set(Track.allCases), at: change), .silent([], at: change + 50),
            .audition(.melody, 0, at: change + 2000),
        ])
        expectSmooth(sound)
        #expect(peak(sound[(change + 240 + engine.latency)..<(change + 2000)]) == 0)
        #expect(peak(sound[(change + 2000)...]) > 0.05)
    }

    @Test("a note played again while it sounds", arguments: [Track.melody, .chords, .bass])
    func retrigger(track: Track) throws {
        let engine = try TestEngine()
        engine.post((0..<6).map { .audition(track, 0, steps: 8, at: 4803 * $0) })
        let sound = engine.render(24000)
        let one = try TestEngine()
        one.post(.audition(track, 0, steps: 8))
        // Six of them add up to no more than six times one.
        #expect(roughness(sound) <= 6 * roughness(one.render(24000)))
        #expect(engine.counters.voices_stolen == 0)
    }

    @Test("the oldest voice is stolen when too many sound, without a click")
    func steal() throws {
        let engine = try TestEngine()
        // A loud low note, then 71 quiet ones, all long; each further note steals the oldest.
        engine.post([.tempo(60), .audition(.melody, 0, velocity: 2, steps: 8)])
        engine.post([SynthCommand](repeating: .audition(.chords, 0, steps: 32, at: 1), count: 71))
        let before = engine.render(24000)
        #expect(engine.counters.voices_stolen == 0)
        engine.post(.audition(.bass, 0, steps: 8))
        let after = engine.render(24000)
        #expect(engine.counters.voices_stolen == 1)
        #expect(roughness(before.suffix(4800) + after) <= 1.1 * roughness(before.suffix(4800)))
    }

    @Test("more notes than voices and lanes: no click, and silence after")
    func manyMore() throws {
        let engine = try TestEngine()
        for start in 0..<8 {
            let notes = (0..<120).map { SynthCommand.audition(.melody, $0 % 12, steps: 4, at: 3000 * start) }
            engine.post(notes)
        }
        let sound = engine.render(72000)
        #expect(engine.counters.voices_stolen > 500)
        #expect(peak(sound) <= 1)
        #expect(roughness(sound) < 0.02)
        #expect(peak(sound.suffix(100)) == 0)
    }

    @Test("tempo and length change under sounding notes")
    func tempoAndLength() throws {
        let cells: [Int: Cell] = [0: .accent, 1: .sustain, 2: .sustain, 3: .sustain, 4: .sustain, 5: .sustain]
        let engine = try TestEngine()
        engine.post([
            .row(.melody, 0, cells), .row(.bass, 0, cells), .play(), .tempo(200, at: change),
            .length(3, at: change + 50), .tempo(60, at: change + 100),
        ])
        expectSmooth(engine.render(24000))
    }

    /// Each gliding control from one end to the other, and from its middle.
    static let jumps: [(control: SynthControl, from: Int, to: Int)] = [
        (SynthTrackVolume, 0, 200), (SynthTrackVolume, 200, 0), (SynthTrackPan, -100, 100), (SynthTrackPan, 0, -100),
        (SynthTrackCutoff, 20, 20_000), (SynthTrackCutoff, 20_000, 20), (SynthTrackCutoff, 300, 3000),
        (SynthTrackCutoff, 19_999, 20_000), (SynthTrackCutoff, 20_000, 5000), (SynthTrackResonance, 0, 24),
        (SynthTrackResonance, 24, 0), (SynthTrackDelay, 0, 100), (SynthTrackReverb, 100, 0),
    ]

    @Test("every control that glides, on every track", arguments: Track.allCases, jumps)
    func controls(track: Track, jump: (control: SynthControl, from: Int, to: Int)) throws {
        // One long note; for the drums the ride, which is steady for long and has no noise.
        let start: [SynthCommand] = [
            .set(jump.control, jump.from, of: track),
            .audition(track, track == .rhythm ? 10 : 4, velocity: 2, steps: 16, at: 4800),
        ]
        let moved = try TestEngine()
        moved.post(start + [.set(jump.control, jump.to, of: track, at: change)])
        let stayed = try TestEngine()
        stayed.post(start)
        let ended = try TestEngine()
        ended.post(start + [.set(jump.control, jump.to, of: track, at: 1)])
        let sides = { (engine: TestEngine) in engine.renderStereo(16_000) }
        let (sound, before, after) = (sides(moved), sides(stayed), sides(ended))
        for side in [\(left: [Float], right: [Float]).left, \.right] {
            // During the glide it is no rougher than both ends together, except for the corners of the ramp: twice the
            // loudest note's level in 960 samples. A jump by a hundredth of it would be five times that.
            let corner: Float = 2 * 0.16 * 1.4 / 960
            let allowed = roughness(before[keyPath: side][4800...]) + roughness(after[keyPath: side][4800...])
            let found = roughness(sound[keyPath: side][(change - 100)...])
            #expect(found <= 1.02 * allowed + corner, "\(found / allowed) times as rough")
        }
    }

    @Test("swing, the delay's time and feedback and the reverberation's time, while they sound")
    func shared() throws {
        let commands: [SynthCommand] = [
            .set(SynthTrackDelay, 60, of: .melody), .set(SynthTrackReverb, 60, of: .melody), .play(),
            .row(.melody, 0, [0: .accent].merging((1..<32).map { ($0, .sustain) }) { $1 }),
        ]
        let changes: [SynthCommand] = [
            .set(SynthSwing, 75, at: 40_000), .set(SynthDelayFeedback, 80, at: 50_000),
            .set(SynthReverbTime, 3, at: 60_000),
            .set(SynthDelaySteps, 1, at: 70_000), .set(SynthReverbTime, 100, at: 80_000),
            .set(SynthDelayFeedback, 0, at: 90_000),
        ]
        let engine = try TestEngine()
        engine.post(commands + changes)
        let plain = try TestEngine()
        plain.post(commands)
        let (sound, steady) = (engine.render(120_000, block: 77), plain.render(120_000))
        #expect(roughness(sound[38_000...]) <= 2 * roughness(steady[38_000...]))
    }

    @Test("volume glides, from the command's frame and to its exact value")
    func volume() throws {
        let (sound, engine) = try playing([.volume(0, at: change), .volume(0.5, at: change + 5000)])
        expectSmooth(sound)
        #expect(peak(sound[(change + 960 + engine.latency)..<(change + 5000 + engine.latency)]) == 0)
        let plain = try playing([]).sound
        let from = change + 6000 + engine.latency
        #expect(zip(sound[from...], plain[from...]).allSatisfy { $0 == 0.5 * $1 })
    }
}
