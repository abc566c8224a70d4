import InputEvents
import Display
import Instrument
import Input
import Panel

// The loop's interfaces. `Devices` implements them with hardware, `Pages` without it.

/// The loop's clock.
public protocol LoopClock: AnyObject, Sendable {
    /// Current time.
    var now: Instant { get }
    /// Returns at `deadline`, or earlier if `wake` was called since the last return.
    func wait(until deadline: Instant)
    /// Ends the current wait, or otherwise the next one. May be called from any thread or signal handler.
    func wake()
}

/// Touch overlays, each on a port of its own, that can be connected and disconnected.
public protocol TouchSource: AnyObject {
    /// Number of ports; it never changes.
    var portCount: Int { get }
    /// Reads the input since the last call into `ports`, which has `portCount` elements without reports and snapshots.
    func read(into ports: inout [TouchPort])
}

/// The input of one overlay in one pass of the loop.
public struct TouchPort: Sendable {
    /// The device; nil if there is none. A different value is another device, or the same one connected again: the
    /// state of its fingers is then unknown until it reports them.
    public var device: TouchDevice?
    /// Reports of the device, oldest first.
    public var reports: [InputReport] = []
    /// The device's state after these reports, and when it was read; nil if it was not read.
    public var snapshot: (state: TouchSnapshot, time: Instant)?

    /// A port without a device and with room for `capacity` reports. More reports cost an allocation, but are not lost.
    public init(capacity: Int = 0) { reports.reserveCapacity(capacity) }

    /// Removes the reports and the snapshot.
    public mutating func removeInput() {
        reports.removeAll(keepingCapacity: true)
        snapshot = nil
    }
}

/// A source of events other than touches: keys, buttons and settings.
public protocol ControlSource: AnyObject {
    /// Appends the events since the last call to `events`, oldest first.
    func read(into events: inout [ControlEvent])
}

/// An event of a control.
public struct ControlEvent: Hashable, Sendable {
    /// Time of the event.
    public var time: Instant
    /// The event.
    public var event: Instrument.Event

    /// An event at `time`.
    public init(time: Instant, event: Instrument.Event) {
        self.time = time
        self.event = event
    }
}

/// The output of the rendered sound, and the mapping between its time and the loop's.
public protocol AudioOutput: AnyObject {
    /// Renders the sound up to `now`, for an output without a thread of its own.
    func advance(to now: Instant)
    /// The engine's frame for a command given at `now`; 0 for as soon as possible.
    func frame(at now: Instant) -> UInt64
    /// Time at which the engine's `frame` is audible.
    func time(of frame: UInt64) -> Instant
    /// Place in the engine's frames that is audible at `now`; nil as long as it is not known.
    func place(at now: Instant) -> Double?
}

/// The output of frames.
public protocol FrameOutput: AnyObject {
    /// Whether somebody sees the frames: without that none is drawn.
    var isSeen: Bool { get }
    /// Shows `frame` from `now` on; replaces frames that have not been shown yet.
    func show(_ frame: Frame, at now: Instant)
    /// Dims all following frames to `part`, 0-1, of their light.
    func dim(to part: Double)
    /// Limits the current of all following frames to `share`, 0-1, of what the colours may draw.
    func limit(to share: Double)
    /// Called once a pass, with or without a new frame, to show that the loop is alive.
    func beat()
}

extension FrameOutput {
    /// True.
    public var isSeen: Bool { true }
    /// Does nothing, for an output without light.
    public func dim(to part: Double) {}
    /// Does nothing, for an output without light.
    public func limit(to share: Double) {}
    /// Does nothing.
    public func beat() {}
}

/// Takes the pictures that the panel shows.
public protocol PictureOutput: AnyObject, Sendable {
    /// Takes the picture `drawn`, row by row, without its flashes, which `driver` has just encoded. Returns at once.
    func show(_ drawn: [RGB], by driver: PanelDriver)
}

/// The pictures that other machines send, and who sends them.
public protocol PictureInput: LightPictures, ControlSource {
    /// Says whose picture the panel shows: nil for nobody's. From now on a new picture of it ends the loop's wait.
    /// Returns whether it has one since the last call.
    func follow(_ source: Int?) -> Bool
    /// Takes a touch of the picture of a source, in columns and rows of the panel.
    func touch(_ source: Int, _ touch: Touch)
}

extension PictureInput {
    /// Does nothing, for sources that only send.
    public func touch(_ source: Int, _ touch: Touch) {}
}

/// The connection to the panel's LEDs.
public protocol PanelBus: AnyObject {
    /// Why a message is not sent.
    associatedtype SendError: Error
    /// Sends `message` to `chain` and returns when it has been sent.
    func send(_ message: [UInt8], chain: Int, at now: Instant) throws(SendError)
    /// Sends a frame, one message to each chain, and returns when all have been sent.
    func send(_ messages: [[UInt8]], at now: Instant) -> PanelDelivery
}

extension PanelBus {
    /// Sends to one chain after the other.
    public func send(_ messages: [[UInt8]], at now: Instant) -> PanelDelivery {
        var delivery = PanelDelivery()
        for (chain, message) in messages.enumerated() {
            do throws(SendError) {
                try send(message, chain: chain, at: now)
                delivery.bytes += message.count
            } catch {
                delivery.failures += 1
            }
        }
        return delivery
    }
}

/// Result of sending a frame.
public struct PanelDelivery: Hashable, Sendable {
    /// Bytes sent.
    public var bytes: Int
    /// Messages that the bus refused.
    public var failures: Int

    /// A result with these numbers.
    public init(bytes: Int = 0, failures: Int = 0) {
        self.bytes = bytes
        self.failures = failures
    }

    /// Adds another result.
    public static func += (sum: inout PanelDelivery, other: PanelDelivery) {
        sum.bytes += other.bytes
        sum.failures += other.failures
    }
}

/// Storage of the music while the box is off.
public protocol Store: AnyObject {
    /// Records the state to store. Called after every event that may have changed it; returns at once.
    func keep(_ state: Instrument.State, at now: Instant)
}
