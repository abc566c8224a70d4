import Display
import Foundation
import Instrument
import Panel

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
public final class PanelWriter: FrameOutput, @unchecked Sendable {
    private let clock: any Clock
    /// Seconds between refreshes.
    private let refresh: Double
    private let condition = NSCondition()
    private var newest: Frame
    private var isNew = false
    private var beats = 0
    private var isStopping = false
    private var hasStopped = false
    private var latest = PanelCounters()

    /// Refreshes without a sign of life after which the loop is taken for dead.
    public static let stallRefreshes = 3

    /// A writer that drives what is wired to `bus` as `driver` says, by `clock`, and refreshes after `refresh` seconds.
    public init(_ driver: PanelDriver, bus: any PanelBus & Sendable, clock: any Clock, refresh: Double = 1) {
        self.clock = clock
        self.refresh = refresh
        newest = Frame(columns: driver.configuration.columns, rows: PanelConfiguration.rows)
        let thread = Thread { [self] in write(driver, bus) }
        thread.name = "panel writer"
        thread.start()
    }

    /// Leaves `frame` in the mailbox.
    public func show(_ frame: Frame, at now: Instant) {
        condition.withLock {
            newest.copy(frame)
            isNew = true
            condition.signal()
        }
    }

    /// A sign of life.
    public func beat() { condition.withLock { beats += 1 } }

    /// How it has fared.
    public var counters: PanelCounters { condition.withLock { latest } }

    /// Darkens the panel and ends the thread; returns when the last message is out.
    public func stop() {
        condition.withLock {
            isStopping = true
            condition.signal()
            while !hasStopped { condition.wait() }
        }
    }

    private func write(_ driver: PanelDriver, _ bus: any PanelBus) {
        let panel = DirectPanel(driver, bus: bus)
        var frame = Frame(columns: driver.configuration.columns, rows: PanelConfiguration.rows)
        var lastBeats = -1
        var refreshes = 0
        var isLast = false
        while !isLast {
            condition.lock()
            latest = panel.counters
            let refresh = Date(timeIntervalSinceNow: self.refresh)
            while !isNew && !isStopping && condition.wait(until: refresh) {}
            refreshes = isNew || beats != lastBeats ? 0 : refreshes + 1
            lastBeats = beats
            isLast = isStopping
            if isLast || refreshes >= Self.stallRefreshes {
                frame.fill(.black)
            } else {
                frame.copy(newest)
            }
            isNew = false
            condition.unlock()
            panel.show(frame, at: clock.now)
        }
        condition.withLock {
            latest = panel.counters
            hasStopped = true
            condition.broadcast()
        }
    }
}
