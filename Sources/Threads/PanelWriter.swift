import Display
import InputEvents
import Panel
import Runtime
import Synchronization

/// Drives the panel on a thread of its own, which may block in the bus for the duration of a frame. It takes the newest
/// frame from a mailbox; a newer frame replaces one that was not taken, so there is no queue.
public final class PanelWriter: FrameOutput, Sendable {
    /// Timing options of the LEDs.
    public struct Care: Sendable {
        /// Interval at which an unchanged frame is sent again, to repair a disturbed transmission and to light a panel
        /// that was connected later.
        public var refresh = Instant.Span.milliseconds(1000)
        /// Time without a `beat` of the loop after which the panel goes dark.
        public var stall = Instant.Span.milliseconds(3000)
        /// Duration of the power ramp from zero to the limit after the first frame, and again after a failed frame,
        /// which protects the supply from an inrush.
        public var softStart = Instant.Span.milliseconds(0)
        /// The state of the LEDs' supply at the start.
        public var phase = SupplySequence.Phase.lit
        /// Whether frames repeat at the rate of dithering, if the bus is fast enough.
        public var dithers = false

        /// For a simulated panel.
        public init() {}

        /// For real LEDs.
        public static let leds: Care = {
            var care = Care()
            care.softStart = .milliseconds(500)
            care.phase = .off
            care.dithers = true
            return care
        }()
    }

    private let clock: any LoopClock
    private let care: Care
    private let mailbox: Mutex<Mailbox>
    /// Signals that the mailbox has changed since the thread last read it.
    private let changes: any TimedSemaphore
    private let mirrors: [any PictureOutput]
    private let thread = Mutex<OwnThread?>(nil)

    private struct Mailbox: Sendable {
        var frame: Frame
        var light = 1.0
        var limit = 1.0
        var phase: SupplySequence.Phase
        /// Whether a dark frame was asked for and not begun.
        var isDarkDue = false
        var darkFrames = 0
        var isNew = false
        var beats = 0
        var isStopping = false
        var counters = PanelCounters()
    }

    /// Frame interval in microseconds during a soft start, while dithering, and while the flash guard holds a part of
    /// the frame.
    private static let movingFrameMicroseconds: Int64 = 8333

    /// A writer that drives the LEDs on `bus` by `driver` and `clock`, with `care`. Its thread waits on `changes`,
    /// whose timeouts go by the same clock. `mirrors` get each picture. Nil if the system cannot create a thread.
    public init?(
        _ driver: PanelDriver, bus: any PanelBus & Sendable, clock: any LoopClock,
        changes: any TimedSemaphore = MonotonicSemaphore(), care: Care = Care(), mirrors: [any PictureOutput] = []
    ) {
        self.clock = clock
        self.changes = changes
        self.care = care
        self.mirrors = mirrors
        mailbox = Mutex(
            Mailbox(
                frame: Frame(columns: driver.configuration.columns, rows: PanelConfiguration.rows),
                phase: care.phase))
        guard let thread = OwnThread(body: { [self] in write(driver, bus) }) else { return nil }
        self.thread.withLock { $0 = thread }
    }

    /// Puts `frame` into the mailbox.
    public func show(_ frame: Frame, at now: Instant) {
        let wasNew = mailbox.withLock { mailbox in
            mailbox.frame.copy(frame)
            defer { mailbox.isNew = true }
            return mailbox.isNew
        }
        if !wasNew { changes.signal() }
    }

    /// Dims all following frames to `part` of their light.
    public func dim(to part: Double) { mailbox.withLock { $0.light = part } }

    /// Limits the current of all following frames to `share` of what the colours may draw.
    public func limit(to share: Double) { mailbox.withLock { $0.limit = share } }

    /// Follows the supply of the LEDs: holds the panel dark until it is lit, and sends a dark frame when `phase` asks
    /// for one.
    public func follow(_ phase: SupplySequence.Phase) {
        let isNew = mailbox.withLock { mailbox in
            guard phase != mailbox.phase else { return false }
            mailbox.phase = phase
            mailbox.isDarkDue = phase == .darkening
            return true
        }
        if isNew { changes.signal() }
    }

    /// Number of dark frames sent in full that `follow` asked for.
    public var darkFrames: Int { mailbox.withLock { $0.darkFrames } }

    /// Shows that the loop is alive.
    public func beat() { mailbox.withLock { $0.beats += 1 } }

    /// Statistics so far.
    public var counters: PanelCounters { mailbox.withLock { $0.counters } }

    /// Turns the panel dark and ends the thread; returns when the last message has been sent.
    public func stop() {
        mailbox.withLock { $0.isStopping = true }
        changes.signal()
        thread.join()
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
        var isHeld = false
        var isDarkDue = false
        while !isLast {
            changes.wait(timeout: pause)
            let now = clock.now
            mailbox.withLock { mailbox in
                if mailbox.isNew || mailbox.beats != lastBeats { lastSign = now }
                lastBeats = mailbox.beats
                mailbox.isNew = false
                panel.driver.dimming = mailbox.light
                panel.driver.lightLimit = mailbox.limit
                isLast = mailbox.isStopping
                isHeld = mailbox.phase != .lit
                isDarkDue = mailbox.isDarkDue
                mailbox.isDarkDue = false
                if isLast || isHeld || now - lastSign >= care.stall {
                    frame.fill(.black)
                } else {
                    frame.copy(mailbox.frame)
                }
            }
            // The power rises from zero once the LEDs have supply and data.
            if isHeld { start = now }
            let isStarting = now - start < care.softStart
            panel.driver.powerLimit = isStarting ? Double((now - start).fraction(of: care.softStart)) : 1
            panel.show(frame, at: now)
            for mirror in mirrors { mirror.show(panel.driver.guarded ?? frame.pixels, by: panel.driver) }
            let isWhole = panel.counters.failures == failures
            if !isWhole { start = clock.now }
            failures = panel.counters.failures
            let taken = (clock.now - now).microseconds
            let rate = 1_000_000 / Double(max(taken, Self.movingFrameMicroseconds))
            let dithers = care.dithers && panel.driver.configuration.dither && rate >= PanelDriver.ditherRate
            panel.driver.framesPerSecond = dithers ? rate : 0
            let isMoving = !isHeld && (isStarting || dithers || panel.driver.isHolding)
            pause =
                isMoving ? .init(microseconds: max(0, Self.movingFrameMicroseconds - taken)) : care.refresh
            mailbox.withLock { mailbox in
                mailbox.counters = panel.counters
                guard isDarkDue else { return }
                // A dark frame that was not sent in full is due again.
                if isWhole { mailbox.darkFrames += 1 } else { mailbox.isDarkDue = mailbox.phase == .darkening }
            }
        }
    }
}
