import AlsaOutput
import Glibc
import Synth
import Testing

/// An engine and its audio thread. Nothing here needs a sound card: the devices are ALSA's own plugins.
private final class RunningThread {
    let synth: OpaquePointer
    private var thread: OpaquePointer?

    init(device: String?, period: UInt32 = 128, tap: Bool = false, commands: [SynthCommand] = []) throws {
        guard let synth = synth_create(48000) else {
            throw StartError(code: ENOMEM)
        }
        self.synth = synth
        if !commands.isEmpty {
            synth_post(synth, commands, UInt32(commands.count))
        }
        var code: Int32 = 0
        func start(_ name: UnsafePointer<CChar>?) -> OpaquePointer? {
            var options = AudioThreadOptions(
                device: name, rate: 48000, period: period, periods: 3, priority: 0, tap: tap)
            return audio_thread_start(synth, &options, &code)
        }
        thread = if let device { device.withCString(start) } else { start(nil) }
        if thread == nil {
            throw StartError(code: code)
        }
    }

    deinit {
        stop()
        synth_destroy(synth)
    }

    func stop() {
        if let thread {
            audio_thread_stop(thread)
        }
        thread = nil
    }

    var frames: UInt64 { synth_counters(synth).frames }

    var status: AudioThreadStatus { thread.map { audio_thread_status($0) } ?? AudioThreadStatus() }

    var position: (frame: UInt64, nanoseconds: UInt64)? {
        var frame: UInt64 = 0
        var nanoseconds: UInt64 = 0
        guard let thread, audio_thread_position(thread, &frame, &nanoseconds) else {
            return nil
        }
        return (frame, nanoseconds)
    }

    func readTap(_ frames: Int) -> [Float] {
        guard let thread else {
            return []
        }
        var out = [Float](repeating: 0, count: 2 * frames)
        let count = audio_thread_read_tap(thread, &out, UInt32(frames))
        return Array(out[..<(2 * Int(count))])
    }

    /// Waits for something to become true, which it soon does; false after ten seconds, far beyond any load.
    func wait(until condition: () -> Bool) -> Bool {
        let end = monotonic() + 10_000_000_000
        while !condition() {
            if monotonic() > end {
                return false
            }
            usleep(1000)
        }
        return true
    }
}

private struct StartError: Error {
    let code: Int32
}

private func monotonic() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}

private func command(_ kind: SynthCommandKind, note: UInt8 = 0, value: UInt32 = 0, at frame: UInt64 = 0) -> SynthCommand
{
    SynthCommand(
        frame: frame, cells: 0, value: value, kind: UInt8(kind.rawValue), track: 0, note: note, velocity: 1)
}

@Suite("the audio thread", .serialized)
struct AudioThreadTests {
    /// The time of `frames` frames, told by the thread's own positions: a test that is scheduled late reads the same
    /// pairs, so load does not change them. A tenth of a period in nanoseconds is allowed for rounding.
    private func expectPace(_ running: RunningThread) throws {
        #expect(running.wait { running.position != nil })
        let first = try #require(running.position)
        #expect(running.wait { running.frames > first.frame + 24000 })
        let last = try #require(running.position)
        let rendered = Double(last.frame - first.frame) / 48000
        let passed = Double(last.nanoseconds - first.nanoseconds) / 1e9
        #expect(abs(rendered - passed) < 0.001)
        // The pairs are of this clock: the newest is not far from now.
        #expect(abs(Double(last.nanoseconds) - Double(monotonic())) < 2e9)
    }

    @Test("without a device it keeps time")
    func noDevice() throws {
        let running = try RunningThread(device: nil)
        try expectPace(running)
        #expect(!running.status.device_open)
        #expect(running.status.device_error == 0)
    }

    @Test("a device that takes everything at once does not set the pace")
    func nullDevice() throws {
        let running = try RunningThread(device: "null")
        #expect(running.wait { running.status.device_open })
        let start = (frames: running.frames, time: monotonic())
        #expect(running.wait { running.frames > start.frames + 24000 })
        let passed = Double(monotonic() - start.time) / 1e9
        // Eight periods pass before it is found out.
        #expect(passed > 0.5 - 9 * 128.0 / 48000)
        #expect(running.status.device_rate == 48000)
        #expect(running.status.device_error == 0)
        #expect(running.status.xruns == 0)
        try expectPace(running)
    }

    @Test("a device that does not exist is reported, and the time goes on")
    func missingDevice() throws {
        let running = try RunningThread(device: "no such device")
        #expect(running.wait { running.status.device_error != 0 })
        #expect(running.status.device_error < 0)
        #expect(!running.status.device_open)
        try expectPace(running)
    }

    @Test("whether a device opens", arguments: [("null", true), ("no such device", false)])
    func opens(device: String, expected: Bool) {
        var error: Int32 = 1
        #expect(audio_device_opens(device, &error) == expected)
        #expect(expected ? error == 0 : error < 0)
    }

    @Test(
        "a period or buffer outside its range is refused",
        arguments: [(15, 3), (4097, 3), (128, 1), (128, 9)] as [(UInt32, UInt32)])
    func badOptions(period: UInt32, periods: UInt32) throws {
        let synth = try #require(synth_create(48000))
        var options = AudioThreadOptions(
            device: nil, rate: 48000, period: period, periods: periods, priority: 0, tap: false)
        var error: Int32 = 0
        #expect(audio_thread_start(synth, &options, &error) == nil)
        #expect(error == EINVAL)
        synth_destroy(synth)
    }

    @Test("the tap delivers what a direct render gives", arguments: [nil, "null"])
    func tap(device: String?) throws {
        let commands = [command(SynthAudition, note: 9, value: 4), command(SynthAudition, note: 2, value: 2, at: 3001)]
        let running = try RunningThread(device: device, tap: true, commands: commands)
        var tapped: [Float] = []
        #expect(
            running.wait {
                tapped += running.readTap(1000)
                return tapped.count >= 2 * 20000
            })
        #expect(running.status.tap_lost == 0)

        let synth = try #require(synth_create(48000))
        synth_post(synth, commands, UInt32(commands.count))
        var expected = [Float](repeating: 0, count: 2 * 20000)
        synth_render(synth, &expected, 20000)
        synth_destroy(synth)
        #expect(Array(tapped[..<(2 * 20000)]) == expected)
    }

    @Test("a tap that nobody reads loses the newest frames and counts them")
    func tapOverflow() throws {
        let running = try RunningThread(device: nil, period: 4096, tap: true)
        #expect(running.wait { running.status.tap_lost > 0 })
        #expect(running.status.tap_lost % 4096 == 0)
        #expect(running.readTap(100_000).count == 2 * 65536)
    }

    @Test("without a tap there is nothing to read")
    func noTap() throws {
        let running = try RunningThread(device: nil)
        #expect(running.wait { running.frames > 0 })
        #expect(running.readTap(100).isEmpty)
    }

    @Test("it stops within a few periods, device or none", arguments: [nil, "null", "no such device"])
    func stop(device: String?) throws {
        let running = try RunningThread(device: device)
        #expect(running.wait { running.frames > 4800 })
        let before = running.frames
        running.stop()
        // The fade is 5 ms (two periods); the rest is how late this thread was.
        #expect(running.frames >= before + 256)
        #expect(running.frames < before + 48000)
        let after = running.frames
        usleep(20000)
        #expect(running.frames == after)
    }

    @Test("the sound fades out on stop")
    func fadeOut() throws {
        let running = try RunningThread(
            device: "file:FILE=/dev/null,FORMAT=raw", commands: [command(SynthAudition, note: 9, value: 32)])
        #expect(running.wait { running.frames > 4800 })
        running.stop()
    }

    @Test("what is written to the device is what was rendered")
    func writtenSamples() throws {
        let path = "/tmp/pixelboop-audio-\(getpid()).raw"
        defer { unlink(path) }
        let commands = [command(SynthAudition, note: 9, value: 4)]
        let running = try RunningThread(device: "file:FILE=\(path),FORMAT=raw", tap: true, commands: commands)
        #expect(running.wait { running.status.device_open })
        let opened = running.frames
        #expect(running.wait { running.frames > opened + 9600 })
        #expect(running.status.device_error == 0)
        running.stop()

        let file = try #require(fopen(path, "rb"))
        defer { fclose(file) }
        var written = [Float](repeating: 0, count: 2 * 100_000)
        let count = fread(&written, 4, written.count, file)
        #expect(count > 2 * 9600)
        #expect(written[..<count].contains { abs($0) > 0.05 })
        // It ends at the end of the fade.
        #expect(written[..<count].last == 0)
    }
}
