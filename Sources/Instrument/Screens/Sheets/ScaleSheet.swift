import InputEvents
import Display

/// The scale of the pattern: a dial of all scales, and the twelve notes from the root, each of which a tap switches.
/// Below them the pattern's tuning: pips for notes that are flat or sharp, A4 and the tuning's name.
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

    // The tuning: pips below the notes, then A4 and the name.
    private static let pipRow = 17
    private static let (pip, noPip) = (RGB(0x8a8a8a), RGB(0x2c2c2c))
    /// Offset from equal temperament below which neither pip says so: a cent.
    private static let pipMin = Tuning.parts
    private static let textRow = 19
    private static let nameColumn = 16
    /// Upper edge of A4 and of the name, and the edge between them, for touches.
    private static let (textTop, nameEdge): (Float, Float) = (17.5, 13)
    /// Columns of a drag for one hertz of A4.
    private static let columnsPerHertz: Float = 2
    /// Hold time on the name that chooses equal temperament.
    static let hold = Instant.Span.milliseconds(600)
    private static let equal = TextLine("EQUAL")
    /// In place of the name of a tuning that has none.
    private static let unnamed = TextLine("OTHER")
    /// A4 in hertz, rounded.
    private static let hertz = hertz(Tuning.references.lowerBound)...hertz(Tuning.references.upperBound)
    private static let hertzLines = hertz.map { TextLine("\($0)") }

    var screen: Instrument.Screen { .scale }
    var title: TextLine? { Self.name }
    var accent: RGB { Palette.settings }

    func spot(at position: Position) -> Spot? {
        if position.row < Self.dialEnd { return .scaleDial }
        if position.row >= Self.textTop { return position.column < Self.nameEdge ? .a4 : .tuning }
        guard position.row < Self.notesEnd else { return .ground }
        let start = Float(Self.notesStart - 1)
        let place = Int(((position.column - start) / Float(Self.notePitch)).rounded(.down))
        return (0..<Pattern.octave).contains(place) ? .scaleNote(place) : .ground
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        let (tonality, tuning) = (state.session.composition.pattern.tonality, state.session.composition.pattern.tuning)
        switch spot {
        case .a4: return TextLine("\(Self.tenths(tuning.a4)) HZ")
        case .tuning:
            return tuning.name.map { TextLine($0.text) } ?? (tuning.isEqual ? Self.equal : Self.unnamed)
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

    /// The text for the same note with its offset from equal temperament in cents, such as `E♭ -5.9`.
    static func offsetName(ofNote interval: Int, in pattern: Pattern) -> String {
        let pitchClass = (pattern.tonality.root + interval) % Pattern.octave
        let offset = pattern.tuning.offset(ofPitchClass: pitchClass)
        let sign = offset > 0 ? "+" : offset < 0 ? "-" : ""
        let text = tenths(abs(offset))
        return "\(noteNames[pitchClass]) \(text == "0" ? text : sign + text)"
    }

    /// `thousandths`, 0 or more, with one decimal unless that is 0.
    private static func tenths(_ thousandths: Int) -> String {
        let tenths = (thousandths + Tuning.parts / 20) / (Tuning.parts / 10)
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// A frequency in hertz, rounded.
    private static func hertz(_ thousandths: Int) -> Int { (thousandths + Tuning.parts / 2) / Tuning.parts }

    /// Names as tuners use them, from C: the black keys of meantone keyboards.
    private static let noteNames = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "G♯", "A", "B♭", "B"]

    // MARK: Actions

    func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.scaleDial, .down), (.scaleDial, .move): acts.append(.chooseScale(Self.kind(at: touch.position.column)))
        case (.scaleNote, .down): acts.append(.awaitHold(Limits.hold))
        case (.scaleNote(let interval), .hold): acts.append(.sayOffset(interval))
        // A finger that has read the offset changes nothing.
        case (.scaleNote(let interval), .up(isOver: true)) where touch.held < Limits.hold:
            acts.append(.switchScaleNote(interval))
        case (.a4, .down): acts.append(.landOnA4)
        case (.a4, .move): acts.append(.moveA4(by: Self.hertz(from: touch.start, to: touch.position)))
        case (.tuning, .down): acts.append(.awaitHold(Self.hold))
        case (.tuning, .hold):
            acts.append(.chooseTuning(isEqual: true))
            acts.append(.dropFinger)
        case (.tuning, .up(isOver: true)): acts.append(.chooseTuning(isEqual: false))
        default: break
        }
    }

    /// The hertz of a drag on A4, upwards to the right.
    private static func hertz(from start: Position, to position: Position) -> Int {
        Int(((position.column - start.column) / columnsPerHertz).rounded(.towardZero))
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
            let offset = instrument.pattern.tuning.offset(ofPitchClass: (tonality.root + interval) % Pattern.octave)
            let isTuned = abs(offset) <= Self.pipMin
            frame[column, Self.pipRow] = isTuned ? Self.noPip : offset < 0 ? Self.pip : .black
            frame[column + 1, Self.pipRow] = isTuned ? Self.noPip : offset > 0 ? Self.pip : .black
        }
        drawTuning(instrument, into: &frame, origin: origin)
    }

    /// Draws A4, and the name of the tuning: quiet for equal temperament.
    private func drawTuning(_ instrument: Instrument, into frame: inout Frame, origin: Int) {
        let tuning = instrument.pattern.tuning
        Self.hertzLines[Self.hertz(tuning.a4) - Self.hertz.lowerBound].draw(
            into: &frame, column: origin, row: Self.textRow, colour: instrument.isTouched(.a4) ? .white : Palette.text)
        guard let name = tuning.name else {
            let isQuiet = tuning.isEqual && !instrument.isTouched(.tuning)
            let line = tuning.isEqual ? Self.equal : Self.unnamed
            line.draw(
                into: &frame, column: origin + Self.nameColumn, row: Self.textRow,
                colour: isQuiet ? Palette.quiet : .white)
            return
        }
        // The longest names begin farther left.
        let column = min(Self.nameColumn, Grid.columns - name.width)
        name.draw(into: &frame, column: origin + column, row: Self.textRow, colour: .white)
    }

    /// Draws the name of the scale in the header; one that is too long passes by.
    private func drawName(
        of kind: Scale.Kind, _ state: Instrument.State, into frame: inout Frame, origin: Int, at now: Instant
    ) {
        guard state.view.tooltip == nil else { return }
        let columns = origin + Self.nameColumns.lowerBound..<origin + Self.nameColumns.upperBound
        let text = Marquee(line: Self.names[kind.rawValue], since: state.view.screenSince)
        text.line.draw(
            into: &frame, column: columns.lowerBound - text.travelled(view: columns.count, at: now), row: 0,
            colour: Palette.text, clip: columns)
    }
}
