import InputEvents
import Display
import Instrument
import Panel

/// Statistics of a panel.
public struct PanelCounters: Hashable, Sendable {
    /// Frames sent.
    public var frames = 0
    /// Bytes sent.
    public var bytes = 0
    /// Messages that the bus refused.
    public var failures = 0
    /// Current of the last frame, in amperes.
    public var amps = 0.0

    /// All zero.
    public init() {}
}

/// Drives the panel on the caller's thread: `show` returns when the frame has been sent.
public final class DirectPanel: FrameOutput {
    /// Statistics so far.
    public private(set) var counters = PanelCounters()

    /// The driver, whose light and power a writer changes between two frames.
    package var driver: PanelDriver
    private let bus: any PanelBus

    /// Drives the LEDs on `bus` by `driver`.
    public init(_ driver: PanelDriver, bus: any PanelBus) {
        self.driver = driver
        self.bus = bus
    }

    /// Dims all following frames to `part` of their light.
    public func dim(to part: Double) { driver.dimming = part }

    /// Limits the current of all following frames to `share` of what the colours may draw.
    public func limit(to share: Double) { driver.lightLimit = share }

    /// Shows `frame`. Counts messages that the bus refuses; the next frame replaces them completely.
    public func show(_ frame: Frame, at now: Instant) {
        driver.drive(frame, at: now.microseconds)
        let delivery = bus.send(driver.messages, at: now)
        counters.bytes += delivery.bytes
        counters.failures += delivery.failures
        counters.frames += 1
        counters.amps = driver.amps
    }
}
