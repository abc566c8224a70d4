// The heights of values on the LANES screen, and their words.

extension Lane {
    /// Rows of the values.
    static let rows = 2...21
    /// Row of the value 0 of a lane with values above and below it.
    static let middle = 12
    /// Rows from the middle to the greatest value.
    private static let reach = 9

    /// The lanes of the chooser, from the left; ramp is behind ratchet, and harmony behind slide.
    static let chosen: [Lane] = [
        .velocity, .chance, .when, .ratchet, .gate, .shift, .slide, .cutoff, .resonance, .pan, .delay, .reverb,
    ]

    /// The lane's place in the chooser.
    var place: Int { Lane.chosen.firstIndex(of: self == .ramp || self == .harmony ? behind : self) ?? 0 }

    /// The lane that shares its place in the chooser; itself if none does.
    var behind: Lane {
        switch self {
        case .ratchet: .ramp
        case .ramp: .ratchet
        case .slide: .harmony
        case .harmony: .slide
        case .velocity, .chance, .when, .gate, .shift, .cutoff, .resonance, .pan, .delay, .reverb: self
        }
    }

    /// Its name on the panel.
    var title: String {
        switch self {
        case .velocity: "VEL"
        case .resonance: "RESO"
        case .reverb: "SPACE"
        case .chance, .when, .ratchet, .ramp, .gate, .shift, .slide, .cutoff, .pan, .delay, .harmony:
            rawValue.uppercased()
        }
    }

    /// Whether values lie above and below a middle.
    var isCentred: Bool {
        switch self {
        case .ramp, .shift, .cutoff, .resonance, .pan, .delay, .reverb, .harmony: true
        case .velocity, .chance, .when, .ratchet, .gate, .slide: false
        }
    }

    /// The value at `row`, in LEDs from the top of the panel; nil removes the value. Not of `when`.
    func value(atRow row: Float) -> Int? {
        let led = Int((row + 0.5).rounded(.down)).clamped(to: Lane.rows)
        // The lower part of the lowest LED.
        let isLowest = row > Float(Lane.rows.upperBound) + 0.25
        let height = Lane.rows.upperBound + 1 - led
        let offset = (Lane.middle - led).clamped(to: -Lane.reach...Lane.reach)
        switch self {
        case .velocity: return isLowest ? 1 : (height * 127 + 10) / 20
        case .chance: return isLowest ? 0 : height * 5
        case .when: return nil
        case .ratchet: return height < 3 ? nil : ((height + 1) / 2).clamped(to: values)
        case .ramp: return offset == 0 ? nil : offset.signum()
        case .gate: return isLowest ? 5 : height <= 10 ? 10 * height : 100 + 30 * (height - 10)
        case .shift: return Lane.share(offset, of: 50)
        case .slide: return 1
        case .harmony: return offset.clamped(to: values)
        case .cutoff, .resonance, .pan, .delay, .reverb: return Lane.share(offset, of: 100)
        }
    }

    /// The part `offset` of the reach, of `whole`, rounded; nil for none.
    private static func share(_ offset: Int, of whole: Int) -> Int? {
        offset == 0 ? nil : (offset * whole * 2 + offset.signum() * reach) / (2 * reach)
    }

    /// Height of `value` in LEDs, from below, or from the middle.
    func height(of value: Int) -> Float {
        switch self {
        case .velocity: Float(value) * 20 / 127
        case .chance: Float(value) / 5
        case .gate: value <= 100 ? Float(value) / 10 : 10 + Float(value - 100) / 30
        case .shift: Float(value * Lane.reach) / 50
        case .ramp: Float(value * Lane.reach)
        case .cutoff, .resonance, .pan, .delay, .reverb: Float(value * Lane.reach) / 100
        case .when, .ratchet, .slide, .harmony: Float(value)
        }
    }

    /// The word for `value`.
    func word(for value: Int?) -> String {
        switch (self, value) {
        case (.ratchet, _): return "X\(value ?? 1)"
        case (.slide, _): return value == nil ? "SLIDE OFF" : "SLIDE"
        case (.ramp, let value?): return value > 0 ? "RAMP +" : "RAMP -"
        case (.when, let value?): return StepCondition(code: value)?.title ?? title
        case (.shift, let value?), (.cutoff, let value?), (.resonance, let value?), (.pan, let value?),
            (.delay, let value?), (.reverb, let value?), (.harmony, let value?):
            return "\(title) \(value > 0 ? "+" : "")\(value)"
        case (_, let value?): return "\(title) \(value)"
        case (.shift, nil): return "SHIFT 0"
        case (_, nil): return "\(title) OFF"
        }
    }

    /// Meaning of a step without a value, as a height in LEDs from below; nil for nothing that can be drawn.
    func neutralHeight(accented: Bool) -> Int? {
        switch self {
        case .velocity: accented ? 20 : 13
        case .chance: 20
        case .ratchet: 1
        case .gate: 10
        case .when, .ramp, .shift, .slide, .cutoff, .resonance, .pan, .delay, .reverb, .harmony: nil
        }
    }
}

extension StepCondition {
    /// Its name on the panel.
    var title: String {
        switch self {
        case .every(let turn, let turns): "\(turn):\(turns)"
        case .first: "FIRST"
        case .notFirst: "NOT FIRST"
        case .fill: "FILL"
        case .notFill: "NOT FILL"
        case .previous: "PREV"
        case .notPrevious: "NOT PREV"
        }
    }

    /// Rows of the three words, from the top: FIRST, FILL, PREV.
    static let wordRows = 2...4

    /// The condition after `code` when the word at `row` of `wordRows` is tapped: the word, its opposite, none.
    static func next(after code: Int?, atRow row: Int) -> Int? {
        let words: [[StepCondition]] = [[.first, .notFirst], [.fill, .notFill], [.previous, .notPrevious]]
        let pair = words[row - wordRows.lowerBound].map { $0.code }
        return code == pair[0] ? pair[1] : code == pair[1] ? nil : pair[0]
    }

    /// The light of the turn at `row` counted from below, from 1; nil beside the lights.
    static func turn(atRow row: Float) -> Int? {
        row < 6 ? nil : (Int((22 - row) / 2 + 0.5)).clamped(to: 1...8)
    }
}
