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

    fileprivate var driver: PanelDriver
    private let bus: any PanelBus

    /// Drives what is wired to `bus` as `driver` says.
    public init(_ driver: PanelDriver, bus: any PanelBus) {
        self.driver = driver
        self.bus = bus
    }

    /// Shows what comes at `part` of its light.
    public func dim(to part: Double) { driver.dimming = part }

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
public final class PanelWriter: FrameOutput, Sendable {
    /// What LEDs need beside their frames.
    public struct Care: Sendable {
        /// After this long the panel is told again what it shows, so that a disturbance on the wire heals and a panel that
        /// was plugged in late lights up.
        public var refresh = Instant.Span.milliseconds(1000)
        /// The panel goes dark when the loop has given no sign of life for this long.
        public var stall = Instant.Span.milliseconds(3000)
        /// The power allowed grows from nothing to all within this long from the first frame that goes out, and again after
        /// one that did not, so that the supply is never asked for everything at once.
        public var softStart = Instant.Span.milliseconds(0)
        /// Frames go on as fast as dithering needs them, where the bus is fast enough for it.
        public var dithers = false

        /// For a panel that is simulated.
        public init() {}

        /// For real LEDs.
        public static let leds: Care = {
            var care = Care()
            care.softStart = .milliseconds(500)
            care.dithers = true
            return care
        }()
    }

    private let clock: any Clock
    private let care: Care
    private let mailbox: Mutex<Mailbox>
    /// Counts whenever the mailbox is no longer as the thread left it.
    private let news = MonotonicSemaphore()
    private let thread = Mutex<OwnThread?>(nil)

    private struct Mailbox: Sendable {
        var frame: Frame
        var light = 1.0
        var isNew = false
        var beats = 0
        var isStopping = false
        var counters = PanelCounters()
    }

    /// Frames a second while one of them depends on the time: in a soft start and while dithering.
    private static let movingFrameMicroseconds: Int64 = 8333

    /// A writer that drives what is wired to `bus` as `driver` says, by `clock`, with `care`. Nil when the system has no
    /// thread to give.
    public init?(_ driver: PanelDriver, bus: any PanelBus & Sendable, clock: any Clock, care: Care = Care()) {
        self.clock = clock
        self.care = care
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

    /// Shows what comes at `part` of its light.
    public func dim(to part: Double) { mailbox.withLock { $0.light = part } }

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
        var start = clock.now
        var failures = 0
        var lastSign = start
        var lastBeats = 0
        var pause = care.refresh
        var isLast = false
        while !isLast {
            news.wait(timeout: pause)
            let now = clock.now
            mailbox.withLock { mailbox in
                if mailbox.isNew || mailbox.beats != lastBeats { lastSign = now }
                lastBeats = mailbox.beats
                mailbox.isNew = false
                panel.driver.dimming = mailbox.light
                isLast = mailbox.isStopping
                if isLast || now - lastSign >= care.stall {
                    frame.fill(.black)
                } else {
                    frame.copy(mailbox.frame)
                }
            }
            let isStarting = now - start < care.softStart
            panel.driver.powerLimit = isStarting ? Double((now - start).fraction(of: care.softStart)) : 1
            panel.show(frame, at: now)
            if panel.counters.failures > failures { start = clock.now }
            failures = panel.counters.failures
            let taken = (clock.now - now).microseconds
            let rate = 1_000_000 / Double(max(taken, Self.movingFrameMicroseconds))
            let dithers = care.dithers && panel.driver.configuration.dither && rate >= PanelDriver.ditherRate
            panel.driver.framesPerSecond = dithers ? rate : 0
            let isMoving = isStarting || dithers
            pause =
                isMoving ? .init(microseconds: max(0, Self.movingFrameMicroseconds - taken)) : care.refresh
            mailbox.withLock { $0.counters = panel.counters }
        }
    }
}
