import InputEvents
import CSystemd

/// Reports to systemd (sd_notify(3)): ready, status, stopping, and the watchdog's signal if the unit has WatchdogSec.
/// Does nothing if systemd did not start the process.
public struct ServiceManager {
    /// Sends a line of sd_notify's protocol.
    private let notify: (String) -> Void
    /// Interval of the watchdog's signal; nil without a watchdog.
    private let watchdog: Instant.Span?
    private var status: String?
    private var lastSign: Instant?

    /// The manager that started this process.
    public init() {
        var microseconds: UInt64 = 0
        let wanted = sd_watchdog_enabled(0, &microseconds) > 0
        self.init(watchdogMicroseconds: wanted ? Int64(clamping: microseconds) : nil) { _ = sd_notify(0, $0) }
    }

    /// A manager whose watchdog expires after `watchdogMicroseconds`, and which is reached by `notify`.
    init(watchdogMicroseconds: Int64?, notify: @escaping (String) -> Void) {
        self.notify = notify
        // Half of it, as sd_watchdog_enabled(3) advises.
        watchdog = watchdogMicroseconds.map { Instant.Span(microseconds: $0 / 2) }
    }

    /// Reports that the box plays.
    public func isReady() { notify("READY=1") }

    /// Reports that the box is about to end.
    public func isStopping() { notify("STOPPING=1") }

    /// Sets the status line of `systemctl status`; sends it only when it has changed.
    public mutating func setStatus(_ status: String) {
        guard status != self.status else { return }
        self.status = status
        notify("STATUS=\(status)")
    }

    /// Sends the watchdog's signal when it is due. Call it in every pass of the loop.
    public mutating func beat(at now: Instant) {
        guard let watchdog, lastSign.map({ now - $0 >= watchdog }) ?? true else { return }
        lastSign = now
        notify("WATCHDOG=1")
    }
}
