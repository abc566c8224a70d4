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

    /// One line that says it all.
    public var description: String {
        let start = line.map { "line \($0): " } ?? ""
        return start + (place.isEmpty ? problem : "\(place): \(problem)")
    }
}
