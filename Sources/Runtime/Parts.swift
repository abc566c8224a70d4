import Display
import Instrument
import Panel
import Synth

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

/// A touch device that speaks multi-touch protocol B.
public protocol TouchSource: AnyObject {
    /// The ranges of its axes.
    var axes: TouchAxes { get }
    /// Appends what it has reported since the last call to `reports`, oldest first.
    func read(into reports: inout [InputReport])
}

/// Keys and buttons.
public protocol ControlSource: AnyObject {
    /// Appends the presses since the last call to `presses`, oldest first.
    func read(into presses: inout [KeyPress])
}

/// A key that was pressed.
public struct KeyPress: Hashable, Sendable {
    /// When.
    public var time: Instant
    /// Which.
    public var key: Key

    /// `key`, pressed at `time`.
    public init(time: Instant, key: Key) {
        self.time = time
        self.key = key
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
}

/// The wires to the panel.
public protocol PanelBus: AnyObject {
    /// Sends `message` down `chain` and returns when it is out.
    func send(_ message: [UInt8], chain: Int, at now: Instant) throws
}

/// What keeps the music while the box is off.
public protocol Store: AnyObject {
    /// Takes note of what there is to keep. Called after every event that may have changed it; returns at once.
    func keep(_ state: State, at now: Instant)
}
