import CSystemd
import Instrument

/// What systemd is told of the box, where systemd started it (sd_notify(3)): that it is ready, how it fares, and, if the
/// unit asks for it, that it has not hung. Elsewhere nothing happens.
public struct ServiceManager {
    /// Tells systemd a line of its protocol.
    private let notify: (String) -> Void
    /// Between two signs of life; nil where none are wanted.
    private let watchdog: Instant.Span?
    private var status: String?
    private var lastSign: Instant?

    /// The manager that started this process.
    public init() {
        var microseconds: UInt64 = 0
        let wanted = sd_watchdog_enabled(0, &microseconds) > 0
        self.init(watchdogMicroseconds: wanted ? Int64(clamping: microseconds) : nil) { _ = sd_notify(0, $0) }
    }

    /// One that wants a sign of life within `watchdogMicroseconds`, and hears by `notify`.
    init(watchdogMicroseconds: Int64?, notify: @escaping (String) -> Void) {
        self.notify = notify
        // Half of it, as sd_watchdog_enabled(3) advises.
        watchdog = watchdogMicroseconds.map { Instant.Span(microseconds: $0 / 2) }
    }

    /// The box plays.
    public func isReady() { notify("READY=1") }

    /// The box is about to end.
    public func isStopping() { notify("STOPPING=1") }

    /// How the box fares, for `systemctl status`; told only when it has changed.
    public mutating func tell(_ status: String) {
        guard status != self.status else { return }
        self.status = status
        notify("STATUS=\(status)")
    }

    /// A sign of life from the loop; to be called often.
    public mutating func beat(at now: Instant) {
        guard let watchdog, lastSign.map({ now - $0 >= watchdog }) ?? true else { return }
        lastSign = now
        notify("WATCHDOG=1")
    }
}
