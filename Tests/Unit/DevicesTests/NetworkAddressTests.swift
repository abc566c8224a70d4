import Glibc
import Testing

@testable import Devices

@Suite("The machine's network address")
struct NetworkAddressTests {
    private static func up(_ address: String?, family: Int32? = AF_INET) -> NetworkInterface {
        NetworkInterface(name: "eth0", isUp: true, isLoopback: false, family: family, address: address)
    }

    private static let loopback = NetworkInterface(
        name: "lo", isUp: true, isLoopback: true, family: AF_INET, address: "127.0.0.1")
    private static let down = NetworkInterface(
        name: "eth0", isUp: false, isLoopback: false, family: AF_INET, address: "10.0.0.1")

    static let cases: [(name: String, interfaces: [NetworkInterface], address: String?)] = [
        ("no interface", [], nil),
        ("nothing but a loopback", [loopback], nil),
        ("an interface that is down", [loopback, down], nil),
        ("an interface without an address", [up(nil, family: nil), up("10.0.0.2")], "10.0.0.2"),
        ("an address that cannot be written", [up(nil), up("10.0.0.3")], "10.0.0.3"),
        ("IPv4 before IPv6", [up("2001:db8::1", family: AF_INET6), up("10.0.0.4")], "10.0.0.4"),
        (
            "IPv6 that is not link-local", [up("fe80::1%eth0", family: AF_INET6), up("2001:db8::2", family: AF_INET6)],
            "2001:db8::2"
        ),
        ("link-local only", [up("fe80::1%eth0", family: AF_INET6)], nil),
        ("another family", [up("02:00:00:00:00:01", family: AF_PACKET)], nil),
    ]

    @Test("is the first that others reach", arguments: cases)
    func choice(_ it: (name: String, interfaces: [NetworkInterface], address: String?)) {
        #expect(NetworkAddress.current { .success(it.interfaces) } == it.address, "\(it.name)")
    }

    @Test("belongs to the interface that has it, if one has")
    func interface() {
        let interfaces = [Self.loopback, Self.up("10.0.0.2"), Self.down]
        func name(_ address: String) -> String? { NetworkAddress.interface(of: address) { .success(interfaces) } }
        #expect(name("127.0.0.1") == "lo" && name("10.0.0.2") == "eth0" && name("10.0.0.1") == "eth0")
        #expect(name("10.0.0.9") == nil && name("") == nil)
        #expect(NetworkAddress.interface(of: "10.0.0.2") { .failure(SystemError(errno: EMFILE)) } == nil)
    }

    @Test("is unknown if the system does not list its interfaces", arguments: [EMFILE, ENOMEM, EINTR, EACCES])
    func failure(errno: Int32) {
        #expect(NetworkAddress.current { .failure(SystemError(errno: errno)) } == nil)
    }

    @Test("of this machine can be read")
    func real() throws {
        let interfaces = try NetworkInterface.all().get()
        #expect(interfaces.allSatisfy { $0.address.map { !$0.isEmpty } ?? true })
    }
}
