import Devices
import Formats
import InputEvents
import Instrument
import Runtime

/// A short, quiet tone that shows whether a sound device is heard.
package enum TestTone {
    /// Maximum volume, in per cent: somebody may wear headphones.
    private static let volume = 60
    /// Duration of the tone and of each fade, in milliseconds.
    private static let duration = 1600
    private static let fade = 400
    /// Interval between two volumes, in milliseconds: the engine glides from one to the next.
    private static let interval = 20
    /// Maximum time until the device plays, in milliseconds.
    private static let openMax = 1000

    /// Plays the tone through the ALSA device `name`. Throws a `CommandError` if that does not open, or takes no sound.
    package static func play(on name: String, _ settings: Configuration.AudioSettings) throws {
        if let problem = Configuration.AudioSettings.problem(withDevice: name) {
            throw CommandError(.usage, "the sound device \(problem)")
        }
        if let failure = settings.failure(of: name) { throw CommandError(name, failure) }
        guard let engine = Engine(rate: settings.rate) else { throw CommandError.noMemory }
        var options = AlsaAudio.Options(device: name)
        options.period = settings.period
        options.periods = settings.periods
        let clock = try SystemClock()
        let audio = try AlsaAudio(engine, options)
        defer { audio.stop() }
        let limit = clock.now + .milliseconds(Int64(openMax))
        while !audio.status.device_open, clock.now < limit {
            clock.wait(until: clock.now + .milliseconds(Int64(interval)))
        }
        for time in stride(from: 0, through: duration, by: interval) where audio.status.device_open {
            engine.synchronise(with: state(at: time), time == interval ? [tone] : [], at: audio.frame(at: clock.now))
            clock.wait(until: clock.now + .milliseconds(Int64(interval)))
        }
        guard audio.status.device_open else {
            throw CommandError(name, AlsaDevice.Failure(errno: -audio.status.device_error))
        }
    }

    /// A stopped box with the volume `time` milliseconds after the begin.
    private static func state(at time: Int) -> Instrument.State {
        var session = Session()
        session.volume = volume(at: time)
        var instrument = Instrument()
        instrument.load(session)
        return instrument.state
    }

    /// The volume `time` milliseconds after the begin, in per cent.
    static func volume(at time: Int) -> Int {
        max(0, volume * min(fade, time, duration - time) / fade)
    }

    /// A note that sounds until the end: a step is an eighth of a second.
    private static var tone: Instrument.Effect {
        .audition([Instrument.Effect.Note(track: .melody, note: 9, velocity: 1, steps: duration / 125 + 1)])
    }
}

extension CommandError {
    /// The device `name` fails.
    fileprivate init(_ name: String, _ failure: AlsaDevice.Failure) {
        self.init(.unavailable, "\(name) does not open: \(failure); \(failure.fix)")
    }
}
