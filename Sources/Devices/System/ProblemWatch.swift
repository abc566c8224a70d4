/// Log lines about parts of one kind: one when a part fails, one when it works again.
public struct ProblemWatch {
    /// The problem of each part that was logged last.
    private var logged: [String?] = []

    /// A watch that has logged nothing.
    public init() {}

    /// The lines to log now that the parts have these problems; `line` makes the line of a part, of its problem or of
    /// nil.
    public mutating func lines(_ problems: [String?], _ line: (_ part: Int, _ problem: String?) -> String) -> [String] {
        if logged.isEmpty { logged = problems.map { _ in nil } }
        defer { logged = problems }
        return problems.indices.compactMap { problems[$0] == logged[$0] ? nil : line($0, problems[$0]) }
    }

    /// The lines to log now about the chains of an LED panel.
    public mutating func lines(_ status: [SPIBus.Status]) -> [String] {
        lines(status.map(\.problem)) { "panel: \($1 ?? "chain \($0) shows again")" }
    }

    /// The lines to log now about the screen: what it is, or why there is none.
    public mutating func lines(_ status: ScreenPanel.Status) -> [String] {
        lines([status.problem ?? status.fit?.description]) { "screen: \($1 ?? "none")" }
    }

    /// The lines to log now about walls of lights.
    public mutating func lines(_ status: [WallSender.Status]) -> [String] {
        lines(status.map(\.problem)) { "\(status[$0].name): \($1 ?? "is sent to again")" }
    }

    /// The lines to log now about ports at which other machines are heard.
    public mutating func lines(_ status: [PortStatus]) -> [String] {
        lines(status.map(\.problem)) { "\(status[$0].name): \($1 ?? "can be reached again")" }
    }
}
