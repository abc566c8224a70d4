import InputEvents
import AlsaOutput
import Glibc
import Instrument
import Runtime

/// Sound through ALSA, from a real-time thread that runs only C++. Without a device the thread still drives the
/// sequencer, and retries the device every second.
public final class AlsaAudio: AudioOutput, @unchecked Sendable {
    private let engine: Engine
    private let options: Options
    /// The clock that the thread wakes.
    private let clock: SystemClock?
    private let thread: OpaquePointer

    /// Settings of the audio thread.
    public struct Options: Sendable {
        /// ALSA PCM name; nil for no device.
        public var device: String?
        /// Frames per period, 16-4096.
        public var period = 128
        /// Periods in the device's buffer, 2-8.
        public var periods = 3
        /// SCHED_FIFO priority, 0 for none.
        public var priority = 75
        /// CPU core that the thread is pinned to, 0-1023; nil for none.
        public var core: Int?
        /// The device's channel of the pulses, 3-32; nil for none.
        public var pulseChannel: Int?
        /// Whether rendered sound is kept for `read`.
        public var taps = false

        /// The default settings with `device`.
        public init(device: String?) { self.device = device }
    }

    /// Starts the audio thread on `engine`. It wakes `clock` as soon as the engine has made reports, which is before
    /// they are heard. Throws if the system has no thread left.
    public init(_ engine: Engine, _ options: Options, waking clock: SystemClock? = nil) throws(DeviceError) {
        var error: Int32 = 0
        func start(_ name: UnsafePointer<CChar>?) -> OpaquePointer? {
            var settings = AudioThreadOptions()
            settings.device = name
            settings.rate = UInt32(engine.rate)
            settings.period = UInt32(options.period)
            settings.periods = UInt32(options.periods)
            settings.priority = Int32(options.priority)
            settings.core = AudioPrivileges.number(options.core)
            settings.pulse_channel = UInt32(options.pulseChannel ?? 0)
            settings.tap = options.taps
            settings.event = clock?.descriptor ?? -1
            // The loop's clock is the same.
            settings.clock = audio_clock_monotonic()
            return audio_thread_start(engine.synth, &settings, &error)
        }
        let started = options.device.map { name in name.withCString { start($0) } } ?? start(nil)
        guard let started else { throw DeviceError("the audio thread", errno: error) }
        self.engine = engine
        self.options = options
        self.clock = clock
        thread = started
    }

    deinit { audio_thread_free(thread) }

    /// Fades the sound out and ends the thread. Its status, times and last sound stay readable; a second call does
    /// nothing.
    public func stop() { audio_thread_stop(thread) }

    /// Status and counters of the thread.
    public var status: AudioThreadStatus { audio_thread_status(thread) }

    /// One line for each privilege that the system refused: its effect and what to do.
    public var warnings: [String] {
        AudioPrivileges(priority: options.priority, core: options.core, status.refused).refusals.map(\.description)
    }

    /// Reads rendered sound, interleaved stereo, oldest first; returns the number of samples. From one thread only.
    public func read(into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        guard let base = samples.baseAddress else { return 0 }
        return 2 * Int(audio_thread_read_tap(thread, base, UInt32(samples.count / 2)))
    }

    // MARK: AudioOutput

    /// Does nothing: the thread runs by itself.
    public func advance(to now: Instant) {}

    /// 0: the thread applies an event as soon as it reads it.
    public func frame(at now: Instant) -> UInt64 { 0 }

    /// The time at which `frame` is heard, with the engine's latency and the device's buffer; zero before the first
    /// period.
    public func time(of frame: UInt64) -> Instant {
        guard let reference else { return .zero }
        let distance = Int64(frame) - Int64(reference.frame)
        return Instant(
            microseconds: Int64(reference.nanoseconds / 1000) + distance * 1_000_000 / Int64(engine.rate))
    }

    /// The place that is heard at `now`.
    public func place(at now: Instant) -> Double? {
        reference.map {
            Double($0.frame) + (Double(now.microseconds) - Double($0.nanoseconds) / 1000) * Double(engine.rate)
                / 1_000_000
        }
    }

    /// A frame and the time at which it is heard; nil before the first period.
    private var reference: (frame: UInt64, nanoseconds: UInt64)? {
        var frame: UInt64 = 0
        var nanoseconds: UInt64 = 0
        return audio_thread_position(thread, &frame, &nanoseconds) ? (frame, nanoseconds) : nil
    }
}
