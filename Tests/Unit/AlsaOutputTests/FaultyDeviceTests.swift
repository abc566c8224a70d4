import AlsaFaults
import AlsaOutput
import Glibc
import TestTags
import Testing

/// Serialised: the fault injection is shared.
@Suite("Faulty and unusual devices", .tags(.live), .serialized)
struct FaultyDeviceTests {
    /// Minimum time of 24000 frames in nanoseconds: a device without its own pace is detected after eight periods, and
    /// a ninth may have begun.
    private let leastTime: UInt64 = 500_000_000 - 9 * 128 * 1_000_000 / 48

    @Test("a device that accepts everything at once does not set the pace")
    func nullDevice() throws {
        let running = try RunningThread(device: "faulty:null")
        #expect(running.wait { running.status.device_open })
        let start = (frames: running.frames, time: running.now)
        #expect(running.wait { running.frames > start.frames + 24000 })
        #expect(running.now - start.time > leastTime)
        #expect(running.status.device_rate == 48000)
        #expect(running.status.device_error == 0)
        #expect(running.status.xruns == 0)
        try running.expectPace()
    }

    /// Opens `null` as a device that is mapped, or copied to.
    private func running(isMapped: Bool) throws -> RunningThread {
        alsa_devices_are(AlsaDevicesAre(unmapped: !isMapped, format: nil, granted_max: 0, spread_bytes: 0))
        defer { alsa_devices_are(AlsaDevicesAre()) }
        let running = try RunningThread(device: "faulty:null")
        #expect(running.wait { running.status.device_open && running.frames > 4800 })
        #expect(running.status.device_mapped == isMapped)
        return running
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
        Fault(description: "an xrun seen in the mapping", call: AlsaFaultBegin, result: -EPIPE, isXrun: true),
        Fault(description: "an xrun seen on handing over", call: AlsaFaultCommit, result: -EPIPE, isXrun: true),
        Fault(description: "a card suspended under the mapping", call: AlsaFaultBegin, result: -ESTRPIPE, isXrun: true),
        Fault(description: "a signal on handing over", call: AlsaFaultCommit, result: -EINTR),
        Fault(description: "a full ring", call: AlsaFaultCommit, result: -EAGAIN),
        Fault(description: "a ring that takes nothing", call: AlsaFaultCommit, result: 0),
        Fault(description: "a card pulled out of the mapping", call: AlsaFaultBegin, result: -ENODEV, error: -ENODEV),
        Fault(description: "a card pulled out on handing over", call: AlsaFaultCommit, result: -ENODEV, error: -ENODEV),
    ]

    @Test("a fault of the device is counted or the device reopened, and time advances", arguments: faults)
    func recovers(fault: Fault) throws {
        let running = try running(isMapped: fault.call != AlsaFaultWrite)
        alsa_faults_set(Int32(fault.call.rawValue), fault.result, 1)
        #expect(running.wait { alsa_faults_left(Int32(fault.call.rawValue)) == 0 })
        if let error = fault.error {
            #expect(running.wait { running.status.device_error == error })
        }
        try running.expectPace()
        #expect(running.wait { running.status.device_open })
        #expect(running.status.xruns == (fault.isXrun ? 1 : 0))
        #expect(running.status.device_error == (fault.error ?? 0))
    }

    @Test(
        "a card that stays suspended, or cannot be prepared, is closed and reopened",
        arguments: [(AlsaFaultResume, -EAGAIN), (AlsaFaultPrepare, -ENODEV)])
    func failedRecovery(call: AlsaFaultCall, result: Int32) throws {
        let running = try running(isMapped: false)
        alsa_faults_set(Int32(call.rawValue), result, 1)
        alsa_faults_set(Int32(AlsaFaultWrite.rawValue), -ESTRPIPE, 1)
        #expect(running.wait { running.status.device_error != 0 })
        #expect(running.wait { running.status.device_open })
        #expect(alsa_faults_left(Int32(call.rawValue)) == 0)
    }

    @Test(
        "a card that accepts nothing for a third of a second is closed, and the time caught up",
        arguments: [true, false])
    func stalled(isMapped: Bool) throws {
        let running = try running(isMapped: isMapped)
        let full = isMapped ? AlsaFaultBegin : AlsaFaultWrite
        alsa_faults_set(Int32(AlsaFaultWait.rawValue), 0, 1)
        alsa_faults_set(Int32(full.rawValue), -EAGAIN, 1)
        #expect(running.wait { running.status.device_error == -ETIMEDOUT })
        try running.expectPace()
    }

    @Test("a wait during which the machine was stopped is not a stall")
    func sleptThrough() throws {
        let running = try running(isMapped: false)
        alsa_faults_set(Int32(AlsaFaultWait.rawValue), 0, 1)
        alsa_faults_set(Int32(AlsaFaultAvail.rawValue), 0, 1)
        #expect(running.wait { alsa_faults_left(Int32(AlsaFaultWait.rawValue)) == 0 })
        try running.expectPace()
        #expect(running.status.device_open && running.status.device_error == 0 && running.status.xruns == 0)
    }

    @Test("a busy card is opened when it is free")
    func busyAtFirst() throws {
        alsa_faults_set(Int32(AlsaFaultOpen.rawValue), -EBUSY, 1)
        let running = try RunningThread(device: "faulty:null")
        #expect(running.wait { running.status.device_error == -EBUSY })
        #expect(!running.status.device_open)
        #expect(running.wait { running.status.device_open })
    }

    @Test("a device that is always in an xrun does not speed up time")
    func endlessXruns() throws {
        let running = try RunningThread(device: "faulty:null")
        #expect(running.wait { running.status.device_open })
        alsa_faults_set(Int32(AlsaFaultAvail.rawValue), -EPIPE, .max)
        defer { alsa_faults_set(Int32(AlsaFaultAvail.rawValue), 0, 0) }
        let start = (frames: running.frames, time: running.now)
        #expect(running.wait { running.frames > start.frames + 24000 })
        #expect(running.now - start.time > leastTime)
    }

    @Test(
        "every rate, period and buffer plays at its pace, mapped or copied",
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
            // A busy machine is some milliseconds late, which matters less over a longer time; the wrong one of the
            // three rates would stay 8 % or more off.
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

    @Test("a device that fails only when mapped is copied to")
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
}
