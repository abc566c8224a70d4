import Glibc
import SignalAnalysis
import Synth
import Testing

extension SynthCommand {
    /// Values of a lane of pattern 0, by step.
    static func lane(_ lane: SynthLaneKind, _ track: Track, _ values: [Int: Int]) -> [Self] {
        stride(from: 0, to: 32, by: 4).map { first in
            func value(_ offset: Int) -> Int16 { Int16(values[first + offset] ?? Int(synth_no_value)) }
            let command = SynthLaneCommand(
                values: (value(0), value(1), value(2), value(3)), lane: lane, track: track.rawValue, step: UInt8(first),
                pattern: .init())
            return Self(SynthLane, .init(lane: command))
        }
    }
}

@Suite("The sound of lanes")
struct LaneSoundTests {
    /// Two seconds at 120 BPM: a step has 6000 frames.
    private func sound(_ commands: [SynthCommand], rate: UInt32 = 48000) throws -> (left: [Float], right: [Float]) {
        let engine = try TestEngine(rate: rate)
        engine.post(commands + [.length(32), .play()])
        return engine.renderStereo(96_000)
    }

    private func level(_ samples: [Float], _ range: Range<Int>) -> Double {
        let sum = samples[range].reduce(0.0) { $0 + Double($1) * Double($1) }
        return (sum / Double(range.count)).squareRoot()
    }

    @Test("a velocity has the gain of its power 1.5, on every track", arguments: Track.allCases)
    func velocities(track: Track) throws {
        let row = SynthCommand.row(track, 0, [0: .normal])
        // Before the decay, which ends at the same level for every velocity.
        let begin = track == .rhythm ? 100..<400 : 600..<4000
        let whole = level(try sound([row]).left, begin)
        for velocity in [20, 40, 64, 100, 110] {
            let changed = level(
                try sound([row] + SynthCommand.lane(SynthLaneVelocity, track, [0: velocity])).left, begin)
            let decibels = 20 * log10(changed / whole) - 30 * log10(Double(velocity) / 80)
            #expect(abs(decibels) < 0.1, "velocity \(velocity): \(decibels) dB off")
        }
    }

    @Test("velocities 80 and 127 are a note and an accent, to the bit", arguments: Track.allCases)
    func cells(track: Track) throws {
        let accent = try sound([.row(track, 0, [0: .accent])] + SynthCommand.lane(SynthLaneRatchet, track, [5: 2]))
        let lane = SynthCommand.lane(SynthLaneVelocity, track, [0: 127])
        #expect(try sound([.row(track, 0, [0: .normal])] + lane) == accent)
        let normal = try sound([.row(track, 0, [0: .normal])])
        #expect(
            try sound([.row(track, 0, [0: .accent])] + SynthCommand.lane(SynthLaneVelocity, track, [0: 80])) == normal)
    }

    @Test("a gate ends its note after its time", arguments: [10, 50, 100, 250, 400])
    func gates(gate: Int) throws {
        let sound = try sound([.row(.melody, 0, [0: .normal])] + SynthCommand.lane(SynthLaneGate, .melody, [0: gate]))
            .left
        let end = max(480, 60 * gate)
        let last = sound.lastIndex { abs($0) > 0.0015 } ?? 0
        // The limiter delays the sound, and the low-pass rings.
        #expect(last > end * 7 / 10 && last < end + 600, "silent after \(last) frames, should be \(end)")
    }

    @Test("a slide glides within 60 ms, without an attack", arguments: [Track.melody, .bass])
    func slides(track: Track) throws {
        let row = [SynthCommand.row(track, 0, [0: .normal, 1: .sustain]), .row(track, 12, [2: .normal, 3: .sustain])]
        let open = SynthCommand.set(SynthTrackCutoff, 20_000, of: track)
        let slide = SynthCommand.lane(SynthLaneSlide, track, [2: 1])
        let plain = try sound(row + [open]).left
        let gliding = try sound(row + [open] + slide).left
        #expect(Array(plain[..<12_000]) == Array(gliding[..<12_000]))
        /// Periods by the rising zeros of the signal.
        func frequency(_ samples: [Float], _ range: Range<Int>) -> Double {
            let zeros = range.filter { samples[$0] < 0 && samples[$0 + 1] >= 0 }
            guard zeros.count > 1, let first = zeros.first, let last = zeros.last else { return 0 }
            return Double(zeros.count - 1) * 48_000 / Double(last - first)
        }
        let low = track == .melody ? 261.63 : 65.41
        let (half, end) = (frequency(gliding, 12_900..<14_500), frequency(gliding, 16_000..<20_000))
        #expect(half > low * 1.15 && half < low * 1.9, "\(half) Hz half-way")
        #expect(abs(end / (2 * low) - 1) < 0.01, "\(end) Hz at the end")
        // The level stays while the notes change.
        let before = level(gliding, 9000..<11_000)
        for start in stride(from: 12_100, to: 14_000, by: 480) {
            #expect(level(gliding, start..<start + 960) > 0.45 * before, "at \(start)")
        }
    }

    @Test("a change of a control lasts until the next step that sounds", arguments: Track.allCases)
    func locks(track: Track) throws {
        let rows = [SynthCommand.row(track, track == .rhythm ? 9 : 0, [0: .normal, 4: .normal, 12: .normal])]
        let (left, right) = try sound(rows + SynthCommand.lane(SynthLanePan, track, [4: 100]))
        func balance(_ first: Int) -> Double { level(right, first..<first + 6000) / level(left, first..<first + 6000) }
        #expect(abs(balance(600) - 1) < 0.001)
        #expect(balance(24_000 + 2400) > 20)
        #expect(abs(balance(72_000 + 2400) - 1) < 0.001)
        let dark = try sound(rows + SynthCommand.lane(SynthLaneCutoff, track, [4: -100])).left
        let usual = try sound(rows).left
        #expect(level(dark, 26_400..<30_000) < 0.9 * level(usual, 26_400..<30_000))
        #expect(level(dark, 600..<6000) == level(usual, 600..<6000))
    }

    @Test("a pattern whose lanes were removed sounds as before, to the bit")
    func removed() throws {
        let row = SynthCommand.row(.bass, 0, .normal, on: 0..<32)
        let none = SynthCommand(SynthNoLanes, .init(no_lanes: .init(pattern: .init())))
        let lanes =
            SynthCommand.lane(SynthLaneShift, .bass, [3: 50]) + SynthCommand.lane(SynthLaneCutoff, .bass, [3: 50])
        #expect(try sound([row] + lanes + [none]) == sound([row]))
        #expect(try sound([row] + lanes) != sound([row]))
    }
}
