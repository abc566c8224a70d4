import Display

/// The Play or Stop button at the top right of the sheets and of the guide.
enum PlayButton {
    private static let play = TextLine("▶")

    /// Draws the button's current function, three LEDs wide from `column`.
    static func draw(into frame: inout Frame, column: Int, isPlaying: Bool, isTouched: Bool, _ mode: ColourMode) {
        if isPlaying {
            frame.fill(columns: column..<column + 3, rows: 1..<4, isTouched ? .white : Palette.stop(mode))
        } else {
            play.draw(into: &frame, column: column, row: 0, colour: isTouched ? .white : Palette.go(mode))
        }
    }
}
