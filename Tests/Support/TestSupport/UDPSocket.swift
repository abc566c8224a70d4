import Glibc

/// A UDP socket at 127.0.0.1, with a deadline on every read.
public final class UDPSocket {
    private let descriptor: Int32
    /// Its port.
    public let port: Int

    /// A socket on a free port; nil if the system has none.
    public init?() {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        self.descriptor = descriptor
        var address = Self.address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 ? getsockname(descriptor, address, &size) : -1
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard status == 0 else {
            // deinit closes the descriptor.
            return nil
        }
    }

    deinit { close(descriptor) }

    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        return address
    }

    /// Sends `bytes` to `port` at 127.0.0.1.
    public func send(_ bytes: [UInt8], to port: Int) {
        var target = Self.address(port: port)
        _ = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// The next packet; nil if none comes within `milliseconds`.
    public func receive(milliseconds: Int32 = 5000) -> [UInt8]? {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, milliseconds) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : Array(bytes[..<count])
    }
}
