import Box
import Input

extension BoxOptions {
    /// The options of `arguments`.
    init(_ arguments: Arguments) throws {
        self.init()
        configuration = arguments["--config"]
        panel = try arguments.choice("--panel")
        audio = arguments["--audio"]
        library = arguments["--library"]
        listen = arguments["--listen"]
        tokenFile = arguments["--token-file"]
        record = arguments["--record"]
        control = arguments["--control"]
    }

    /// Parses the options of a `run` command.
    init(parsing words: [String]) throws { try self.init(Arguments(words[...], of: Main.run)) }
}

extension Arguments {
    /// The option that gives the ranges of a recording's axes.
    static let range = "--range"

    /// The ranges of `--range`; nil without it.
    func axes() throws -> TouchAxes? {
        guard let (x, y) = pair(Self.range) else { return nil }
        return TouchAxes(x: try Self.axis(x), y: try Self.axis(y))
    }

    /// `MAX`, or `MIN:MAX`.
    private static func axis(_ text: String) throws -> ClosedRange<Int32> {
        let ends = text.split(separator: ":", omittingEmptySubsequences: false).map { Int32($0) }
        let (low, high) = ends.count == 1 ? (0, ends[0]) : (ends[0], ends.count == 2 ? ends[1] : nil)
        guard let low, let high, low < high else {
            throw CommandError(.usage, "\(range) has \(text), should be the axis's largest value, or SMALLEST:LARGEST")
        }
        return low...high
    }
}
