import Glibc

/// The system calls for light on a network, one closure each so that a test can make any of them fail.
struct UDPCalls: Sendable {
    /// Opens a socket for UDP that sends by an interface, or by any; returns a descriptor.
    var open: @Sendable (_ interface: String?) -> Result<Int32, SystemError>
    /// Sends one packet to an IPv4 address in network order, and a port; returns the number of bytes sent.
    var send:
        @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ address: UInt32, _ port: UInt16) -> Result<
            Int, SystemError
        >
    /// Opens a socket for UDP that receives at a port of an interface, and joins groups of multicast, in network order; returns a
    /// descriptor.
    var listen: @Sendable (_ interface: String, _ port: UInt16, _ groups: [UInt32]) -> Result<Int32, SystemError> =
        UDPCalls.listenLinux
    /// Receives one packet; returns its size and the IPv4 address of its sender, in network order.
    var receive:
        @Sendable (_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Result<
            (count: Int, sender: UInt32), SystemError
        > = UDPCalls.receiveLinux
    /// The index of an interface, which is another one after it has gone and come again; 0 if there is none of that name.
    var index: @Sendable (_ interface: String) -> UInt32 = { if_nametoindex($0) }
    /// Closes a descriptor.
    var close: @Sendable (_ descriptor: Int32) -> Void

    /// The real calls.
    static let linux = UDPCalls(
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

    @Sendable
    private static func listenLinux(
        _ interface: String, _ port: UInt16, _ groups: [UInt32]
    ) -> Result<Int32, SystemError> {
        linux.open(interface).flatMap { descriptor in
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            var status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            for group in groups where status == 0 {
                var request = ip_mreqn()
                request.imr_multiaddr.s_addr = group
                request.imr_ifindex = Int32(bitPattern: if_nametoindex(interface))
                status = setsockopt(
                    descriptor, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, &request,
                    socklen_t(MemoryLayout<ip_mreqn>.size))
            }
            guard status == 0 else {
                let failure = SystemError(errno: errno)
                _ = Glibc.close(descriptor)
                return .failure(failure)
            }
            return .success(descriptor)
        }
    }

    @Sendable
    private static func receiveLinux(
        _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Result<(count: Int, sender: UInt32), SystemError> {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, $0, &size)
            }
        }
        return Result(returned: count).map { (count: $0, sender: address.sin_addr.s_addr) }
    }

    /// The IPv4 multicast address of a universe of sACN, in network order: E1.31 9.3.1.
    static func group(ofUniverse universe: Int) -> UInt32 { UInt32(239 << 24 | 255 << 16 | universe).bigEndian }

    /// The IPv4 address `text` in network order; nil if it is none.
    static func address(_ text: String) -> UInt32? {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1 ? address.s_addr : nil
    }
}
