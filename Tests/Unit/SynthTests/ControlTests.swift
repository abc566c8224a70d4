import Glibc
import Synth
import Testing

/// Every control of a track with its range and, if the same for all tracks, the value that changes nothing.
private struct Control: CustomStringConvertible {
    let kind: SynthControl
    let range: ClosedRange<Int>
    let neutral: Int?
    let description: String

    static let all = [
        Control(kind: SynthTrackVolume, range: 0...200, neutral: 100, description: "volume"),
        Control(kind: SynthTrackPan, range: -100...100, neutral: 0, description: "pan"),
        Control(kind: SynthTrackCutoff, range: 20...20_000, neutral: nil, description: "cutoff"),
        Control(kind: SynthTrackResonance, range: 0...24, neutral: 1, description: "resonance"),
        Control(kind: SynthTrackAttack, range: 0...5000, neutral: 0, description: "attack"),
        Control(kind: SynthTrackDecay, range: 0...5000, neutral: 0, description: "decay"),
        Control(kind: SynthTrackSustain, range: 0...100, neutral: 100, description: "sustain"),
        Control(kind: SynthTrackRelease, range: 0...5000, neutral: 0, description: "release"),
        Control(kind: SynthTrackDelay, range: 0...100, neutral: 0, description: "delay"),
        Control(kind: SynthTrackReverb, range: 0...100, neutral: 0, description: "reverb"),
    ]

    static func cutoff(_ track: Track) -> Int { [2000, 1500, 400, 20_000][Int(track.rawValue)] }

    func neutral(_ track: Track) -> Int { neutral ?? Control.cutoff(track) }
}

@Suite("Controls of the sound")
struct ControlTests {
    /// A loud note of `track` with `controls` set long before. For the drums the cowbell, which has tones at 560 and
    /// 845 Hz and their harmonics.
    private func note(
        _ track: Track, note: Int? = nil, steps: UInt32 = 4, rate: UInt32 = 48_000, frames: Int = 24_000,
        _ controls: [SynthCommand] = []
    ) throws -> (left: [Float], right: [Float]) {
        let engine = try TestEngine(rate: rate)
        engine.post(controls)
        engine.skip(Int(rate) / 10)
        engine.post(.audition(track, note ?? (track == .rhythm ? 11 : 4), velocity: 2, steps: steps))
        let (left, right) = engine.renderStereo(frames + engine.latency)
        return (Array(left[engine.latency...]), Array(right[engine.latency...]))
    }

    private func power(_ side: [Float]) -> Double { side.reduce(0) { $0 + Double($1) * Double($1) } }

    @Test("at their defaults, or set beyond their range and back, they change no sample", arguments: Track.allCases)
    func neutral(track: Track) throws {
        let plain = try note(track)
        let same = try note(track, Control.all.map { .set($0.kind, $0.neutral(track), of: track) })
        #expect(same.left == plain.left && same.right == plain.right)
        #expect(plain.left == plain.right)
        for control in Control.all {
            for end in [Int(Int32.min), Int(Int32.max)] {
                let clamped = end < 0 ? control.range.lowerBound : control.range.upperBound
                let beyond = try note(track, frames: 9600, [.set(control.kind, end, of: track)])
                let within = try note(track, frames: 9600, [.set(control.kind, clamped, of: track)])
                #expect(beyond.left == within.left && beyond.right == within.right, "\(control)")
            }
        }
    }

    @Test("a track's controls change no other track", arguments: Track.allCases)
    func apart(track: Track) throws {
        let plain = try note(track)
        let others = Track.allCases.filter { $0 != track }
        let changed = try note(
            track,
            others.flatMap { other in
                Control.all.map { .set($0.kind, ($0.range.lowerBound + $0.range.upperBound) / 3, of: other) }
            })
        #expect(changed.left == plain.left && changed.right == plain.right)
    }

    @Test("volume is per cent of the level", arguments: Track.allCases, [0, 25, 50, 200])
    func volume(track: Track, percent: Int) throws {
        let plain = try note(track)
        let sound = try note(track, [.set(SynthTrackVolume, percent, of: track)])
        // Powers of two are exact.
        #expect(zip(sound.left, plain.left).allSatisfy { $0 == $1 * (Float(percent) / 100) })
    }

    @Test("pan keeps the power, and its ends are one channel only", arguments: Track.allCases)
    func pan(track: Track) throws {
        let middle = try note(track)
        let total = power(middle.left) + power(middle.right)
        for pan in stride(from: -100, through: 100, by: 20) {
            let sound = try note(track, [.set(SynthTrackPan, pan, of: track)])
            let sides = (power(sound.left), power(sound.right))
            #expect(abs(decibels((sides.0 + sides.1) / total)) < 0.001, "\(pan)")
            let angle = Double(pan + 100) / 400 * .pi
            #expect(abs(sides.0 / total - pow(cos(angle), 2)) < 1e-6, "\(pan)")
        }
        #expect(peak(try note(track, [.set(SynthTrackPan, -100, of: track)]).right) == 0)
        #expect(peak(try note(track, [.set(SynthTrackPan, 100, of: track)]).left) == 0)
    }

    @Test(
        "the low-pass is the Audio EQ Cookbook's at any cut-off and resonance", arguments: [44_100, 48_000, 96_000],
        [(20, 1), (200, 0), (500, 12), (1000, 24), (5000, 6), (19_000, 1)])
    func lowPass(rate: Int, setting: (hertz: Int, decibels: Int)) throws {
        // The drums' filter is last, so its output can be computed from the drum's.
        let commands: [SynthCommand] = [
            .set(SynthTrackCutoff, setting.hertz, of: .rhythm),
            .set(SynthTrackResonance, setting.decibels, of: .rhythm),
        ]
        // Quiet, so that a resonance stays below the limiter.
        let soft = SynthCommand.set(SynthTrackVolume, 25, of: .rhythm)
        let plain = try note(.rhythm, rate: UInt32(rate), [soft])
        let sound = try note(.rhythm, rate: UInt32(rate), [soft] + commands)
        var filter = Biquad(
            .lowPass, hertz: Double(setting.hertz), q: pow(10, Double(setting.decibels) / 20), rate: Double(rate))
        let expected = plain.left.map { filter(Double($0)) }
        let error = zip(sound.left, expected).reduce(0) { max($0, abs(Double($1.0) - $1.1)) }
        #expect(error < 2e-6, "\(decibels(error)) dB")
        #expect(peak(sound.left) > 1e-5)
    }

    @Test("the melodic low-pass has the gain of its curve", arguments: [(100, 1), (330, 12), (1000, 0)])
    func melodicLowPass(setting: (hertz: Int, decibels: Int)) throws {
        let hertz = 440 * pow(2, -5.0 / 12)  // note 4 of the melody, a sine
        let open = try note(.melody, steps: 16, frames: 48_000, [.set(SynthTrackCutoff, 20_000, of: .melody)])
        let sound = try note(
            .melody, steps: 16, frames: 48_000,
            [
                .set(SynthTrackCutoff, setting.hertz, of: .melody),
                .set(SynthTrackResonance, setting.decibels, of: .melody),
            ])
        // The cookbook's low-pass in the s plane, at the frequencies after the bilinear transform.
        let w = tan(.pi * hertz / 48_000) / tan(.pi * Double(setting.hertz) / 48_000)
        let q = pow(10, Double(setting.decibels) / 20)
        let gain = 1 / (pow(1 - w * w, 2) + pow(w / q, 2)).squareRoot()
        let held = 20_000..<40_000
        let found = rms(sound.left[held]) / rms(open.left[held])
        #expect(abs(decibels(found / gain)) < 0.01, "\(decibels(found)) dB instead of \(decibels(gain))")
    }

    struct Times: CustomStringConvertible {
        var attack = 0
        var decay = 0
        var sustain = 100
        var release = 0
        var description: String { "\(attack), \(decay), \(sustain), \(release)" }

        /// The gain at `time` of a note of 0.475 s (4 steps at 120 BPM).
        func gain(at time: Double) -> Double {
            let whole = 0.475
            let level = 0.16
            let attack = self.attack == 0 ? 0.02 : Double(max(2, self.attack)) / 1000
            let ownRelease = min(0.3 * whole, 0.15)
            let held = release == 0 ? whole - ownRelease : whole
            let release = self.release == 0 ? ownRelease : Double(max(2, self.release)) / 1000
            func before(_ time: Double) -> Double {
                if time <= attack { return level * time / attack }
                let sustained = level * Double(sustain) / 100
                let decay = Double(max(2, self.decay)) / 1000
                return sustain == 100 || time - attack > decay
                    ? sustained : sustained + (level - sustained) * pow(0.001, (time - attack) / decay)
            }
            guard time > held else { return before(time) }
            let last = before(held)
            guard last > 0.001 else { return 0 }
            return time - held < release ? last * pow(0.001 / last, (time - held) / release) : 0
        }
    }

    @Test(
        "a note's shape is its attack, decay, sustain and release",
        arguments: [
            Times(attack: 5), Times(attack: 200), Times(attack: 1, decay: 100, sustain: 50),
            Times(decay: 5000, sustain: 20), Times(attack: 100, decay: 200, sustain: 0, release: 300),
            Times(decay: 50, sustain: 30, release: 1000), Times(attack: 400, release: 5), Times(attack: 5000),
            Times(attack: 470, decay: 100, sustain: 10, release: 40),
        ])
    func envelope(times: Times) throws {
        // A sine far below the cut-off has the envelope's shape. The oscillator's phase is known, so the expected sound
        // is compared sample by sample.
        let sound = try note(
            .melody, frames: 96_000,
            [
                .set(SynthTrackCutoff, 20_000, of: .melody), .set(SynthTrackAttack, times.attack, of: .melody),
                .set(SynthTrackDecay, times.decay, of: .melody), .set(SynthTrackSustain, times.sustain, of: .melody),
                .set(SynthTrackRelease, times.release, of: .melody),
            ])
        let hertz = 440 * pow(2, -5.0 / 12)
        var filter = Biquad(.lowPass, hertz: 20_000, q: oneDecibel, rate: 48_000)
        var error = 0.0
        for (frame, sample) in sound.left.enumerated() {
            let time = Double(frame) / 48_000
            let oscillator = filter(sin(2 * .pi * hertz * time))
            error = max(error, abs(Double(sample) - makeUp * times.gain(at: time) * oscillator))
        }
        // The note's end, a straight line of 2.7 ms from the floor of 0.001, is the largest difference.
        #expect(error < 0.0016, "\(error)")
    }

    @Test("the drums keep their envelopes")
    func drumsKeepShape() throws {
        let plain = try note(.rhythm)
        let shaped = try note(
            .rhythm,
            [
                .set(SynthTrackAttack, 500, of: .rhythm), .set(SynthTrackDecay, 100, of: .rhythm),
                .set(SynthTrackSustain, 0, of: .rhythm), .set(SynthTrackRelease, 3000, of: .rhythm),
            ])
        #expect(shaped.left == plain.left)
    }

    @Test(
        "a sounding track glides to a new setting, and a note that begins meanwhile joins it", arguments: Track.allCases
    )
    func glide(track: Track) throws {
        // Two engines: one had the new setting from the start, one glides to it while a note sounds.
        let settings: [SynthCommand] = [
            .set(SynthTrackVolume, 60, of: track, at: 9600), .set(SynthTrackPan, 50, of: track, at: 9700),
            .set(SynthTrackVolume, 30, of: track, at: 9800),
        ]
        let moved = try TestEngine()
        moved.post(
            [.audition(track, 3, velocity: 2, steps: 4)] + settings + [.audition(track, 5, steps: 4, at: 10_000)])
        let there = try TestEngine()
        there.post(
            [.set(SynthTrackVolume, 30, of: track), .set(SynthTrackPan, 50, of: track)]
                + [.audition(track, 3, velocity: 2, steps: 4), .audition(track, 5, steps: 4, at: 10_000)])
        let sounds = (moved.renderStereo(30_000), there.renderStereo(30_000))
        let arrived = 9800 + 960 + moved.latency
        for (found, expected) in [(sounds.0.left, sounds.1.left), (sounds.0.right, sounds.1.right)] {
            let error = zip(found[arrived...], expected[arrived...]).reduce(0) { max($0, abs($1.0 - $1.1)) }
            #expect(error < 1e-6)
            #expect(found[..<9600] != expected[..<9600])
        }
    }
}
