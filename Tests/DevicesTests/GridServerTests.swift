import Display
import Glibc
import InputEvents
import Instrument
import Panel
import Runtime
import Synchronization
import Testing

@testable import Devices

/// The ports of a grid, whose packets the test brings and takes.
private final class Network: Sendable {
    struct State {
        /// By descriptor: the discovery's is 1, the device's 2.
        var arriving: [Int32: [[UInt8]]] = [:]
        var sent: [(from: Int32, bytes: [UInt8], port: UInt16)] = []
        var opened: Int32 = 0
    }

    let state = Mutex(State())

    var calls: UDPCalls {
        var calls = UDPCalls.linux
        calls.index = { _ in 1 }
        calls.listen = { [self] _, _, _ in
            state.withLock { state in
                state.opened += 1
                return .success(state.opened)
            }
        }
        calls.receive = { [self] descriptor, buffer in
            state.withLock { state in
                guard let bytes = state.arriving[descriptor]?.first else {
                    return .failure(SystemError(errno: EAGAIN))
                }
                state.arriving[descriptor]?.removeFirst()
                buffer.copyBytes(from: bytes)
                return .success((bytes.count, 1))
            }
        }
        calls.send = { [self] descriptor, bytes, _, port in
            state.withLock { $0.sent.append((descriptor, Array(bytes), port)) }
            return .success(bytes.count)
        }
        calls.close = { _ in }
        return calls
    }
}

@Suite("Serving a grid")
struct GridServerTests {
    private let network = Network()
    private let clock = WokenClock()
    private let settings = GridSettings(interface: "eth0")

    private func bring(_ message: OSCMessage, _ descriptor: Int32 = 2) {
        network.state.withLock { $0.arriving[descriptor, default: []].append(message.bytes) }
    }

    /// What was sent since the last call.
    private func sent() -> [String] {
        let packets = network.state.withLock { state in
            defer { state.sent = [] }
            return state.sent
        }
        return packets.flatMap { packet in
            packet.bytes.withUnsafeBytes { OSCMessage.messages(in: $0) }.map { message in
                "\(packet.from) → \(packet.port): \(message.address) \(message.arguments.compactMap(\.integer))"
            }
        }
    }

    private func events(_ server: GridServer) -> [Instrument.Event] {
        var events: [ControlEvent] = []
        server.read(into: &events)
        return events.map(\.event)
    }

    @Test("a program that talks to it makes it a source; answers leave by the port that was asked")
    func source() {
        let server = GridServer(without: settings, columns: 44, name: "box", clock: clock)
        var lines = PortLines(GridServer.ports(settings), network.calls)
        _ = server.pass(&lines)
        bring(OSCMessage("/serialosc/list", .string("localhost"), .int(7000)), 1)
        _ = server.pass(&lines)
        #expect(sent() == ["1 → 7000: /serialosc/device [12003]"] && events(server).isEmpty && clock.wakes == 0)
        bring(OSCMessage("/sys/port", .int(7000)))
        _ = server.pass(&lines)
        #expect(sent() == ["2 → 7000: /sys/port [7000]"] && clock.wakes == 1)
        let grid = LightSource(number: 0, name: "GRID", takesTouches: true)
        #expect(events(server) == [.lights([grid])] && events(server).isEmpty)
    }

    @Test("while it is shown, its lights wake the loop and fingers are keys; after that all are lifted")
    func shown() {
        let server = GridServer(without: settings, columns: 44, name: "box", clock: clock)
        var lines = PortLines(GridServer.ports(settings), network.calls)
        bring(OSCMessage("/sys/port", .int(7000)))
        _ = server.pass(&lines)
        let wakes = clock.wakes
        bring(OSCMessage("/monome/grid/led/set", .int(0), .int(0), .int(1)))
        _ = server.pass(&lines)
        #expect(clock.wakes == wakes && !server.follow(nil))
        #expect(server.follow(0) && !server.follow(0))
        bring(OSCMessage("/monome/grid/led/set", .int(1), .int(0), .int(1)))
        bring(OSCMessage("/monome/grid/led/set", .int(2), .int(0), .int(1)))
        _ = server.pass(&lines)
        #expect(clock.wakes == wakes + 1 && server.follow(0) && !server.follow(0))
        var frame = Frame(columns: 44, rows: 24)
        server.draw(0, into: &frame, columns: 0..<44, rows: 0..<24)
        #expect(frame.pixels[3...7].map(\.red) == [0, 255, 255, 255, 0])
        _ = sent()
        server.touch(0, Touch(contact: 3, phase: .down, column: 10, row: 5))
        server.touch(0, Touch(contact: 4, phase: .down, column: 12, row: 5))
        server.touch(0, Touch(contact: 3, phase: .cancel, column: 10, row: 5))
        _ = server.pass(&lines)
        #expect(
            sent() == [
                "2 → 7000: /monome/grid/key [6, 5, 1]", "2 → 7000: /monome/grid/key [8, 5, 1]",
                "2 → 7000: /monome/grid/key [6, 5, 0]",
            ])
        #expect(!server.follow(nil))
        _ = server.pass(&lines)
        #expect(sent() == ["2 → 7000: /monome/grid/key [8, 5, 0]"])
    }
}
