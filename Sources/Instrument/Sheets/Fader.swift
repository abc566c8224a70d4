import Display

/// A value that a finger pushes up and down.
enum Fader: Hashable, Sendable {
    /// Something about the sound.
    case sound(SoundControl)
    /// The master volume.
    case master
    /// The brightness of the LEDs.
    case light
    /// A click on every beat.
    case metronome
    /// Bars of clicks before the first step.
    case countIn

    /// How it stands and looks: a bar of LEDs from `rows`' end up.
    static let rows = 7...17
    /// The rows in which a finger that lands takes it.
    static let target: ClosedRange<Float> = 5.5...18.5
    /// A finger that lands no further than so many rows from the cap takes it without a jump.
    static let reach: Float = 2

    /// The time in which the level walks from one end to the other to a finger that landed far from the cap: what could
    /// startle takes longer.
    var walk: Instant.Span {
        switch self {
        case .master, .light: .milliseconds(1500)
        default: .milliseconds(250)
        }
    }

    /// Whether its middle means nothing, and it goes both ways.
    var isBipolar: Bool {
        if case .sound(.track(_, .pan)) = self { true } else { false }
    }

    /// Whether it does anything. The drums keep the shapes of their recipes.
    var isAvailable: Bool {
        switch self {
        case .sound(.track(.rhythm, .attack)), .sound(.track(.rhythm, .decay)), .sound(.track(.rhythm, .sustain)),
            .sound(.track(.rhythm, .release)):
            false
        default: true
        }
    }

    /// The level, 0-1, at `row`.
    static func level(atRow row: Float) -> Float {
        min(max((Float(rows.upperBound) - row) / Float(rows.count - 1), 0), 1)
    }

    /// The row of the cap at `level`.
    static func row(of level: Float) -> Float { Float(rows.upperBound) - level * Float(rows.count - 1) }

    /// Draws it, `columns` wide from `column`, at `level`.
    static func draw(
        into frame: inout Frame, column: Int, columns: Int = 3, level: Float, colour: RGB, isTouched: Bool,
        isBipolar: Bool = false
    ) {
        let bottom = rows.upperBound
        let steps = Float(rows.count - 1)
        for row in rows { frame[column + columns / 2, row] = Palette.rail }
        // A hair below a whole step is the step: levels are of values that were rounded.
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

    /// Draws the dots of one that does nothing.
    static func drawUnavailable(into frame: inout Frame, column: Int, columns: Int = 3) {
        for row in rows where row % 2 == 1 { frame[column + columns / 2, row] = RGB(0x161616) }
    }

    /// How a finger has a fader.
    struct Grip: Hashable, Sendable {
        /// The level now, 0-1.
        private(set) var level: Float
        /// Where the finger would put it, 0-1.
        private var goal: Float
        /// The cap stands so far above the finger, while it follows at once; nil while it walks.
        private var lead: Float?
        private var since: Instant
        private let walk: Instant.Span

        /// A finger takes, at `row` and `now`, a fader that stands at `level` and walks through all of it in `walk`.
        init(at row: Float, level: Float, walk: Instant.Span, _ now: Instant) {
            self.level = level
            self.walk = walk
            since = now
            goal = Fader.level(atRow: row)
            if abs(row - Fader.row(of: level)) <= Fader.reach { lead = level - goal }
        }

        /// Whether time alone moves it.
        var isWalking: Bool { lead == nil && level != goal }

        /// The finger is at `row`.
        mutating func move(to row: Float, _ now: Instant) {
            advance(to: now)
            goal = Fader.level(atRow: row)
            if let lead { level = min(max(goal + lead, 0), 1) }
        }

        /// Walks on until `now`.
        mutating func advance(to now: Instant) {
            let way = (now - since).fraction(of: walk)
            since = now
            guard isWalking else { return }
            level = level < goal ? min(level + way, goal) : max(level - way, goal)
            if level == goal { lead = 0 }
        }
    }
}

// MARK: Values

extension Fader {
    /// Where `value` stands, 0-1.
    func level(of value: Int) -> Float {
        let range = range
        switch scale {
        case .linear: return Float(value - range.lowerBound) / Float(range.upperBound - range.lowerBound)
        case .quadratic:
            return (Float(value - range.lowerBound) / Float(range.upperBound - range.lowerBound)).squareRoot()
        case .quartic: return (Float(value) / Float(range.upperBound)).squareRoot().squareRoot()
        case .thirdOctaves:
            let frequency = Float(value)
            let above = Self.frequencies.firstIndex { $0 > frequency } ?? Self.frequencies.count - 1
            let (low, high) = (Self.frequencies[above - 1], Self.frequencies[above])
            return (Float(above - 1) + (frequency - low) / (high - low)) / Float(Self.frequencies.count - 1)
        }
    }

    /// The value at `level`, 0-1.
    func value(at level: Float) -> Int {
        let range = range
        let width = Float(range.upperBound - range.lowerBound)
        let value: Float
        switch scale {
        case .linear: value = Float(range.lowerBound) + level * width
        case .quadratic: value = Float(range.lowerBound) + level * level * width
        case .quartic: value = level * level * level * level * width
        case .thirdOctaves:
            let place = level * Float(Self.frequencies.count - 1)
            let below = min(Int(place), Self.frequencies.count - 2)
            let (low, high) = (Self.frequencies[below], Self.frequencies[below + 1])
            value = low + (place - Float(below)) * (high - low)
        }
        return Int(value.rounded()).clamped(to: range)
    }

    /// Values that it can have.
    var range: ClosedRange<Int> {
        switch self {
        case .sound(let control): control.range
        case .master: Session.volumes
        case .light: Session.brightnesses
        case .metronome: 0...1
        case .countIn: Session.countIns
        }
    }

    /// How its values lie along its way.
    private enum Scale { case linear, quadratic, quartic, thirdOctaves }

    private var scale: Scale {
        switch self {
        case .sound(.track(_, .cutoff)): .thirdOctaves
        case .sound(.track(_, .attack)), .sound(.track(_, .decay)), .sound(.track(_, .release)): .quartic
        case .sound(.reverbTime): .quadratic
        default: .linear
        }
    }

    /// The third-octave frequencies of IEC 61260 from 20 Hz to 20 kHz.
    private static let frequencies: [Float] = [
        20, 25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500,
        3150, 4000, 5000, 6300, 8000, 10_000, 12_500, 16_000, 20_000,
    ]

    /// `value` in as few letters as a header has room for.
    func text(of value: Int) -> String {
        switch self {
        case .master: return "VOL \(value)%"
        case .light: return "LED \(value)%"
        case .metronome: return value == 0 ? "NO CLICK" : "CLICK"
        case .countIn: return "COUNT \(value)"
        case .sound(.swing): return "SWG \(value)%"
        case .sound(.delaySteps): return "STEPS \(value)"
        case .sound(.delayFeedback): return "FB \(value)%"
        case .sound(.reverbTime): return "REV \(Self.decimal(value))S"
        case .sound(.track(_, let control)):
            switch control {
            case .volume: return "VOL \(value)%"
            case .pan: return value == 0 ? "PAN MID" : "PAN \(value < 0 ? "L" : "R")\(abs(value))"
            case .cutoff: return "CUT " + (value < 1000 ? "\(value)" : "\(Self.decimal((value + 50) / 100))K")
            case .resonance: return "RES \(value)DB"
            case .attack: return "ATK \(Self.time(value))"
            case .decay: return "DEC " + (value == 0 ? "0" : Self.time(value))
            case .sustain: return "SUS \(value)%"
            case .release: return "REL \(Self.time(value))"
            case .delay: return "DLY \(value)%"
            case .reverb: return "SPC \(value)%"
            }
        }
    }

    /// Tenths as a number with one digit after the point; without it from 10 on.
    private static func decimal(_ tenths: Int) -> String {
        tenths >= 100 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// Milliseconds; none follow the note's own length.
    private static func time(_ milliseconds: Int) -> String {
        switch milliseconds {
        case 0: "AUTO"
        case ..<1000: "\(milliseconds)MS"
        default: "\(decimal((milliseconds + 50) / 100))S"
        }
    }
}

extension Instrument {
    /// What `fader` stands at.
    func value(of fader: Fader) -> Int {
        switch fader {
        case .sound(let control): state.session.sound[control]
        case .master: state.volume
        case .light: state.brightness
        case .metronome: state.session.metronome ? 1 : 0
        case .countIn: state.session.countIn
        }
    }

    /// Puts `fader` at `value`; nil puts it where it stands in a box that nobody has touched.
    mutating func set(_ fader: Fader, to value: Int?) {
        switch fader {
        case .sound(let control): state.session.sound[control] = value ?? control.standard
        case .master: state.session.volume = value
        case .light: state.session.brightness = value
        case .metronome: state.session.metronome = value == 1
        case .countIn: state.session.countIn = value ?? 0
        }
    }
}
