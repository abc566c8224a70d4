import InputEvents
import Display

/// A value that a finger moves up and down.
enum Fader: Hashable, Sendable {
    /// A sound parameter.
    case sound(SoundControl)
    /// The master volume.
    case master
    /// The brightness of the LEDs.
    case light
    /// A click on every beat.
    case metronome
    /// Bars of clicks before the first step.
    case countIn
    /// How far recorded notes are moved to their steps.
    case quantise
    /// Whether the playing scene has its own sound.
    case own
    /// A control of how a track runs.
    case track(Track, TrackSheet.Control)

    /// Rows of the fader's bar.
    static let rows = 7...17
    /// Rows in which a finger grips the fader.
    static let target: ClosedRange<Float> = 5.5...18.5
    /// Maximum distance in rows from the cap at which a finger grips it without a jump.
    static let reach: Float = 2

    /// Time of a full-range move to a finger that landed far from the cap. Changes that could startle take longer.
    var walk: Instant.Span {
        switch self {
        case .master, .light: .milliseconds(1500)
        case .sound, .metronome, .countIn, .quantise, .own, .track: .milliseconds(250)
        }
    }

    /// Whether it is part of the music, which undo restores, or writes music.
    var isMusic: Bool { if case .track = self { true } else { self == .own } }

    /// Whether a hold on its letter does something: V of a pad chooses its choke group, S and E turn its sample round.
    var hasHold: Bool {
        if case .sound(.pad(_, let control)) = self { control == .volume || control.isOfSample } else { false }
    }

    /// The level, 0-1, at `row`.
    static func level(atRow row: Float) -> Float {
        min(max((Float(rows.upperBound) - row) / Float(rows.count - 1), 0), 1)
    }

    /// The row of the cap at `level`.
    static func row(of level: Float) -> Float { Float(rows.upperBound) - level * Float(rows.count - 1) }

    /// Draws a fader at `level`, `columns` wide from `column`.
    static func draw(
        into frame: inout Frame, column: Int, columns: Int = 3, level: Float, colour: RGB, isTouched: Bool,
        isBipolar: Bool = false
    ) {
        let bottom = rows.upperBound
        let steps = Float(rows.count - 1)
        for row in rows { frame[column + columns / 2, row] = Palette.rail }
        // Levels come from rounded values, so a hair below a whole step counts as the step.
        let whole = min(Int(level * steps + 1e-3), rows.count - 1)
        let part = max(0, level * steps - Float(whole))
        func fill(_ row: Int, _ colour: RGB) {
            frame.fill(columns: column..<column + columns, rows: row..<row + 1, colour)
        }
        let body = RGB.black.blended(towards: colour, 0.38)
        if isBipolar {
            let middle = (rows.count - 1) / 2
            fill(bottom - middle, RGB.black.blended(towards: colour, 0.3))
            for step in min(middle, whole)...max(middle, whole) { fill(bottom - step, body) }
        } else {
            for step in 0..<whole { fill(bottom - step, body) }
        }
        let cap = isTouched ? RGB.white : colour
        fill(bottom - whole, cap)
        if part > 0.05, whole + 1 < rows.count {
            fill(bottom - whole - 1, RGB.black.blended(towards: cap, 0.6 * part * part))
        }
    }

    /// Draws the dots of an unavailable fader.
    static func drawUnavailable(into frame: inout Frame, column: Int, columns: Int = 3) {
        for row in rows where row % 2 == 1 { frame[column + columns / 2, row] = RGB(0x161616) }
    }

    /// A finger's grip on a fader.
    struct Grip: Hashable, Sendable {
        /// The level now, 0-1.
        private(set) var level: Float
        /// Target level at the finger, 0-1.
        private var goal: Float
        /// Level of the cap above the finger while it follows at once; nil while it walks to the finger.
        private var lead: Float?
        private var since: Instant
        private let walk: Instant.Span
        /// The fader's value at the finger while that writes a lane; nil while it moves the fader itself.
        var written: Int?
        /// Whether it has been written.
        var hasWritten = false

        /// A finger grips a fader at `row` and `now`; the fader is at `level` and walks its full range in `walk`.
        init(at row: Float, level: Float, walk: Instant.Span, _ now: Instant) {
            self.level = level
            self.walk = walk
            since = now
            goal = Fader.level(atRow: row)
            if abs(row - Fader.row(of: level)) <= Fader.reach { lead = level - goal }
        }

        /// Whether the level is walking to the finger.
        var isWalking: Bool { lead == nil && level != goal }

        /// Updates the finger's row.
        mutating func move(to row: Float, _ now: Instant) {
            advance(to: now)
            goal = Fader.level(atRow: row)
            if let lead { level = min(max(goal + lead, 0), 1) }
        }

        /// Continues the walk until `now`.
        mutating func advance(to now: Instant) {
            let way = (now - since).fraction(of: walk)
            since = now
            guard isWalking else { return }
            level = level < goal ? min(level + way, goal) : max(level - way, goal)
            if level == goal { lead = 0 }
        }
    }
}

extension Instrument {
    /// Handles contact `id` that grips `fader`.
    mutating func grip(_ fader: Fader, contact id: Int) {
        state.fingers.joinFaders(id)
        state.fingers[id].grip = Fader.Grip(
            at: state.fingers[id].motion.position.row, level: level(of: fader), walk: fader.walk, now)
        let written = writesLane(fader) ? value(of: fader) : nil
        state.fingers[id].grip?.written = written
    }

    /// Handles contact `id`, which grips `fader` and is at `row`.
    mutating func drag(_ fader: Fader, contact id: Int, to row: Float) {
        let before = state.fingers[id].grip?.level
        state.fingers[id].grip?.move(to: row, now)
        // A finger that rests leaves the fader where a controller has moved it since.
        if state.fingers[id].grip?.level != before { follow(fader, contact: id) }
    }

    /// Continues the walks of all gripped faders until `now`.
    mutating func advanceFaders() {
        for id in state.fingers.contacts.indices {
            guard case .spot(.fader(let fader), _)? = state.fingers[id].role,
                state.fingers[id].grip?.isWalking == true
            else { continue }
            state.fingers[id].grip?.advance(to: now)
            follow(fader, contact: id)
        }
    }

    /// Handles a tap of contact `id` on the letter under `fader`: a double tap restores the default.
    mutating func tapLetter(of fader: Fader, contact id: Int) {
        if state.fingers.doubleTap(onLetterOf: fader, at: now) {
            set(fader, to: nil, contact: id)
        } else {
            state.fingers.remember(Fingers.Tap(landing: state.fingers[id].landing, target: .letter(fader)))
        }
    }

    /// Handles a finger that has held the letter under `fader`.
    mutating func holdLetter(of fader: Fader, contact id: Int) {
        guard case .sound(.pad(let pad, let control)) = fader else { return }
        if control == .volume { choke(pad, contact: id) } else { turn(pad, contact: id) }
    }

    private mutating func follow(_ fader: Fader, contact id: Int) {
        guard let level = state.fingers[id].grip?.level else { return }
        let value = fader.value(at: level, in: range(of: fader))
        guard value != self.value(of: fader) else { return }
        if case .sound(.track(let track, let control)) = fader, state.fingers[id].grip?.written != nil {
            state.fingers[id].grip?.written = value
            effects.append(.turn(track, control))
        } else {
            set(fader, to: value, contact: id)
        }
        showName(of: .fader(fader))
    }

    /// Draws `fader` and the letter below it.
    func draw(_ fader: Fader, _ letter: TextLine, colour: RGB, column: Int, into frame: inout Frame) {
        var ink = Palette.off
        if isAvailable(fader) {
            let isTouched = isTouched(.fader(fader)) || isTouched(.letter(fader))
            ink = isTouched ? .white : fader == .master ? Palette.text : Palette.quiet
            Fader.draw(
                into: &frame, column: column, level: gripped(fader) ?? level(of: fader),
                colour: colour, isTouched: isTouched, isBipolar: fader.row.isBipolar)
        } else {
            Fader.drawUnavailable(into: &frame, column: column)
        }
        letter.draw(into: &frame, column: column, row: 19, colour: ink)
    }

    /// The level at the finger that grips `fader`, which is finer than the value; nil without one.
    private func gripped(_ fader: Fader) -> Float? {
        for contact in state.fingers.contacts where contact.isOn(.fader(fader)) { return contact.grip?.level }
        return nil
    }
}
