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

/// The answer to a visitor: a line, or a file.
public enum PageAnswer: Hashable, Sendable {
    /// The file is kept.
    case kept(String)
    /// The file is refused, and why.
    case refused(String)
    /// The playing tune, as a file.
    case tune([UInt8], PageTune)
}

/// The forms in which visitors get the playing tune.
public enum PageTune: Sendable {
    /// Its document in the exchange format.
    case json
    /// A Standard MIDI File.
    case midi

    /// The form at `path` of the page; nil for another path.
    init?(path: String) {
        switch path {
        case "/tune.json": self = .json
        case "/tune.mid": self = .midi
        default: return nil
        }
    }

    var type: String {
        switch self {
        case .json: "application/json"
        case .midi: "audio/midi"
        }
    }
}

/// Keeps the files that visitors drop on the page, and gives them the playing tune.
public protocol PageFiles: Sendable {
    /// Why a file with this name and size in bytes is not received, in a line for the visitor; nil if it is.
    func refusal(of name: String, size: Int) -> String?
    /// Keeps `file`; calls `answer` once, on any thread. Returns at once.
    func keep(_ file: PageFile, answer: @escaping @Sendable (PageAnswer) -> Void)
    /// Calls `answer` once with the playing tune in `form`, on any thread. Returns at once.
    func give(_ form: PageTune, answer: @escaping @Sendable (PageAnswer) -> Void)
}
