import InputEvents
import Display

/// The scale of the pattern: a dial of all scales, and the twelve notes from the root, each of which a tap switches.
struct ScaleSheet: Sheet {
    private static let name = TextLine("SCALE")
    /// The names of the scales, by kind.
    private static let names = Scale.Kind.allCases.map { TextLine($0.title) }
    /// The columns of a name in the header.
    private static let nameColumns = 6..<37

    // The dial: one light for each kind, with gaps after the scales of row 0 and before the player's own.
    private static let dialRow = 8
    private static let dialColumns = Scale.Kind.allCases.map { kind in
        2 + 2 * kind.rawValue + (kind.rawValue < Scale.shared.count ? 0 : 1) + (kind == .user ? 1 : 0)
    }
    /// Lower edge of the dial, for touches.
    private static let dialEnd: Float = 9.5

    // The notes: two columns wide, three apart.
    private static let notesStart = 4
    private static let notePitch = 3
    private static let noteRows = 12..<16
    private static let rootRow = 11
    /// Lower edge of the notes, for touches.
    private static let notesEnd: Float = 16.5
    /// Opacity of a note that is not in the scale.
    private static let offInk: Float = 0.28

    var screen: Instrument.Screen { .scale }
    var title: TextLine? { Self.name }
    var accent: RGB { Palette.settings }

    func spot(at position: Position) -> Spot? {
        if position.row < Self.dialEnd { return .scaleDial }
        guard position.row < Self.notesEnd else { return .ground }
        let start = Float(Self.notesStart - 1)
        let place = Int(((position.column - start) / Float(Self.notePitch)).rounded(.down))
        return (0..<Pattern.octave).contains(place) ? .scaleNote(place) : .ground
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        let tonality = state.session.composition.pattern.tonality
        switch spot {
        case .scaleDial: return Self.names[tonality.scale.kind.rawValue]
        case .scaleNote(let interval): return Self.name(ofNote: interval, in: tonality)
        default: return nil
        }
    }

    /// The text for the note `interval` semitones above the root, such as `E♭ ON`.
    private static func name(ofNote interval: Int, in tonality: Tonality) -> TextLine {
        let name = noteNames[(tonality.root + interval) % Pattern.octave]
        let state = interval == 0 ? "ROOT" : tonality.scale.contains(interval) ? "ON" : "OFF"
        return TextLine("\(name) \(state)")
    }

    /// Names as tuners use them, from C: the black keys of meantone keyboards.
    private static let noteNames = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "G♯", "A", "B♭", "B"]

    // MARK: Actions

    func take(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.scaleDial, .down), (.scaleDial, .move): acts.append(.chooseScale(Self.kind(at: touch.position.column)))
        case (.scaleNote(let interval), .up(isOver: true)): acts.append(.switchScaleNote(interval))
        default: break
        }
    }

    /// The scale whose light is nearest to `column`.
    private static func kind(at column: Float) -> Scale.Kind {
        Scale.Kind.allCases.min {
            abs(Float(dialColumns[$0.rawValue]) - column) < abs(Float(dialColumns[$1.rawValue]) - column)
        } ?? .major
    }

    // MARK: Drawing

    /// The name of the scale is drawn with the content, because a long one moves.
    func drawTitle(_ instrument: Instrument, into frame: inout Frame, column: Int) {}

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let tonality = instrument.pattern.tonality
        drawName(of: tonality.scale.kind, instrument.state, into: &frame, origin: origin, at: now)
        for kind in Scale.Kind.allCases {
            let column = origin + Self.dialColumns[kind.rawValue]
            if kind == tonality.scale.kind {
                frame.fill(columns: column..<column + 1, rows: Self.dialRow - 1..<Self.dialRow + 2, .white)
            } else {
                let isShared = Palette.scales.indices.contains(kind.rawValue)
                frame[column, Self.dialRow] = isShared ? Palette.scales[kind.rawValue] : Palette.quiet
            }
        }
        for interval in 0..<Pattern.octave {
            let column = origin + Self.notesStart + Self.notePitch * interval
            let colour = Palette.note(tonality.root + interval, instrument.state.session.colourMode)
            func fill(_ rows: Range<Int>, _ colour: RGB) {
                frame.fill(columns: column..<column + 2, rows: rows, colour)
            }
            if tonality.scale.contains(interval) {
                fill(Self.noteRows, colour)
            } else {
                fill(Self.noteRows.suffix(1), RGB.black.blended(towards: colour, Self.offInk))
            }
            if interval == 0 { fill(Self.rootRow..<Self.rootRow + 1, .white) }
        }
    }

    /// Draws the name of the scale in the header; one that is too long passes by.
    private func drawName(
        of kind: Scale.Kind, _ state: Instrument.State, into frame: inout Frame, origin: Int, at now: Instant
    ) {
        guard state.tooltip == nil else { return }
        let columns = origin + Self.nameColumns.lowerBound..<origin + Self.nameColumns.upperBound
        let text = Marquee(line: Self.names[kind.rawValue], since: state.screenSince)
        text.line.draw(
            into: &frame, column: columns.lowerBound - text.travelled(view: columns.count, at: now), row: 0,
            colour: Palette.text, clip: columns)
    }
}
