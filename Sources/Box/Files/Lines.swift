import Glibc

/// Lines that arrive at a descriptor.
package final class InputLines {
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    /// Where the next line begins in `bytes`.
    private var begin = 0
    private var part = [UInt8](repeating: 0, count: 1 << 16)
    /// The longest line: a pattern of every kind, and a session of an hour.
    private static let lengthMax = 64 << 20

    /// The lines at `descriptor`.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The next line, without its end; nil at the end. The last one may lack its end. Throws if reading fails or a line is
    /// too long.
    package func next() throws -> [UInt8]? {
        var searched = begin
        while true {
            if let end = bytes[searched...].firstIndex(of: 0x0a) {
                defer { begin = end + 1 }
                return Array(bytes[begin..<end])
            }
            bytes.removeFirst(begin)
            begin = 0
            searched = bytes.count
            guard searched <= Self.lengthMax else {
                throw CommandError(.badData, "a line is longer than \(Self.lengthMax >> 20) MiB")
            }
            let count = read(descriptor, &part, part.count)
            if count > 0 {
                bytes += part[..<count]
            } else if count == 0 {
                defer { bytes = [] }
                return bytes.isEmpty ? nil : bytes
            } else if errno != EINTR {
                throw CommandError(.ioError, "the requests cannot be read: \(Files.reason(errno))")
            }
        }
    }
}

/// Lines that leave by a descriptor, each at once.
package struct OutputLines {
    private let descriptor: Int32

    /// The lines to `descriptor`.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes `line` and its end. Throws if that fails.
    package func write(_ line: String) throws {
        var rest = Array(line.utf8)[...]
        rest.append(0x0a)
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest.removeFirst(count)
            } else if errno != EINTR {
                throw CommandError(.ioError, "an answer cannot be written: \(Files.reason(errno))")
            }
        }
    }
}
