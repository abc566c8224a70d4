import Glibc

/// The system calls for light on a network, one closure each so that a test can make any of them fail.
struct LightCalls: Sendable {
    /// Opens a socket for UDP that sends by an interface, or by any; returns a descriptor.
    var open: @Sendable (_ interface: String?) -> Result<Int32, SystemError>
    /// Sends one packet to an IPv4 address in network order, and a port; returns the number of bytes sent.
    var send:
        @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ address: UInt32, _ port: UInt16) -> Result<
            Int, SystemError
        >
    /// Closes a descriptor.
    var close: @Sendable (_ descriptor: Int32) -> Void

    /// The real calls.
    static let linux = LightCalls(
        open: { interface in
            let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let descriptor = socket(AF_INET, kind, 0)
            guard descriptor >= 0, let interface else { return Result(returned: descriptor) }
            // Multicast leaves by it, too. Linux lets everybody do this since 5.7.
            let status = setsockopt(
                descriptor, SOL_SOCKET, SO_BINDTODEVICE, interface, socklen_t(interface.utf8.count))
            guard status == 0 else {
                let failure = SystemError(errno: errno)
                _ = Glibc.close(descriptor)
                return .failure(failure)
            }
            return .success(descriptor)
        },
        send: { descriptor, bytes, address, port in
            var target = sockaddr_in()
            target.sin_family = sa_family_t(AF_INET)
            target.sin_port = port.bigEndian
            target.sin_addr.s_addr = address
            return withUnsafePointer(to: &target) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Result(
                        returned: sendto(
                            descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL), $0,
                            socklen_t(MemoryLayout<sockaddr_in>.size)))
                }
            }
        },
        close: { _ = Glibc.close($0) })

    /// The IPv4 address `text` in network order; nil if it is none.
    static func address(_ text: String) -> UInt32? {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1 ? address.s_addr : nil
    }
}
