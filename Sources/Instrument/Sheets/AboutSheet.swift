import Display

/// What the box is and how it fares: three lines, which pass by where they are too long.
public struct AboutSheet: Sheet, Hashable, Sendable {
    private var lines: [Ticker]

    /// The row of each line's top.
    private static let rows = [7, 13, 19]
    /// The columns that words are seen in.
    private static let columns = 1..<44

    /// The sheet, opened at `now`.
    init(_ now: Instant) { lines = Self.rows.map { _ in Ticker(now) } }

    var title: TextLine? { SettingsSheet.Button.about.name }
    var accent: RGB { Palette.settings }
    var parent: Screen { .settings }

    func spot(at position: Position) -> Spot? { .line(Int((position.row - 5.5) / 6).clamped(to: 0...2)) }

    func touch(_ spot: Spot, contact id: Int, _ instrument: inout Instrument, at now: Instant) {
        drag(spot, contact: id, &instrument, at: now)
    }

    func drag(_ spot: Spot, contact id: Int, _ instrument: inout Instrument, at now: Instant) {
        guard case .line(let number) = spot else { return }
        var sheet = self
        sheet.lines[number].hold(at: instrument.state.contacts[id].motion.position.column, now)
        instrument.state.screen = .about(sheet)
    }

    func release(_ spot: Spot, _ instrument: inout Instrument, at now: Instant) {
        guard case .line(let number) = spot else { return }
        var sheet = self
        sheet.lines[number].release(now)
        instrument.state.screen = .about(sheet)
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let clip = origin + Self.columns.lowerBound..<origin + Self.columns.upperBound
        for (number, line) in instrument.state.aboutLines.prefix(lines.count).enumerated() {
            let warns = number == 2 && instrument.state.facts.problem != nil
            lines[number].draw(
                line, into: &frame, clip: clip, row: Self.rows[number],
                colour: warns ? Palette.warning : Palette.text, at: now)
        }
    }
}

/// Words that pass by where they are longer than their place, and that a finger can drag.
struct Ticker: Hashable, Sendable {
    /// Columns passed when it last began to move.
    private var passed: Float = 0
    private var since: Instant
    /// Where a finger has it: the column that it was taken at, and what had passed then.
    private var held: (column: Float, passed: Float)?

    /// Columns that pass in a second.
    private static let speed: Float = 12
    /// Columns between the end of the words and their next beginning.
    private static let gap = 8
    /// The words stand so long before they begin to pass.
    private static let rest = Instant.Span.milliseconds(800)

    /// Words that stand still at `now`.
    init(_ now: Instant) { since = now + Self.rest }

    /// A finger has them at `column`.
    mutating func hold(at column: Float, _ now: Instant) {
        let from = held ?? (column, columns(at: now))
        held = from
        passed = from.passed + from.column - column
    }

    /// The finger has let them go.
    mutating func release(_ now: Instant) {
        held = nil
        since = now + Self.rest
    }

    private func columns(at now: Instant) -> Float {
        held != nil || now < since ? passed : passed + Self.speed * (now - since).fraction(of: .milliseconds(1000))
    }

    /// Draws `line` in the columns `clip`.
    func draw(_ line: TextLine, into frame: inout Frame, clip: Range<Int>, row: Int, colour: RGB, at now: Instant) {
        guard line.width > clip.count else {
            return line.draw(into: &frame, column: clip.lowerBound, row: row, colour: colour, clip: clip)
        }
        let period = line.width + Self.gap
        let place = Int(columns(at: now).rounded(.down))
        let first = clip.lowerBound - (place % period + period) % period
        for column in [first, first + period] {
            line.draw(into: &frame, column: column, row: row, colour: colour, clip: clip)
        }
    }

    static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.passed == rhs.passed && lhs.since == rhs.since && lhs.held?.column == rhs.held?.column
            && lhs.held?.passed == rhs.held?.passed
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(passed)
        hasher.combine(since)
        hasher.combine(held?.column)
    }
}
