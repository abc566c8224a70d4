/// A file that a visitor dropped on the page.
public struct PageFile: Hashable, Sendable {
    /// Its name on the visitor's machine.
    public var name: String
    /// Its content.
    public var bytes: [UInt8]
    /// Where it was dropped, in LEDs: LED `c` spans `c` - 0.5 to `c` + 0.5.
    public var column, row: Float

    /// The file `name` with the content `bytes`, dropped at `column` and `row`.
    public init(name: String, bytes: [UInt8], column: Float, row: Float) {
        self.name = name
        self.bytes = bytes
        self.column = column
        self.row = row
    }
}

/// The answer about a file: a line for the visitor.
public enum PageAnswer: Hashable, Sendable {
    /// It is kept.
    case kept(String)
    /// It is refused, and why.
    case refused(String)
}

/// Keeps the files that visitors drop on the page.
public protocol PageFiles: Sendable {
    /// Why a file with this name and size in bytes is not received, in a line for the visitor; nil if it is.
    func refusal(of name: String, size: Int) -> String?
    /// Keeps `file`; calls `answer` once, on any thread. Returns at once.
    func keep(_ file: PageFile, answer: @escaping @Sendable (PageAnswer) -> Void)
}
