import Glibc

/// Answers on standard input, a line each, read without waiting.
final class AnswerLines {
    enum Next {
        /// A line in lower case, with one space between its words and none around them.
        case line(String)
        /// The end of the input.
        case end
    }

    private var bytes: [UInt8] = []
    private var isAtEnd = false

    /// Maximum bytes of a line; the rest is dropped.
    private static let lineMax = 256

    /// The next answer; nil if there is none yet.
    func next() -> Next? {
        if !bytes.contains(UInt8(ascii: "\n")) { fill() }
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return isAtEnd ? .end : nil }
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        bytes.removeFirst(end + 1)
        return .line(line.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }

    private func fill() {
        var state = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard !isAtEnd, poll(&state, 1, 0) > 0 else { return }
        var part = [UInt8](repeating: 0, count: Self.lineMax)
        let count = read(STDIN_FILENO, &part, part.count)
        guard count > 0 else {
            isAtEnd = count == 0 || errno != EINTR
            return
        }
        bytes += part[..<count]
        if bytes.count > Self.lineMax, !bytes.contains(UInt8(ascii: "\n")) {
            bytes.removeLast(bytes.count - Self.lineMax)
        }
    }
}
