import InputEvents
import Documents
import Instrument
import Runtime

/// Offline rendering of a pattern, or of a song, by the engine alone.
public enum Bounce {
    /// Maximum tail after the end: the longest run at the slowest tempo (8 s), its release (5 s) and the longest
    /// reverberation down to −100 dB (17 s). Only a delay with a feedback near 1 takes longer; it is faded out.
    private static let tailMax = Instant.Span.milliseconds(30_000)
    /// Silence threshold: −100 dB of full scale.
    private static let silence: Float = 1e-5
    /// Silence that ends the tail; with a delay, the time between two repeats is added.
    private static let pause = Instant.Span.milliseconds(100)
    /// Frames between two looks at what the sequencer plays: less than a pass of any pattern.
    private static let look: UInt64 = 4096

    /// Loads a sample into an engine; nil if it cannot be loaded.
    public typealias SampleLoading = (SoundName, Engine) -> LoadedSample?

    /// Gets the parts of the mix, `Engine.stemSamples` numbers a frame, in all as many frames as the sound has.
    public typealias StemTaking = (UnsafeMutableBufferPointer<Float>) -> Void

    /// Renders the pattern that `document` plays, with borrowed tracks, `loops` times at `rate`, and lets the last
    /// notes ring out. `load` loads the samples of the pads. Passes interleaved stereo to `take`, with the progress
    /// through the loops, 0-1. The master gain is fixed, so that levels are comparable between patterns. `stems` gets
    /// the parts of the mix, before the master; the sound is the same with it.
    public static func render(
        _ document: PatternDocument, loops: Int, rate: Int, load: @escaping SampleLoading = { _, _ in nil },
        stems: StemTaking? = nil,
        take: @escaping (UnsafeMutableBufferPointer<Float>, _ part: Double) -> Void
    ) {
        var session = Session(document)
        session.sceneMode = .one
        let length = document.pattern.duration(ofSteps: loops * document.pattern.length)
        let end = UInt64(length.microseconds) * UInt64(rate) / 1_000_000
        render(session, until: end, period: document.pattern, rate: rate, load: load, stems: stems, take: take)
    }

    /// Renders the song of `document` likewise, from its start to its end. There is nothing to render if no scene of it
    /// is filled.
    public static func renderSong(
        _ document: PatternDocument, rate: Int, load: @escaping SampleLoading = { _, _ in nil },
        stems: StemTaking? = nil,
        take: @escaping (UnsafeMutableBufferPointer<Float>, _ part: Double) -> Void
    ) {
        let parts = document.songPatterns
        guard let last = parts.last else { return }
        var session = Session(document)
        session.sceneMode = .song
        render(
            session, until: frames(of: parts, rate: rate), period: last.pattern, rate: rate, load: load, stems: stems,
            take: take)
    }

    /// Frames from Play to the end of `parts`, which follow each other: a sample is as many of the rate · 1500 units of
    /// a step as its tempo has hundredths of a BPM, and the part of a sample by which a pattern begins late keeps its duration in the next tempo, as in the
    /// engine.
    static func frames(of parts: [(pattern: Pattern, repeats: Int)], rate: Int) -> UInt64 {
        var frames: Int64 = 0
        var late: Int64 = 0
        var last: Int64?
        for (pattern, repeats) in parts {
            let tempo = Int64(pattern.tempo.hundredths)
            late = late * tempo / (last ?? tempo)
            last = tempo
            let units = Int64(repeats * pattern.length) * Int64(rate) * 1500 - late
            let length = (units + tempo - 1) / tempo
            late = length * tempo - units
            frames += length
        }
        return UInt64(frames)
    }

    /// Renders `session` from Play to the frame `end`, and lets the notes ring out; `period` is the pattern whose tempo
    /// the delay has at the end.
    private static func render(
        _ session: Session, until end: UInt64, period: Pattern, rate: Int, load: SampleLoading, stems: StemTaking?,
        take: @escaping (UnsafeMutableBufferPointer<Float>, _ part: Double) -> Void
    ) {
        guard let engine = Engine(rate: rate) else { preconditionFailure("no engine at \(rate) frames a second") }
        var instrument = Instrument()
        instrument.load(session)
        var missing: [SoundName] = []
        /// Passes `event` to the instrument, loads the samples that it asks for, and synchronises the engine at `frame`.
        func update(_ event: Instrument.Event, at now: Instant, _ frame: UInt64) {
            let effects = instrument.update(event, at: now)
            for case .job(.loadSample(let name)) in effects where !missing.contains(name) {
                if let sample = load(name, engine) {
                    _ = instrument.update(.sample(sample), at: now)
                } else {
                    missing.append(name)
                }
            }
            let unloads = effects.filter { if case .unload = $0 { true } else { false } }
            engine.synchronise(with: instrument.state, unloads, at: frame)
        }
        update(.key(.playStop), at: .zero, 0)

        var frames: UInt64 = 0
        // Frames of silence, counted after the end.
        var quiet: Int?
        // The volume is the master's: without a fade of their own the stems would end with a click.
        let fade = StemFade(frames: rate / 50)
        let fadedStems = stems.map { stems in
            { (block: UnsafeMutableBufferPointer<Float>) in
                fade.apply(to: block)
                stems(block)
            }
        }
        let audio = VirtualAudio(engine, stems: fadedStems) { samples in
            if let before = quiet {
                let isHeard = samples.contains { $0 > silence || $0 < -silence }
                quiet = isHeard ? 0 : before + samples.count / 2
            }
            frames += UInt64(samples.count / 2)
            take(samples, min(1, Double(frames) / Double(end)))
        }
        var frame: UInt64 = 0
        while frame < end {
            frame = min(frame + look, end)
            audio.render(to: frame)
            for scene in scenesBegun(engine) {
                update(.sceneBegan(scene), at: audio.time(of: frame), frame)
            }
        }

        // With the cells cleared, and without a next scene, no note starts, and the sounding notes and delay repeats go
        // on: the fade that clearing normally brings is left out.
        var now = audio.time(of: end)
        _ = instrument.update(.key(.clear), at: now)
        if session.sceneMode != .one {
            var rest = instrument.state.session
            rest.sceneMode = .one
            _ = instrument.update(.opened(rest), at: now)
        }
        engine.synchronise(with: instrument.state, [], at: end)
        quiet = 0
        let limit = now + tailMax
        let quietMax = Int(pause(of: instrument.state.session, period).microseconds * Int64(rate) / 1_000_000)
        while now < limit, (quiet ?? 0) < quietMax {
            now = now + .milliseconds(10)
            audio.advance(to: now)
        }
        if now >= limit {
            _ = instrument.update(.turn(.volume, by: -Session.volumes.upperBound), at: now)
            engine.synchronise(with: instrument.state, [], at: audio.frame(at: now))
            fade.begin()
            audio.advance(to: now + .milliseconds(50))
        }
        audio.finish()
    }

    /// The fade at the end of stems that do not fall silent.
    private final class StemFade {
        private let frames: Int
        /// Frames since the fade began; nil before.
        private var faded: Int?

        /// A fade within `frames`.
        init(frames: Int) { self.frames = frames }

        /// Begins the fade with the next frame.
        func begin() { faded = 0 }

        /// Fades `stems`, the next frames, if the fade has begun.
        func apply(to stems: UnsafeMutableBufferPointer<Float>) {
            guard let before = faded else { return }
            for index in stems.indices {
                let frame = before + index / Engine.stemSamples
                stems[index] *= max(0, 1 - Float(frame) / Float(frames))
            }
            faded = before + stems.count / Engine.stemSamples
        }
    }

    /// The scenes that have begun since the last call.
    private static func scenesBegun(_ engine: Engine) -> [Int] {
        var scenes: [Int] = []
        engine.takeReports { _, report in
            guard case .switched(.scene(let slot), let tag) = report, engine.follow(.scene(slot), tag: tag),
                engine.hearSwitch()
            else { return }
            scenes.append(slot)
        }
        return scenes
    }

    /// The silence after which `session` makes no more sound.
    private static func pause(of session: Session, _ period: Pattern) -> Instant.Span {
        let repeats = Track.allCases.contains { session.sound[.track($0, .delay)] > 0 }
        guard repeats else { return pause }
        let period = period.duration(ofSteps: session.sound[.delaySteps])
        return Instant.Span(microseconds: pause.microseconds + period.microseconds)
    }
}
