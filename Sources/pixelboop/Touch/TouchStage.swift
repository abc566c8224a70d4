import Display
import Formats
import Glibc
import Instrument
import Overlay
import Replay
import Runtime

/// Where fingers come from and are shown, for a command that looks at them: the overlays of this machine or a recording, and
/// the panel.
final class TouchStage {
    /// What is touched.
    let sources: [any TouchSource]
    /// When it begins.
    let start: Instant
    /// Whether time passes as it does for people.
    let isLive: Bool

    private let recorded: RecordedOverlay?
    private let lights: Lights
    private let inputs: Inputs?
    private let end: Instant?

    /// What `arguments` ask for. To be made after `Ending.hold`.
    init(_ arguments: Arguments, _ configuration: Configuration) throws {
        let recording = try arguments["--from"].map { path in
            try Recordings.touch(try Files.read(path), from: path, arguments, configuration)
        }
        let seconds = try arguments.integer("--seconds", in: 1...86_400)
        // A page is only served to who asks for it, and a recording is read as fast as it goes.
        isLive = recording == nil || arguments["--panel"] != nil
        var kind = try View.Kind(arguments, configuration.panel)
        if arguments["--panel"] == nil, !isLive || kind == .web { kind = .none }
        let lights = try Lights(kind, configuration, arguments)
        self.lights = lights
        start = isLive ? lights.clock.now : .zero
        end = seconds.map { [start] in start + .milliseconds(Int64($0) * 1000) }
        if let recording {
            let overlay = RecordedOverlay(recording, from: start)
            recorded = overlay
            inputs = nil
            sources = [overlay]
        } else {
            let inputs = Inputs(configuration, clock: lights.clock)
            self.inputs = inputs
            recorded = nil
            sources = inputs.touch + (kind.isSimulated ? [lights.view.overlay] : [])
        }
    }

    /// Calls `pass` whenever something has happened, with the frame to draw, until it says that it is over, the recording or
    /// the time is, or the user ends it. `nextDeadline` is when something else is due.
    func run(
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
                Main.tell("there is no touch overlay yet; it is waited for, plug one in")
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

    /// So often something is drawn that moves by itself.
    private static let interval = Instant.Span.milliseconds(50)
}
