import InputEvents
import Display

/// A list of names that a finger scrolls by dragging and of which a tap chooses one. It fills the rows below a sheet's
/// header.
struct NameList: Hashable, Sendable {
    /// Rows by which the list is scrolled up; nil until it is settled.
    private(set) var offset: Int16?
    /// The offset at which the finger that scrolls has landed; nil until it scrolls.
    private var start: Int16?

    /// Rows of the list, and rows from a name to the next.
    static let rows = 7..<24
    private static let pitch = 6
    /// Number of visible names.
    private static let lines = 3

    /// Limits the offset to a list of `count` names. A new list begins at `chosen`.
    mutating func limit(count: Int, chosen: Int?) {
        // The last name may be in the middle, where its line can be seen.
        let last = max(0, count - Self.lines + 1)
        let offset = Int(offset ?? Int16(clamping: Self.pitch * ((chosen ?? 0) - 1)))
        self.offset = Int16(clamping: offset.clamped(to: 0...Self.pitch * last))
    }

    /// Begins anew with the next settling.
    mutating func reset() { offset = nil }

    /// The line at `row`, from the top.
    static func line(atRow row: Float) -> Int { Int((row - 6) / Float(pitch)).clamped(to: 0...lines - 1) }

    /// Place in the list of the name at `line`.
    func place(at line: Int) -> Int { line + (Int(offset ?? 0) + Self.pitch / 2) / Self.pitch }

    /// Handles one action of a finger on `line`; returns the place that it has chosen.
    mutating func handle(_ touch: SpotTouch, line: Int) -> Int? {
        switch touch.phase {
        case .down: start = nil
        case .move:
            let rows = touch.position.row - touch.start.row
            guard start != nil || abs(rows) >= 1 else { return nil }
            let start = start ?? offset ?? 0
            self.start = start
            offset = Int16(clamping: Int(start) - Int(rows.rounded()))
        case .up(let isOver):
            defer { start = nil }
            guard start == nil else {
                offset = Int16(Self.pitch * place(at: 0))
                return nil
            }
            guard isOver else { return nil }
            let place = place(at: line)
            // Below the lowest name is no row for the line that marks it.
            if line == Self.lines - 1 { offset = (offset ?? 0) + Int16(Self.pitch) }
            return place
        case .hold: break
        }
        return nil
    }

    /// Passes the visible places of a list of `count` names to `body`, with the row of each and whether a finger is on
    /// it.
    func forEachVisible(
        of count: Int, _ instrument: Instrument, _ body: (_ place: Int, _ row: Int, _ isTouched: Bool) -> Void
    ) {
        let offset = Int(offset ?? 0)
        let first = offset / Self.pitch
        guard first < count else { return }
        for place in first..<min(first + Self.lines + 1, count) {
            let isTouched = instrument.isTouched(.line(place - self.place(at: 0)))
            body(place, Self.rows.lowerBound + Self.pitch * place - offset, isTouched)
        }
    }

    /// Draws `name` at `row` from `column` on. The chosen one has a line below it.
    static func draw(
        _ name: SoundName, into frame: inout Frame, column: Int, row: Int, isLit: Bool, isChosen: Bool, line: RGB
    ) {
        name.draw(into: &frame, column: column, row: row, colour: isLit ? .white : Palette.quiet, rows: rows)
        if isChosen { underline(into: &frame, column: column, row: row, width: name.width, line) }
    }

    /// Draws the line below the name that is chosen.
    static func underline(into frame: inout Frame, column: Int, row: Int, width: Int, _ colour: RGB) {
        guard rows.contains(row + 5) else { return }
        frame.fill(columns: column..<column + width, rows: row + 5..<row + 6, colour)
    }

    /// Draws the mark of the player's own names.
    static func drawMark(into frame: inout Frame, column: Int, row: Int, _ colour: RGB) {
        frame.fill(columns: column..<column + 1, rows: (row + 1..<row + 4).clamped(to: rows), colour)
    }
}

/// A button that removes something when it is held: it fills from below meanwhile.
enum RemoveButton {
    /// Hold time.
    static let hold = Instant.Span.milliseconds(1200)

    /// Draws the button over four columns from `column` and six rows; it is dark if there is nothing to remove.
    static func draw(
        _ spot: Spot, isAvailable: Bool, _ instrument: Instrument, into frame: inout Frame, column: Int, row: Int,
        at now: Instant
    ) {
        if isAvailable {
            for contact in instrument.state.fingers.contacts where contact.isOn(spot) {
                let height = Int(6 * min(1, (now - contact.motion.down).fraction(of: hold)))
                frame.fill(
                    columns: column..<column + 4, rows: row + 6 - height..<row + 6,
                    RGB.black.blended(towards: Palette.danger, 0.3))
            }
        }
        Icon.cross.draw(
            into: &frame, column: column + 1, row: row + 2, colour: isAvailable ? Palette.danger : Palette.off)
    }
}
