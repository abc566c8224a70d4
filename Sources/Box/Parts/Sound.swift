import InputEvents
import Devices
import Dispatch
import Formats
import Glibc
import Instrument
import Pages
import Runtime

/// The box's sound output: the audio thread, and the recorder or page behind it.
final class Sound {
    enum Outlet: Equatable {
        case device(String)
        case file(String)
        case page
        case nowhere

        /// The outlet of the command line; else the configured device, or the page if it is missing.
        init(_ word: String?, _ settings: Configuration.AudioSettings, hasPage: Bool) throws {
            switch word {
            case "none": self = .nowhere
            case let path? where path.lowercased().hasSuffix(".wav"): self = .file(path)
            case let device?:
                if let problem = Configuration.AudioSettings.problem(withDevice: device) {
                    throw CommandError(.usage, "--audio \(problem)")
                }
                self = .device(device)
            case nil:
                self = hasPage && settings.failure(of: settings.device) != nil ? .page : .device(settings.device)
            }
        }
    }

    /// The output for the loop.
    var output: any AudioOutput { audio }

    private let audio: AlsaAudio
    private let tap: Tap?
    private var watch: AudioWatch?

    /// Sound for `outlet`, with pulses on a channel of their own if `pulse` says so and a device plays it. The engine's
    /// reports wake `clock`.
    init(
        _ outlet: Outlet, _ engine: Engine, _ settings: Configuration.AudioSettings, pulse: PulseOutput,
        page: PageServer?, clock: SystemClock
    ) throws {
        var options: AlsaAudio.Options
        var receive: Tap.Receiver?
        var finish: () throws -> Void = {}
        switch outlet {
        case .device(let name):
            options = AlsaAudio.Options(device: name)
            options.pulseChannel = pulse.channel
            Log.post("sound goes to the ALSA device \(name)")
            let failure = settings.failure(of: name, pulseChannel: pulse.channel)
            if let failure {
                Log.post("the ALSA device \(name) does not open (\(failure)); it is retried every second")
            }
            watch = AudioWatch(name, rate: engine.rate, isMissing: failure != nil, timeOfDay: Self.timeOfDay())
        case .file(let path):
            options = AlsaAudio.Options(device: nil)
            let file = try WaveWriter(path, rate: engine.rate)
            var isTold = false
            receive = { samples, _ in
                guard !isTold else { return }
                file.append(samples)
                guard let problem = file.problem else { return }
                Log.post("\(problem); nothing more is recorded, and the music goes on")
                isTold = true
            }
            finish = { try file.finish() }
        case .page:
            options = AlsaAudio.Options(device: nil)
            receive = { samples, time in page?.play(samples.map { Int16(($0 * 32_767).rounded()) }, at: time) }
            Log.post("there is no sound device: the page plays the sound")
        case .nowhere:
            options = AlsaAudio.Options(device: nil)
        }
        if let channel = pulse.channel, options.device == nil {
            Log.post("no pulses on channel \(channel): there is no sound device")
        }
        options.period = settings.period
        options.periods = settings.periods
        options.priority = settings.priority
        options.core = settings.core
        options.taps = receive != nil
        let audio = try AlsaAudio(engine, options, waking: clock)
        self.audio = audio
        tap = receive.map { Tap(audio, $0, finish) }
        if watch != nil { audio.warnings.forEach(Log.post) }
    }

    /// Whether the configured device fails.
    var hasFault: Bool { watch != nil && !audio.status.device_open && audio.status.device_error != 0 }

    /// Logs changes of the device. Call it about once a second.
    func report(at now: Instant) {
        watch?.lines(audio.status, at: now, timeOfDay: Self.timeOfDay()).forEach(Log.post)
    }

    /// Local time of day, HH:MM:SS.
    private static func timeOfDay() -> String {
        var seconds = time(nil)
        var date = tm()
        localtime_r(&seconds, &date)
        return [date.tm_hour, date.tm_min, date.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    func stop() throws {
        // The audio thread must end before the engine is released, also if the recording fails.
        defer { audio.stop() }
        try tap?.stop()
    }

    /// Reads the rendered sound a hundred times a second.
    private final class Tap: @unchecked Sendable {
        /// Receives interleaved stereo, whose first frame is heard at the time.
        typealias Receiver = (UnsafeMutableBufferPointer<Float>, Instant) -> Void

        private let queue = DispatchQueue(label: "sound tap")
        private let timer: any DispatchSourceTimer
        private let audio: AlsaAudio
        private let receive: Receiver
        private let finish: () throws -> Void
        private let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 4096)
        private var frames: UInt64 = 0

        init(
            _ audio: AlsaAudio, _ receive: @escaping Receiver, _ finish: @escaping () throws -> Void
        ) {
            self.audio = audio
            self.receive = receive
            self.finish = finish
            timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: .milliseconds(10))
            timer.setEventHandler { [unowned self] in drain() }
            timer.resume()
        }

        deinit { buffer.deallocate() }

        private func drain() {
            while case let count = audio.read(into: buffer), count > 0 {
                // Lost frames are missing after the oldest second at most.
                let first = frames + audio.status.tap_lost
                receive(UnsafeMutableBufferPointer(rebasing: buffer[..<count]), audio.time(of: first))
                frames += UInt64(count / 2)
            }
        }

        func stop() throws {
            timer.cancel()
            try queue.sync {
                drain()
                try finish()
            }
        }
    }
}

extension Configuration.AudioSettings {
    /// Why the ALSA device `name` cannot play with these settings now; nil if it can.
    func failure(of name: String, pulseChannel: Int? = nil) -> AlsaDevice.Failure? {
        guard
            case .failure(let failure) = AlsaDevice.agree(
                with: name, rate: rate, period: period, periods: periods, pulseChannel: pulseChannel)
        else { return nil }
        return failure
    }
}
