import Display

/// The picture of a panel whose box is starting: the product's name, with the four tracks' colours.
public enum StartPicture {
    private static let words: [(text: TextLine, colour: RGB)] =
        [(TextLine("PIXEL"), Palette.text)]
        + zip(["B", "O", "O", "P"], Track.allCases).map { (TextLine($0), Palette.track($1, .chromatic)) }
    /// Dim, as the player's light is not known yet.
    private static let alpha: Float = 0.35

    /// Draws the picture in the middle of `frame`.
    public static func draw(into frame: inout Frame) {
        frame.fill(.black)
        let width = words.reduce(-1) { $0 + $1.text.width + 1 }
        var column = (frame.columns - width) / 2
        for word in words {
            word.text.draw(
                into: &frame, column: column, row: (frame.rows - Font.height) / 2, colour: word.colour, alpha: alpha)
            column += word.text.width + 1
        }
    }
}
