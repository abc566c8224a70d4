import InputEvents
import Runtime

/// A virtual clock: waiting takes no time, and inputs play as time passes.
public final class VirtualClock: LoopClock, @unchecked Sendable {
    /// The present time.
    public private(set) var now = Instant.zero

    private let inputs: [any ScriptedInput]

    /// A clock that starts at zero and stops at each time at which one of `inputs` is due.
    public init(inputs: [any ScriptedInput]) {
        self.inputs = inputs
        play()
    }

    /// Advances to `deadline`, or to the next input before it.
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

    /// Does nothing, as no wait is in progress.
    public func wake() {}
}

/// Input with known times.
public protocol ScriptedInput: AnyObject {
    /// Time of the next input; nil at the end.
    var nextInput: Instant? { get }
    /// Plays all input that is due by `now`.
    func play(until now: Instant)
}
