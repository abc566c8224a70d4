import InputEvents
import Display

extension Guide {
    /// Draws the guide at `now` over the 44 columns of `frame` from `origin` on, with the colours of `mode`; the cell
    /// of the entry `queued` waits. Depends on nothing else, and allocates nothing.
    public func draw(
        into frame: inout Frame, origin: Int = 0, at now: Instant, isPlaying: Bool, queued: Int64? = nil,
        mode: ColourMode = .chromatic
    ) {
        frame.fill(columns: origin..<origin + Grid.columns, rows: 0..<Instrument.rows, .black)
        if let card {
            draw(card, into: &frame, origin, at: now, isPlaying: isPlaying, mode)
            return
        }
        let shown = GuideView(self, origin, at: now)
        drawCells(shown, into: &frame, mode)
        drawCorner(into: &frame, origin, at: now)
        drawRail(shown, into: &frame)
        let words = touchedName ?? caption.flatMap { $0.hasEnded(at: now) ? nil : $0 }
        if words == nil { drawHeader(shown, into: &frame) }
        drawToday(shown, isUnderWords: words != nil, into: &frame)
        drawSelection(shown, into: &frame)
        if let queued, let place = content.place(of: queued) {
            drawRing(channel: place.channel, day: place.day, Palette.warning, isDashed: true, shown, into: &frame)
        }
        if let words {
            let clip = shown.columns
            let column = clip.lowerBound - words.travelled(view: clip.count, at: now)
            words.line.draw(into: &frame, column: column, row: 0, colour: .white, clip: clip)
        }
        drawButtons(into: &frame, origin, at: now, isPlaying: isPlaying, mode)
    }

    // MARK: The three views

    private func drawCells(_ shown: GuideView, into frame: inout Frame, _ mode: ColourMode) {
        for (column, x) in shown.across(across) {
            for (row, y) in shown.down(down) {
                let (channel, day) = isTurned ? (row, column) : (column, row)
                let entries = content[channel: channel, day: content.days.lowerBound + day]
                let isBlank = isBlank(channel, content.days.lowerBound + day)
                drawCell(entries, isBlank: isBlank, x, y, shown, into: &frame, mode)
            }
        }
    }

    private func drawCell(
        _ entries: ArraySlice<GuideContent.Entry>, isBlank: Bool, _ x: Int, _ y: Int, _ shown: GuideView,
        into frame: inout Frame,
        _ mode: ColourMode
    ) {
        let width = shown.cellColumns
        guard !entries.isEmpty else {
            for column in (width - 1) / 2...width / 2 {
                shown.set(x + column, y + 2, isBlank ? GuideColour.blank : GuideColour.empty, &frame)
            }
            return
        }
        switch entries[entries.startIndex].look {
        case .thumbnail(let thumbnail):
            for track in 0..<GuideLayout.cellRows - 1 {
                for slice in 0..<width {
                    let colour = thumbnail.colour(track, slice: slice, isTurned: isTurned, mode)
                    shown.set(x + slice, y + track, colour, &frame)
                }
            }
            for place in 0..<min(entries.count - 1, width) {
                shown.set(x + place, y + GuideLayout.cellRows - 1, GuideColour.older, &frame)
            }
        case .initials(let initials):
            let colour = initials.colour(isWatched: entries[entries.startIndex].isWatched)
            for row in 0..<GuideLayout.cellRows {
                for column in 0..<width where initials.isLit(column, row) {
                    shown.set(x + column, y + row, colour, &frame)
                }
            }
        }
    }

    private func drawHeader(_ shown: GuideView, into frame: inout Frame) {
        for (column, x) in shown.across(across) {
            if isTurned {
                drawNumber(of: column, x, 0, shown.columns, 0..<Font.height, into: &frame)
                let busy = content.busyCount(day: content.days.lowerBound + column)
                for dot in 0..<min(busy, GuideThumbnail.slicesTurned) where shown.columns.contains(x + dot) {
                    frame[x + dot, Font.height] = GuideColour.busyHeader
                }
            } else {
                content.channels[column].letterLine.draw(
                    into: &frame, column: x, row: 0, colour: Palette.text, clip: shown.columns)
            }
        }
    }

    private func drawRail(_ shown: GuideView, into frame: inout Frame) {
        let clip = GuideLayout.railColumns.lowerBound + shown.origin..<GuideLayout.railColumns.upperBound + shown.origin
        for (row, y) in shown.down(down) {
            let busy: (count: Int, column: Int, colour: RGB)
            if isTurned {
                let line = content.channels[row].shortLine
                line.draw(
                    into: &frame, column: shown.origin, row: y, colour: Palette.text, clip: clip,
                    clipRows: GuideLayout.gridRows)
                // The dots use the space that a one-letter name leaves.
                guard line.width < GuideLayout.shortRailDots else { continue }
                busy = (content.busyCount(channel: row), GuideLayout.shortRailDots, GuideColour.busyChannel)
            } else {
                drawNumber(of: row, shown.origin, y, clip, GuideLayout.gridRows, into: &frame)
                let count = content.busyCount(day: content.days.lowerBound + row)
                busy = (count, GuideLayout.railDots, GuideColour.busyDay)
            }
            for dot in 0..<busy.count {
                let row = y + GuideLayout.cellRows - 1 - dot % GuideLayout.cellRows
                guard GuideLayout.gridRows.contains(row) else { continue }
                frame[shown.origin + busy.column + dot / GuideLayout.cellRows, row] = busy.colour
            }
        }
    }

    /// Draws the two-digit day of the month of the day with index `index`.
    private func drawNumber(
        of index: Int, _ x: Int, _ y: Int, _ columns: Range<Int>, _ rows: Range<Int>, into frame: inout Frame
    ) {
        let day = content.days.lowerBound + index
        let number = CalendarDate(dayNumber: day).day
        let colour = day == content.today ? RGB.white : Palette.quiet
        GuideWords.digits[number / 10].draw(
            into: &frame, column: x, row: y, colour: colour, clip: columns, clipRows: rows)
        GuideWords.digits[number % 10].draw(
            into: &frame, column: x + 4, row: y, colour: colour, clip: columns, clipRows: rows)
    }

    /// Draws the line in the gap after today, across all three views.
    private func drawToday(_ shown: GuideView, isUnderWords: Bool, into frame: inout Frame) {
        guard content.days.contains(content.today) else { return }
        let end = (content.today - content.days.lowerBound + 1) * dayAxis.pitch - 1
        if isTurned {
            let column = shown.columns.lowerBound + end - shown.offsetAcross
            guard shown.columns.contains(column) else { return }
            for row in (isUnderWords ? Font.height : 0)..<Instrument.rows { frame[column, row] = Palette.library }
        } else {
            let row = GuideLayout.gridRows.lowerBound + end - shown.offsetDown
            guard GuideLayout.gridRows.contains(row) else { return }
            for column in shown.origin..<shown.columns.upperBound { frame[column, row] = Palette.library }
        }
    }

    /// Draws the ring around the selected cell, if any part of the cell is visible.
    private func drawSelection(_ shown: GuideView, into frame: inout Frame) {
        guard let selection else { return }
        drawRing(channel: selection.channel, day: selection.day, .white, shown, into: &frame)
    }

    /// Draws a ring around a cell. A dashed one has every other LED, so that it differs without its colour.
    private func drawRing(
        channel: Int, day: Int, _ colour: RGB, isDashed: Bool = false, _ shown: GuideView, into frame: inout Frame
    ) {
        let day = day - content.days.lowerBound
        let (column, row) = isTurned ? (day, channel) : (channel, day)
        let x = shown.columns.lowerBound + column * across.pitch - shown.offsetAcross
        let y = GuideLayout.gridRows.lowerBound + row * down.pitch - shown.offsetDown
        let cell = (columns: x..<x + shown.cellColumns, rows: y..<y + GuideLayout.cellRows)
        guard cell.columns.overlaps(shown.columns), cell.rows.overlaps(GuideLayout.gridRows) else { return }
        let columns = shown.columns.lowerBound - 1..<shown.columns.upperBound
        let rows = GuideLayout.gridRows.lowerBound - 1..<GuideLayout.gridRows.upperBound
        func set(_ column: Int, _ row: Int) {
            guard columns.contains(column), rows.contains(row) else { return }
            frame[column, row] = isDashed && (column + row - x - y) % 2 != 0 ? .black : colour
        }
        for column in x - 1...x + shown.cellColumns {
            set(column, y - 1)
            set(column, y + GuideLayout.cellRows)
        }
        for row in cell.rows {
            set(x - 1, row)
            set(x + shown.cellColumns, row)
        }
    }

    // MARK: Corner and buttons

    /// The month of the first visible day; today's month if there are no days.
    func shownMonth(at now: Instant) -> CalendarDate {
        let day = content.days.lowerBound + dayAxis.firstCell(at: now)
        return CalendarDate(dayNumber: content.days.isEmpty ? content.today : day)
    }

    /// Draws the close button, and the month of the first visible day.
    private func drawCorner(into frame: inout Frame, _ origin: Int, at now: Instant) {
        let date = shownMonth(at: now)
        let today = CalendarDate(dayNumber: content.today)
        let isCurrent = date.year == today.year && date.month == today.month
        let isTouched = isTouched(.close)
        GuideIcon.back.draw(into: &frame, column: origin, row: 0, colour: isTouched ? .white : Palette.text)
        let columns = GuideLayout.closeColumns
        frame.fill(
            columns: origin + columns.lowerBound..<origin + columns.upperBound, rows: Font.height..<Font.height + 1,
            isTouched ? .white : Palette.library)
        let (month, view) = (GuideWords.months[date.month - 1], GuideLayout.monthColumns)
        let clip = origin + view.lowerBound..<origin + view.upperBound
        month.line.draw(
            into: &frame, column: clip.lowerBound - month.travelled(view: view.count, at: now), row: 0,
            colour: self.isTouched(.month) ? .white : isCurrent ? GuideColour.currentMonth : Palette.text, clip: clip)
    }

    private func drawButtons(
        into frame: inout Frame, _ origin: Int, at now: Instant, isPlaying: Bool, _ mode: ColourMode
    ) {
        let column = origin + GuideLayout.buttonColumn + 1
        drawPlay(into: &frame, origin, isPlaying: isPlaying, mode)
        GuideIcon.turn.draw(into: &frame, column: column, row: 7, colour: isTouched(.turn) ? .white : Palette.quiet)
        GuideIcon.today.draw(into: &frame, column: column, row: 13, colour: isTouched(.today) ? .white : Palette.quiet)
        frame.fill(columns: column..<column + 3, rows: 15..<16, Palette.library)
        if let undo, now < undo.until {
            GuideIcon.undo.draw(
                into: &frame, column: column, row: 19, colour: isTouched(.mark) ? .white : Palette.warning)
        } else {
            let colour = selection == nil ? Palette.off : Palette.go(mode)
            let icon = selection.map { $0.entry == nil } ?? false ? GuideIcon.new : GuideIcon.mark
            icon.draw(
                into: &frame, column: column, row: 19, colour: isTouched(.mark) && selection != nil ? .white : colour)
        }
    }

    /// Draws the Play or Stop button at the top right of both screens.
    func drawPlay(into frame: inout Frame, _ origin: Int, isPlaying: Bool, _ mode: ColourMode) {
        let column = origin + GuideLayout.buttonColumn + 1
        PlayButton.draw(into: &frame, column: column, isPlaying: isPlaying, isTouched: isTouched(.play), mode)
    }

    /// Whether a finger is on `target` and would trigger it by lifting now.
    func isTouched(_ target: GuideLayout.Target) -> Bool {
        fingers.contains { !$0.isSpent && $0.target == target && self.target(at: $0.position) == target }
    }

    /// The name of the touched button.
    private var touchedName: Marquee? {
        for finger in fingers where isTouched(finger.target) {
            switch finger.target {
            case .close: return GuideWords.close
            case .turn: return GuideWords.turn
            case .today: return GuideWords.today
            case .mark:
                return undo != nil
                    ? GuideWords.undo : selection.map { $0.entry == nil ? GuideWords.new : GuideWords.more }
            case .month, .rail, .header, .grid, .play, .back, .previous, .next, .action: continue
            }
        }
        return nil
    }
}

/// The views at one moment: which cells are visible, and where.
struct GuideView {
    /// The panel column of the guide's column 0.
    let origin: Int
    /// Panel columns of the grid.
    let columns: Range<Int>
    let offsetAcross: Int
    let offsetDown: Int
    /// Columns of a cell.
    let cellColumns: Int

    init(_ guide: Guide, _ origin: Int, at now: Instant) {
        self.origin = origin
        columns = GuideLayout.gridColumns.lowerBound + origin..<GuideLayout.gridColumns.upperBound + origin
        offsetAcross = guide.across.drawnOffset(at: now)
        offsetDown = guide.down.drawnOffset(at: now)
        cellColumns = GuideLayout.pitchAcross(guide.isTurned) - 1
    }

    /// The visible cells across, each with its first column.
    func across(_ axis: ScrollAxis) -> some Sequence<(index: Int, place: Int)> {
        Self.cells(axis, offsetAcross, from: columns.lowerBound)
    }

    /// The visible cells down, each with its first row.
    func down(_ axis: ScrollAxis) -> some Sequence<(index: Int, place: Int)> {
        Self.cells(axis, offsetDown, from: GuideLayout.gridRows.lowerBound)
    }

    private static func cells(
        _ axis: ScrollAxis, _ offset: Int, from start: Int
    ) -> some Sequence<(index: Int, place: Int)> {
        let first = min(offset / axis.pitch, axis.count)
        let last = min((offset + axis.view - 1) / axis.pitch + 1, axis.count)
        return (first..<max(first, last)).lazy.map { (index: $0, place: start + $0 * axis.pitch - offset) }
    }

    /// Sets an LED of the grid; ignored outside it.
    func set(_ column: Int, _ row: Int, _ colour: RGB, _ frame: inout Frame) {
        if columns.contains(column), GuideLayout.gridRows.contains(row) { frame[column, row] = colour }
    }
}
