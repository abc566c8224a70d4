import InputEvents

/// The pattern's line of time while it plays: places on it count in steps of the pattern without swing, from Play or
/// from the switch to the pattern (docs/spec.md, section 12).
struct StepLine {
    let transport: Instrument.Transport
    let pattern: Pattern
    /// Share of the first step of a pair, in per cent.
    let swing: Int
    /// The tempo that is heard, in beats per minute.
    let tempo: Double

    /// Whether a step is audible or counted in: times have a place on the line.
    var isRunning: Bool { transport.playhead != nil || transport.counted != nil }

    /// Duration of the pattern's step without swing.
    private var microsecondsOfStep: Double { 60_000_000 / Double(Metre.stepsOfQuarter) / tempo }

    /// Duration of a step of `track` without swing.
    func microseconds(ofStepOf track: Track) -> Double { microsecondsOfStep * grid(of: track).division }

    /// The place of `time`; nil while no step is audible and none is counted in.
    private func place(of time: Instant) -> Double? {
        func steps(since start: Instant) -> Double { Double((time - start).microseconds) / microsecondsOfStep }
        if let playhead = transport.playhead {
            let begin = StepGrid(.whole, swing: swing).place(of: playhead.number)
            // Within a pair the line is straight although the steps are not.
            return begin + steps(since: playhead.since)
        }
        return transport.counted.map { steps(since: $0.since) - Double($0.beats * pattern.metre.steps) }
    }

    private func grid(of track: Track) -> StepGrid { StepGrid(pattern[shape: track].division, swing: swing) }

    private func playhead(of track: Track) -> Instrument.Transport.Playhead? {
        transport.playhead(of: track, in: pattern)
    }

    /// The step of `track` with this number; nil before its first step. If it is not the audible one, the track's order
    /// gives it, and of a pendulum or a random one its order since Play.
    func step(ofNumber number: Int, of track: Track) -> Int? {
        guard let playhead = playhead(of: track) else { return nil }
        let offset = number - playhead.number
        let step =
            switch pattern[shape: track].direction {
            // The pattern may have become shorter than the audible step.
            case _ where offset == 0: playhead.step
            case .forward: playhead.step + offset
            case .back: playhead.step - offset
            case .pendulum, .random: pattern.sounding(numberSinceLaunch(number, of: track), of: track).step
            }
        return step.quotientAndRemainder(flooring: pattern.length(of: track)).remainder
    }

    /// The same number, counted from where `track` was launched alone, if it was.
    private func numberSinceLaunch(_ number: Int, of track: Track) -> Int {
        max(0, number - grid(of: track).number(nearestTo: Double(transport.launch(of: track))))
    }

    /// The step to which a note was played.
    struct Target: Hashable, Sendable {
        /// The step's number on its track, counted from Play or from the switch to the pattern.
        var number: Int
        /// When the note was played.
        var time: Instant
        /// The value for the lane `shift`; nil leaves the lane as it is.
        var shift: Int?
        /// The step of the track, once it has begun: then the note is written without sounding twice.
        var step: Int?
        /// Whether it is the first step of the scene or of the part that follows.
        var isCarried = false
    }

    /// How the line goes on when the recording closes.
    enum Carrying {
        /// The music stops.
        case nowhere
        /// Another scene begins, with a line of its own.
        case toScene
        /// Another part of the track begins on the same line.
        case toPart
    }

    /// The step of `track` to which a note is played at `time`; nil if there is none, as in the count-in. `quantise` is
    /// the part of the note's distance from it that is removed, in per cent.
    func target(at time: Instant, on track: Track, quantise: Int) -> Target? {
        guard let place = place(of: time) else { return nil }
        let grid = grid(of: track)
        guard place >= -grid.division / 2 else { return nil }
        var target = Target(number: grid.number(nearestTo: place), time: time)
        // On the grid the lane stays as it is.
        if quantise < Session.quantises.upperBound {
            target.shift = grid.shift(of: place, from: target.number, quantise: quantise)
        }
        return reached(target, on: track)
    }

    /// `target` with its step, if that has begun: until then, what is written there would sound in this pass too.
    func reached(_ target: Target, on track: Track) -> Target {
        guard let playhead = playhead(of: track), playhead.hasHeard(target.number) else { return target }
        var target = target
        target.step = step(ofNumber: target.number, of: track)
        return target
    }

    /// `target` with its step although that does not begin. If the line `carries` on with another scene or part, a target
    /// behind the end of this one is the first step of that. Before the first step all targets are: a part may begin
    /// together with its scene.
    func closed(_ target: Target, on track: Track, carries: Carrying) -> Target {
        guard target.step == nil else { return target }
        var target = target
        let last = transport.playhead?.number ?? -1
        if carries != .nowhere, grid(of: track).place(of: target.number) > Double(last + 1) - Self.tolerance {
            if carries == .toScene { target.number = 0 }
            target.isCarried = true
        } else {
            target.step = step(ofNumber: target.number, of: track)
        }
        return target
    }

    /// Tolerance of places, in steps: times are whole microseconds.
    private static let tolerance = 0.01
}
