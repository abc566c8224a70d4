import Instrument
import Runtime

/// A clock that goes as fast as the loop does: waiting takes no time. What a script does happens on its way.
public final class VirtualClock: Clock, @unchecked Sendable {
    /// The time now.
    public private(set) var now = Instant.zero

    private let inputs: [any ScriptedInput]

    /// A clock that starts at zero and stops at each moment at which one of `inputs` has something to do.
    public init(inputs: [any ScriptedInput]) {
        self.inputs = inputs
        play()
    }

    /// Goes to `deadline`, or to the input before it.
    public func wait(until deadline: Instant) {
        var next = deadline
        for input in inputs {
            if let time = input.nextInput { next = min(next, time) }
        }
        now = max(now, next)
        play()
    }

    private func play() {
        for input in inputs { input.play(until: now) }
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
