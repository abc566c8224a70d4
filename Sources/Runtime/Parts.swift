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
