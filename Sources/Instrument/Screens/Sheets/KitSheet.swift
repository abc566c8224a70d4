import InputEvents
import Display

/// The pads of the rhythm track: twelve pads, and the faders of the chosen one. A tap sounds a pad and chooses it; a
/// hold opens the list of samples.
public struct KitSheet: Sheet, Hashable, Sendable {
    /// The chosen pad, the number of its drum.
    private(set) var pad: Int

    /// The sheet with `pad` chosen.
    init(pad: Int) { self.pad = pad }

    private static let titleLine = TextLine("PADS")
    /// Columns from pad to pad, and rows; a pad's size; the first row of the lowest pads.
    private static let (pitch, size, lowestRow) = ((columns: 7, rows: 6), (columns: 6, rows: 5), 19)
    private static let perRow = 4
    /// The first column of each fader, and the first column of their targets.
    private static let (columns, faderColumn) = ([29, 33, 37, 41], Float(27.5))
    private static let controls: [PadControl] = [.volume, .tune, .start, .end]
    private static let letters = controls.map { TextLine($0.row.letter) }
    /// Opacities of a pad's base, of the part of it that counts its choke group, of the sides of a drum's block and of
    /// its middle.
    private static let (base, group, side, middle): (Float, Float, Float, Float) = (0.2, 0.75, 0.5, 0.87)
    private static let shape: Float = 0.75

    var screen: Instrument.Screen { .kit(self) }
    var title: TextLine? { Self.titleLine }
    var accent: RGB { Menu.Item.sound.colour }
    var parent: Instrument.Screen { .presets(PresetSheet(of: .rhythm)) }

    func spot(at position: Position) -> Spot? {
        guard position.column < Self.faderColumn else {
            let fader = Fader.sound(.pad(pad, Self.controls[Self.place(at: position.column)]))
            return Fader.target.contains(position.row) ? .fader(fader) : .letter(fader)
        }
        let column = Int((position.column + 0.5) / Float(Self.pitch.columns)).clamped(to: 0...Self.perRow - 1)
        let row = Int((Float(Self.lowestRow + Self.pitch.rows) - 0.5 - position.row) / Float(Self.pitch.rows))
        return .pad(column + Self.perRow * row.clamped(to: 0...2))
    }

    /// The fader nearest to `column`.
    private static func place(at column: Float) -> Int {
        Int(((column - Float(columns[0]) + 1) / 4).rounded(.down)).clamped(to: 0...columns.count - 1)
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        guard case .pad(let pad) = spot else { return nil }
        return state.session.sound[sampleOf: pad].map { TextLine($0.text) } ?? Word.drum(pad)
    }

    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        guard case .pad(let pad) = touch.spot else { return }
        switch touch.phase {
        case .down:
            self.pad = pad
            acts.append(.hearPad(pad))
            acts.append(.awaitHold(Limits.letterHold))
        case .hold: if !touch.hasWandered { acts.append(.showSamples(pad)) }
        case .move, .up: break
        }
    }

    func drawTitle(_ instrument: Instrument, into frame: inout Frame, column: Int) {
        if let name = instrument.state.session.sound[sampleOf: pad] {
            name.draw(into: &frame, column: column, row: 0, colour: Palette.text)
        } else {
            Word.drum(pad).draw(into: &frame, column: column, row: 0, colour: Palette.text, clip: column..<column + 31)
        }
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let mode = instrument.state.session.colourMode
        for pad in Track.rhythm.notes { draw(pad, instrument, into: &frame, origin: origin, at: now) }
        for (place, control) in Self.controls.enumerated() {
            instrument.draw(
                .sound(.pad(pad, control)), Self.letters[place], colour: Palette.note(pad, mode),
                column: origin + Self.columns[place], into: &frame)
        }
    }

    private func draw(_ pad: Int, _ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let (state, colour) = (instrument.state, Palette.note(pad, instrument.state.session.colourMode))
        let ink = instrument.isTouched(.pad(pad)) || Self.sounds(pad, instrument, at: now) ? RGB.white : colour
        let column = origin + Self.pitch.columns * (pad % Self.perRow)
        let base = Self.lowestRow - Self.pitch.rows * (pad / Self.perRow) + Self.size.rows - 1
        let group = state.session.sound[.pad(pad, .choke)]
        for place in 0..<Self.size.columns {
            // On the white base of the chosen pad the count has the pad's colour.
            let isCounted = place < group
            frame[column + place, base] =
                pad == self.pad
                ? (isCounted ? colour : .white) : .black.blended(towards: colour, isCounted ? Self.group : Self.base)
        }
        guard let sample = state.sample(of: pad) else {
            for place in 1..<Self.size.columns - 1 {
                let isSide = place == 1 || place == Self.size.columns - 2
                let shade = RGB.black.blended(towards: ink, isSide ? Self.side : Self.middle)
                frame.fill(columns: column + place..<column + place + 1, rows: base - 3..<base - 1, shade)
            }
            return
        }
        let (start, end) = (state.session.sound[.pad(pad, .start)], state.session.sound[.pad(pad, .end)])
        for place in 0..<Self.size.columns {
            let (first, last) = (way(place, start, end), way(place + 1, start, end))
            let peak = sample.peak(min(first, last)..<max(first, last, min(first, last) + 1))
            let height = Int((peak * Float(Self.size.rows - 1)).rounded(.up)).clamped(to: 0...Self.size.rows - 1)
            frame.fill(
                columns: column + place..<column + place + 1, rows: base - height..<base,
                .black.blended(towards: ink, Self.shape))
        }
    }

    private func way(_ place: Int, _ start: Int, _ end: Int) -> Int {
        start + (end - start) * place / Self.size.columns
    }

    /// Whether the pattern has just hit `pad`.
    private static func sounds(_ pad: Int, _ instrument: Instrument, at now: Instant) -> Bool {
        guard instrument.pulse(of: .rhythm, at: now) > 0, let step = instrument.state.playhead(of: .rhythm)?.step else {
            return false
        }
        return instrument.pattern[.rhythm, note: pad, step: step].isStart
    }
}
