import Glibc
import SignalAnalysis
import Synth
import SynthProbe
import TestSupport
import Testing

extension SynthCommand {
    /// Begins or moves an effect.
    static func fx(
        _ kind: SynthFxKind, x: Int = 500, y: Int = 1000, waits: Bool = false, at frame: Int = 0
    ) -> Self {
        let command = SynthFxCommand(fx: kind, is_on: true, waits: waits, x: UInt16(x), y: UInt16(y))
        return Self(SynthFx, .init(fx: command), at: frame)
    }

    /// Ends an effect.
    static func fxEnd(_ kind: SynthFxKind, at frame: Int) -> Self {
        Self(SynthFx, .init(fx: SynthFxCommand(fx: kind, is_on: false, waits: false, x: 0, y: 0)), at: frame)
    }
}

/// All effects, in the order of their numbers.
private let kinds = (0..<UInt8(synth_fx_kinds.rawValue)).map { SynthFxKind($0) }

/// The sound with effects and without, from the frame on that the commands count: without the limiter's delay.
private struct Played {
    let dry: [Float]
    let wet: [Float]

    /// Plays `music` with `effects` and without; the left channel.
    init(_ music: [SynthCommand], _ effects: [SynthCommand], frames: Int, rate: UInt32 = 48_000) throws {
        func play(_ more: [SynthCommand]) throws -> [Float] {
            let engine = try TestEngine(rate: rate)
            engine.post((music + more).sorted { $0.frame < $1.frame })
            return Array(engine.renderStereo(frames + engine.latency).left[engine.latency...])
        }
        dry = try play([])
        wet = try play(effects)
    }

    /// The frames in which both differ.
    var differences: [Int] { dry.indices.filter { dry[$0] != wet[$0] } }
}

/// The frame of an effect's begin: no multiple of anything.
private let begin = 100_003

/// A chord that is held for ten seconds at any tempo: its level is steady.
private let drone: [SynthCommand] = [0, 4, 7].map { note in
    let on = SynthNoteOnCommand(
        expression: .init(), track: Track.chords.rawValue, note: Int8(note), velocity: 100)
    return SynthCommand(SynthNoteOn, .init(note_on: on))
}

/// A sine of the organ's 8' drawbar; note 0 of the bass is 65 Hz.
private func sine(_ track: Track, _ note: Int) -> [SynthCommand] {
    let drawbars = (0..<6).map { SynthCommand.timbre($0, $0 == 2 ? 8 : 0, of: track) }
    let on = SynthNoteOnCommand(expression: .init(), track: track.rawValue, note: Int8(note), velocity: 100)
    return [.set(SynthTrackModel, Int(SynthOrgan.rawValue), of: track), .set(SynthTrackCutoff, 20_000, of: track)]
        + drawbars + [SynthCommand(SynthNoteOn, .init(note_on: on), at: 100)]
}

private func hertz(_ track: Track, _ note: Int) -> Double {
    440 * pow(2, Double(Int(synth_base_note(track.rawValue)) + note - 69) / 12)
}

@Suite("Performance effects: begin and end")
struct FxBeginTests {
    private let typical = Session.typical + [.play(at: 7)]

    @Test("effects that were off, waited in vain or are unknown change no bit")
    func off() throws {
        let effects: [SynthCommand] = kinds.flatMap { kind -> [SynthCommand] in
            [
                .fxEnd(kind, at: 1000), .fx(kind, waits: true, at: 24_100), .fx(kind, x: 0, waits: true, at: 24_200),
                .fxEnd(kind, at: 29_000),
            ]
        }
        let unknown = [8, 99, 255].map { SynthCommand.fx(SynthFxKind($0), at: 30_000) }
        #expect(try Played(typical, effects + unknown, frames: 60_000).differences.isEmpty)
    }

    /// Effects whose begin is heard at once in any music.
    private static let immediate = [
        SynthFxRepeat, SynthFxFilter, SynthFxCrush, SynthFxReverse, SynthFxTape,
    ]

    @Test("an effect begins on its frame", arguments: immediate)
    func begins(kind: SynthFxKind) throws {
        let first = try #require(
            Played(drone, [.fx(kind, x: 200, at: begin)], frames: begin + 2000).differences.first)
        #expect(first >= begin && first < begin + 20, "\(first - begin) frames late")
    }

    private static let tailless = kinds.filter { $0 != SynthFxThrow && $0 != SynthFxSwell }

    @Test("it ends within 10 ms, to the bit", arguments: tailless)
    func ends(kind: SynthFxKind) throws {
        for rate in [44_100, 48_000, 96_000] {
            let end = begin + 30_000
            let played = try Played(
                drone, [.fx(kind, x: 900, at: begin), .fxEnd(kind, at: end)], frames: end + 20_000,
                rate: UInt32(rate))
            let last = try #require(played.differences.last)
            #expect(last >= end && last < end + rate / 100, "\(last - end) frames at \(rate)")
        }
    }

    @Test("one that waits begins with the next step, as if it had been begun there, to the bit", arguments: kinds)
    func waits(kind: SynthFxKind) throws {
        func play(_ effects: [SynthCommand]) throws -> (sound: [Float], steps: [Int]) {
            let engine = try TestEngine()
            engine.post(typical + [.set(SynthSwing, 66), .tempo(hundredths: 12_345)] + effects)
            let sound = engine.renderInterleaved(200_000, block: 77)
            return (sound, engine.steps.map { Int($0.frame) })
        }
        let (waited, steps) = try play([.fx(kind, x: 300, waits: true, at: begin)])
        let step = try #require(steps.first { $0 >= begin })
        let isSame = try play([.fx(kind, x: 300, at: step)]).sound == waited
        #expect(isSame)
        let isSameOnStep = try play([.fx(kind, x: 300, waits: true, at: step)]).sound == waited
        #expect(isSameOnStep)
    }

    @Test("with the transport stopped, or when it stops, one that waits begins at once", arguments: kinds)
    func stopped(kind: SynthFxKind) throws {
        for stop in [begin - 500, begin + 500] {
            func play(_ effect: SynthCommand) throws -> [Float] {
                let engine = try TestEngine()
                engine.post((typical + drone + [.stop(at: stop), effect]).sorted { $0.frame < $1.frame })
                return engine.renderInterleaved(160_000)
            }
            let isSame = try play(.fx(kind, waits: true, at: begin)) == play(.fx(kind, at: max(begin, stop)))
            #expect(isSame, "stop at \(stop)")
        }
    }

    @Test("an effect that is on again before it has faded out begins anew", arguments: kinds)
    func again(kind: SynthFxKind) throws {
        let on = try Played(
            drone, [.fx(kind, x: 900, at: begin), .fxEnd(kind, at: begin + 9000), .fx(kind, x: 900, at: begin + 9100)],
            frames: begin + 40_000)
        let fade = 384
        let anew = try Played(
            drone,
            [.fx(kind, x: 900, at: begin), .fxEnd(kind, at: begin + 9000), .fx(kind, x: 900, at: begin + 9000 + fade)],
            frames: begin + 40_000)
        #expect(on.wet == anew.wet)
    }

    @Test("effects begin and end while time passes without sound")
    func passes() throws {
        func play(_ effects: [SynthCommand]) throws -> [Float] {
            let engine = try TestEngine()
            engine.post((typical + effects).sorted { $0.frame < $1.frame })
            engine.pass(150_000)
            return engine.renderInterleaved(40_000)
        }
        let dry = try play([])
        let effects = kinds.map { SynthCommand.fx($0, waits: true, at: 100_000) }
        let ended = try play(effects + kinds.map { .fxEnd($0, at: 120_000) })
        #expect(ended == dry)
        let held = try play(effects)
        let isHeard = held != dry
        #expect(isHeard)
    }
}

@Suite("Performance effects: what they do")
struct FxSoundTests {
    /// Frames of the columns at 120 BPM.
    private static let repeats = [24_000, 16_000, 12_000, 8000, 6000, 4000, 3000, 2000]
    private static let reverses = [96_000, 48_000, 32_000, 24_000, 16_000, 12_000, 8000, 6000]
    private static let throws120 = [72_000, 48_000, 36_000, 24_000, 18_000, 12_000, 9000, 6000]

    /// A place within `column`.
    private func x(_ column: Int) -> Int { 1000 * column / 8 + 60 }

    /// Frames of a begin, and of a seam between two repetitions.
    private let fade = 384
    private let seam = 240

    @Test("REPEAT plays the part before its begin again and again, to the bit", arguments: 0..<8)
    func repeats(column: Int) throws {
        let length = Self.repeats[column]
        let played = try Played(
            sine(.melody, 12), [.fx(SynthFxRepeat, x: x(column), at: begin)], frames: begin + 5 * length)
        let wrong = (begin + fade..<played.wet.count).first { frame in
            let place = (frame - begin) % length
            return place >= seam && played.wet[frame] != played.dry[begin - length + place]
        }
        #expect(wrong == nil)
    }

    @Test("REPEAT goes on in time with another column, and halves a part that is too long for its memory")
    func repeatMoves() throws {
        let move = begin + 31_000
        let moved = try Played(
            drone, [.fx(SynthFxRepeat, x: x(6), at: begin), .fx(SynthFxRepeat, x: x(1), at: move)],
            frames: begin + 200_000)
        let wrong = (move + seam..<moved.wet.count).first { frame in
            let place = (frame - begin) % 16_000
            return place >= seam && moved.wet[frame] != moved.dry[begin - 16_000 + place]
        }
        #expect(wrong == nil)
        // A quarter note at 20 BPM is three seconds.
        let slow = try Played(
            drone + [.tempo(20)], [.fx(SynthFxRepeat, x: 0, at: begin)], frames: begin + 120_000)
        let other = (begin + fade..<slow.wet.count).first { frame in
            let place = (frame - begin) % 36_000
            return place >= seam && slow.wet[frame] != slow.dry[begin - 36_000 + place]
        }
        #expect(other == nil)
    }

    @Test("REVERSE plays the part before each division backwards, to the bit", arguments: 0..<8)
    func reverses(column: Int) throws {
        let length = Self.reverses[column]
        let played = try Played(drone, [.fx(SynthFxReverse, x: x(column), at: begin)], frames: begin + 3 * length)
        let wrong = (begin + fade..<played.wet.count).first { frame in
            let place = (frame - begin) % length
            return place >= seam && played.wet[frame] != played.dry[frame - 1 - 2 * place]
        }
        #expect(wrong == nil)
    }

    @Test("at the bottom REPEAT and REVERSE are half of the sound", arguments: [SynthFxRepeat, SynthFxReverse])
    func mix(kind: SynthFxKind) throws {
        let frames = begin + 2000
        let whole = try Played(drone, [.fx(kind, x: x(0), at: begin)], frames: frames)
        let half = try Played(drone, [.fx(kind, x: x(0), y: 0, at: begin)], frames: frames)
        let error = (begin + fade..<frames).map { abs(half.wet[$0] - (whole.wet[$0] + whole.dry[$0]) / 2) }
        #expect(error.reduce(0, max) < 1e-6)
    }

    /// The magnitude of the analogue filter: a low-pass, or a high-pass.
    private func response(_ hertz: Double, cutoff: Double, q: Double, isLow: Bool) -> Double {
        let ratio = tan(.pi * hertz / 48_000) / tan(.pi * cutoff / 48_000)
        return (isLow ? 1 : ratio * ratio) / hypot(1 - ratio * ratio, ratio / q)
    }

    @Test(
        "FILTER closes to the left, opens to the right, and is open in the middle",
        arguments: [0, 100, 200, 300, 490, 500, 510, 700, 800, 900, 1000])
    func filter(x: Int) throws {
        for (note, y) in [(0, 0), (12, 0), (0, 500)] {
            let played = try Played(
                sine(.melody, note), [.fx(SynthFxFilter, x: x, y: y, at: begin)], frames: begin + 60_000)
            let window = begin + 20_000..<begin + 60_000
            let found = rms(played.wet[window]) / rms(played.dry[window])
            let (place, amount) = (Double(x) / 1000, Double(y) / 1000)
            let isLow = place < 0.5
            let octaves = isLow ? 7.5 * place / 0.45 : 8.65 * (place - 0.55) / 0.45
            let cutoff = max(20, (isLow ? 80 : 20) * pow(2, octaves))
            let filtered = response(
                hertz(.melody, note), cutoff: cutoff, q: 0.5.squareRoot() * pow(2, 2 * amount), isLow: isLow)
            let expected = abs(place - 0.5) < 0.05 ? 1 : filtered / pow(2, amount)
            // The effects are never much louder than the sound.
            #expect(abs(decibels(found / min(expected, 1.14))) < 0.3, "\(decibels(found)) at \(x), note \(note)")
        }
    }

    @Test("CRUSH has a few steps at the top, and 1 kHz at the right")
    func crush() throws {
        func wet(_ x: Int, _ y: Int) throws -> ArraySlice<Float> {
            try Played(sine(.melody, 12), [.fx(SynthFxCrush, x: x, y: y, at: begin)], frames: begin + 48_000).wet[
                (begin + fade)...]
        }
        // 6.3 bits of each sign, before the gain to the output.
        let step = Float(1.4 * pow(2, 11 * 0.7 - 14))
        let coarse = try wet(0, 700)
        let levels = Int((2 * peak(coarse) / step).rounded()) + 1
        #expect(levels > 8 && Set(coarse).count == levels, "\(Set(coarse).count) of \(levels)")
        #expect(coarse.allSatisfy { abs(remainder($0, step)) < 1e-6 })
        // At the top there are 3 bits; the gain over all effects may vary.
        let top = try wet(0, 1000).suffix(1000)
        let loudest = peak(top)
        #expect(top.allSatisfy { abs($0) < 1e-6 || abs($0) > loudest / 9 })
        let fine = try wet(0, 0)
        #expect(Set(fine).count > 1000)
        // Samples that are held: 1000 a second at the right, and half of the octaves more in the middle.
        func changes(_ x: Int) throws -> Double {
            let sound = try wet(x, 0)
            let changes = zip(sound, sound.dropFirst()).count { abs($0 - $1) > 1e-3 }
            return Double(changes * 48_000) / Double(sound.count)
        }
        let slow = try changes(1000)
        #expect(abs(slow - 1000) < 20, "\(slow) a second")
        let half = try changes(500)
        #expect(abs(half - 6928) < 300, "\(half) a second")
    }

    @Test("GATE is open on each division and closed in its second half, in time with the steps", arguments: 0..<8)
    func gate(column: Int) throws {
        let length = Self.repeats[column]
        for y in [1000, 500] {
            let played = try Played(
                drone + [.play(at: 777)], [.fx(SynthFxGate, x: x(column), y: y, at: begin)],
                frames: begin + 3 * length + 500)
            let edge = 144
            for frame in begin + fade..<played.wet.count {
                let place = (frame - 777) % length
                let (wet, dry) = (played.wet[frame], played.dry[frame])
                if place < length / 2 {
                    #expect(abs(wet - dry) < 1e-6, "frame \(place)")
                } else if place > length / 2 + edge && place < length - edge - 1 {
                    let closed = dry * (1 - Float(y) / 1000)
                    #expect(abs(wet - closed) < 1e-6, "frame \(place)")
                }
                if abs(wet - dry) >= 1e-6 && place < length / 2 { break }
            }
        }
    }

    @Test("while stopped GATE begins open")
    func gateStopped() throws {
        let played = try Played(drone, [.fx(SynthFxGate, x: x(4), at: begin)], frames: begin + 13_000)
        let levels = [1000, 4500, 7000, 10_500].map { place in
            rms(played.wet[(begin + place)..<(begin + place + 500)])
                / rms(played.dry[(begin + place)..<(begin + place + 500)])
        }
        #expect(zip(levels, [1, 0, 1, 0] as [Double]).allSatisfy { abs($0 - $1) < 0.001 }, "\(levels)")
    }

    @Test("TAPE falls evenly to a standstill, which is silent")
    func tapeStops() throws {
        // 1/1: two seconds.
        let played = try Played(
            sine(.melody, 12), [.fx(SynthFxTape, x: x(1), at: begin)], frames: begin + 120_000)
        let hertz = hertz(.melody, 12)
        for part in [0.25, 0.5, 0.75] {
            let middle = begin + Int(96_000 * part)
            let found = frequency(
                of: played.wet[(middle - 600)..<(middle + 600)], near: hertz * (1 - part), rate: 48_000)
            #expect(abs(found / (hertz * (1 - part)) - 1) < 0.01, "\(found) Hz at \(part)")
        }
        #expect(peak(played.wet[(begin + 96_000)...]) == 0)
    }

    @Test("TAPE at half speed is an octave lower, and clean", arguments: [0, 12, 23])
    func tapeSlows(note: Int) throws {
        let played = try Played(
            sine(.melody, note), [.fx(SynthFxTape, x: x(7), y: 500, at: begin)], frames: begin + 90_000)
        let from = begin + 10_000
        let spectrum = Spectrum(Array(played.wet[from..<from + Spectrum.count]), rate: 48_000)
        let half = hertz(.melody, note) / 2
        let found = frequency(of: played.wet[from..<from + 40_000], near: half, rate: 48_000)
        #expect(abs(found / half - 1) < 1e-4)
        let spur = spectrum.worstSpur(fundamental: half, below: 20_000)
        #expect(spur.decibels < -60, "\(spur)")
    }

    @Test("THROW repeats on the frame, each softer", arguments: 0..<8)
    func throwRepeats(column: Int) throws {
        let time = Self.throws120[column]
        // The rimshot is over before the first repeat.
        let hit = begin + 1000
        let played = try Played(
            [.audition(.rhythm, 5, velocity: 1, at: hit)],
            [
                .fx(SynthFxThrow, x: x(column), y: 500, at: begin), .fxEnd(SynthFxThrow, at: hit + 5000),
            ], frames: hit + 4 * time)
        for number in 1...3 {
            let level = Float(0.225 * pow(0.3, Double(number - 1)))
            let errors = (0..<4000).map {
                abs(played.wet[hit + number * time + $0] - level * played.dry[hit + $0])
            }
            #expect(errors.reduce(0, max) < 1e-5, "repeat \(number)")
            #expect(peak(played.wet[(hit + number * time - 500)..<(hit + number * time - 1)]) < 1e-6)
        }
    }

    @Test("THROW takes nothing more after its end, and is silent in the end")
    func throwEnds() throws {
        let played = try Played(
            [.audition(.rhythm, 5, velocity: 1, at: begin + 1000), .audition(.rhythm, 5, at: begin + 30_000)],
            [.fx(SynthFxThrow, x: 1000, y: 1000, at: begin), .fxEnd(SynthFxThrow, at: begin + 29_500)],
            frames: begin + 800_000)
        // The second hit comes 480 frames and more after the end: between 5 and 6 repeats of the first it is as it was.
        let repeats = zip(played.wet, played.dry).map { $0 - $1 }
        #expect(peak(repeats[(begin + 36_900)..<(begin + 36_990)]) < 0.01)
        #expect(peak(repeats[(begin + 700_000)...]) == 0)
    }

    @Test("SWELL rises to its amount, brighter and faster to the right, and its noise ends")
    func swell() throws {
        var centroids: [Double] = []
        for (x, seconds) in [(0, 6.0), (500, 2.12), (1000, 0.75)] {
            let frames = Int(seconds * 48_000)
            let end = begin + frames + 70_000
            // Without reverberation to speak of.
            let played = try Played(
                [.set(SynthReverbTime, 3)],
                [.fx(SynthFxSwell, x: x, y: 1000, at: begin), .fxEnd(SynthFxSwell, at: end)], frames: end + 48_000)
            let levels = [0.25, 0.5, 0.75, 1].map { part -> Double in
                let middle = begin + Int(part * Double(frames))
                return rms(played.wet[(middle - 2000)..<(middle + 2000)])
            }
            for (earlier, later) in zip(levels, levels.dropFirst()) {
                #expect(later > 1.3 * earlier, "\(levels) at \(x)")
            }
            let sound = Array(played.wet[(begin + frames)..<(begin + frames + Spectrum.count)])
            centroids.append(Spectrum(sound, rate: 48_000).centroid)
            #expect(decibels(rms(played.wet[(end + 24_000)...]) / levels[3]) < -60)
        }
        #expect(centroids[0] * 1.5 < centroids[1] && centroids[1] * 1.5 < centroids[2], "\(centroids)")
    }

    @Test("the noise of SWELL grows with the amount")
    func swellAmount() throws {
        let levels = try [0, 250, 500, 1000].map { y in
            let played = try Played(
                [], [.fx(SynthFxSwell, x: 1000, y: y, at: begin)], frames: begin + 100_000)
            return rms(played.wet[(begin + 60_000)...])
        }
        #expect(levels[0] == 0)
        #expect(abs(decibels(levels[3] / levels[2]) - 6) < 1)
        #expect(abs(decibels(levels[2] / levels[1]) - 6) < 1)
    }
}

@Suite("Performance effects: smooth, and the same everywhere")
struct FxSafetyTests {
    /// Random effects, of which some wait, with stops and starts between them.
    private func random(_ random: inout SplitMix, frames: Int, distance: Int) -> [SynthCommand] {
        var commands: [SynthCommand] = []
        var frame = 0
        while frame < frames {
            frame += Int.random(in: 0..<distance, using: &random)
            let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1, 2: commands.append(.fxEnd(kind, at: frame))
            case 3: commands.append(.tempo(UInt32.random(in: 20...300, using: &random), at: frame))
            case 4 where Int.random(in: 0..<4, using: &random) == 0:
                commands.append(Bool.random(using: &random) ? .stop(at: frame) : .play(at: frame))
            default:
                commands.append(
                    .fx(
                        kind, x: .random(in: 0...1100, using: &random), y: .random(in: 0...1100, using: &random),
                        waits: Bool.random(using: &random), at: frame))
            }
        }
        return commands
    }

    @Test("random effects in random blocks, on both engines, to the bit", arguments: [44_100, 48_000, 96_000])
    func blocks(rate: Int) throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let frames = 5 * rate
        let music = Session.typical + [.play(at: 7)]
        let commands = (music + self.random(&random, frames: frames, distance: 2000)).sorted { $0.frame < $1.frame }
        let engine = try TestEngine(rate: UInt32(rate))
        engine.post(commands)
        let expected = engine.renderInterleaved(frames, block: 256)
        let other = try TestEngine(rate: UInt32(rate))
        other.post(commands)
        var sound: [Float] = []
        while sound.count < 2 * frames {
            let block = min(frames - sound.count / 2, .random(in: 1...300, using: &random))
            sound += other.renderInterleaved(block, block: block)
        }
        #expect(hash(of: sound) == hash(of: expected), "PIXELBOOP_SEED=\(seed)")
        var plain = [Float](repeating: .nan, count: 2 * frames)
        synth_probe_engine(UInt32(rate), commands, UInt32(commands.count), &plain, UInt32(frames))
        #expect(hash(of: plain) == hash(of: expected), "PIXELBOOP_SEED=\(seed)")
    }

    @Test("random effects stay within full scale, and end in silence", arguments: 0..<4 as Range<UInt64>)
    func bounded(round: UInt64) throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed &+ round)
        let engine = try TestEngine()
        engine.post(Session.busy(rate: 48_000))
        for _ in 0..<10 {
            let now = Int(engine.counters.frames)
            engine.post(
                self.random(&random, frames: 40_000, distance: 300).filter { $0.frame < 48_000 }.map {
                    SynthCommand(frame: $0.frame + UInt64(now), payload: $0.payload, kind: $0.kind)
                })
            let sound = engine.renderInterleaved(48_000)
            let wrong = sound.first { !(abs($0) <= 1) || $0.isSubnormal }
            #expect(wrong == nil, "PIXELBOOP_SEED=\(seed)")
        }
        engine.post(
            [.stop()] + kinds.map { .fxEnd($0, at: 0) } + [.set(SynthReverbTime, 3), .set(SynthDelayFeedback, 0)])
        engine.skip(100 * 48_000)
        #expect(peak(engine.renderInterleaved(9600)) == 0, "PIXELBOOP_SEED=\(seed)")
    }

    /// Effects that add nothing to a sine by nature.
    private static let clean = kinds.filter { $0 != SynthFxCrush && $0 != SynthFxSwell }

    @Test("no click at begin, at a move or at the end", arguments: clean)
    func clicks(kind: SynthFxKind) throws {
        var worst = -Double.infinity
        for (x, y) in [(0, 1000), (400, 700), (950, 1000)] {
            let effects: [SynthCommand] = [
                .fx(kind, x: x, y: y, at: begin), .fx(kind, x: 1000 - x, y: y, at: begin + 20_011),
                .fx(kind, x: x, y: y / 3, at: begin + 20_050), .fx(kind, x: 500, y: 900, at: begin + 41_003),
                .fx(kind, x: 300, y: 900, at: begin + 41_100), .fxEnd(kind, at: begin + 60_007),
            ]
            let played = try Played(sine(.bass, 9), effects, frames: begin + 70_000)
            let high = highPassed(Array(played.wet[(begin - 5000)...]), at: 10_000, rate: 48_000)
            worst = max(worst, decibels(Double(peak(high[2000...]) / peak(played.dry))))
        }
        #expect(worst < -60, "\(worst) dB of the sine")
        // A cut shows.
        let cut = sineCut()
        #expect(cut > -40, "\(cut)")
    }

    /// The level above 10 kHz of a sine that is cut, in decibels of the sine.
    private func sineCut() -> Double {
        let sound = (0..<10_000).map { $0 < 5050 ? Float(sin(2 * .pi * 110 * Double($0) / 48_000)) : 0 }
        return decibels(Double(peak(highPassed(sound, at: 10_000, rate: 48_000)[2000...])))
    }

    /// Music of eight seconds: dense, and two hits and a note a bar.
    static let music: [String: [SynthCommand]] = [
        "dense": Session.typical + [.play(at: 7)],
        "sparse": [
            .row(.rhythm, 3, [0: .accent, 16: .normal]), .row(.rhythm, 0, [8: .normal]),
            .row(.bass, 0, [20: .normal, 21: .sustain]), .play(at: 7),
        ],
    ]

    @Test("no effect is louder than 3 LU above the sound", arguments: ["dense", "sparse"], kinds)
    func loudness(name: String, kind: SynthFxKind) throws {
        let frames = 7 * 48_000
        let music = try #require(Self.music[name])
        func measured(_ effects: [SynthCommand]) throws -> Double {
            let engine = try TestEngine()
            engine.post(music + effects)
            let (left, right) = engine.renderStereo(frames)
            return integratedLoudness(left: Array(left[96_000...]), right: Array(right[96_000...]), rate: 48_000)
        }
        let dry = try measured([])
        for x in [0, 250, 450, 650, 800, 1000] {
            for y in [0, 500, 1000] {
                // Just after a hit, the worst place.
                let gain = try measured([.fx(kind, x: x, y: y, at: 98_007)]) - dry
                if gain > 2 { print("\(name) \(kind.rawValue): \(gain) LU at \(x), \(y)") }
                #expect(gain <= 3, "\(gain) LU at \(x), \(y)")
            }
        }
    }

    @Test("all effects at once are not louder either")
    func all() throws {
        for (name, music) in Self.music {
            func measured(_ effects: [SynthCommand]) throws -> Double {
                let engine = try TestEngine()
                engine.post(music + effects)
                let (left, right) = engine.renderStereo(7 * 48_000)
                return integratedLoudness(
                    left: Array(left[96_000...]), right: Array(right[96_000...]), rate: 48_000)
            }
            let gain = try measured(kinds.map { .fx($0, x: 600, y: 600, at: 98_000) }) - measured([])
            #expect(gain <= 3, "\(gain) LU, \(name)")
        }
    }
}
