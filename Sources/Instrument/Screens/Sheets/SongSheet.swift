import InputEvents
import Display

/// The scenes at fingertip size with their content, and the switch that plays them in turn.
struct SongSheet: Sheet {
    private static let pitch = (columns: 8, rows: 9)
    private static let top = 7
    private static let width = GuideThumbnail.slicesTurned
    private static let perRow = 4
    /// The columns of the switch.
    private static let toggleColumn = 36
    private static let word = TextLine("CHN")
    private static let chain = TextLine("CHAIN")

    var screen: Instrument.Screen { .song }
    var title: TextLine? { Menu.Item.song.name }
    var accent: RGB { Menu.Item.song.colour }

    /// The scene at `position`: every LED below the steps and left of the switch belongs to one.
    static func slot(at position: Position) -> Int? {
        guard position.row >= Float(top) - 1.5, position.column < Float(perRow * pitch.columns) - 0.5 else {
            return nil
        }
        let row = position.row < Float(top + pitch.rows) - 1 ? 0 : 1
        let column = Int((position.column + 0.5) / Float(pitch.columns)).clamped(to: 0...perRow - 1)
        return row * perRow + column
    }

    func spot(at position: Position) -> Spot? {
        position.column >= Float(Self.perRow * Self.pitch.columns) + 0.5 ? .chain : nil
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? { spot == .chain ? Self.chain : nil }

    func take(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        if touch.spot == .chain, touch.phase == .up(isOver: true) { acts.append(.toggleChain) }
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        for slot in 0..<Scenes.count {
            let column = origin + slot % Self.perRow * Self.pitch.columns
            let row = Self.top + slot / Self.perRow * Self.pitch.rows
            instrument.drawSceneBar(of: slot, into: &frame, column: column, row: row, width: Self.width, at: now)
            drawScene(slot, instrument.state, into: &frame, column: column, row: row + 2)
        }
        let column = origin + Grid.columns - Self.word.width
        Self.word.draw(
            into: &frame, column: column, row: Self.top,
            colour: instrument.isTouched(.chain) ? .white : Palette.text)
        Switch.draw(
            isOn: instrument.state.session.chainsScenes, colour: accent, into: &frame,
            column: origin + Self.toggleColumn, row: Self.top + 7)
    }

    /// Draws the content of scene `slot`, one row per track.
    private func drawScene(_ slot: Int, _ state: Instrument.State, into frame: inout Frame, column: Int, row: Int) {
        guard let pattern = state.session.composition[scene: slot] else { return }
        let thumbnail = GuideThumbnail(pattern)
        for track in 0..<Track.allCases.count {
            for slice in 0..<Self.width {
                let colour = thumbnail.colour(track, slice: slice, isTurned: true, state.session.colourMode)
                frame[column + slice, row + track] =
                    state.scene == slot ? colour : RGB.black.blended(towards: colour, 0.6)
            }
        }
    }
}
