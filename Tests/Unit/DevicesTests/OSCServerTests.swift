import Glibc
import InputEvents
import Instrument
import Runtime
import Synchronization
import Testing

@testable import Devices

@Suite("Serving Open Sound Control")
struct OSCServerTests {
    private let network = FakeUDP()
    private let clock = WokenClock()
    private let change = OSCMessage("/pixelboop/playing", .int(1))

    private func server() -> (OSCServer, PortLines) {
        let port = NetworkPort(name: "OSC at eth0", interface: "eth0", number: 4425)
        let server = OSCServer(unopened: port, clock: clock) { message in
            message.address == "/play" ? .remote(.play) : nil
        }
        return (server, PortLines([port], network.calls))
    }

    private func bring(_ message: OSCMessage, from sender: UInt32 = 1) {
        network.bring([message.bytes], from: sender)
    }

    /// Who was told what since the last call: address, port and address of the message.
    private func told() -> [String] {
        network.messages().map { "\($0.address):\($0.port) \($0.message.address)" }.sorted()
    }

    @Test("messages become events on the loop, which is woken once")
    func events() {
        var (server, lines) = server()
        for _ in 1...3 { bring(OSCMessage("/play")) }
        bring(OSCMessage("/nothing"))
        _ = server.pass(&lines)
        #expect(clock.wakes == 1)
        var events: [ControlEvent] = []
        server.read(into: &events)
        server.read(into: &events)
        #expect(events.map(\.event) == [.remote(.play), .remote(.play), .remote(.play)])
    }

    @Test("messages beyond a thousand that wait are lost")
    func many() {
        var (server, lines) = server()
        for _ in 1...1100 { bring(OSCMessage("/play")) }
        while server.pass(&lines) == .pause {}
        var events: [ControlEvent] = []
        server.read(into: &events)
        #expect(events.count == 1024)
    }

    @Test("a program that asks is told at the port it names: first how it is, then what changes, for a minute")
    func subscribers() {
        var (server, lines) = server()
        func tell() -> [String] {
            server.tell([change]) { [OSCMessage("/welcome")] }
            _ = server.pass(&lines)
            return told()
        }
        #expect(!server.hasSubscribers && tell().isEmpty)
        bring(OSCMessage("/pixelboop/subscribe", .int(7000)), from: 5)
        _ = server.pass(&lines)
        #expect(server.hasSubscribers && clock.wakes == 1)
        #expect(tell() == ["5:7000 /welcome"])
        #expect(tell() == ["5:7000 /pixelboop/playing"])
        bring(OSCMessage("/pixelboop/subscribe", .int(7001)), from: 6)
        _ = server.pass(&lines)
        #expect(tell() == ["5:7000 /pixelboop/playing", "6:7001 /welcome"])
        clock.set(clock.now + .milliseconds(59_000))
        bring(OSCMessage("/pixelboop/subscribe", .int(7001)), from: 6)
        _ = server.pass(&lines)
        #expect(tell() == ["5:7000 /pixelboop/playing", "6:7001 /welcome"])
        clock.set(clock.now + .milliseconds(1000))
        _ = server.pass(&lines)
        #expect(tell() == ["6:7001 /pixelboop/playing"])
        bring(OSCMessage("/pixelboop/unsubscribe", .int(7001)), from: 6)
        _ = server.pass(&lines)
        #expect(!server.hasSubscribers && tell().isEmpty)
    }

    @Test("eight are told, and a request that names no port is none")
    func limits() {
        var (server, lines) = server()
        for bad in [
            OSCMessage("/pixelboop/subscribe"), OSCMessage("/pixelboop/subscribe", .int(0)),
            OSCMessage("/pixelboop/subscribe", .int(70_000)), OSCMessage("/pixelboop/subscribe", .string("7000")),
        ] {
            bring(bad)
        }
        _ = server.pass(&lines)
        #expect(!server.hasSubscribers)
        for port in 1...20 { bring(OSCMessage("/pixelboop/subscribe", .int(Int32(port)))) }
        _ = server.pass(&lines)
        server.tell([]) { [OSCMessage("/welcome")] }
        _ = server.pass(&lines)
        #expect(told().count == OSCMailbox.subscribersMax)
    }

    @Test("a packet that asks for many ports has one answer, and eight in a second are all")
    func budget() {
        var (server, lines) = server()
        func tell() -> [String] {
            _ = server.pass(&lines)
            server.tell([]) { [OSCMessage("/welcome")] }
            _ = server.pass(&lines)
            return told()
        }
        func bundle(_ ports: ClosedRange<Int>) -> [UInt8] {
            ports.reduce(Array("#bundle".utf8) + [UInt8](repeating: 0, count: 9)) { bundle, port in
                let message = OSCMessage("/pixelboop/subscribe", .int(Int32(port))).bytes
                return bundle + [0, 0, 0, UInt8(message.count)] + message
            }
        }
        network.bring([bundle(1...40)])
        #expect(tell() == ["1:1 /welcome"])
        for _ in 1...30 { network.bring([bundle(1...40)]) }
        #expect(tell() == ["1:1 /welcome"])
        for port in 1...20 { network.bring([bundle(port...port)], from: UInt32(port)) }
        #expect(tell().isEmpty)
        clock.set(clock.now + .milliseconds(1000))
        for port in 2...3 { network.bring([bundle(port...port)], from: UInt32(port)) }
        #expect(tell() == ["2:2 /welcome", "3:3 /welcome"])
    }

    @Test("one address cannot hold all places, and a program that stays away gives up its own")
    func places() {
        var (server, lines) = server()
        func ask(_ port: Int, from sender: UInt32) {
            bring(OSCMessage("/pixelboop/subscribe", .int(Int32(port))), from: sender)
            _ = server.pass(&lines)
        }
        for port in 1...8 { ask(port, from: 5) }
        server.tell([]) { [] }
        clock.set(clock.now + .milliseconds(1000))
        ask(9, from: 6)
        server.tell([change]) { [] }
        _ = server.pass(&lines)
        #expect(told() == (2...8).map { "5:\($0) /pixelboop/playing" })
        server.tell([change]) { [] }
        _ = server.pass(&lines)
        #expect(told().contains("6:9 /pixelboop/playing"))
        bring(OSCMessage("/pixelboop/unsubscribe", .int(9)), from: 6)
        for port in 2...8 { bring(OSCMessage("/pixelboop/unsubscribe", .int(Int32(port))), from: 5) }
        clock.set(clock.now + .milliseconds(1000))
        for sender in 10...17 as ClosedRange<UInt32> { ask(7, from: sender) }
        server.tell([]) { [] }
        clock.set(clock.now + .milliseconds(1000))
        ask(7, from: 20)
        server.tell([change]) { [] }
        _ = server.pass(&lines)
        #expect(!told().contains("20:7 /pixelboop/playing"))
        clock.set(clock.now + .milliseconds(29_000))
        ask(7, from: 20)
        for _ in 1...2 { server.tell([change]) { [] } }
        _ = server.pass(&lines)
        let all = told()
        #expect(all.contains("20:7 /pixelboop/playing") && !all.contains("10:7 /pixelboop/playing"))
    }

    @Test("nothing is sent beyond the interface's networks, nor to the box's own port")
    func strangers() {
        var (server, lines) = server()
        let network10 = UDPCalls.address("10.0.0.0") ?? 0
        network.state.withLock {
            $0.networks = [InterfaceNetwork(address: network10 | 5 << 24, mask: UDPCalls.address("255.0.0.0") ?? 0)]
        }
        for (address, port) in [("10.0.0.9", 7000), ("192.168.1.9", 7000), ("10.0.0.5", 4425), ("10.0.0.5", 7001)] {
            bring(OSCMessage("/pixelboop/subscribe", .int(Int32(port))), from: UDPCalls.address(address) ?? 0)
        }
        _ = server.pass(&lines)
        server.tell([]) { [OSCMessage("/welcome")] }
        _ = server.pass(&lines)
        #expect(
            network.messages().map { "\(UDPCalls.text(of: $0.address)):\($0.port)" }.sorted() == [
                "10.0.0.5:7001", "10.0.0.9:7000",
            ])
    }
}
