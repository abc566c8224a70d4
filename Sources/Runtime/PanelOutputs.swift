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
public final class PanelWriter: FrameOutput, @unchecked Sendable {
    private let condition = NSCondition()
    private var newest: Frame
    private var time = Instant.zero
    private var isWaiting = false
    private var isStopping = false
    private var hasStopped = false
    private var latest = PanelCounters()

    /// A writer that drives what is wired to `bus` as `driver` says.
    public init(_ driver: PanelDriver, bus: any PanelBus & Sendable) {
        newest = Frame(columns: driver.configuration.columns, rows: PanelConfiguration.rows)
        let thread = Thread { [self] in write(driver, bus) }
        thread.name = "panel writer"
        thread.start()
    }

    /// Leaves `frame` in the mailbox.
    public func show(_ frame: Frame, at now: Instant) {
        condition.withLock {
            newest.copy(frame)
            time = now
            isWaiting = true
            condition.signal()
        }
    }

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
        while true {
            condition.lock()
            latest = panel.counters
            while !isWaiting && !isStopping { condition.wait() }
            let isLast = isStopping
            if isLast { frame.fill(.black) } else { frame.copy(newest) }
            let now = time
            isWaiting = false
            condition.unlock()
            panel.show(frame, at: now)
            if isLast { break }
        }
        condition.withLock {
            hasStopped = true
            condition.broadcast()
        }
    }
}
