import Foundation
import Documents
import Formats
import Instrument
import Runtime
import TestSupport
import Testing

@testable import Box

@Suite("Samples beside the library")
final class SampleFolderTests {
    private let base = NSTemporaryDirectory() + "pixelboop-samples-\(UUID().uuidString)"
    private let kick, slash: SoundName

    init() throws {
        kick = try #require(SoundName("KICK"))
        slash = try #require(SoundName("A/B ♯<"))
        try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: base) }

    private func folder(free: Int? = nil) -> SampleFolder {
        guard let free else { return SampleFolder(ofLibrary: base + "/box.sqlite") }
        return SampleFolder(ofLibrary: base + "/box.sqlite") { _ in free }
    }

    /// A falling tone.
    private func sound(_ frames: Int, channels: Int = 1, rate: Int = 48_000) -> SampleSound {
        let samples = (0..<frames * channels).map { Int16(20_000 * sin(Double($0) / 20) * exp(-Double($0) / 9000)) }
        return SampleSound(rate: rate, channels: channels, samples: samples)
    }

    @Test("what is kept is read again to the bit, under any name, and a name is replaced")
    func keeping() throws {
        let folder = folder()
        #expect(try folder.samples() == [])
        for (name, channels) in [(kick, 1), (slash, 2)] {
            try folder.keep(sound(5000, channels: channels, rate: 44_100), as: name)
            #expect(try folder.read(name) == sound(5000, channels: channels, rate: 44_100))
        }
        #expect(try folder.samples().map(\.name) == [slash, kick])
        try folder.keep(sound(10), as: kick)
        #expect(try folder.read(kick).frames == 10)
        try folder.remove(kick)
        #expect(try folder.samples().map(\.name) == [slash])
        #expect(throws: CommandError.self) { try folder.remove(kick) }
        #expect(throws: CommandError.self) { try folder.read(kick) }
    }

    @Test("64 MB of samples and 64 MB of free disk are the limits; what was there stays")
    func limits() throws {
        try folder().keep(sound(1000), as: kick)
        #expect(throws: SampleFolder.Refusal.self) { try folder(free: 64 << 20).keep(sound(100_000), as: slash) }
        let large = SampleSound(rate: 192_000, channels: 2, samples: [Int16](repeating: 1, count: 2 * 9_000_000))
        try folder().keep(large, as: slash)
        #expect(throws: SampleFolder.Refusal.full) { try folder().keep(large, as: kick) }
        #expect(try folder().read(kick).frames == 1000)
        #expect(try folder().samples().map(\.name) == [slash, kick])
    }

    @Test("a damaged file is named and does not hide the others")
    func damage() throws {
        try folder().keep(sound(1000), as: kick)
        try folder().keep(sound(1000), as: slash)
        let path = folder().path + "/KICK.wav"
        try Data(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(700)).write(to: URL(fileURLWithPath: path))
        let contents = try folder().contents()
        #expect(contents.samples.map(\.name) == [slash] && contents.damaged == [kick])
        #expect(throws: (any Error).self) { try folder().read(kick) }
    }

    /// Four bars of drums in the memory of `engine`.
    private func play(_ engine: Engine) -> [Float] {
        var session = Session()
        for (drum, steps) in [(0, [0, 6, 10]), (3, [4, 12]), (7, [2, 8, 14])] {
            for step in steps { session.composition.pattern[.rhythm, note: drum, step: step] = .normal }
        }
        session.composition.pattern.length = 16
        var instrument = Instrument()
        instrument.load(session)
        _ = instrument.update(.key(.playStop), at: .zero)
        engine.synchronise(with: instrument.state, [], at: 0)
        var sound = [Float](repeating: 0, count: 2 * 4 * 96_000)
        sound.withUnsafeMutableBufferPointer { engine.render(into: $0) }
        return sound
    }

    @Test(
        "a loop that was heard becomes a kit whose slices, played at their steps, are the loop",
        arguments: [false, true])
    func slices(byOnsets: Bool) throws {
        let engine = try #require(Engine(rate: 48_000))
        try #require(engine.remember(inRealTime: false))
        let loop = play(engine)
        let jobs = EngineJobs(TakeFolder(ofLibrary: base + "/box.sqlite"), folder(), engine)
        // The second bar: the first is heard after the limiter's delay.
        let span = TakeSpan(begin: 96_072, end: 192_072)
        let events = jobs.run(.slice(span, byOnsets ? .onsets : .steps(16)))
        guard case .sliced(let kit)? = events?.first else {
            Issue.record("\(String(describing: events))")
            return
        }
        #expect(kit.sample == SoundName("LOOP") && kit.slices.count >= 8)

        // A box that plays the kit at the slices' places.
        let other = try #require(Engine(rate: 48_000))
        let player = EngineJobs(TakeFolder(ofLibrary: base + "/box.sqlite"), folder(), other)
        var instrument = Instrument()
        let effects = instrument.update(.sliced(kit), at: .zero)
        #expect(effects == [.job(.loadSample(kit.sample))])
        for case .job(let job) in effects {
            for event in player.run(job) ?? [] { _ = instrument.update(event, at: .zero) }
        }
        #expect(instrument.state.sample(of: 0)?.peaks.max() ?? 0 > 20)
        var heard: [Float] = []
        func render(to frame: Int) {
            var part = [Float](repeating: 0, count: 2 * frame - heard.count)
            part.withUnsafeMutableBufferPointer { other.render(into: $0) }
            heard += part
        }
        for (pad, slice) in kit.slices.enumerated() {
            let frame = (slice.lowerBound * 96_000 + 500_000) / 1_000_000
            render(to: frame)
            let note = Instrument.Effect.Note(track: .rhythm, note: pad, velocity: 1, steps: 1)
            other.synchronise(with: instrument.state, [.audition([note])], at: UInt64(frame))
        }
        render(to: 96_072)
        // Both as loud, but for the fade at the loop's end and the 16 bits between.
        var largest: Float = 0
        for place in 100..<2 * 95_800 { largest = max(largest, abs(heard[place + 144] - loop[place + 2 * 96_072])) }
        #expect(largest < 1e-4, "\(largest)")
    }

    @Test("a missing sample, a full memory and a forgotten span are events, and the box goes on")
    func refusals() throws {
        let engine = try #require(Engine(rate: 48_000))
        let jobs = EngineJobs(TakeFolder(ofLibrary: base + "/box.sqlite"), folder(), engine)
        #expect(jobs.run(.loadSample(kick)) == [.sampleFailed(kick)])
        #expect(jobs.run(.slice(TakeSpan(begin: 0, end: 100), .onsets)) == [.notice(.takeFailed)])
        #expect(jobs.run(.showSamples) == [.samples([])])
        #expect(jobs.run(.removeSample(kick)) == [.notice(.libraryFailed)])
        #expect(jobs.run(.showSounds) == nil)
        // From 8 kHz: 24 MB in the engine's memory, 4 MB in the library.
        try folder().keep(
            SampleSound(rate: 8000, channels: 2, samples: [Int16](repeating: 9, count: 2 * 8000 * 60)), as: kick)
        var loaded = 0
        while case .sample? = jobs.run(.loadSample(kick))?.first { loaded += 1 }
        #expect((4...6).contains(loaded))
    }
}
