/// Why a document was rejected, with the place of the error. No part of a rejected document is used.
public struct FormatError: Error, Hashable, CustomStringConvertible {
    /// A path (`tracks.bass[3][40]`) or a position (`line 3, column 5`); empty for the whole document.
    public var place: String
    /// The problem, and the expected value.
    public var problem: String
    /// The line of the path, from 1; nil if the place is a position, or the line is unknown.
    public var line: Int?

    /// An error `problem` at `place`.
    public init(_ place: String, _ problem: String) {
        self.place = place
        self.problem = problem
    }

    /// One line of at most 300 characters. Text from the document is escaped, so that it has no effect on a terminal.
    public var description: String {
        let start = line.map { "line \($0): " } ?? ""
        let problem = Self.printable(problem, lengthMax: 200)
        return start + (place.isEmpty ? problem : "\(Self.printable(place, lengthMax: 70)): \(problem)")
    }

    /// `text` with invisible characters escaped, truncated to `lengthMax` characters.
    private static func printable(_ text: String, lengthMax: Int) -> String {
        let escaped = text.unicodeScalars.map {
            $0.isInvisible ? "\\u{\(String($0.value, radix: 16))}" : String($0)
        }.joined()
        return escaped.count > lengthMax ? "\(escaped.prefix(lengthMax - 1))…" : escaped
    }
}
