import InputEvents
import Display

/// How a track runs: its length, division, transposition, direction and voicing, and a row of evenly spread hits to
/// write.
public struct TrackSheet: Sheet, Hashable, Sendable {
    /// The track.
    private(set) var track: Track

    /// The sheet of `track`.
    init(of track: Track) { self.track = track }

    var screen: Instrument.Screen { .track(self) }
    var title: TextLine? { Self.word }
    var accent: RGB { Palette.track(track, .chromatic) }
    var parent: Instrument.Screen { .lanes(LanesSheet(of: track)) }

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

    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.track(let track), .up(isOver: true)):
            self.track = track
            acts.append(.turnPage)
        case (.direction(let direction), .up(isOver: true)): acts.append(.chooseDirection(track, direction))
        case (.voicing(let voicing), .up(isOver: true)): acts.append(.chooseVoicing(track, voicing))
        default: return
        }
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
        guard showsHits else { return }
        for step in 0..<min(Pattern.window, state.session.composition.pattern.length(of: track)) {
            frame[origin + Grid.column(ofStep: step), 6] = state.view.euclid.hasHit(at: step) ? colour : RGB(0x241a1a)
        }
    }
}
