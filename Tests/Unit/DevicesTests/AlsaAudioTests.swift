import Devices
import InputEvents
import Instrument
import Runtime
import TestTags
import Testing

@Suite("Sound without a sound card", .tags(.live))
struct AlsaAudioTests {
    @Test("without a device the sequencer keeps time, wakes the clock with each step, and tells when it is heard")
    func keepsTime() throws {
        let clock = try SystemClock()
        let engine = try #require(Engine(rate: 48_000))
        var options = AlsaAudio.Options(device: nil)
        options.taps = true
        let audio = try AlsaAudio(engine, options, waking: clock)
        defer { audio.stop() }
        var instrument = Instrument()
        var pattern = Pattern()
        pattern.tempo = 200
        pattern[.rhythm, note: 0, step: 0] = .accent
        instrument.load(Session(Composition(pattern: pattern)))
        _ = instrument.update(.key(.playStop), at: clock.now)
        engine.synchronise(with: instrument.state, [], at: audio.frame(at: clock.now))

        var frames: [UInt64] = []
        var heard: [Instant] = []
        let limit = clock.now + .milliseconds(20_000)
        while frames.count < 4, clock.now < limit {
            engine.takeReports { frame, report in
                guard case .step = report else { return }
                frames.append(frame)
                heard.append(audio.time(of: frame))
            }
            clock.wait(until: limit)
        }
        try #require(frames.count >= 4 && clock.now < limit)
        // 60 / 200 / 4 s per step: 3600 frames.
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 - $0 == 3600 })
        // The time of the first period is still unknown.
        for (first, second) in zip(heard, heard.dropFirst()) where first > .zero {
            #expect(abs((second - first).microseconds - 75_000) < 30_000)
        }
        var samples = [Float](repeating: 0, count: 2 * 48_000)
        let count = samples.withUnsafeMutableBufferPointer { audio.read(into: $0) }
        #expect(count >= 2 * 3 * 3600)
        #expect(samples.contains { abs($0) > 0.01 })
        #expect(!audio.status.device_open && audio.status.xruns == 0)
    }

    @Test("each refusal of the system is reported in one line, with its meaning and fix")
    func warnings() throws {
        let engine = try #require(Engine(rate: 48_000))
        var options = AlsaAudio.Options(device: nil)
        options.priority = 0
        options.core = 1023
        let audio = try AlsaAudio(engine, options)
        defer { audio.stop() }
        let core = try #require(audio.warnings.last)
        #expect(
            core.hasPrefix("the sound thread does not stay on core 1023 (Invalid argument), so it runs on any core: "))
        #expect(core.contains(/set audio.core to one that this process may use \([0-9, -]+\) or to null/))
        // Whether memory is refused depends on the machine.
        #expect(audio.warnings.dropLast().allSatisfy { $0.contains("memory is not locked") })
        #expect(audio.warnings.allSatisfy { !$0.contains { $0.isNewline } })
    }
}
