import Glibc
import Synchronization

/// A progress bar on a line of the terminal, with the time left; prints nothing elsewhere.
final class ProgressBar: Sendable {
    private let title: String
    private let isShown = isatty(STDERR_FILENO) == 1
    private let start = ProgressBar.seconds
    private let shown = Mutex<String?>(nil)

    private static let width = 30

    /// A bar with a title.
    init(_ title: String) { self.title = title }

    /// Shows that `part` of the work, 0-1, is done; work that ends within a second shows nothing.
    func show(_ part: Double) {
        guard isShown else { return }
        let elapsed = Self.seconds - start
        guard elapsed > 1 else { return }
        let line = Self.line(title, min(max(part, 0), 1), elapsed: elapsed)
        shown.withLock { shown in
            guard line != shown else { return }
            shown = line
            draw("\r\u{1b}[2K\(line)")
        }
    }

    /// Clears the line.
    func end() {
        shown.withLock { shown in
            if shown != nil { draw("\r\u{1b}[2K") }
            shown = nil
        }
    }

    /// The line when `part` of the work, 0-1, is done after `elapsed` seconds: the rest is expected at the same speed.
    static func line(_ title: String, _ part: Double, elapsed: Double) -> String {
        let full = Int(Double(width) * part)
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: width - full)
        guard part > 0 else { return "\(title) [\(bar)]" }
        let left = Int((elapsed * (1 - part) / part).rounded())
        let seconds = left % 60 < 10 ? "0\(left % 60)" : "\(left % 60)"
        return "\(title) [\(bar)] \(Int(100 * part)) %, \(left / 60):\(seconds) left"
    }

    /// The monotonic time.
    private static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func draw(_ text: String) { _ = write(STDERR_FILENO, text, text.utf8.count) }
}
