import InputEvents
import Display

/// The sound of the tracks: four tracks to choose from, the name of the chosen track's sound, rows of eight faders, and
/// the master volume. The name is the chooser: a drag sideways walks the list of sounds, a tap opens it.
public struct SoundSheet: Sheet, Hashable, Sendable {
    /// The selected track.
    private(set) var track: Track
    /// The row of faders shown.
    private(set) var row: Row
    /// Names that the finger on the header has walked; nil until it walks.
    private var walked: Int8?

    /// The sheet with a row of faders of `track`.
    init(of track: Track, row: Row = .first) { (self.track, self.row) = (track, row) }

    /// A row of faders. The shared ones that belong to no track's sound are a row of their own, where a player who
    /// looks through the rows finds them beside the master.
    enum Row: Int, CaseIterable, Hashable, Sendable {
        case first, second, modulation, model, shared
    }

    var screen: Instrument.Screen { .sound(self) }
    var title: TextLine? { Menu.Item.sound.name }
    var accent: RGB { Menu.Item.sound.colour }
    var header: Spot? { .soundName }

    /// The first column of each fader.
    private static let columns = [6, 10, 15, 19, 24, 28, 33, 37, 41]
    /// Place of the master among the columns.
    private static let masterPlace = columns.count - 1
    /// Columns of a drag from one name to the next.
    private static let columnsPerName: Float = 6
    /// The dots that show the place in the list: their row, and the first and the last column.
    private static let (dotRow, dotColumns) = (6, 6...36)

    /// The faders, from the left; the master is last. Nil is an empty place.
    private var faders: [Fader?] { Self.faders[track.rawValue][row.rawValue] }

    private static let faders = Track.allCases.map { track in Row.allCases.map { faders(of: track, $0) } }

    private static func faders(of track: Track, _ row: Row) -> [Fader?] {
        func own(_ controls: [TrackControl]) -> [Fader?] { controls.map { .sound(.track(track, $0)) } }
        switch row {
        case .first: return own([.volume, .pan, .cutoff, .resonance, .attack, .release, .delay, .reverb]) + [.master]
        case .second:
            return own([.decay, .sustain]) + [
                .sound(.delaySteps), .sound(.delayFeedback), .sound(.reverbTime), .sound(.swing), .metronome, .countIn,
                .master,
            ]
        case .modulation:
            return own([.unison, .drive, .chorus, .lfoRate, .lfoDepth, .lfoTarget, .envelopeDepth, .envelopeTarget])
                + [.master]
        case .model:
            return own([.timbre1, .timbre2, .timbre3, .timbre4, .timbre5, .timbre6, .envelopeDecay, .lfoShape])
                + [.master]
        case .shared:
            return [.sound(.delayWidth), .sound(.compression), .sound(.tone), nil, nil, nil, nil, .own, .master]
        }
    }

    private static let names = Track.allCases.map { TextLine($0.name.uppercased()) }
    /// The letters of each row of faders; they are the same on all tracks.
    private static let letters = faders[0].map { $0.map { TextLine($0?.row.letter ?? "", room: 3) } }
    /// The letters of the models' own controls.
    private static let timbreLetters = SoundModel.allCases.map { $0.timbres.map { TextLine($0.letter, room: 3) } }
    /// Names of the models, for a sound without a name.
    private static let modelNames = SoundModel.words.map { TextLine(String($0.uppercased().prefix(8))) }
    private static let kitNames = SoundKit.words.map { TextLine($0.uppercased()) }

    private func letter(at place: Int, _ sound: SoundSettings) -> TextLine {
        let letters = row == .model ? Self.timbreLetters[sound.model(of: track).rawValue] : []
        return letters.indices.contains(place) ? letters[place] : Self.letters[row.rawValue][place]
    }

    func spot(at position: Position) -> Spot? {
        if position.column < 5.5 { return TrackPicker.track(at: position).map { .track($0) } }
        let places = Self.columns.indices
        let nearest = places.min {
            abs(Float(Self.columns[$0] + 1) - position.column) < abs(Float(Self.columns[$1] + 1) - position.column)
        }
        guard let nearest, let fader = faders[nearest] else { return nil }
        return Fader.target.contains(position.row) ? .fader(fader) : .letter(fader)
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        if case .track(let track) = spot { Self.names[track.rawValue] } else { nil }
    }

    /// Selects a track; selecting the same track again shows its next row of faders. On the header walks or opens the
    /// list.
    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.track(let track), .up(isOver: true)):
            row = track == self.track ? Row(rawValue: (row.rawValue + 1) % Row.allCases.count) ?? .first : row
            self.track = track
            acts.append(.turnPage)
        case (.soundName, .down): walked = nil
        case (.soundName, .move): walk(touch, into: &acts)
        case (.soundName, .up(let isOver)):
            if isOver, walked == nil { acts.append(.showSounds(track)) }
            walked = nil
        default: return
        }
    }

    private mutating func walk(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        let names = Int((touch.position.column - touch.start.column) / Self.columnsPerName).clamped(to: -100...100)
        let last = Int(walked ?? 0)
        guard names != last else { return }
        walked = Int8(names)
        acts.append(.walkSounds(track, by: names - last))
    }

    func drawTitle(_ instrument: Instrument, into frame: inout Frame, column: Int) {
        let sound = instrument.state.session.sound
        let ink = instrument.isTouched(.soundName) ? RGB.white : Palette.text
        if let name = sound[nameOf: track] {
            name.draw(into: &frame, column: column, row: 0, colour: ink)
        } else {
            let names = track == .rhythm ? Self.kitNames : Self.modelNames
            names[sound[.track(track, .model)]].draw(
                into: &frame, column: column, row: 0, colour: ink, clip: column..<column + 31)
        }
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let mode = instrument.state.session.colourMode
        TrackPicker.draw(track, into: &frame, origin: origin, mark: row.rawValue + 1, mode)
        drawPlace(instrument.state, into: &frame, origin: origin)
        let faders = faders
        for place in faders.indices {
            guard let fader = faders[place] else { continue }
            instrument.draw(
                fader, letter(at: place, instrument.state.session.sound), colour: colour(of: fader, mode),
                column: origin + Self.columns[place], into: &frame)
        }
    }

    /// Draws a dot for each sound and a bright one for the chosen sound. A list longer than the row has dots over the
    /// whole row, and the bright one shows the share.
    private func drawPlace(_ state: Instrument.State, into frame: inout Frame, origin: Int) {
        let count = state.soundCount(for: track)
        let fitting = (Self.dotColumns.count + 1) / 2
        let dim = RGB.black.blended(towards: accent, 0.25)
        for dot in 0..<min(count, fitting) { frame[origin + Self.dotColumns.lowerBound + 2 * dot, Self.dotRow] = dim }
        guard let place = state.soundPlace(of: track) else { return }
        let share = (2 * place * (Self.dotColumns.count - 1) + count - 1) / (2 * max(1, count - 1))
        let column = Self.dotColumns.lowerBound + (count <= fitting ? 2 * place : share)
        frame[origin + column, Self.dotRow] = accent
    }

    /// Colour of a track's own controls; shared controls are white.
    private func colour(of fader: Fader, _ mode: ColourMode) -> RGB {
        if case .sound(.track) = fader { Palette.track(track, mode) } else { Palette.shared }
    }
}

/// The four tracks at the left of a sheet, one of them chosen.
enum TrackPicker {
    private static let rows = [8, 12, 16, 20]

    /// The track at `position`.
    static func track(at position: Position) -> Track? {
        Track(rawValue: Int(((position.row - 6.5) / 4).rounded(.down)).clamped(to: 0...3))
    }

    /// Draws the tracks with `chosen`. The LEDs beside that one, `mark` in number, count the sheet's rows of faders.
    static func draw(_ chosen: Track, into frame: inout Frame, origin: Int, mark: Int, _ mode: ColourMode) {
        for track in Track.allCases {
            let row = rows[track.rawValue]
            let colour = Palette.track(track, mode)
            guard track == chosen else {
                let quiet = RGB.black.blended(towards: colour, 0.42)
                frame.fill(columns: origin..<origin + 2, rows: row..<row + 3, quiet)
                continue
            }
            frame.fill(columns: origin..<origin + 4, rows: row..<row + 3, colour)
            let top = row + 1 - mark / 2
            frame.fill(columns: origin + 4..<origin + 5, rows: top..<top + mark, colour)
        }
    }
}
