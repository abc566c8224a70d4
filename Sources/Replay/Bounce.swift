import InputEvents
import Formats
import Instrument
import Runtime

/// Offline rendering of a pattern by the engine alone.
public enum Bounce {
    /// Maximum tail after the last loop: the longest run at the slowest tempo (8 s), its release (5 s) and the longest
    /// reverberation down to −100 dB (17 s). Only a delay with a feedback near 1 takes longer; it is faded out.
    private static let tailMax = Instant.Span.milliseconds(30_000)
    /// Silence threshold: −100 dB of full scale.
    private static let silence: Float = 1e-5
    /// Silence that ends the tail; with a delay, the time between two repeats is added.
    private static let pause = Instant.Span.milliseconds(100)

    /// Renders the pattern that `document` plays, without its other scenes, `loops` times at `rate`, and lets the last notes ring
    /// out. Passes interleaved stereo to `take`, with the progress through the loops, 0-1. The master gain is fixed, so that
    /// levels are comparable between patterns.
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
        _ = instrument.update(.key(.playStop), at: .zero)
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

        // With the cells cleared no note starts, and the sounding notes and delay repeats go on: the fade that clearing
        // normally brings is left out.
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

    /// The silence after which `document` makes no more sound.
    private static func pause(of document: PatternDocument) -> Instant.Span {
        let repeats = Track.allCases.contains { document.sound[.track($0, .delay)] > 0 }
        guard repeats else { return pause }
        let period = document.pattern.duration(ofSteps: document.sound[.delaySteps])
        return Instant.Span(microseconds: pause.microseconds + period.microseconds)
    }
}
