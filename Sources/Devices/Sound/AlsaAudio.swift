import AlsaOutput
import Glibc
import Instrument
import Runtime

/// Sound through ALSA, from a thread that is C++ from end to end. Without a device the thread keeps the sequencer's time
/// all the same, and tries the device again each second.
public final class AlsaAudio: AudioOutput, @unchecked Sendable {
    private let engine: Engine
    private let options: Options
    private let thread: OpaquePointer

    /// How the sound is to come out.
    public struct Options: Sendable {
        /// ALSA PCM name; nil for no device.
        public var device: String?
        /// Frames a period, 16-4096.
        public var period = 128
        /// Periods in the device's buffer, 2-8.
        public var periods = 3
        /// SCHED_FIFO priority, 0 for none.
        public var priority = 75
        /// The core that the thread stays on, 0-1023; nil for any.
        public var core: Int?
        /// Keep what is rendered for `read`.
        public var taps = false

        /// The defaults, into `device`.
        public init(device: String?) { self.device = device }
    }

    /// Starts the audio thread on `engine`. Throws when there is no room for another thread.
    public init(_ engine: Engine, _ options: Options) throws(DeviceError) {
        var error: Int32 = 0
        func start(_ name: UnsafePointer<CChar>?) -> OpaquePointer? {
            var settings = AudioThreadOptions()
            settings.device = name
            settings.rate = UInt32(engine.rate)
            settings.period = UInt32(options.period)
            settings.periods = UInt32(options.periods)
            settings.priority = Int32(options.priority)
            settings.core = AudioPrivileges.number(options.core)
            settings.tap = options.taps
            return audio_thread_start(engine.synth, &settings, &error)
        }
        let started = options.device.map { name in name.withCString { start($0) } } ?? start(nil)
        guard let started else { throw DeviceError("the audio thread", errno: error) }
        self.engine = engine
        self.options = options
        thread = started
    }

    /// Lets the sound fade out and ends the thread; nothing may be asked of this object afterwards.
    public func stop() { audio_thread_stop(thread) }

    /// How the thread fares.
    public var status: AudioThreadStatus { audio_thread_status(thread) }

    /// What the thread was refused by the system, what that means for the player and what to do: a line each.
    public var warnings: [String] {
        AudioPrivileges(priority: options.priority, core: options.core, status.refused).refusals.map(\.description)
    }

    /// Reads what was rendered, interleaved stereo, oldest first; returns how many samples. From one thread.
    public func read(into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        guard let base = samples.baseAddress else { return 0 }
        return 2 * Int(audio_thread_read_tap(thread, base, UInt32(samples.count / 2)))
    }

    // MARK: AudioOutput

    /// The thread runs by itself.
    public func advance(to now: Instant) {}

    /// As soon as the thread reads it.
    public func frame(at now: Instant) -> UInt64 { 0 }

    /// When what begins on `frame` reaches the ear, the engine's latency and the device's buffer included; at once before
    /// the first period.
    public func time(of frame: UInt64) -> Instant {
        var reference: UInt64 = 0
        var nanoseconds: UInt64 = 0
        guard audio_thread_position(thread, &reference, &nanoseconds) else { return .zero }
        let distance = Int64(frame) - Int64(reference)
        return Instant(microseconds: Int64(nanoseconds / 1000) + distance * 1_000_000 / Int64(engine.rate))
    }
}
