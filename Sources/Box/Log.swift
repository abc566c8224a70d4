import Glibc

/// The log of the box: standard error, which the service manager keeps in its journal.
package enum Log {
    /// Writes `message` as one line.
    package static func post(_ message: String) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        let text = "pixelboop: \(line)\n"
        // stderr is gone; ignore the error.
        _ = write(STDERR_FILENO, text, text.utf8.count)
    }
}
