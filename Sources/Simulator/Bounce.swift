import Formats
import Instrument
import Runtime

/// A pattern rendered from the engine alone, for a file.
public enum Bounce {
    /// Longest time that the last notes may ring after the last loop: the longest run of the slowest tempo.
    private static let tailMax = 10.0
    /// The tail ends when nothing louder than −100 dB of full scale has been heard for a tenth of a second.
    private static let silence: Float = 1e-5

    /// Renders `document` `loops` times over at `rate` and lets its last notes ring out; hands the sound to `take` as
    /// interleaved stereo. The master gain is fixed, so levels compare between patterns.
    public static func render(
        _ document: PatternDocument, loops: Int, rate: Int, take: @escaping (UnsafeMutableBufferPointer<Float>) -> Void
    ) {
        guard let engine = Engine(rate: rate) else { preconditionFailure("no engine at \(rate) frames a second") }
        var instrument = Instrument()
        instrument.load(document.pattern, muted: document.muted, soloed: document.soloed)
        _ = instrument.update(.key(.space), at: .zero)
        engine.synchronise(with: instrument.state, [], at: 0)

        var quiet = 0
        let audio = VirtualAudio(engine) { samples in
            let peak = samples.reduce(0) { max($0, abs($1)) }
            quiet = peak > silence ? 0 : quiet + samples.count / 2
            take(samples)
        }
        let steps = Int64(loops * document.pattern.length)
        var now = Instant(microseconds: steps * 15_000_000 / Int64(document.pattern.bpm))
        audio.advance(to: now)

        // No cell is left to start a note, and what sounds goes on as it would have.
        instrument.load(Pattern())
        engine.synchronise(with: instrument.state, [], at: audio.frame(at: now))
        quiet = 0
        let end = now + Instant.Span(microseconds: Int64(tailMax * 1_000_000))
        while now < end, quiet < rate / 10 {
            now = now + .milliseconds(10)
            audio.advance(to: now)
        }
        audio.finish()
    }
}
