import AlsaOutput
import Glibc
import ManualClock
import Synth
import Testing

/// An engine and its audio thread. No sound card is needed: the devices are ALSA's own plugins. Time passes only while
/// the test waits, unless it asks for real time.
final class RunningThread {
    let synth: OpaquePointer
    /// The test's clock; nil for the machine's.
    private let clock: OpaquePointer?
    private var thread: OpaquePointer?

    init(
        device: String?, rate: UInt32 = 48000, period: UInt32 = 128, periods: UInt32 = 3, priority: Int32 = 0,
        core: Int32 = -1, pulseChannel: UInt32 = 0, tap: Bool = false, event: Int32 = -1,
        commands: [SynthCommand] = [], isInRealTime: Bool = false
    ) throws {
        guard let synth = synth_create(rate) else {
            throw StartError(code: ENOMEM)
        }
        self.synth = synth
        clock = isInRealTime ? nil : manual_clock_create()
        if !commands.isEmpty {
            synth_post(synth, commands, UInt32(commands.count))
        }
        var code: Int32 = 0
        func start(_ name: UnsafePointer<CChar>?) -> OpaquePointer? {
            var options = AudioThreadOptions(
                device: name, rate: rate, period: period, periods: periods, priority: priority, core: core,
                pulse_channel: pulseChannel, tap: tap, event: event,
                clock: clock.map { manual_clock_audio($0) } ?? audio_clock_monotonic())
            return audio_thread_start(synth, &options, &code)
        }
        thread = if let device { device.withCString(start) } else { start(nil) }
        if thread == nil {
            throw StartError(code: code)
        }
    }

    deinit {
        stop()
        if let thread { audio_thread_free(thread) }
        synth_destroy(synth)
        if let clock { manual_clock_destroy(clock) }
    }

    func stop() {
        if let thread {
            if let clock { manual_clock_release(clock) }
            audio_thread_stop(thread)
        }
    }

    /// The thread's time in nanoseconds.
    var now: UInt64 { clock.map { manual_clock_now($0) } ?? monotonic() }

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

    /// Checks the time of `frames` frames by the thread's own positions: load does not change them. A tenth of a period
    /// in nanoseconds is allowed for rounding.
    func expectPace() throws {
        #expect(wait { position != nil })
        let first = try #require(position)
        #expect(wait { frames > first.frame + 24000 })
        let last = try #require(position)
        let rendered = Double(last.frame - first.frame) / 48000
        let passed = Double(last.nanoseconds - first.nanoseconds) / 1e9
        #expect(abs(rendered - passed) < 0.001)
        // The pairs are of this clock: the newest is recent.
        #expect(abs(Double(last.nanoseconds) - Double(now)) < 2e9)
    }

    /// Waits until `condition` is true; false after ten seconds of real time, far beyond any load. On the test's clock
    /// 10 ms pass between two checks.
    func wait(until condition: () -> Bool) -> Bool {
        let end = monotonic() + 10_000_000_000
        while !condition() {
            if monotonic() > end {
                return false
            }
            if let clock, !manual_clock_advance(clock, 10_000_000) {
                return false
            }
            // Opening a device takes real time.
            usleep(clock == nil ? 1000 : 100)
        }
        return true
    }
}

struct StartError: Error {
    let code: Int32
}

func monotonic() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}
