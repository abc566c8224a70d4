import Glibc
import Synth
import SynthProbe

/// The unit of phase in the sequencer's notes and the oscillators: 2^-32 turns a frame, rounded to nearest.
func phaseIncrement(hertz: Double, rate: Double) -> UInt32 {
    UInt32((hertz / rate * 4_294_967_296).rounded())
}

/// `frames` of an oscillator from phase 0, and its exact frequency.
func oscillator(
    _ wave: SynthProbeWave, hertz: Double, rate: Double, frames: Int
) -> (samples: [Float], hertz: Double) {
    let increment = phaseIncrement(hertz: hertz, rate: rate)
    var samples = [Float](repeating: .nan, count: frames)
    synth_probe_oscillator(wave.rawValue, hertz, increment, &samples, UInt32(frames))
    return (samples, Double(increment) / 4_294_967_296 * rate)
}

/// The limiter alone, between the test's buffers.
final class TestLimiter {
    static let delay = Int(synth_probe_limiter_delay())

    private let limiter: OpaquePointer

    init(rate: UInt32 = 48000) throws {
        guard let limiter = synth_probe_limiter_create(rate) else {
            throw NoEngine()
        }
        self.limiter = limiter
    }

    deinit {
        synth_probe_limiter_destroy(limiter)
    }

    var isAtRest: Bool { synth_probe_limiter_at_rest(limiter) }

    func run(left: [Float], right: [Float]) -> (left: [Float], right: [Float]) {
        var frames = zip(left, right).flatMap { [$0, $1] }
        synth_probe_limiter_run(limiter, &frames, UInt32(left.count))
        return (left.indices.map { frames[2 * $0] }, left.indices.map { frames[2 * $0 + 1] })
    }

    func run(_ both: [Float]) -> [Float] { run(left: both, right: both).left }
}
