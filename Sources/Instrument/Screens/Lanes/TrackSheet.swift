import InputEvents
import Display

/// How a track runs: its length, division, transposition, direction and voicing, and a row of evenly spread hits to
/// write. On chords the title is what a tap makes: a drag sideways walks through the kinds, a tap chooses the next.
public struct TrackSheet: Sheet, Hashable, Sendable {
    /// The track.
    private(set) var track: Track
    /// Kinds of chord that the finger on the header has walked; nil until it walks.
    private var walked: Int8?

    /// The sheet of `track`.
    init(of track: Track) { self.track = track }

    var screen: Instrument.Screen { .track(self) }
    var title: TextLine? { Self.word }
    var accent: RGB { Palette.track(track, .chromatic) }
    var parent: Instrument.Screen { .lanes(LanesSheet(of: track)) }
    var header: Spot? { track == .chords ? .chordKind : nil }

    func accent(_ mode: ColourMode) -> RGB { Palette.track(track, mode) }

    /// A control of the sheet.
    enum Control: Int, CaseIterable, Hashable, Sendable {
        case length, division, transposition, hits, steps, rotation

        /// Whether it belongs to the hits that are written when the finger lifts.
        var isEuclid: Bool { self == .hits || self == .steps || self == .rotation }

        /// Its row of the table.
        var row: ControlRow { Self.rows[rawValue] }

        /// In the order of the cases.
        private static let rows: [ControlRow] = [
            ControlRow(TrackShape.lengths, letter: "L", "LENGTH", .number("LEN")),
            ControlRow(0...TrackShape.Division.allCases.count - 1, letter: "D", "DIVISION", .division),
            ControlRow(TrackShape.transpositions, letter: "T", "TRANSPOSE", .signed("TRN"), isBipolar: true),
            ControlRow(Euclid.range, letter: "H", "HITS", .number("HITS")),
            ControlRow(1...Euclid.range.upperBound, letter: "S", "STEPS", .number("OF")),
            ControlRow(0...Euclid.range.upperBound - 1, letter: "R", "ROTATION", .number("TURN")),
        ]
    }

    private static let word = TextLine("TRACK")
    private static let names = Track.allCases.map { TextLine($0.name.uppercased()) }
    /// The first column of each fader, and their letters.
    private static let columns = [6, 10, 15, 20, 24, 28]
    private static let letters = Control.allCases.map { TextLine($0.row.letter) }
    /// The first column that belongs to the directions and the voicings.
    private static let choices: Float = 31.5
    private static let (directionColumns, directionRows) = ([33, 39], [7, 13])
    private static let directions = [
        Icon("..#.. ...#. ##### ...#. ..#.."), Icon("..#.. .#... ##### .#... ..#.."),
        Icon("..... .#.#. ##.## .#.#. ....."), Icon("#...# ..... ..#.. ..... #...#"),
    ]
    private static let (voicingColumns, voicingRow) = ([33, 37, 41], 19)
    private static let voicings = [
        Icon("..# ... .#. ... #.."), Icon("... ..# .#. #.. ..."), Icon(".#. ... ... ..# #.."),
    ]
    private static let directionNames = TrackShape.Direction.allCases.map { TextLine($0.rawValue.uppercased()) }
    private static let kindNames = TrackShape.ChordKind.allCases.map { TextLine($0.rawValue.uppercased()) }
    /// Columns of a drag from one kind to the next.
    private static let columnsPerKind: Float = 6
    private static let voicingNames = TrackShape.Voicing.allCases.map { TextLine($0.rawValue.uppercased()) }

    func spot(at position: Position) -> Spot? {
        if position.column < 5.5 { return TrackPicker.track(at: position).map { .track($0) } }
        guard position.column >= Self.choices else { return fader(at: position) }
        if position.row < 18.5 {
            let place = (position.column >= 38 ? 1 : 0) + (position.row >= 12.5 ? 2 : 0)
            return .direction(TrackShape.Direction.allCases[place])
        }
        guard track == .chords else { return nil }
        return .voicing(TrackShape.Voicing.allCases[position.column < 36 ? 0 : position.column < 40 ? 1 : 2])
    }

    private func fader(at position: Position) -> Spot? {
        let places = Self.columns.indices
        let nearest = places.min {
            abs(Float(Self.columns[$0] + 1) - position.column) < abs(Float(Self.columns[$1] + 1) - position.column)
        }
        guard let control = nearest.flatMap(Control.init(rawValue:)) else { return nil }
        let fader = Fader.track(track, control)
        return Fader.target.contains(position.row) ? .fader(fader) : .letter(fader)
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        switch spot {
        case .track(let track): Self.names[track.rawValue]
        case .direction(let direction):
            Self.directionNames[TrackShape.Direction.allCases.firstIndex(of: direction) ?? 0]
        case .voicing(let voicing): Self.voicingNames[TrackShape.Voicing.allCases.firstIndex(of: voicing) ?? 0]
        default: nil
        }
    }

    /// The name of `kind`.
    static func name(of kind: TrackShape.ChordKind) -> TextLine { kindNames[kind.place] }

    func drawTitle(_ instrument: Instrument, into frame: inout Frame, column: Int) {
        let kind = instrument.pattern[shape: .chords].chordKind
        let line = track == .chords ? Self.name(of: kind) : Self.word
        let ink = instrument.isTouched(.chordKind) ? RGB.white : Palette.text
        line.draw(into: &frame, column: column, row: 0, colour: ink)
    }

    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.track(let track), .up(isOver: true)):
            self.track = track
            acts.append(.turnPage)
        case (.direction(let direction), .up(isOver: true)): acts.append(.chooseDirection(track, direction))
        case (.voicing(let voicing), .up(isOver: true)): acts.append(.chooseVoicing(track, voicing))
        case (.chordKind, .down): walked = nil
        case (.chordKind, .move): walk(touch, into: &acts)
        case (.chordKind, .up(let isOver)):
            if isOver, walked == nil { acts.append(.chooseNextChordKind) }
            walked = nil
        default: return
        }
    }

    private mutating func walk(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        let kinds = Int((touch.position.column - touch.start.column) / Self.columnsPerKind).clamped(to: -100...100)
        let last = Int(walked ?? 0)
        guard kinds != last else { return }
        walked = Int8(kinds)
        acts.append(.walkChordKinds(by: kinds - last))
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let state = instrument.state
        let mode = state.session.colourMode
        let colour = Palette.track(track, mode)
        let shape = state.session.composition.pattern[shape: track]
        TrackPicker.draw(track, into: &frame, origin: origin, mark: 1, mode)
        var showsHits = false
        for control in Control.allCases {
            let fader = Fader.track(track, control)
            showsHits = showsHits || control.isEuclid && instrument.isTouched(.fader(fader))
            instrument.draw(
                fader, Self.letters[control.rawValue], colour: colour, column: origin + Self.columns[control.rawValue],
                into: &frame)
        }
        for (place, direction) in TrackShape.Direction.allCases.enumerated() {
            let (column, row) = (origin + Self.directionColumns[place % 2], Self.directionRows[place / 2])
            let isChosen = shape.direction == direction || instrument.isTouched(.direction(direction))
            Self.directions[place].draw(
                into: &frame, column: column, row: row, colour: isChosen ? .white : Palette.quiet)
            if shape.direction == direction {
                frame.fill(columns: column..<column + 5, rows: row + 5..<row + 6, colour)
            }
        }
        for (place, voicing) in TrackShape.Voicing.allCases.enumerated() {
            let isChosen = shape.voicing == voicing || instrument.isTouched(.voicing(voicing))
            let ink = track != .chords ? Palette.off : isChosen ? RGB.white : Palette.quiet
            Self.voicings[place].draw(
                into: &frame, column: origin + Self.voicingColumns[place], row: Self.voicingRow, colour: ink)
        }
        guard showsHits else { return drawKind(shape.chordKind, into: &frame, origin: origin) }
        let length = state.session.composition.pattern.length(of: track)
        let window = state.window(of: length)
        for step in window.steps(of: length) {
            frame[origin + window.column(ofStep: step), 6] = state.view.euclid.hasHit(at: step) ? colour : RGB(0x241a1a)
        }
    }

    /// Draws a dot for each kind of chord and a bright one for the chosen kind.
    private func drawKind(_ chosen: TrackShape.ChordKind, into frame: inout Frame, origin: Int) {
        guard track == .chords else { return }
        let dim = RGB.black.blended(towards: accent, 0.25)
        for kind in TrackShape.ChordKind.allCases {
            frame[origin + 6 + 2 * kind.place, 6] = kind == chosen ? accent : dim
        }
    }
}
