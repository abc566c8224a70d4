import AlsaFaults
import AlsaOutput
import Glibc
import Synth
import Testing

/// An engine and its audio thread. Nothing here needs a sound card: the devices are ALSA's own plugins.
private final class RunningThread {
    let synth: OpaquePointer
    private var thread: OpaquePointer?

    init(
        device: String?, rate: UInt32 = 48000, period: UInt32 = 128, periods: UInt32 = 3, priority: Int32 = 0,
        core: Int32 = -1, tap: Bool = false, commands: [SynthCommand] = []
    ) throws {
        guard let synth = synth_create(rate) else {
            throw StartError(code: ENOMEM)
        }
        self.synth = synth
        if !commands.isEmpty {
            synth_post(synth, commands, UInt32(commands.count))
        }
        var code: Int32 = 0
        func start(_ name: UnsafePointer<CChar>?) -> OpaquePointer? {
            var options = AudioThreadOptions(
                device: name, rate: rate, period: period, periods: periods, priority: priority, core: core, tap: tap)
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
        frame: frame, cells: 0, value: value, kind: UInt8(kind.rawValue), track: 0, note: note, velocity: 1,
        pattern: 0, waiting: 0)
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
        let running = try RunningThread(device: "faulty:null")
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

    /// Opens `null` as a device that is written in place, or as one that is not.
    private func running(isMapped: Bool) throws -> RunningThread {
        alsa_devices_are(AlsaDevicesAre(unmapped: !isMapped, format: nil, granted_max: 0, spread_bytes: 0))
        defer { alsa_devices_are(AlsaDevicesAre()) }
        let running = try RunningThread(device: "faulty:null")
        #expect(running.wait { running.status.device_open && running.frames > 4800 })
        #expect(running.status.device_mapped == isMapped)
        return running
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
        Fault(description: "an xrun seen in the mapping", call: AlsaFaultBegin, result: -EPIPE, isXrun: true),
        Fault(description: "an xrun seen on handing over", call: AlsaFaultCommit, result: -EPIPE, isXrun: true),
        Fault(description: "a card suspended under the mapping", call: AlsaFaultBegin, result: -ESTRPIPE, isXrun: true),
        Fault(description: "a signal on handing over", call: AlsaFaultCommit, result: -EINTR),
        Fault(description: "a full ring", call: AlsaFaultCommit, result: -EAGAIN),
        Fault(description: "a ring that takes nothing", call: AlsaFaultCommit, result: 0),
        Fault(description: "a card pulled out of the mapping", call: AlsaFaultBegin, result: -ENODEV, error: -ENODEV),
        Fault(description: "a card pulled out on handing over", call: AlsaFaultCommit, result: -ENODEV, error: -ENODEV),
    ]

    @Test("a fault of the device is counted or the device opened anew, and the time goes on", arguments: faults)
    func recovers(fault: Fault) throws {
        let running = try running(isMapped: fault.call != AlsaFaultWrite)
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
            let running = try running(isMapped: false)
            alsa_faults_set(Int32(call.rawValue), result, 1)
            alsa_faults_set(Int32(AlsaFaultWrite.rawValue), -ESTRPIPE, 1)
            #expect(running.wait { running.status.device_error != 0 })
            #expect(running.wait { running.status.device_open })
            #expect(alsa_faults_left(Int32(call.rawValue)) == 0)
        }
    }

    @Test(
        "a card that takes nothing for a third of a second is closed, and the time made up", arguments: [true, false])
    func stalled(isMapped: Bool) throws {
        let running = try running(isMapped: isMapped)
        let full = isMapped ? AlsaFaultBegin : AlsaFaultWrite
        alsa_faults_set(Int32(AlsaFaultWait.rawValue), 0, 1)
        alsa_faults_set(Int32(full.rawValue), -EAGAIN, 1)
        #expect(running.wait { running.status.device_error == -ETIMEDOUT })
        try expectPace(running)
    }

    @Test("a wait that a machine which stood still has slept through is no stall")
    func sleptThrough() throws {
        let running = try running(isMapped: false)
        alsa_faults_set(Int32(AlsaFaultWait.rawValue), 0, 1)
        alsa_faults_set(Int32(AlsaFaultAvail.rawValue), 0, 1)
        #expect(running.wait { alsa_faults_left(Int32(AlsaFaultWait.rawValue)) == 0 })
        try expectPace(running)
        #expect(running.status.device_open && running.status.device_error == 0 && running.status.xruns == 0)
    }

    @Test("a card that is busy at first is opened when it is free")
    func busyAtFirst() throws {
        alsa_faults_set(Int32(AlsaFaultOpen.rawValue), -EBUSY, 1)
        let running = try RunningThread(device: "faulty:null")
        #expect(running.wait { running.status.device_error == -EBUSY })
        #expect(!running.status.device_open)
        #expect(running.wait { running.status.device_open })
    }

    @Test("a device that is always in an xrun does not make the time run away")
    func endlessXruns() throws {
        let running = try RunningThread(device: "faulty:null")
        #expect(running.wait { running.status.device_open })
        alsa_faults_set(Int32(AlsaFaultAvail.rawValue), -EPIPE, .max)
        defer { alsa_faults_set(Int32(AlsaFaultAvail.rawValue), 0, 0) }
        let start = (frames: running.frames, time: monotonic())
        #expect(running.wait { running.frames > start.frames + 24000 })
        #expect(monotonic() - start.time > leastTime)
    }

    @Test(
        "every rate, period and buffer plays at its pace, written in place or copied",
        arguments: [44100, 48000, 96000] as [UInt32], [(32, 2), (64, 3), (128, 3), (1024, 8)] as [(UInt32, UInt32)])
    func sizes(rate: UInt32, size: (period: UInt32, periods: UInt32)) throws {
        for isMapped in [true, false] {
            alsa_devices_are(AlsaDevicesAre(unmapped: !isMapped, format: nil, granted_max: 0, spread_bytes: 0))
            defer { alsa_devices_are(AlsaDevicesAre()) }
            let running = try RunningThread(
                device: "faulty:null", rate: rate, period: size.period, periods: size.periods)
            #expect(running.wait { running.status.device_open && running.frames > UInt64(20 * size.period) })
            let status = running.status
            #expect(status.device_rate == rate)
            #expect(status.device_period == size.period)
            #expect(status.device_periods == size.periods)
            #expect(status.device_mapped == isMapped)
            #expect(status.device_format.map { String(cString: $0) } == "FLOAT_LE")
            let first = try #require(running.position)
            #expect(running.wait { running.frames > first.frame + UInt64(rate / 10) })
            // A busy machine is some milliseconds late, which matter less the longer it plays; at the wrong one of the three
            // rates it would be 8 % or more out for ever.
            let isInPace = running.wait {
                guard let last = running.position else { return false }
                let rendered = Double(last.frame - first.frame) / Double(rate)
                let elapsed = Double(last.nanoseconds - first.nanoseconds) / 1e9
                return abs(rendered - elapsed) < 0.04 * elapsed
            }
            #expect(isInPace)
            #expect(running.status.xruns == 0)
        }
    }

    @Test("a device that fails only when it is mapped is written the other way")
    func mappingFails() throws {
        alsa_faults_set(Int32(AlsaFaultHardware.rawValue), -ENXIO, 1)
        let running = try RunningThread(device: "faulty:null")
        #expect(running.wait { running.status.device_open })
        #expect(!running.status.device_mapped)
        #expect(running.status.device_error == 0)
    }

    @Test("denormal numbers count as zero on the audio thread, and on no other", arguments: [true, false])
    func denormals(isMapped: Bool) throws {
        alsa_writer_forget()
        let running = try running(isMapped: isMapped)
        defer { running.stop() }
        #expect(alsa_writer_denormals_are_zero() == 1)
        #expect(!alsa_denormals_are_zero())
    }

    @Test("a core and a priority that are not to be had are refused with a reason, and the time goes on")
    func refusedPrivileges() throws {
        // No machine has a thousand cores, and no policy a priority of a hundred.
        let running = try RunningThread(device: nil, priority: 100, core: 1023)
        let refused = running.status.refused
        #expect(refused.core == EINVAL)
        #expect(refused.real_time == EINVAL)
        try expectPace(running)
    }

    @Test("what is not asked for is not refused; a core that is there is granted")
    func grantedPrivileges() throws {
        #expect(try RunningThread(device: nil).status.refused.core == 0)
        #expect(try RunningThread(device: nil).status.refused.real_time == 0)
        let core = try #require((0..<1024).first { audio_core_is_usable(Int32($0)) })
        #expect(try RunningThread(device: nil, core: Int32(core)).status.refused.core == 0)
    }

    @Test(
        "a period or buffer outside its range is refused",
        arguments: [(15, 3), (4097, 3), (128, 1), (128, 9)] as [(UInt32, UInt32)])
    func badOptions(period: UInt32, periods: UInt32) throws {
        let synth = try #require(synth_create(48000))
        var options = AudioThreadOptions(
            device: nil, rate: 48000, period: period, periods: periods, priority: 0, core: -1, tap: false)
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
