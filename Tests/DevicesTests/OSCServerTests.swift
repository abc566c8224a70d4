import Glibc
import InputEvents
import Instrument
import Panel
import Runtime
import Synchronization
import Testing

@testable import Devices

/// A port whose packets the test brings and takes.
private final class Network: Sendable {
    struct State {
        var arriving: [(bytes: [UInt8], sender: UInt32)] = []
        var sent: [(address: UInt32, port: UInt16, bytes: [UInt8])] = []
    }

    let state = Mutex(State())

    var calls: UDPCalls {
        var calls = UDPCalls.linux
        calls.index = { _ in 1 }
        calls.listen = { _, _, _ in .success(7) }
        calls.receive = { [self] _, buffer in
            state.withLock { state in
                guard !state.arriving.isEmpty else { return .failure(SystemError(errno: EAGAIN)) }
                let packet = state.arriving.removeFirst()
                buffer.copyBytes(from: packet.bytes)
                return .success((packet.bytes.count, packet.sender))
            }
        }
        calls.send = { [self] _, bytes, address, port in
            state.withLock { $0.sent.append((address, port, Array(bytes))) }
            return .success(bytes.count)
        }
        calls.close = { _ in }
        return calls
    }
}

@Suite("Serving Open Sound Control")
struct OSCServerTests {
    private let network = Network()
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
        network.state.withLock { $0.arriving.append((message.bytes, sender)) }
    }

    /// Who was told what since the last call: address, port and address of the message.
    private func told() -> [String] {
        let sent = network.state.withLock { state in
            defer { state.sent = [] }
            return state.sent
        }
        return sent.flatMap { packet in
            packet.bytes.withUnsafeBytes { OSCMessage.messages(in: $0) }.map { message in
                "\(packet.address):\(packet.port) \(message.address)"
            }
        }.sorted()
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
