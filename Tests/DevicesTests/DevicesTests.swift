import Devices
import Foundation
import Instrument
import Runtime
import Testing

@Suite("The system clock")
struct SystemClockTests {
    @Test("waiting ends at the deadline, not before")
    func deadline() throws {
        let clock = try SystemClock()
        let end = clock.now + .milliseconds(20)
        clock.wait(until: end)
        #expect(clock.now >= end)
    }

    @Test("a wake ends the wait in progress, from another thread")
    func wakeDuringWait() throws {
        let clock = try SystemClock()
        let start = clock.now
        DispatchQueue.global().async { clock.wake() }
        clock.wait(until: start + .milliseconds(20_000))
        #expect(clock.now - start < .milliseconds(10_000))
    }

    @Test("a wake before the wait ends it at once, and only that one")
    func wakeBeforeWait() throws {
        let clock = try SystemClock()
        for _ in 0..<3 { clock.wake() }
        let start = clock.now
        clock.wait(until: start + .milliseconds(20_000))
        #expect(clock.now - start < .milliseconds(10_000))
        let end = clock.now + .milliseconds(15)
        clock.wait(until: end)
        #expect(clock.now >= end)
    }

    @Test("a deadline that has passed is no wait")
    func past() throws {
        let clock = try SystemClock()
        let start = clock.now
        clock.wait(until: .zero)
        #expect(clock.now - start < .milliseconds(1000))
    }
}

@Suite("Sound without a sound card")
struct AlsaAudioTests {
    @Test("a device that is not there does not open")
    func opens() {
        #expect(!AlsaAudio.opens("hw:77"))
        #expect(AlsaAudio.opens("null"))
    }

    @Test("without a device the sequencer keeps time, and tells when each step is heard")
    func keepsTime() throws {
        let clock = try SystemClock()
        let engine = try #require(Engine(rate: 48_000))
        var options = AlsaAudio.Options(device: nil)
        options.taps = true
        let audio = try AlsaAudio(engine, options)
        defer { audio.stop() }
        var instrument = Instrument()
        var pattern = Pattern()
        pattern.bpm = 200
        pattern[.rhythm, note: 0, step: 0] = .accent
        instrument.load(pattern)
        _ = instrument.update(.key(.space), at: clock.now)
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
            clock.wait(until: clock.now + .milliseconds(2))
        }
        try #require(frames.count >= 4)
        // 60 / 200 / 4 s a step: 3600 frames.
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 - $0 == 3600 })
        // Nobody knows yet when the first period is heard.
        for (first, second) in zip(heard, heard.dropFirst()) where first > .zero {
            #expect(abs((second - first).microseconds - 75_000) < 30_000)
        }
        var samples = [Float](repeating: 0, count: 2 * 48_000)
        let count = samples.withUnsafeMutableBufferPointer { audio.read(into: $0) }
        #expect(count >= 2 * 3 * 3600)
        #expect(samples.contains { abs($0) > 0.01 })
        #expect(!audio.status.device_open && audio.status.xruns == 0)
    }
}
