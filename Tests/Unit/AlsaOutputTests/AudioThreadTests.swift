import AlsaOutput
import Glibc
import Synth
import TestTags
import Testing

private func audition(_ note: Int8, steps: UInt32, at frame: UInt64 = 0) -> SynthCommand {
    let audition = SynthAuditionCommand(steps: steps, track: 0, note: note, velocity: 1)
    return SynthCommand(frame: frame, payload: .init(audition: audition), kind: SynthAudition)
}

private func set(_ control: SynthControl, _ value: Int32) -> SynthCommand {
    let command = SynthControlCommand(value: value, control: control, track: 0)
    return SynthCommand(frame: 0, payload: .init(control: command), kind: SynthSet)
}

@Suite("The audio thread", .tags(.live))
struct AudioThreadTests {
    @Test("without a device it keeps time, by the machine's clock and by another", arguments: [true, false])
    func noDevice(isInRealTime: Bool) throws {
        let running = try RunningThread(device: nil, isInRealTime: isInRealTime)
        try running.expectPace()
        #expect(!running.status.device_open)
        #expect(running.status.device_error == 0)
    }

    @Test("a device that does not exist is reported, and time advances")
    func missingDevice() throws {
        let running = try RunningThread(device: "no such device")
        #expect(running.wait { running.status.device_error != 0 })
        #expect(running.status.device_error < 0)
        #expect(!running.status.device_open)
        try running.expectPace()
    }

    @Test("a core and a priority that are unavailable are refused with a reason, and time advances")
    func refusedPrivileges() throws {
        // No machine has a thousand cores, and no policy a priority of a hundred.
        let running = try RunningThread(device: nil, priority: 100, core: 1023)
        let refused = running.status.refused
        #expect(refused.core == EINVAL)
        #expect(refused.real_time == EINVAL)
        try running.expectPace()
    }

    @Test("unrequested privileges are not refused; an existing core is granted")
    func grantedPrivileges() throws {
        #expect(try RunningThread(device: nil).status.refused.core == 0)
        #expect(try RunningThread(device: nil).status.refused.real_time == 0)
        let core = try #require((0..<1024).first { audio_core_is_usable(Int32($0)) })
        #expect(try RunningThread(device: nil, core: Int32(core)).status.refused.core == 0)
    }

    @Test(
        "a period, a buffer or a channel outside its range is rejected",
        arguments: [(15, 3, 0), (4097, 3, 0), (128, 1, 0), (128, 9, 0), (128, 3, 1), (128, 3, 2), (128, 3, 33)]
            as [(UInt32, UInt32, UInt32)])
    func badOptions(period: UInt32, periods: UInt32, pulseChannel: UInt32) throws {
        let synth = try #require(synth_create(48000))
        var options = AudioThreadOptions(
            device: nil, rate: 48000, period: period, periods: periods, priority: 0, core: -1,
            pulse_channel: pulseChannel, tap: false, event: -1,
            clock: audio_clock_monotonic())
        var error: Int32 = 0
        #expect(audio_thread_start(synth, &options, &error) == nil)
        #expect(error == EINVAL)
        synth_destroy(synth)
    }

    @Test("the tap delivers the same as a direct render", arguments: [nil, "null"])
    func tap(device: String?) throws {
        let commands = [audition(9, steps: 4), audition(2, steps: 2, at: 3001)]
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

    @Test("an unread tap loses the newest frames and counts them")
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

    @Test("it stops within a few periods, with or without a device", arguments: [nil, "null", "no such device"])
    func stop(device: String?) throws {
        let running = try RunningThread(device: device, isInRealTime: true)
        #expect(running.wait { running.frames > 4800 })
        let before = running.frames
        running.stop()
        // The fade is 5 ms (two periods); the rest is this thread's delay.
        #expect(running.frames >= before + 256)
        #expect(running.frames < before + 48000)
    }

    @Test("stopped, it is still readable, and a second stop does nothing", arguments: [nil, "null"])
    func stopped(device: String?) throws {
        let running = try RunningThread(device: device, tap: true)
        #expect(running.wait { running.frames > 4800 && running.status.device_open == (device != nil) })
        running.stop()
        let frames = running.frames
        running.stop()
        #expect(running.frames == frames)
        #expect(running.position?.frame == frames)
        #expect(!running.status.device_open && running.status.device_error == 0)
        #expect(!running.readTap(100).isEmpty)
    }

    @Test("a period with reports of the engine signals the event, another one does not")
    func event() throws {
        // Eight bytes a signal, as of an eventfd.
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        defer { ends.forEach { close($0) } }
        func signals() -> Int {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            return max(0, read(ends[0], &bytes, bytes.count)) / 8
        }
        let running = try RunningThread(device: nil, event: ends[1])
        #expect(running.wait { running.frames > 24000 })
        #expect(signals() == 0)
        var play = SynthCommand(frame: 0, payload: .init(), kind: SynthPlay)
        synth_post(running.synth, &play, 1)
        let begun = running.frames
        #expect(running.wait { running.frames > begun + 48000 })
        running.stop()
        // Eight steps a second at 120 BPM, each in a period of its own; the clock may have passed more of them.
        let steps = Int(synth_counters(running.synth).reports)
        #expect(steps >= 8 && signals() == steps)
    }

    @Test("pulses reach the device's channel for them, beside the music")
    func pulses() throws {
        let path = "/tmp/pixelboop-pulses-\(getpid()).raw"
        defer { unlink(path) }
        let channels = 4
        let commands = [
            set(SynthPulseOutput, Int32(channels)), set(SynthPulsesPerQuarter, 4),
            SynthCommand(frame: 0, payload: .init(), kind: SynthPlay),
        ]
        let running = try RunningThread(device: "file:FILE=\(path),FORMAT=raw", pulseChannel: UInt32(channels))
        #expect(running.wait { running.status.device_open })
        // Not before: the device may open within a pulse.
        synth_post(running.synth, commands, UInt32(commands.count))
        let opened = running.frames
        #expect(running.wait { running.frames > opened + 48000 })
        running.stop()

        let file = try #require(fopen(path, "rb"))
        defer { fclose(file) }
        var written = [Float](repeating: 0, count: channels * 100_000)
        let count = fread(&written, 4, written.count, file) / channels
        func channel(_ number: Int) -> [Float] { (0..<count).map { written[channels * $0 + number - 1] } }
        let signal = channel(channels)
        let rises = (1..<count).filter { signal[$0] == 1 && signal[$0 - 1] == 0 }
        // Sixteenths at 120 BPM.
        #expect(rises.count >= 6)
        #expect(zip(rises.dropFirst(), rises).allSatisfy { $0 - $1 == 6000 })
        #expect(Set(signal) == [0, 1])
        #expect(Set(channel(1)).isDisjoint(with: [1]))
        #expect(channel(3).allSatisfy { $0 == 0 })
    }

    @Test("the sound reaches the device, and fades out before the thread stops")
    func writtenSound() throws {
        let path = "/tmp/pixelboop-audio-\(getpid()).raw"
        defer { unlink(path) }
        let commands = [audition(9, steps: 4)]
        let running = try RunningThread(device: "file:FILE=\(path),FORMAT=raw", tap: true)
        #expect(running.wait { running.status.device_open })
        // Not before: the time in which the device opens may be longer than the sound.
        synth_post(running.synth, commands, UInt32(commands.count))
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
        // It ends with the fade.
        #expect(written[..<count].last == 0)
    }
}
