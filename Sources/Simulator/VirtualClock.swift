import Instrument
import Runtime

/// A clock that goes as fast as the loop does: waiting takes no time. What a script does happens on its way.
public final class VirtualClock: Clock, @unchecked Sendable {
    /// The time now.
    public private(set) var now = Instant.zero

    /// Called when the time has come to what `nextInput` named, to let it happen.
    private let input: any ScriptedInput

    /// A clock that starts at zero and stops at each moment at which `input` has something to do.
    public init(input: any ScriptedInput) {
        self.input = input
        input.play(until: now)
    }

    /// Goes to `deadline`, or to the input before it.
    public func wait(until deadline: Instant) {
        now = max(now, min(deadline, input.nextInput ?? deadline))
        input.play(until: now)
    }

    /// Nothing waits.
    public func wake() {}
}

/// Something that is done to the box at known times.
public protocol ScriptedInput: AnyObject {
    /// When the next thing is done; nil when there is no more.
    var nextInput: Instant? { get }
    /// Does everything that is due by `now`.
    func play(until now: Instant)
}
