import Formats
import Instrument
import Runtime

/// A pattern rendered from the engine alone, for a file.
public enum Bounce {
    /// Longest time that the last notes may ring after the last loop: the longest run at the slowest tempo (8 s), its release
    /// (5 s), and the longest reverberation down to −100 dB (17 s). Only a delay fed back at nearly its own level would
    /// take longer, and is faded out.
    private static let tailMax = Instant.Span.milliseconds(30_000)
    /// What is not louder than −100 dB of full scale is silence.
    private static let silence: Float = 1e-5
    /// The tail ends after this much silence, and with a delay the time between two repeats besides.
    private static let pause = Instant.Span.milliseconds(100)

    /// Renders the pattern that `document` plays, without its other scenes, `loops` times over at `rate` and lets its last
    /// notes ring out; hands the sound to `take` as interleaved stereo, with the part of the loops, 0-1, that it ends. The
    /// master gain is fixed, so levels compare between patterns.
    public static func render(
        _ document: PatternDocument, loops: Int, rate: Int,
        take: @escaping (UnsafeMutableBufferPointer<Float>, _ part: Double) -> Void
    ) {
        guard let engine = Engine(rate: rate) else { preconditionFailure("no engine at \(rate) frames a second") }
        var instrument = Instrument()
        var session = Session(document)
        session.composition.scenes = Scenes()
        session.chainsScenes = false
        instrument.load(session)
        _ = instrument.update(.key(.space), at: .zero)
        engine.synchronise(with: instrument.state, [], at: 0)

        let length = document.pattern.duration(ofSteps: loops * document.pattern.length)
        let framesMax = Double(length.microseconds) * Double(rate) / 1_000_000
        var frames = 0
        var quiet = 0
        let audio = VirtualAudio(engine) { samples in
            let isHeard = samples.contains { $0 > silence || $0 < -silence }
            quiet = isHeard ? 0 : quiet + samples.count / 2
            frames += samples.count / 2
            take(samples, min(1, Double(frames) / framesMax))
        }
        var now = Instant.zero + length
        audio.advance(to: now)

        // No cell is left to start a note; what sounds, and its repeats in the tempo, go on as they would have: the fade that
        // comes with clearing is left out.
        _ = instrument.update(.key(.clear), at: now)
        engine.synchronise(with: instrument.state, [], at: audio.frame(at: now))
        quiet = 0
        let end = now + tailMax
        let quietMax = Int(pause(of: document).microseconds) * rate / 1_000_000
        while now < end, quiet < quietMax {
            now = now + .milliseconds(10)
            audio.advance(to: now)
        }
        if now >= end {
            _ = instrument.update(.turn(.volume, by: -Session.volumes.upperBound), at: now)
            engine.synchronise(with: instrument.state, [], at: audio.frame(at: now))
            audio.advance(to: now + .milliseconds(50))
        }
        audio.finish()
    }

    /// The silence after which nothing more of `document` will be heard.
    private static func pause(of document: PatternDocument) -> Instant.Span {
        let repeats = Track.allCases.contains { document.sound[.track($0, .delay)] > 0 }
        guard repeats else { return pause }
        let period = document.pattern.duration(ofSteps: document.sound[.delaySteps])
        return Instant.Span(microseconds: pause.microseconds + period.microseconds)
    }
}
