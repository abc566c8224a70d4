import Dispatch
import Display
import Instrument
import Panel
import Synchronization

/// How the panel has fared.
public struct PanelCounters: Hashable, Sendable {
    /// Frames that went out.
    public var frames = 0
    /// Bytes that went out.
    public var bytes = 0
    /// Messages that the bus refused.
    public var failures = 0
    /// What the last frame draws, in amperes.
    public var amps = 0.0

    /// Nothing yet.
    public init() {}
}

/// Drives the panel in the caller's thread: a frame is out when `show` returns.
public final class DirectPanel: FrameOutput {
    /// How it has fared.
    public private(set) var counters = PanelCounters()

    private var driver: PanelDriver
    private let bus: any PanelBus

    /// Drives what is wired to `bus` as `driver` says.
    public init(_ driver: PanelDriver, bus: any PanelBus) {
        self.driver = driver
        self.bus = bus
    }

    /// Shows `frame`. What the bus refuses is counted; the next frame says all that it would have said.
    public func show(_ frame: Frame, at now: Instant) {
        driver.drive(frame)
        let delivery = bus.send(driver.messages, at: now)
        counters.bytes += delivery.bytes
        counters.failures += delivery.failures
        counters.frames += 1
        counters.amps = driver.amps
    }
}

/// Drives the panel in a thread of its own, which may block in the bus for as long as a frame takes. It takes the newest
/// frame from a mailbox; a frame that nobody has taken yet is replaced, never queued.
///
/// Each refresh, once a second, the panel is told again what it shows, so that a disturbance on the wire heals and a panel that was
/// plugged in late lights up. It goes dark when the loop has not given a sign of life for `stallRefreshes` of these.
public final class PanelWriter: FrameOutput, Sendable {
    private let clock: any Clock
    /// Between refreshes.
    private let refresh: DispatchTimeInterval
    private let mailbox: Mutex<Mailbox>
    /// Counts whenever the mailbox is no longer as the thread left it.
    private let news = DispatchSemaphore(value: 0)
    private let thread = Mutex<OwnThread?>(nil)

    private struct Mailbox: Sendable {
        var frame: Frame
        var isNew = false
        var beats = 0
        var isStopping = false
        var counters = PanelCounters()
    }

    /// Refreshes without a sign of life after which the loop is taken for dead.
    public static let stallRefreshes = 3

    /// A writer that drives what is wired to `bus` as `driver` says, by `clock`, and refreshes after `refresh`. Nil when
    /// the system has no thread to give.
    public init?(
        _ driver: PanelDriver, bus: any PanelBus & Sendable, clock: any Clock,
        refresh: DispatchTimeInterval = .seconds(1)
    ) {
        self.clock = clock
        self.refresh = refresh
        mailbox = Mutex(Mailbox(frame: Frame(columns: driver.configuration.columns, rows: PanelConfiguration.rows)))
        guard let thread = OwnThread(body: { [self] in write(driver, bus) }) else { return nil }
        self.thread.withLock { $0 = thread }
    }

    /// Leaves `frame` in the mailbox.
    public func show(_ frame: Frame, at now: Instant) {
        let wasNew = mailbox.withLock { mailbox in
            mailbox.frame.copy(frame)
            defer { mailbox.isNew = true }
            return mailbox.isNew
        }
        if !wasNew { news.signal() }
    }

    /// A sign of life.
    public func beat() { mailbox.withLock { $0.beats += 1 } }

    /// How it has fared.
    public var counters: PanelCounters { mailbox.withLock { $0.counters } }

    /// Darkens the panel and ends the thread; returns when the last message is out.
    public func stop() {
        mailbox.withLock { $0.isStopping = true }
        news.signal()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    private func write(_ driver: PanelDriver, _ bus: any PanelBus) {
        let panel = DirectPanel(driver, bus: bus)
        var frame = Frame(columns: driver.configuration.columns, rows: PanelConfiguration.rows)
        var lastBeats = -1
        var refreshes = 0
        var isLast = false
        while !isLast {
            _ = news.wait(timeout: .now() + refresh)
            mailbox.withLock { mailbox in
                refreshes = mailbox.isNew || mailbox.beats != lastBeats ? 0 : refreshes + 1
                lastBeats = mailbox.beats
                mailbox.isNew = false
                isLast = mailbox.isStopping
                if isLast || refreshes >= Self.stallRefreshes {
                    frame.fill(.black)
                } else {
                    frame.copy(mailbox.frame)
                }
            }
            panel.show(frame, at: clock.now)
            mailbox.withLock { $0.counters = panel.counters }
        }
    }
}
