import InputEvents
import Display

/// The lanes of a track: a lane to choose above, the steps in the columns of the grid, and the track's own length
/// below. In place of the tracks their notes may stand at the left: a lane has values of a chosen note then.
public struct LanesSheet: Sheet, Hashable, Sendable {
    /// The track.
    private(set) var track: Track
    /// The lane that is shown.
    private(set) var lane = Lane.velocity
    /// Whether the track's note page stands in place of the tracks.
    private(set) var showsNotes = false
    /// The chosen note, whose own values are shown; nil for the values of the track.
    private(set) var note: Int?
    /// Whether the finger on a note has turned the page.
    private var hasTurned = false

    /// The lanes of `track`.
    init(of track: Track) { self.track = track }

    /// The note page of `track`, with `note` chosen.
    static func notes(of track: Track, _ note: Int? = nil) -> LanesSheet {
        var sheet = LanesSheet(of: track)
        (sheet.showsNotes, sheet.note) = (true, note)
        return sheet
    }

    var screen: Instrument.Screen { .lanes(self) }
    var title: TextLine? { nil }
    var accent: RGB { Palette.text }
    var hasHeader: Bool { false }
    /// From the notes back to the tracks, from there to the grid.
    var parent: Instrument.Screen {
        guard showsNotes else { return .grid }
        var tracks = LanesSheet(of: track)
        tracks.lane = lane
        return .lanes(tracks)
    }

    // MARK: Places

    /// The first row of each track's light, the track's target above and below it, and the first column of each lane's
    /// light.
    private static let (trackRow, trackPitch, laneColumn, lanePitch) = (7, 4, 4, 3)
    private static let overviewRows = 22...23

    /// The rows of a track's light.
    static func rows(of track: Track) -> Range<Int> {
        let row = trackRow + trackPitch * track.rawValue
        return row..<row + 2
    }

    /// Rows from one note's light to the next.
    private static func notePitch(of track: Track) -> Int { track.rows.count == 4 ? trackPitch : 3 }

    /// The first of the two rows of the light of row `row` of the page, from its lowest.
    static func row(ofNote row: Int, of track: Track) -> Int {
        let top = track.rows.count == 4 ? trackRow : 5
        return top + notePitch(of: track) * (track.rows.count - 1 - row)
    }

    /// The row of the page whose light is nearest to `row` of the panel.
    private static func noteRow(at row: Int, of track: Track) -> Int {
        let (pitch, top) = (notePitch(of: track), Self.row(ofNote: track.rows.count - 1, of: track))
        let place = (row - top + (pitch == trackPitch ? 1 : 0)) / pitch
        return track.rows.count - 1 - place.clamped(to: 0...track.rows.count - 1)
    }

    func spot(at position: Position) -> Spot? {
        let led = position.led
        switch led.column {
        case ..<4:
            if led.row <= 5, !showsNotes || led.row < Self.row(ofNote: track.rows.count - 1, of: track) { return .back }
            if led.row >= Self.overviewRows.lowerBound { return led.column < 2 ? .lanesLight : .fill }
            if showsNotes { return .laneNote(Self.noteRow(at: led.row, of: track)) }
            return Track(rawValue: (led.row - Self.trackRow + 1) / Self.trackPitch).map { .track($0) }
        case 40...:
            if led.row <= 5 { return .play }
            return led.row >= 18 ? .clearLane : led.row < 12 ? .openTrack : .keep
        default:
            if led.row < 2 { return .laneChooser }
            return led.row < Self.overviewRows.lowerBound ? .laneSteps : .laneOverview
        }
    }

    // MARK: Touches

    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.track(let track), .up(isOver: true)):
            showsNotes = track == self.track
            self.track = track
            if !lane.exists(on: track) { lane = .velocity }
        case (.laneNote, .down):
            hasTurned = false
            acts.append(.awaitHold(Limits.hold))
        case (.laneNote, .hold):
            hasTurned = true
            acts.append(.turnNotePage(track))
        case (.laneNote(let row), .up(isOver: true)):
            if !hasTurned { acts.append(.chooseLaneNote(row: row)) }
        case (.track, .down), (.lanesLight, .down): acts.append(.awaitHold(Limits.hold))
        case (.track(let track), .hold): acts.append(.pickUp(TrackSet(track)))
        case (.lanesLight, .hold): acts.append(.pickUp(TrackSet(Track.allCases)))
        case (.laneChooser, .down):
            let next = choice(at: touch.position)
            guard hasLane(next) else { return acts.append(.say("TRACK ONLY")) }
            // Ratchet once more is its ramp, and slide the harmony.
            lane = next == lane && next.behind.exists(on: track) ? next.behind : next
            acts.append(.say(lane.title))
        case (.laneChooser, .move):
            let next = choice(at: touch.position)
            guard next.place != lane.place, hasLane(next) else { return }
            lane = next
            acts.append(.say(lane.title))
        case (.openTrack, .up(isOver: true)): acts.append(.show(.track(TrackSheet(of: track))))
        case (.keep, .down): acts.append(.awaitHold(Limits.sceneCopy))
        case (.keep, .hold): acts.append(.keepRound)
        case (.clearLane, .down): acts.append(.awaitHold(Limits.sceneReplace))
        case (.clearLane, .hold): acts.append(.clearLane(track, lane, note: note))
        default: return
        }
    }

    /// The lane that a touch of the chooser at `position` chooses: the harmony where the track has no slide.
    func choice(at position: Position) -> Lane {
        let place = Int(((position.column + 0.5 - Float(Self.laneColumn)) / Float(Self.lanePitch)).rounded(.down))
        let lane = Lane.chosen[place.clamped(to: Lane.chosen.indices.lowerBound...Lane.chosen.count - 1)]
        return lane.exists(on: track) ? lane : lane.behind
    }

    /// Whether `lane` can have values of what is chosen.
    private func hasLane(_ lane: Lane) -> Bool { note == nil ? lane.exists(on: track) : lane.isOfNotes }

    /// Shows the own values of `note`, or those of the track if it is nil.
    mutating func choose(note: Int?) {
        self.note = note
        if !hasLane(lane) { lane = .velocity }
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        switch spot {
        case .openTrack: Self.trackWord
        case .keep: Self.keepWord
        default: nil
        }
    }

    mutating func limit(to state: Instrument.State) {
        if !lane.exists(on: track) { lane = .velocity }
    }

    // MARK: Drawing

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let state = instrument.state
        let mode = state.session.colourMode
        Self.back.draw(
            into: &frame, column: origin, row: 0, colour: instrument.isTouched(.back) ? .white : Palette.text)
        if showsNotes {
            drawNotes(instrument, into: &frame, origin: origin)
        } else {
            for other in Track.allCases {
                let colour = Palette.track(other, mode)
                draw(Self.rows(of: other), colour, isChosen: other == track, into: &frame, origin: origin)
            }
        }
        PlayButton.draw(
            into: &frame, column: origin + 41, isPlaying: state.isPlaying, isTouched: instrument.isTouched(.play), mode)
        Self.lengths.draw(
            into: &frame, column: origin + 41, row: 7,
            colour: instrument.isTouched(.openTrack) ? .white : Palette.text)
        Icon.cross.draw(into: &frame, column: origin + 41, row: 20, colour: Palette.danger, alpha: 0.6)
        Icon.keep.draw(
            into: &frame, column: origin + 41, row: 13,
            colour: instrument.isTouched(.keep) ? .white : Menu.Item.library.colour)
        instrument.drawHold(on: .keep, Limits.sceneCopy, bottom: 18, into: &frame, at: now)
        instrument.drawHold(on: .clearLane, Limits.sceneReplace, bottom: 24, into: &frame, at: now)
        drawChooser(state.session.composition.pattern.lanes, into: &frame, origin: origin)
        instrument.drawLaneSteps(of: track, note, lane, into: &frame, at: now)
        instrument.drawCorner(into: &frame)
        instrument.drawCopies(into: &frame, overTracks: !showsNotes)
        if let tooltip = state.view.tooltip { tooltip.draw(into: &frame, origin: origin, at: now) }
    }

    /// The light of a track or of a note; the chosen one is longer, with a notch.
    private func draw(
        _ rows: Range<Int>, _ colour: RGB, isChosen: Bool, into frame: inout Frame, origin: Int
    ) {
        guard isChosen else {
            frame.fill(columns: origin..<origin + 2, rows: rows, .black.blended(towards: colour, 0.42))
            return
        }
        frame.fill(columns: origin..<origin + 3, rows: rows, colour)
        frame[origin + 3, rows.lowerBound] = colour
        frame[origin + 3, rows.lowerBound + 1] = .black.blended(towards: colour, 0.45)
    }

    /// The notes of the track's page. One that has values in the lane has a further light.
    private func drawNotes(_ instrument: Instrument, into frame: inout Frame, origin: Int) {
        let map = instrument.pageMap(of: track)
        for row in 0..<map.rows {
            guard let first = map.note(atRow: row) else { continue }
            let notes = map.notes(atRow: row)
            let isChosen = note.map(notes.contains) ?? false
            let shown = isChosen ? note ?? first : first
            let rows = Self.row(ofNote: row, of: track)..<Self.row(ofNote: row, of: track) + 2
            let colour = Palette.note(shown, instrument.state.session.colourMode)
            draw(rows, colour, isChosen: isChosen, into: &frame, origin: origin)
            if !isChosen, instrument.pattern.lanes.has(track, lane, note: first) {
                frame[origin + 2, rows.upperBound - 1] = RGB(0x8a8a8a)
            }
        }
    }

    private func drawChooser(_ lanes: Lanes, into frame: inout Frame, origin: Int) {
        func has(_ lane: Lane) -> Bool {
            note.map { lanes.has(track, lane, note: $0) } ?? lanes.has(track, lane)
        }
        for (place, choice) in Lane.chosen.enumerated() where hasLane(choice) || hasLane(choice.behind) {
            let column = origin + Self.laneColumn + Self.lanePitch * place
            if place == lane.place {
                frame.fill(columns: column..<column + 3, rows: 0..<1, .white)
            } else if has(choice) || has(choice.behind) {
                frame.fill(columns: column..<column + 2, rows: 0..<1, RGB(0x8a8a8a))
            } else {
                frame[column, 0] = RGB(0x3c3c3c)
            }
        }
    }

    private static let back = TextLine("<")
    private static let lengths = Icon("##. ... ### ... #..")
    private static let trackWord = TextLine("TRACK")
    private static let keepWord = TextLine("KEEP")
}
