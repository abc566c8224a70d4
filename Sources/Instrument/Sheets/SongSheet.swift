import Display

/// The scenes at a size that a whole fingertip fits on, with what is in them, and the switch that plays them in turn.
enum SongSheet {
    private static let pitch = (columns: 8, rows: 9)
    private static let top = 7
    private static let width = GuideThumbnail.slicesTurned
    private static let perRow = 4
    /// The columns of the switch.
    private static let toggleColumn = 36
    private static let word = TextLine("CHN")

    /// The scene that a finger at `position` is on: every LED below the steps and left of the switch belongs to one.
    static func slot(at position: Position) -> Int? {
        guard position.row >= Float(top) - 1.5, position.column < Float(perRow * pitch.columns) - 0.5 else {
            return nil
        }
        let row = position.row < Float(top + pitch.rows) - 1 ? 0 : 1
        let column = Int((position.column + 0.5) / Float(pitch.columns)).clamped(to: 0...perRow - 1)
        return row * perRow + column
    }

    static func spot(at position: Position) -> Spot? {
        position.row >= 5.5 && position.column >= Float(perRow * pitch.columns) + 0.5 ? .chain : nil
    }

    static func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let state = instrument.state
        for slot in 0..<Scenes.count {
            let column = origin + slot % perRow * pitch.columns
            let row = top + slot / perRow * pitch.rows
            instrument.drawSceneBar(of: slot, into: &frame, column: column, row: row, width: width, at: now)
            guard let pattern = state.session.composition[scene: slot] else { continue }
            let thumbnail = GuideThumbnail(pattern)
            for track in Track.allCases {
                for slice in 0..<width {
                    let colour = thumbnail.colour(
                        track.rawValue, slice: slice, isTurned: true, state.session.colourMode)
                    frame[column + slice, row + 2 + track.rawValue] =
                        state.scene == slot ? colour : RGB.black.blended(towards: colour, 0.6)
                }
            }
        }
        let isTouched = instrument.isTouched(.chain)
        let column = origin + Grid.columns - word.width
        word.draw(
            into: &frame, column: column, row: top, colour: isTouched ? .white : Palette.text,
            clip: column..<column + word.width)
        SettingsSheet.draw(
            isOn: state.session.chainsScenes, colour: Palette.song, into: &frame, column: origin + toggleColumn,
            row: top + 7)
    }
}
