/// The reason that the panel cannot be shown in the terminal. The description is one line with the fix.
public enum TerminalPanelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Standard input or output is a file or a pipe.
    case notATerminal
    /// The terminal shows no colours.
    case noColours(terminal: String)
    /// The terminal has too few cells.
    case tooSmall(columns: Int, rows: Int, columnsNeeded: Int, rowsNeeded: Int)
    /// Another error, with the system's message.
    case unavailable(reason: String)

    /// One line: the problem, its place and the fix.
    public var description: String {
        switch self {
        case .notATerminal:
            "cannot show the panel: standard input and output are not a terminal; run it in one, or use --panel web"
        case .noColours(let terminal):
            "cannot show the panel: TERM is \(terminal), which has no colours; use a terminal with 24-bit colours, or --panel web"
        case .tooSmall(let columns, let rows, let columnsNeeded, let rowsNeeded):
            "cannot show the panel in \(columns) by \(rows) characters: "
                + "make the terminal at least \(columnsNeeded) by \(rowsNeeded)"
        case .unavailable(let reason):
            "cannot use the terminal: \(reason); use --panel web"
        }
    }
}
