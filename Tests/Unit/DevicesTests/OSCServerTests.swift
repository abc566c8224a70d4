import Glibc
import InputEvents
import Instrument
import Panel
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
        let ports = [NetworkPort(name: "OSC at eth0", interface: "eth0", number: 4425)]
        let server = OSCServer(withoutThreadAt: "eth0", clock: clock) { message in
            message.address == "/play" ? .remote(.play) : nil
        }
        return (server, PortLines(ports, network.calls))
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
        while server.pass(&lines) {}
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
        #expect(told().count == OSCServer.subscribersMax)
    }
}
