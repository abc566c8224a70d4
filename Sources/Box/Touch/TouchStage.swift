import InputEvents
import Display
import Formats
import Glibc
import Input
import Replay
import Runtime

/// The touch sources and the panel of a command that shows touches: the overlays of this machine or a recording.
package final class TouchStage {
    /// The touch sources.
    package let sources: [any TouchSource]
    /// Start time.
    package let start: Instant
    /// Whether the clock is the machine's, not a virtual one.
    package let isLive: Bool

    private let recorded: RecordedOverlay?
    private let lights: CommandPanel
    private let inputs: Inputs?
    private let end: Instant?

    /// The stage for `recording`, else for the overlays of `configuration`; it ends after `seconds`. Make it after
    /// `StopSignals.hold`.
    package init(
        _ recording: RecordedTouch?, _ options: BoxOptions, _ configuration: Configuration, seconds: Int?
    ) throws {
        // A page is served only on request, and a recording is played at full speed.
        isLive = recording == nil || options.panel != nil
        var kind = PanelView.Kind(options.panel, configuration.panel)
        if options.panel == nil, !isLive || kind == .web { kind = .none }
        let lights = try CommandPanel(kind, configuration, options)
        self.lights = lights
        start = isLive ? lights.clock.now : .zero
        end = seconds.map { [start] in start + .milliseconds(Int64($0) * 1000) }
        if let recording {
            let overlay = RecordedOverlay(recording, from: start)
            recorded = overlay
            inputs = nil
            sources = [overlay]
        } else {
            let inputs = Inputs(configuration, over: lights.view, clock: lights.clock)
            self.inputs = inputs
            recorded = nil
            sources = inputs.touch + (kind.isSimulated ? [lights.view.overlay] : [])
        }
    }

    /// Calls `pass` with the frame to draw after each input and at `nextDeadline`, until it returns that it is over,
    /// the recording or the time ends, or the user ends it.
    package func run(
        until nextDeadline: () -> Instant?, _ pass: (_ now: Instant, _ frame: inout Frame) throws -> Bool
    ) throws {
        let isOver = Result { try isLive ? runLive(nextDeadline, pass) : runRecording(nextDeadline, pass) }
        try lights.stop()
        try isOver.get()
    }

    private func runRecording(
        _ nextDeadline: () -> Instant?, _ pass: (_ now: Instant, _ frame: inout Frame) throws -> Bool
    ) throws {
        guard let recorded else { return }
        let clock = VirtualClock(inputs: [recorded])
        while try pass(clock.now, &lights.frame), !lights.stopper.isStopping {
            guard let next = [recorded.nextInput, nextDeadline()].compactMap(\.self).min() else { break }
            if let end, next > end { break }
            clock.wait(until: next)
        }
    }

    private func runLive(
        _ nextDeadline: () -> Instant?, _ pass: (_ now: Instant, _ frame: inout Frame) throws -> Bool
    ) throws {
        var shown: Frame?
        var hasTold = false
        while !lights.stopper.isStopping {
            let now = lights.clock.now
            recorded?.play(until: now)
            let goesOn = try pass(now, &lights.frame)
            if lights.frame != shown {
                lights.show(at: now)
                shown = lights.frame
            }
            inputs?.report(at: now)
            if !hasTold, let inputs, inputs.isEmpty {
                Log.post("there is no touch overlay yet; plug one in")
                hasTold = true
            }
            guard goesOn, end.map({ now < $0 }) ?? true else { break }
            var next = now + Self.interval
            if let recorded {
                guard let due = [recorded.nextInput, nextDeadline()].compactMap(\.self).min() else { break }
                next = min(next, due)
            }
            if let deadline = nextDeadline() { next = min(next, deadline) }
            lights.clock.wait(until: next)
        }
    }

    /// Interval between frames of an animation.
    private static let interval = Instant.Span.milliseconds(50)
}
