/// Why there can be no panel in the terminal. Its description is one line that says what to do.
public enum TerminalPanelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Standard input or output is a file or a pipe.
    case notATerminal
    /// There are fewer cells than LEDs need.
    case tooSmall(columns: Int, rows: Int, columnsNeeded: Int, rowsNeeded: Int)
    /// The system refused, in its own words.
    case unavailable(reason: String)

    /// One line: what, where and what to do.
    public var description: String {
        switch self {
        case .notATerminal:
            "cannot show the panel: standard input and output are not a terminal; run it in one, or use --panel web"
        case .tooSmall(let columns, let rows, let columnsNeeded, let rowsNeeded):
            "cannot show the panel in \(columns) by \(rows) characters: "
                + "make the terminal at least \(columnsNeeded) by \(rowsNeeded)"
        case .unavailable(let reason):
            "cannot use the terminal: \(reason); use --panel web"
        }
    }
}
