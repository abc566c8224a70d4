import InputEvents
import Display

/// The lanes of a track: a lane to choose above, the steps in the columns of the grid, and the track's own length
/// below.
public struct LanesSheet: Sheet, Hashable, Sendable {
    /// The track.
    private(set) var track: Track
    /// The lane that is shown.
    private(set) var lane = Lane.velocity

    /// The lanes of `track`.
    init(of track: Track) { self.track = track }

    var screen: Instrument.Screen { .lanes(self) }
    var title: TextLine? { nil }
    var accent: RGB { Palette.text }
    var hasHeader: Bool { false }

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

    func spot(at position: Position) -> Spot? {
        let led = position.led
        switch led.column {
        case ..<4:
            if led.row <= 5 { return .back }
            if led.row >= Self.overviewRows.lowerBound { return led.column < 2 ? .lanesLight : .fill }
            return Track(rawValue: (led.row - Self.trackRow + 1) / Self.trackPitch).map { .track($0) }
        case 40...:
            if led.row <= 5 { return .play }
            return led.row >= 18 ? .clearLane : led.row < 12 ? .openTrack : .keep
        default:
            if led.row < 2 { return .laneChooser }
            return led.row < Self.overviewRows.lowerBound ? .laneSteps : .laneOverview
        }
    }

    /// The lane at `position` of the chooser.
    static func lane(at position: Position) -> Lane {
        let place = Int(((position.column + 0.5 - Float(laneColumn)) / Float(lanePitch)).rounded(.down))
        return Lane.chosen[place.clamped(to: Lane.chosen.indices.lowerBound...Lane.chosen.count - 1)]
    }

    // MARK: Touches

    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.track(let track), .up(isOver: true)):
            self.track = track
            if !lane.exists(on: track) { lane = .velocity }
        case (.track, .down), (.lanesLight, .down): acts.append(.awaitHold(Limits.hold))
        case (.track(let track), .hold): acts.append(.pickUp(TrackSet(track)))
        case (.lanesLight, .hold): acts.append(.pickUp(TrackSet(Track.allCases)))
        case (.laneChooser, .down):
            let next = Self.lane(at: touch.position)
            guard next.exists(on: track) else { return }
            // Ratchet once more is its ramp.
            lane = next == .ratchet && lane == .ratchet ? .ramp : next
            acts.append(.say(lane.title))
        case (.laneChooser, .move):
            let next = Self.lane(at: touch.position)
            guard next.place != lane.place, next.exists(on: track) else { return }
            lane = next
            acts.append(.say(lane.title))
        case (.openTrack, .up(isOver: true)): acts.append(.show(.track(TrackSheet(of: track))))
        case (.keep, .down): acts.append(.awaitHold(Limits.sceneCopy))
        case (.keep, .hold): acts.append(.keepRound)
        case (.clearLane, .down): acts.append(.awaitHold(Limits.sceneReplace))
        case (.clearLane, .hold): acts.append(.clearLane(track, lane))
        default: return
        }
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
        for other in Track.allCases {
            let rows = Self.rows(of: other)
            let colour = Palette.track(other, mode)
            guard other == track else {
                frame.fill(columns: origin..<origin + 2, rows: rows, .black.blended(towards: colour, 0.42))
                continue
            }
            frame.fill(columns: origin..<origin + 3, rows: rows, colour)
            frame[origin + 3, rows.lowerBound] = colour
            frame[origin + 3, rows.lowerBound + 1] = .black.blended(towards: colour, 0.45)
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
        instrument.drawLaneSteps(of: track, lane, into: &frame, at: now)
        instrument.drawCorner(into: &frame)
        instrument.drawCopies(into: &frame)
        if let tooltip = state.view.tooltip { tooltip.draw(into: &frame, origin: origin, at: now) }
    }

    private func drawChooser(_ lanes: Lanes, into frame: inout Frame, origin: Int) {
        for (place, choice) in Lane.chosen.enumerated() where choice.exists(on: track) {
            let column = origin + Self.laneColumn + Self.lanePitch * place
            if place == lane.place {
                frame.fill(columns: column..<column + 3, rows: 0..<1, .white)
            } else if lanes.has(track, choice) {
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
