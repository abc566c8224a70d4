import AlsaFaults
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

    /// Nanoseconds in which 24000 frames pass at the least: eight periods go by before a device without a pace of its
    /// own is found out, and a ninth may have begun.
    private let leastTime: UInt64 = 500_000_000 - 9 * 128 * 1_000_000 / 48

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
        #expect(monotonic() - start.time > leastTime)
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

    struct Fault: CustomStringConvertible {
        let description: String
        let call: AlsaFaultCall
        let result: Int32
        var isXrun = false
        /// The error reported when the device is closed for it.
        var error: Int32?
    }

    static let faults = [
        Fault(description: "an xrun seen before rendering", call: AlsaFaultAvail, result: -EPIPE, isXrun: true),
        Fault(description: "an xrun seen in writing", call: AlsaFaultWrite, result: -EPIPE, isXrun: true),
        Fault(description: "a suspended card", call: AlsaFaultWrite, result: -ESTRPIPE, isXrun: true),
        Fault(description: "a signal", call: AlsaFaultWrite, result: -EINTR),
        Fault(description: "a full buffer", call: AlsaFaultWrite, result: -EAGAIN),
        Fault(description: "an unplugged card", call: AlsaFaultWrite, result: -ENODEV, error: -ENODEV),
        Fault(description: "a card pulled out before rendering", call: AlsaFaultAvail, result: -ENODEV, error: -ENODEV),
        Fault(description: "a card that is in a bad state", call: AlsaFaultAvail, result: -EBADFD, error: -EBADFD),
    ]

    @Test("a fault of the device is counted or the device opened anew, and the time goes on", arguments: faults)
    func recovers(fault: Fault) throws {
        let running = try RunningThread(device: "null")
        #expect(running.wait { running.status.device_open && running.frames > 4800 })
        alsa_faults_set(Int32(fault.call.rawValue), fault.result, 1)
        #expect(running.wait { alsa_faults_left(Int32(fault.call.rawValue)) == 0 })
        if let error = fault.error {
            #expect(running.wait { running.status.device_error == error })
        }
        try expectPace(running)
        #expect(running.wait { running.status.device_open })
        #expect(running.status.xruns == (fault.isXrun ? 1 : 0))
        #expect(running.status.device_error == (fault.error ?? 0))
    }

    @Test("a card that sleeps on, or cannot be readied again, is closed and opened anew")
    func failedRecovery() throws {
        for (call, result) in [(AlsaFaultResume, -EAGAIN), (AlsaFaultPrepare, -ENODEV)] {
            let running = try RunningThread(device: "null")
            #expect(running.wait { running.status.device_open && running.frames > 4800 })
            alsa_faults_set(Int32(call.rawValue), result, 1)
            alsa_faults_set(Int32(AlsaFaultWrite.rawValue), -ESTRPIPE, 1)
            #expect(running.wait { running.status.device_error != 0 })
            #expect(running.wait { running.status.device_open })
            #expect(alsa_faults_left(Int32(call.rawValue)) == 0)
        }
    }

    @Test("a card that takes nothing for a third of a second is closed, and the time made up")
    func stalled() throws {
        let running = try RunningThread(device: "null")
        #expect(running.wait { running.status.device_open && running.frames > 4800 })
        alsa_faults_set(Int32(AlsaFaultWait.rawValue), 0, 1)
        alsa_faults_set(Int32(AlsaFaultWrite.rawValue), -EAGAIN, 1)
        #expect(running.wait { running.status.device_error == -ETIMEDOUT })
        try expectPace(running)
    }

    @Test("a card that is busy at first is opened when it is free")
    func busyAtFirst() throws {
        alsa_faults_set(Int32(AlsaFaultOpen.rawValue), -EBUSY, 1)
        let running = try RunningThread(device: "null")
        #expect(running.wait { running.status.device_error == -EBUSY })
        #expect(!running.status.device_open)
        #expect(running.wait { running.status.device_open })
    }

    @Test("a device that is always in an xrun does not make the time run away")
    func endlessXruns() throws {
        let running = try RunningThread(device: "null")
        #expect(running.wait { running.status.device_open })
        alsa_faults_set(Int32(AlsaFaultAvail.rawValue), -EPIPE, .max)
        defer { alsa_faults_set(Int32(AlsaFaultAvail.rawValue), 0, 0) }
        let start = (frames: running.frames, time: monotonic())
        #expect(running.wait { running.frames > start.frames + 24000 })
        #expect(monotonic() - start.time > leastTime)
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
    }

    @Test("the sound reaches the device, and has faded out when the thread stops")
    func writtenSound() throws {
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
