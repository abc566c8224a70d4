import Display
import Glibc
import InputEvents
import Instrument
import Panel
import Runtime
import Synchronization
import Testing

@testable import Devices

@Suite("Serving a grid")
struct GridServerTests {
    private let network = FakeUDP()
    private let clock = WokenClock()
    private let settings = GridSettings(interface: "eth0")

    /// A message at the device's port, or at the descriptor of another.
    private func bring(_ message: OSCMessage, _ descriptor: Int32 = 2) { network.bring([message.bytes], descriptor) }

    /// What was sent since the last call.
    private func sent() -> [String] {
        network.messages().map { sent in
            let numbers = sent.message.arguments.compactMap(\.integer)
            return "\(sent.descriptor) → \(sent.port): \(sent.message.address) \(numbers)"
        }
    }

    private func events(_ server: GridServer) -> [Instrument.Event] {
        var events: [ControlEvent] = []
        server.read(into: &events)
        return events.map(\.event)
    }

    @Test("a program that talks to it makes it a source; answers leave by the port that was asked")
    func source() {
        let server = GridServer(unopened: settings, columns: 44, name: "box", clock: clock)
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
        let server = GridServer(unopened: settings, columns: 44, name: "box", clock: clock)
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
