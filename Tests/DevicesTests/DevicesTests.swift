import InputEvents
import AlsaOutput
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

    @Test("a watched descriptor ends the wait while it is readable")
    func watched() throws {
        let clock = try SystemClock()
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        clock.watch(ends[0])
        var byte: UInt8 = 1
        let writer = ends[1]
        DispatchQueue.global().async {
            var byte: UInt8 = 1
            _ = write(writer, &byte, 1)
        }
        let start = clock.now
        clock.wait(until: start + .milliseconds(20_000))
        clock.wait(until: start + .milliseconds(20_000))
        #expect(clock.now - start < .milliseconds(10_000))
        #expect(read(ends[0], &byte, 1) == 1)
        let rest = clock.now + .milliseconds(15)
        clock.wait(until: rest)
        #expect(clock.now >= rest)
        clock.forget(ends[0])
        _ = write(writer, &byte, 1)
        let end = clock.now + .milliseconds(15)
        clock.wait(until: end)
        #expect(clock.now >= end)
    }

    @Test("a deadline in the past does not wait")
    func past() throws {
        let clock = try SystemClock()
        let start = clock.now
        clock.wait(until: .zero)
        #expect(clock.now - start < .milliseconds(1000))
    }
}

@Suite("Sound without a sound card")
struct AlsaAudioTests {
    @Test("without a device the sequencer keeps time, and reports when each step is heard")
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
            clock.wait(until: clock.now + .milliseconds(2))
        }
        try #require(frames.count >= 4)
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

@Suite("Privileges of the audio thread")
struct AudioPrivilegesTests {
    @Test("refusals are reported, grants are not")
    func refusals() throws {
        let none = try AudioPrivileges(testing: 0, core: nil)
        #expect(none.realTimeRefusal == nil && none.coreRefusal == nil)
        // No policy has a priority of a hundred.
        let refused = try AudioPrivileges(testing: 100, core: 1023)
        let realTime = try #require(refused.realTimeRefusal)
        #expect(realTime.what.hasPrefix("the sound thread runs without real-time priority (Invalid argument)"))
        #expect(realTime.fix.contains("\"@audio - rtprio 95\""))
        #expect(realTime.fix.contains("/etc/security/limits.d/95-pixelboop.conf"))
        #expect(refused.coreRefusal != nil)
        #expect(refused.refusals.count == (refused.memoryLockRefusal == nil ? 2 : 3))
    }
}

@Suite("The list of sound devices")
struct AlsaDeviceTests {
    @Test("a PCM that plays everything reports its rates, formats and smallest period")
    func probe() throws {
        let abilities = try AlsaDevice.probe("null").get()
        #expect(abilities.rates == [44_100, 48_000, 96_000])
        #expect(abilities.formats == ["FLOAT_LE", "S32_LE", "S24_3LE", "S16_LE"])
        #expect(abilities.periodMin >= 1)
    }

    @Test("the null device is listed, and every entry has a name")
    func all() throws {
        let devices = AlsaDevice.all()
        let null = try #require(devices.first { $0.name == "null" })
        #expect(!null.isHardware && !null.description.isEmpty)
        #expect((try? null.abilities.get()) != nil)
        #expect(devices.allSatisfy { !$0.name.isEmpty && !$0.description.contains { $0.isNewline } })
    }

    @Test("the audio thread gets the agreed parameters")
    func agreement() throws {
        let agreement = try AlsaDevice.agree(with: "null", rate: 96_000, period: 64, periods: 4).get()
        #expect(agreement.period == 64 && agreement.buffer == 256)
        #expect(agreement.format == "FLOAT_LE" && agreement.isMapped)
    }

    @Test("the reason that a device does not open is reported with its fix")
    func failures() {
        let missing = AlsaDevice.agree(with: "hw:77", rate: 48_000, period: 128, periods: 3)
        #expect(throws: AlsaDevice.Failure.self) { try missing.get() }
        #expect(throws: AlsaDevice.Failure.self) { try AlsaDevice.probe("no such device").get() }
        guard case .failure(let failure) = missing else { return }
        #expect("\(failure)" == "there is no such device")
        #expect(failure.fix.contains("pixelboop doctor"))
        #expect("\(AlsaDevice.Failure(errno: EBUSY))".contains("busy"))
        #expect("\(AlsaDevice.Failure(errno: EACCES))".contains("permission"))
        #expect(AlsaDevice.Failure(errno: EACCES).fix.contains("group audio"))
        #expect("\(AlsaDevice.Failure(errno: EIO))" == String(cString: strerror(EIO)))
    }
}

@Suite("Messages about a playing device")
struct AudioWatchTests {
    private func status(open: Bool, error: Int32 = 0, xruns: UInt64 = 0, frames: UInt64 = 0) -> AudioThreadStatus {
        var status = AudioThreadStatus()
        status.device_open = open
        status.device_error = error
        status.xruns = xruns
        status.xrun_frames = frames
        return status
    }

    private func seconds(_ seconds: Int64) -> Instant { Instant(milliseconds: 1000 * seconds) }

    @Test("its loss is reported once, and its return")
    func presence() {
        var watch = AudioWatch("hw:1", rate: 48_000, isMissing: false, timeOfDay: "12:00:00")
        #expect(watch.lines(status(open: false), at: seconds(1), timeOfDay: "").isEmpty)
        #expect(watch.lines(status(open: true), at: seconds(2), timeOfDay: "").isEmpty)
        let gone = status(open: false, error: -ENODEV)
        #expect(
            watch.lines(gone, at: seconds(3), timeOfDay: "")
                == ["sound: the device hw:1 went away (there is no such device); it is retried every second"])
        #expect(watch.lines(gone, at: seconds(4), timeOfDay: "").isEmpty)
        let back = status(open: true, error: -ENODEV)
        #expect(watch.lines(back, at: seconds(5), timeOfDay: "") == ["sound: the device hw:1 is back"])
        #expect(watch.lines(back, at: seconds(6), timeOfDay: "").isEmpty)
    }

    @Test("a device that keeps coming and going is reported once a minute")
    func flapping() {
        var watch = AudioWatch("hw:1", rate: 48_000, isMissing: false, timeOfDay: "12:00:00")
        var lines = 0
        for second in 0..<300 {
            let isOpen = second % 2 == 0
            lines +=
                watch.lines(status(open: isOpen, error: -EIO), at: seconds(Int64(second)), timeOfDay: "").count
        }
        #expect(lines == 10)
    }

    @Test("a device missing at the start is reported when it appears")
    func missing() {
        var watch = AudioWatch("hw:1", rate: 48_000, isMissing: true, timeOfDay: "12:00:00")
        #expect(watch.lines(status(open: false, error: -ENOENT), at: seconds(1), timeOfDay: "").isEmpty)
        #expect(watch.lines(status(open: true), at: seconds(2), timeOfDay: "") == ["sound: the device hw:1 is back"])
    }

    @Test("new xruns are reported no more than once a minute, with the frames lost since the last line")
    func xruns() {
        var watch = AudioWatch("hw:1", rate: 48_000, isMissing: false, timeOfDay: "12:00:00")
        #expect(watch.lines(status(open: true), at: seconds(1), timeOfDay: "12:00:01").isEmpty)
        #expect(
            watch.lines(status(open: true, xruns: 2, frames: 384), at: seconds(2), timeOfDay: "12:00:02")
                == ["sound: 2 xruns, 384 frames (8 ms) lost since 12:00:00"])
        let more = status(open: true, xruns: 3, frames: 480)
        for second in 3...61 { #expect(watch.lines(more, at: seconds(Int64(second)), timeOfDay: "later").isEmpty) }
        #expect(
            watch.lines(more, at: seconds(62), timeOfDay: "12:01:02")
                == ["sound: 1 xrun, 96 frames (2 ms) lost since 12:00:02"])
        #expect(watch.lines(more, at: seconds(200), timeOfDay: "later").isEmpty)
    }
}
