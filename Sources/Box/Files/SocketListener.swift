import Devices
import Glibc

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
        guard !path.isEmpty, !path.utf8.contains(0), var address = sockaddr_un(path: path) else {
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
