import AlsaOutput
import Instrument

/// What is worth telling of a playing device: that it went away and is back, and the xruns, without flooding a log.
public struct AudioWatch {
    private let device: String
    private let rate: UInt64
    private var state: State
    /// When it was last told that the device went away.
    private var wentAway: Instant?
    /// The xruns told so far, and when.
    private var told: (xruns: UInt64, frames: UInt64, at: Instant, timeOfDay: String)?
    /// The time of day at which the watch began.
    private let begun: String

    /// A line of a kind is told at most this often.
    private static let interval = Instant.Span.milliseconds(60_000)

    private enum State {
        /// It is being opened for the first time.
        case opening
        case open
        /// It went away; whether that was told.
        case away(isTold: Bool)
    }

    /// Watches `device`, which plays `rate` frames a second. `isMissing` is whether it was told already that it does not
    /// open; `timeOfDay` is now.
    public init(_ device: String, rate: Int, isMissing: Bool, timeOfDay: String) {
        self.device = device
        self.rate = UInt64(rate)
        state = isMissing ? .away(isTold: true) : .opening
        begun = timeOfDay
    }

    /// The lines to tell at `now`, which is `timeOfDay` on the wall clock.
    public mutating func lines(_ status: AudioThreadStatus, at now: Instant, timeOfDay: String) -> [String] {
        [presence(status, at: now), xruns(status, at: now, timeOfDay: timeOfDay)].compactMap(\.self)
    }

    private mutating func presence(_ status: AudioThreadStatus, at now: Instant) -> String? {
        switch state {
        case .opening, .open:
            if status.device_open {
                state = .open
            } else if status.device_error != 0 {
                let isTold = wentAway.map { now - $0 >= Self.interval } ?? true
                state = .away(isTold: isTold)
                guard isTold else { return nil }
                wentAway = now
                let failure = AlsaDevice.Failure(errno: -status.device_error)
                return "sound: the device \(device) went away (\(failure)); it is tried each second"
            }
        case .away(let isTold):
            guard status.device_open else { return nil }
            state = .open
            if isTold { return "sound: the device \(device) is back" }
        }
        return nil
    }

    private mutating func xruns(_ status: AudioThreadStatus, at now: Instant, timeOfDay: String) -> String? {
        let xruns = status.xruns - (told?.xruns ?? 0)
        guard xruns > 0, told.map({ now - $0.at >= Self.interval }) ?? true else { return nil }
        let frames = status.xrun_frames - (told?.frames ?? 0)
        let since = told?.timeOfDay ?? begun
        told = (status.xruns, status.xrun_frames, now, timeOfDay)
        let milliseconds = (frames * 1000 + rate / 2) / rate
        return "sound: \(xruns) xrun\(xruns == 1 ? "" : "s"), \(frames) frames (\(milliseconds) ms) lost since \(since)"
    }
}
