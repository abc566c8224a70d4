import Glibc

/// A progress bar on a line of the terminal; prints nothing elsewhere.
struct ProgressBar {
    private let title: String
    private let isShown = isatty(STDERR_FILENO) == 1
    private let start = time(nil)
    private var shown: Int?

    private static let width = 30

    /// A bar with a title.
    init(_ title: String) { self.title = title }

    /// Shows that `part` of the work, 0-1, is done; work that ends within a second shows nothing.
    mutating func show(_ part: Double) {
        let percent = Int(100 * min(max(part, 0), 1))
        guard isShown, percent != shown, time(nil) > start + 1 else { return }
        shown = percent
        let full = Self.width * percent / 100
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: Self.width - full)
        put("\r\(title) [\(bar)] \(percent) %")
    }

    /// Clears the line.
    func end() { if shown != nil { put("\r\u{1b}[2K") } }

    private func put(_ text: String) { _ = write(STDERR_FILENO, text, text.utf8.count) }
}
