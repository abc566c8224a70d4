import Devices
import Dispatch
import Instrument

/// Reads the panel's temperature on a thread of its own, because some sensors take a second, and posts its changes as
/// events.
final class HeatWatch {
    private let timer: any DispatchSourceTimer

    /// LEDs behind a plate change by less than a degree in this time.
    private static let interval = DispatchTimeInterval.seconds(2)

    /// A watch of `sensor`, whose events go to `post`.
    init(_ sensor: HeatSensor, post: @escaping @Sendable (Instrument.Event) -> Void) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "heat", qos: .utility))
        var last: Int??
        timer.setEventHandler {
            let celsius = sensor.celsius()
            if last != .some(celsius) { post(.heat(celsius)) }
            last = celsius
        }
        timer.schedule(deadline: .now(), repeating: Self.interval)
        timer.resume()
    }

    deinit { timer.cancel() }
}
