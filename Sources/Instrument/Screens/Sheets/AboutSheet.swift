import InputEvents
import Display

/// Three lines about the box, which scroll if they are too long: version, address and state; or its own Wi-Fi.
public struct AboutSheet: Sheet, Hashable, Sendable {
    /// The subject of the lines.
    enum Subject: Hashable, Sendable {
        case box, accessPoint
    }

    let subject: Subject
    private var lines: [Ticker]

    /// The row of each line's top.
    private static let rows = [7, 13, 19]
    /// Columns of the text.
    private static let columns = 1..<44
    private static let accessPointTitle = TextLine("WI-FI")

    /// The sheet about `subject`, opened at `now`.
    init(_ now: Instant, _ subject: Subject = .box) {
        self.subject = subject
        lines = Self.rows.map { _ in Ticker(now) }
    }

    var screen: Instrument.Screen { .about(self) }
    var title: TextLine? { subject == .box ? SettingsSheet.Button.about.name : Self.accessPointTitle }
    var accent: RGB { Palette.settings }
    var parent: Instrument.Screen { subject == .box ? .settings : .grid }

    func spot(at position: Position) -> Spot? { .line(Int((position.row - 5.5) / 6).clamped(to: 0...2)) }

    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        guard case .line(let number) = touch.spot else { return }
        switch touch.phase {
        case .down, .move: lines[number].hold(at: touch.position.column, touch.time)
        case .up: lines[number].release(touch.time)
        case .hold: break
        }
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let clip = origin + Self.columns.lowerBound..<origin + Self.columns.upperBound
        let texts = subject == .box ? instrument.state.box.aboutLines : instrument.state.box.accessPointLines
        for (number, line) in texts.prefix(lines.count).enumerated() {
            let warns = subject == .box && number == 2 && instrument.state.box.facts.problem != nil
            if warns {
                // A bar beside the line, because its colour alone would not tell.
                let rows = Self.rows[number]..<Self.rows[number] + Font.height
                frame.fill(columns: origin..<origin + 1, rows: rows, Palette.warning)
            }
            lines[number].draw(
                line, into: &frame, clip: clip, row: Self.rows[number],
                colour: warns ? Palette.warning : Palette.text, at: now)
        }
    }
}

extension Instrument {
    /// Takes facts about the box. An access point that opens is shown if nobody has touched the box yet: it is the
    /// first start, and a phone needs name and password. Its sheet goes when it closes.
    mutating func update(_ facts: Facts) {
        let wasOpen = state.box.facts.accessPoint != nil
        state.box.replace(with: facts)
        if facts.accessPoint == nil {
            if case .about(let sheet) = state.view.screen, sheet.subject == .accessPoint { show(.grid) }
        } else if !wasOpen, state.view.screen == .grid, state.fingers.landings == 0, !state.isPlaying {
            show(.about(AboutSheet(now, .accessPoint)))
        }
    }
}

/// A line of text that scrolls if it is wider than its place, and that a finger can drag.
struct Ticker: Hashable, Sendable {
    /// Columns scrolled when the last movement began.
    private var passed: Float = 0
    private var since: Instant
    /// The finger's column when it landed, and the columns scrolled then; nil without a finger.
    private var held: (column: Float, passed: Float)?

    /// Scroll speed in columns per second.
    private static let speed: Float = 12
    /// Columns between the end of the text and its next beginning.
    private static let gap = 8
    /// Time before the text begins to scroll.
    private static let rest = Instant.Span.milliseconds(800)

    /// A text that rests from `now` on.
    init(_ now: Instant) { since = now + Self.rest }

    /// Drags the text with a finger at `column`.
    mutating func hold(at column: Float, _ now: Instant) {
        let from = held ?? (column, columns(at: now))
        held = from
        passed = from.passed + from.column - column
    }

    /// Releases the text.
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
