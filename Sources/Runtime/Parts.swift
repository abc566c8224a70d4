import Display
import Instrument
import Overlay
import Panel

// The parts that the loop is handed. `Devices` makes them from hardware, `Simulator` without it.

/// Time, as the loop sees it.
public protocol Clock: AnyObject, Sendable {
    /// The time now.
    var now: Instant { get }
    /// Returns at `deadline`, or sooner when `wake` was called since the last return.
    func wait(until deadline: Instant)
    /// Makes the wait in progress, or else the next one, return. From any thread or signal handler.
    func wake()
}

/// A touch overlay, which may be plugged in and out.
public protocol TouchSource: AnyObject {
    /// The device as of the last `read`; nil while there is none. Another value is another device, or the same one plugged in
    /// again: of its fingers nothing is known but what it reports then.
    var device: TouchDevice? { get }
    /// Appends what `device` has reported since the last call to `reports`, oldest first.
    func read(into reports: inout [InputReport])
}

/// Keys, buttons and settings: whatever acts on the box but fingers on the panel.
public protocol ControlSource: AnyObject {
    /// Appends what was done since the last call to `events`, oldest first.
    func read(into events: inout [ControlEvent])
}

/// Something that was done with a control.
public struct ControlEvent: Hashable, Sendable {
    /// When.
    public var time: Instant
    /// What.
    public var event: Event

    /// `event`, which happened at `time`.
    public init(time: Instant, event: Event) {
        self.time = time
        self.event = event
    }
}

/// Where the rendered sound goes, and how its time relates to the loop's.
public protocol AudioOutput: AnyObject {
    /// Brings the sound up to `now`, where it does not run by itself.
    func advance(to now: Instant)
    /// The engine's frame on which a command given at `now` is to take effect; 0 for as soon as it can.
    func frame(at now: Instant) -> UInt64
    /// When `frame` of the engine is heard.
    func time(of frame: UInt64) -> Instant
}

/// Where frames go.
public protocol FrameOutput: AnyObject {
    /// Shows `frame` from `now` on, in the place of whatever has not been shown yet.
    func show(_ frame: Frame, at now: Instant)
    /// Shows what comes from now on at `part`, 0-1, of the light that it would have.
    func dim(to part: Double)
    /// The loop goes on: called once a pass, whether or not there is a frame to show.
    func beat()
}

extension FrameOutput {
    /// For an output that has no light.
    public func dim(to part: Double) {}
    /// For an output that does not care.
    public func beat() {}
}

/// The wires to the panel.
public protocol PanelBus: AnyObject {
    /// Sends `message` down `chain` and returns when it is out.
    func send(_ message: [UInt8], chain: Int, at now: Instant) throws
    /// Sends a frame, a message to each chain, and returns when all are out.
    func send(_ messages: [[UInt8]], at now: Instant) -> PanelDelivery
}

extension PanelBus {
    /// One chain after the other.
    public func send(_ messages: [[UInt8]], at now: Instant) -> PanelDelivery {
        var delivery = PanelDelivery()
        for (chain, message) in messages.enumerated() {
            do {
                try send(message, chain: chain, at: now)
                delivery.bytes += message.count
            } catch {
                delivery.failures += 1
            }
        }
        return delivery
    }
}

/// What became of a frame's messages.
public struct PanelDelivery: Hashable, Sendable {
    /// Bytes that went out.
    public var bytes: Int
    /// Messages that the bus refused.
    public var failures: Int

    /// This much.
    public init(bytes: Int = 0, failures: Int = 0) {
        self.bytes = bytes
        self.failures = failures
    }

    /// Adds what became of others.
    public static func += (sum: inout PanelDelivery, other: PanelDelivery) {
        sum.bytes += other.bytes
        sum.failures += other.failures
    }
}

/// What keeps the music while the box is off.
public protocol Store: AnyObject {
    /// Takes note of what there is to keep. Called after every event that may have changed it; returns at once.
    func keep(_ state: State, at now: Instant)
}
