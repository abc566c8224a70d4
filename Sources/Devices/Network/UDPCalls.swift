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
    /// Sets where a descriptor sends, without sending: fails if there is no way there.
    var aim: @Sendable (_ descriptor: Int32, _ address: UInt32, _ port: UInt16) -> Result<Int32, SystemError> = {
        descriptor, address, port in
        Result(returned: withAddress(address, port) { connect(descriptor, $0, $1) })
    }
    /// Opens a socket for UDP that receives at a port of an interface, and joins groups of multicast, in network order;
    /// returns a descriptor.
    var listen: @Sendable (_ interface: String, _ port: UInt16, _ groups: [UInt32]) -> Result<Int32, SystemError> =
        UDPCalls.listenLinux
    /// Receives one packet; returns its size and the IPv4 address of its sender, in network order.
    var receive:
        @Sendable (_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Result<
            (count: Int, sender: UInt32), SystemError
        > = UDPCalls.receiveLinux
    /// The index of an interface, which is another one after it has gone and come again; 0 if there is none of that
    /// name.
    var index: @Sendable (_ interface: String) -> UInt32 = { if_nametoindex($0) }
    /// The IPv4 networks of an interface.
    var networks: @Sendable (_ interface: String) -> [InterfaceNetwork] = { InterfaceNetwork.all(of: $0) }
    /// Closes a descriptor.
    var close: @Sendable (_ descriptor: Int32) -> Void

    /// The real calls.
    static let linux = UDPCalls(
        open: { interface in
            bound(to: interface) { descriptor in
                // A wall's address may be the address of all machines of a network: socket(7).
                var isAllowed: Int32 = 1
                return setsockopt(
                    descriptor, SOL_SOCKET, SO_BROADCAST, &isAllowed, socklen_t(MemoryLayout<Int32>.size))
            }
        },
        send: { descriptor, bytes, address, port in
            Result(
                returned: withAddress(address, port) {
                    sendto(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL), $0, $1)
                })
        },
        close: { _ = Glibc.close($0) })

    /// A socket for UDP that sends by `interface`, or by any, after `prepare`, a system call.
    private static func bound(to interface: String?, _ prepare: (Int32) -> Int32) -> Result<Int32, SystemError> {
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { return Result(returned: descriptor) }
        // Multicast leaves by it, too. Linux lets everybody do this since 5.7.
        let status = interface.map {
            setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, $0, socklen_t($0.utf8.count))
        }
        guard status ?? 0 == 0, prepare(descriptor) == 0 else {
            let failure = SystemError(errno: errno)
            _ = Glibc.close(descriptor)
            return .failure(failure)
        }
        return .success(descriptor)
    }

    /// Calls `body` with the IPv4 `address`, in network order, and `port`.
    private static func withAddress<Value>(
        _ address: UInt32, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        target.sin_addr.s_addr = address
        return withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    @Sendable
    private static func listenLinux(
        _ interface: String, _ port: UInt16, _ groups: [UInt32]
    ) -> Result<Int32, SystemError> {
        bound(to: interface) { descriptor in
            var status = withAddress(INADDR_ANY, port) { bind(descriptor, $0, $1) }
            for group in groups where status == 0 {
                var request = ip_mreqn()
                request.imr_multiaddr.s_addr = group
                request.imr_ifindex = Int32(bitPattern: if_nametoindex(interface))
                status = setsockopt(
                    descriptor, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, &request,
                    socklen_t(MemoryLayout<ip_mreqn>.size))
            }
            return status
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

    /// The IPv4 address `text` in network order; nil if it is none.
    static func address(_ text: String) -> UInt32? {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1 ? address.s_addr : nil
    }

    /// The IPv4 address `address`, in network order, as text.
    static func text(of address: UInt32) -> String {
        withUnsafeBytes(of: address) { $0.map { String($0) }.joined(separator: ".") }
    }
}
