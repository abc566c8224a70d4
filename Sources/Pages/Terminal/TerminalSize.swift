import Glibc

/// A terminal's size in cells.
struct TerminalSize: Hashable {
    var columns: Int
    var rows: Int
}

extension TerminalSize {
    /// The size of the terminal at `descriptor`; 80 × 24 if unknown. Stands for `TIOCGWINSZ`.
    init(of descriptor: Int32) {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        self = isKnown ? Self(columns: Int(size.ws_col), rows: Int(size.ws_row)) : Self(columns: 80, rows: 24)
    }
}
