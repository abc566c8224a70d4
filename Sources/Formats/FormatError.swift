/// Why a document was refused: where in it, and what is wrong there. Nothing of a refused document is used.
public struct FormatError: Error, Hashable, CustomStringConvertible {
    /// A path (`tracks.bass[3][40]`) or a position (`line 3, column 5`); empty for the whole document.
    public var place: String
    /// What is wrong, and what would be right.
    public var problem: String
    /// The line of the text on which the path stands, from 1; nil where the position is the place, or is not known.
    public var line: Int?

    /// `problem` at `place`.
    public init(_ place: String, _ problem: String) {
        self.place = place
        self.problem = problem
    }

    /// One line of at most 300 characters. What comes from the document in it is shown, and does nothing on a terminal.
    public var description: String {
        let start = line.map { "line \($0): " } ?? ""
        let problem = Self.printable(problem, lengthMax: 200)
        return start + (place.isEmpty ? problem : "\(Self.printable(place, lengthMax: 70)): \(problem)")
    }

    /// `text` with escapes in the place of control characters, line breaks and marks that change the direction of writing;
    /// cut where it is longer than `lengthMax` characters.
    private static func printable(_ text: String, lengthMax: Int) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
                "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }.joined()
        return escaped.count > lengthMax ? "\(escaped.prefix(lengthMax - 1))…" : escaped
    }
}
