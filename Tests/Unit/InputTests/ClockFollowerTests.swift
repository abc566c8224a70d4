import InputEvents
import TestSupport
import Testing

@testable import Input

@Suite("The follower of an external clock")
struct ClockFollowerTests {
    /// A follower at the end of a clock's ticks, and its errors on the way.
    private struct Result {
        /// Root of the mean square and maximum of its errors in microseconds, and the largest error of its tempo, as a
        /// part.
        var rms = 0.0
        var worst = 0.0
        var tempo = 0.0
        /// How many ticks it counts too many.
        var slip = 0
        var follower: ClockFollower
    }

    /// Follows a clock whose ticks arrive up to `jitter` microseconds early or late, at the next end of a block of
    /// `block` microseconds, and without the part `drop`; measures from `from` seconds on.
    private static func follow(
        seed: UInt64, bpm: Double = 120, ticksPerQuarter: Int = 24, jitter: Double = 2800, block: Double = 0,
        drop: Double = 0, seconds: Double = 60, from: Double = 4, newTempo: (at: Double, bpm: Double)? = nil
    ) -> Result {
        var source = SplitMix(seed: seed)
        var result = Result(follower: ClockFollower(ticksPerQuarter: ticksPerQuarter))
        var time = 1_000_000 + Double.random(in: 0..<max(1, block), using: &source)
        var (ticks, first, newest, number) = (0, Int?.none, 0, 0)
        var (sum, last) = (0.0, 0.0)
        while time < (1 + seconds) * 1_000_000 {
            let tempo = newTempo.map { time >= (1 + $0.at) * 1_000_000 ? $0.bpm : bpm } ?? bpm
            let period = 60_000_000 / tempo / Double(ticksPerQuarter)
            let isDropped = Double.random(in: 0..<1, using: &source) < drop && ticks > 1
            var arrival = time + Double.random(in: -1...1, using: &source) * jitter
            if block > 0 { arrival = (arrival / block).rounded(.up) * block }
            arrival = max(last, arrival)
            if !isDropped {
                last = arrival
                _ = result.follower.tick(at: Instant(microseconds: Int64(arrival.rounded())))
                if first == nil { first = ticks }
                newest = ticks
            }
            if time >= (1 + from) * 1_000_000, let first, let measured = result.follower.period {
                let error = (result.follower.position(at: time) - Double(ticks - first)) * measured
                sum += error * error
                result.worst = max(result.worst, abs(error))
                result.tempo = max(result.tempo, abs(period / measured - 1))
                number += 1
            }
            time += period
            ticks += 1
        }
        result.rms = (sum / Double(max(1, number))).squareRoot()
        result.slip = result.follower.count - (newest - (first ?? 0))
        return result
    }

    @Test("2.8 ms of jitter leave 0.35 ms after four seconds", arguments: [60.0, 90, 120, 174, 200])
    func jitter(bpm: Double) {
        for seed in UInt64(1)...20 {
            let result = Self.follow(seed: seed, bpm: bpm)
            #expect(result.rms <= 350, "seed \(seed), \(bpm) BPM: \(result.rms) µs")
            #expect(result.follower.missing == 0, "seed \(seed)")
        }
    }

    @Test("it locks within a second") func lock() {
        for seed in UInt64(1)...20 {
            let result = Self.follow(seed: seed, seconds: 2, from: 1)
            #expect(result.rms <= 1000, "seed \(seed): \(result.rms) µs")
        }
    }

    @Test("one tick in twenty missing costs nothing but jitter") func missingTicks() {
        for seed in UInt64(1)...20 {
            let result = Self.follow(seed: seed, drop: 0.05)
            #expect(result.rms <= 350, "seed \(seed): \(result.rms) µs")
            #expect(result.follower.missing > 30)
        }
    }

    @Test("an hour neither gains nor loses a tick") func hour() {
        for seed in UInt64(1)...3 {
            let result = Self.follow(seed: seed, drop: seed == 1 ? 0 : 0.05, seconds: 3600)
            #expect(result.worst < 4000, "seed \(seed): \(result.worst) µs")
        }
    }

    @Test(
        "a change of tempo is followed to 2 ms within two beats",
        arguments: [
            (120.0, 140.0), (140, 120), (120, 60), (60, 120), (120, 80), (80, 120), (120, 121), (200, 60), (60, 200),
        ])
    func tempoChanges(_ from: Double, _ to: Double) {
        for seed in UInt64(1)...20 {
            // A jump to a third of the tempo is ambiguous among ticks that jitter by a fifth of their distance.
            for jitter in max(from, to) > 2 * min(from, to) ? [0, 300] : [0.0, 1000, 2800] {
                // Recognised within a beat and a half; two beats later it is followed.
                let settled = 10 + 3.5 * 60 / to
                let result = Self.follow(
                    seed: seed, bpm: from, jitter: jitter, seconds: 20, from: settled, newTempo: (10, to))
                #expect(result.worst <= 2000, "seed \(seed), jitter \(jitter), \(from) → \(to): \(result.worst) µs")
            }
        }
    }

    /// The distances of bursts in microseconds: blocks of audio at two rates, and intervals of a radio.
    private static let bursts: [Double] =
        [64, 128, 256, 512, 1024, 2048].flatMap { (frames: Double) in [frames / 0.0441, frames / 0.048] }
        + [7500, 11_250, 15_000, 20_000, 30_000]

    @Test(
        "ticks in bursts: the tempo is that of the ticks, and none is counted twice or left out",
        arguments: Array(stride(from: 20.0, through: 300, by: 20)) + [117, 118, 122, 123, 125, 150, 165, 174, 250])
    func bursts(bpm: Double) {
        for block in Self.bursts {
            // At first bursts that come nearly as often as ticks look like a clock of their own.
            let result = Self.follow(seed: 1, bpm: bpm, jitter: 0, block: block, seconds: 13, from: 6)
            #expect(
                result.tempo <= 0.005 && result.slip == 0,
                "\(bpm) BPM in bursts of \(block) µs: \(result.tempo), \(result.slip) ticks")
        }
    }

    @Test(
        "10 ms of jitter, also in bursts, move neither the tempo nor the count",
        arguments: [20.0, 60, 90, 120, 125, 174, 240, 300])
    func largeJitter(bpm: Double) {
        for block in [0, 7500, 1024 / 0.048, 20_000] {
            for seed in UInt64(1)...3 {
                let result = Self.follow(seed: seed, bpm: bpm, jitter: 10_000, block: block, seconds: 20, from: 4)
                #expect(
                    result.tempo <= 0.005 && result.slip == 0,
                    "seed \(seed), \(bpm) BPM in bursts of \(block) µs: \(result.tempo), \(result.slip) ticks")
            }
        }
    }

    @Test(
        "a clock that is held up for a moment, and then sends all ticks at once, loses none", arguments: [20, 100, 400])
    func heldUp(milliseconds: Int64) {
        var follower = ClockFollower(ticksPerQuarter: 24)
        for tick in 0..<600 {
            let time = 1_000_000 + Int64(tick) * 20_000
            let isHeld = time >= 9_000_000 && time < 9_000_000 + milliseconds * 1000
            _ = follower.tick(at: Instant(microseconds: isHeld ? 9_000_000 + milliseconds * 1000 : time))
        }
        #expect(follower.count == 599 && follower.missing == 0)
        #expect(abs((follower.period ?? 0) - 20_000) < 100)
    }

    @Test("pulses of every rate are followed", arguments: [1, 2, 4, 24, 48])
    func pulses(ticksPerQuarter: Int) {
        let result = Self.follow(seed: 1, ticksPerQuarter: ticksPerQuarter, jitter: 100, seconds: 60, from: 8)
        #expect(result.worst < 300, "\(result.worst) µs")
    }
}
