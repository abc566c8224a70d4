import FoundationEssentials
import Glibc

/// Lines that arrive at a descriptor.
package final class InputLines {
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private var part = [UInt8](repeating: 0, count: 1 << 16)
    /// The longest line: a pattern of every kind, and a session of an hour.
    private static let lengthMax = 64 << 20

    /// The lines at `descriptor`.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The next line, without its end; nil at the end. The last one may lack its end. Throws if reading fails or a line is
    /// too long.
    package func next() throws -> [UInt8]? {
        var searched = 0
        while true {
            if let end = bytes[searched...].firstIndex(of: 0x0a) {
                defer { bytes.removeFirst(end + 1) }
                return Array(bytes[..<end])
            }
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

/// A socket in the file system at which programs of the same user connect.
package final class SocketListener: Sendable {
    private let descriptor: Int32
    private let path: String

    /// A listener at `path`, in place of one that nobody listens at. Throws if there is another file, or a listener.
    package init(_ path: String) throws {
        descriptor = try Self.listen(at: path)
        self.path = path
    }

    private static func listen(at path: String) throws -> Int32 {
        guard var address = sockaddr_un(path) else {
            throw CommandError(.usage, "\(path): is not the name of a socket, which has 1 to 107 bytes")
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw refused(path, errno) }
        removeLeftOver(path, &address)
        // The socket's file is made with these permissions.
        let mask = umask(0o177)
        let isBound = address.withPointer { bind(descriptor, $0, $1) } == 0
        let reason = errno
        umask(mask)
        guard isBound, Glibc.listen(descriptor, 1) == 0 else {
            let reason = isBound ? errno : reason
            close(descriptor)
            throw refused(path, reason)
        }
        return descriptor
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Waits for a program; returns the descriptor of its connection, which the caller closes. Nil after `stop`.
    package func accept() -> Int32? {
        while true {
            let connection = Glibc.accept(descriptor, nil, nil)
            if connection >= 0 { return connection }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Ends the listening. From any thread.
    package func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Removes the socket of a process that has ended.
    private static func removeLeftOver(_ path: String, _ address: inout sockaddr_un) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(probe) }
        let isAnswered = address.withPointer { connect(probe, $0, $1) } == 0
        if !isAnswered, errno == ECONNREFUSED { unlink(path) }
    }

    private static func refused(_ path: String, _ reason: Int32) -> CommandError {
        CommandError(.cannotCreate, "\(path): cannot be listened at: \(Files.reason(reason))")
    }
}

extension sockaddr_un {
    /// The address of the socket at `path`; nil if that is too long.
    fileprivate init?(_ path: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        let size = MemoryLayout.size(ofValue: sun_path)
        guard !path.isEmpty, path.utf8.count < size, !path.utf8.contains(0) else { return nil }
        withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: path.utf8) }
    }

    fileprivate mutating func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &self) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
