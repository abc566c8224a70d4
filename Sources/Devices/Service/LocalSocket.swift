import Glibc

/// A service of this machine at a UNIX stream socket, which answers one request a connection.
public struct LocalSocket: Sendable {
    private let path: String

    /// The socket at `path`.
    public init(_ path: String) { self.path = path }

    /// Sends `request` and returns the whole answer, of at most `sizeMax` bytes; waits up to `seconds` for each part.
    /// Throws if the service cannot be reached or does not end its answer. Calls `connect`, `send` and `recv`.
    public func answer(to request: [UInt8], sizeMax: Int, seconds: Int) throws(DeviceError) -> [UInt8] {
        let descriptor = try Result(
            returned: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        )
        .get(for: path)
        defer { close(descriptor) }
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        _ = try connected(descriptor).get(for: path)
        var rest = request[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            rest = rest.dropFirst(try Result(returned: sent).get(for: path))
        }
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = try Result(returned: recv(descriptor, &part, part.count, 0)).get(for: path)
            guard count > 0 else { return answer }
            answer += part[..<count]
            guard answer.count <= sizeMax else { throw DeviceError(path, errno: EMSGSIZE) }
        }
    }

    private func connected(_ descriptor: Int32) -> Result<Int32, SystemError> {
        guard var address = sockaddr_un(path: path) else { return .failure(SystemError(errno: ENAMETOOLONG)) }
        return address.withPointer { Result(returned: connect(descriptor, $0, $1)) }
    }
}

extension sockaddr_un {
    /// The address of the socket at `path`; nil if that is too long.
    package init?(path: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: sun_path) else { return nil }
        withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: path.utf8) }
    }

    /// Calls `body` with the address and its length, as system calls take them.
    package mutating func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &self) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
