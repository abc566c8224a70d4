import Documents
import Glibc

/// The log of the box: standard error, which the service manager keeps in its journal.
package enum Log {
    /// Writes `message` as one line.
    package static func post(_ message: String) {
        let text = "pixelboop: \(line(message))\n"
        // stderr is gone; ignore the error.
        _ = write(STDERR_FILENO, text, text.utf8.count)
    }

    /// `message` in one line, with ? for control characters, which a terminal would obey: a file's name may have them.
    static func line(_ message: String) -> String {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ").unicodeScalars
        return String(String.UnicodeScalarView(line.map { $0.isInvisible ? "?" : $0 }))
    }
}
