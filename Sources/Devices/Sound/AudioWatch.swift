import InputEvents
import AlsaOutput
import Instrument

/// Log lines about a playing device: that it went away and came back, and its xruns, at a limited rate.
public struct AudioWatch {
    private let device: String
    private let rate: UInt64
    private var state: State
    /// Time of the last line about a device that went away.
    private var wentAway: Instant?
    /// The xruns logged so far, and when.
    private var logged: (xruns: UInt64, frames: UInt64, at: Instant, timeOfDay: String)?
    /// Time of day at which the watch began.
    private let begun: String

    /// Minimum interval between two lines of a kind.
    private static let interval = Instant.Span.milliseconds(60_000)

    private enum State {
        /// The device is being opened for the first time.
        case opening
        case open
        /// The device went away; whether that was logged.
        case away(isLogged: Bool)
    }

    /// A watch of `device`, which plays `rate` frames per second. `isMissing`: it was logged already that the device
    /// does not open. `timeOfDay` is the present time.
    public init(_ device: String, rate: Int, isMissing: Bool, timeOfDay: String) {
        self.device = device
        self.rate = UInt64(rate)
        state = isMissing ? .away(isLogged: true) : .opening
        begun = timeOfDay
    }

    /// The lines to log at `now`, which is `timeOfDay` on the wall clock.
    public mutating func lines(_ status: AudioThreadStatus, at now: Instant, timeOfDay: String) -> [String] {
        [presence(status, at: now), xruns(status, at: now, timeOfDay: timeOfDay)].compactMap(\.self)
    }

    private mutating func presence(_ status: AudioThreadStatus, at now: Instant) -> String? {
        switch state {
        case .opening, .open:
            if status.device_open {
                state = .open
            } else if status.device_error != 0 {
                let isLogged = wentAway.map { now - $0 >= Self.interval } ?? true
                state = .away(isLogged: isLogged)
                guard isLogged else { return nil }
                wentAway = now
                let failure = AlsaDevice.Failure(errno: -status.device_error)
                return "sound: the device \(device) went away (\(failure)); it is retried every second"
            }
        case .away(let isLogged):
            guard status.device_open else { return nil }
            state = .open
            if isLogged { return "sound: the device \(device) is back" }
        }
        return nil
    }

    private mutating func xruns(_ status: AudioThreadStatus, at now: Instant, timeOfDay: String) -> String? {
        let xruns = status.xruns - (logged?.xruns ?? 0)
        guard xruns > 0, logged.map({ now - $0.at >= Self.interval }) ?? true else { return nil }
        let frames = status.xrun_frames - (logged?.frames ?? 0)
        let since = logged?.timeOfDay ?? begun
        logged = (status.xruns, status.xrun_frames, now, timeOfDay)
        let milliseconds = (frames * 1000 + rate / 2) / rate
        return "sound: \(xruns) xrun\(xruns == 1 ? "" : "s"), \(frames) frames (\(milliseconds) ms) lost since \(since)"
    }
}
