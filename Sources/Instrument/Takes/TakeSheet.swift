import InputEvents
import Display

/// The sound that was just heard: its waveform, a beat a column, and the bars of it that become a take.
public struct TakeSheet: Sheet, Hashable, Sendable {
    /// The bars to choose from.
    static let lengths = [1, 2, 4, 8]
    /// The number that is chosen at first.
    static let usual = 4
    /// Bars of the waveform.
    static let barsShown = 8

    /// Chosen number of bars; fewer are taken while fewer were heard.
    private(set) var length = usual
    /// Number of bars after the last of the waveform.
    var back = 0

    /// Rows of the waveform and its middle, of its posts, of the numbers and the marks above them.
    private static let (waveRows, middle, postRows, numberRow, markRow) = (7..<18, 12, 8..<17, 19, 18)
    private static let (waveTop, waveBottom): (Float, Float) = (6.5, 18.5)
    private static let (numberColumn, numberPitch, saveColumn) = (1, 6, 28)
    private static let saveColumns: ClosedRange<Float> = 26.5...34.5
    private static let (sliceColumn, sliceIcon) = (37, Icon("#.#.#.# #.#.#.# #.#.#.# #.#.#.# #.#.#.#"))
    private static let sliceWord = TextLine("SLICE")
    /// A bar in columns of steps.
    private static let barSteps = 4
    /// Time of a new take in which the columns turn white at least.
    private static let sweep = Instant.Span.milliseconds(400)
    /// Time for which they stay white.
    private static let rest = Instant.Span.milliseconds(300)

    static let titleLine = TextLine("TAKE")
    private static let bars = lengths.map { TextLine($0 == 1 ? "1 BAR" : "\($0) BARS") }
    private static let numbers = lengths.map { TextLine("\($0)") }
    private static let saveWord = TextLine("SAVE")
    private static let tray = Icon("..#.. .###. ..#.. #...# #####")
    private static let dark = RGB(0x262626)
    /// Opacity of the waveform beside its middle.
    private static let side: Float = 0.7

    var screen: Instrument.Screen { .take(self) }
    var title: TextLine? { Self.titleLine }
    var accent: RGB { Palette.library }

    // MARK: Places

    /// The bar of the waveform and the beat at `column`.
    static func beat(at column: Float) -> (bar: Int, beat: Int)? {
        guard let step = Grid.step(atColumn: Int(column.rounded())) else { return nil }
        return (step / barSteps, step % barSteps)
    }

    func spot(at position: Position) -> Spot? {
        guard position.row >= Self.waveTop else { return nil }
        if position.row < Self.waveBottom { return .takeWave }
        if Self.saveColumns.contains(position.column) { return .saveTake }
        if position.column > Self.saveColumns.upperBound { return .slice }
        let place = Int(((position.column + 0.5) / Float(Self.numberPitch)).rounded(.down))
        return Self.lengths.indices.contains(place) ? .takeLength(Self.lengths[place]) : nil
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        switch spot {
        case .takeLength(let count): Self.lengths.firstIndex(of: count).map { Self.bars[$0] }
        case .saveTake: Self.saveWord
        case .slice: Self.sliceWord
        default: nil
        }
    }

    // MARK: Touches

    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.takeLength(let count), .up(isOver: true)): length = count
        case (.saveTake, .up(isOver: true)): acts.append(.saveTake(bars: length, back: back))
        case (.slice, .down): acts.append(.awaitHold(Limits.takeHold))
        case (.slice, .hold), (.slice, .up(isOver: true)):
            let isHeld = touch.phase == .hold
            acts.append(.slice(bars: length, back: back, byOnsets: isHeld))
            if isHeld { acts.append(.dropFinger) }
        case (.takeWave, .down):
            acts.append(.remember(back))
            acts.append(.awaitHold(Limits.hold))
        case (.takeWave, .hold) where !touch.hasWandered: acts.append(.hearTake(self, column: touch.position.column))
        case (.takeWave, .move) where touch.hasWandered:
            let bars = Int(((touch.position.column - touch.start.column) / Float(Self.barSteps)).rounded())
            let next = max(0, touch.remembered + bars)
            guard next != back else { return }
            back = next
            acts.append(.sayTakePlace)
        case (.takeWave, .up) where !touch.hasWandered: back = touch.remembered
        default: return
        }
    }

    mutating func limit(to state: Instrument.State) {
        back = back.clamped(to: 0...max(0, state.takes.bars.bars.count - 1))
    }

    /// The text for the place of the waveform.
    var placeName: String { back == 0 ? "NOW" : back == 1 ? "-1 BAR" : "-\(back) BARS" }

    // MARK: Drawing

    func drawTitle(_ instrument: Instrument, into frame: inout Frame, column: Int) {
        let chosen = instrument.state.takes.length(upTo: length, back: back)
        let line = Self.lengths.firstIndex(of: chosen).map { Self.bars[$0] } ?? Self.titleLine
        line.draw(into: &frame, column: column, row: 0, colour: Palette.text)
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let chosen = instrument.state.takes.length(upTo: length, back: back)
        drawWave(instrument, chosen, into: &frame, origin: origin, at: now)
        let longest = instrument.state.takes.length(upTo: Self.barsShown, back: back)
        for (place, count) in Self.lengths.enumerated() {
            let column = origin + Self.numberColumn + Self.numberPitch * place
            let isTouched = instrument.isTouched(.takeLength(count))
            let colour = count == chosen || isTouched ? RGB.white : count <= longest ? Palette.quiet : Self.dark
            Self.numbers[place].draw(into: &frame, column: column, row: Self.numberRow, colour: colour)
            guard count == chosen else { continue }
            frame.fill(columns: column - 1..<column + 4, rows: Self.markRow..<Self.markRow + 1, accent)
        }
        let isSaveable = chosen > 0
        Self.tray.draw(
            into: &frame, column: origin + Self.saveColumn, row: Self.numberRow,
            colour: instrument.isTouched(.saveTake) ? .white : isSaveable ? accent : Self.dark)
        let rhythm = Palette.track(.rhythm, instrument.state.session.colourMode)
        Self.sliceIcon.draw(
            into: &frame, column: origin + Self.sliceColumn, row: Self.numberRow,
            colour: instrument.isTouched(.slice) ? .white : isSaveable ? rhythm : Self.dark)
    }

    /// Draws the bars of the waveform, the take's bars between two posts.
    private func drawWave(
        _ instrument: Instrument, _ chosen: Int, into frame: inout Frame, origin: Int, at now: Instant
    ) {
        let bars = instrument.state.takes.bars.bars
        let first = bars.count - back - Self.barsShown
        let saved = Self.savedPart(instrument.state, at: now)
        for place in 0..<Self.barsShown where bars.indices.contains(first + place) {
            let bar = bars[first + place]
            let ink = place >= Self.barsShown - chosen ? accent : Self.dark
            for beat in 0..<bar.parts {
                let isSaved = saved?.contains(bar.span.begin + UInt64(bar.offsets[beat])) ?? false
                let column = Grid.column(ofStep: Self.barSteps * place + beat)
                drawBeat(bar.peaks[beat], isSaved ? .white : ink, into: &frame, column: origin + column)
            }
        }
        guard chosen > 0 else { return }
        let begin = Grid.column(ofStep: Self.barSteps * (Self.barsShown - chosen)) - 1
        for column in [begin, Grid.stepColumns.upperBound] {
            frame.fill(columns: origin + column..<origin + column + 1, rows: Self.postRows, Palette.text)
        }
    }

    private func drawBeat(_ peak: Int32, _ ink: RGB, into frame: inout Frame, column: Int) {
        guard peak > 0 else { return }
        let height = Float(peak) / 32767 * Float(Self.waveRows.upperBound - 1 - Self.middle)
        for row in Self.waveRows {
            let distance = Float(abs(row - Self.middle))
            let alpha = distance == 0 ? 1 : min(1, max(0, height - distance + 1)) * Self.side
            frame[column, row] = .black.blended(towards: ink, alpha)
        }
    }

    /// The frames that are shown as written. The last ones are so when the take is in the library.
    private static func savedPart(_ state: Instrument.State, at now: Instant) -> Range<UInt64>? {
        guard let take = state.takes.saved else { return nil }
        let end = take.done.map { max($0, take.since + sweep) }
        if let end, now - end >= rest { return nil }
        let beats = Float(HeardBar.partsMax * take.bars)
        let part = min(end == nil ? 1 - 1 / beats : 1, max(0, (now - take.since).fraction(of: sweep)))
        return take.span.begin..<take.span.begin + UInt64(part * Float(take.span.count))
    }
}
