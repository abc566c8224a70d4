import Display
import Glibc
import InputEvents
import ManualTime
import Panel
import Synchronization
import TestSupport
import Testing

@testable import Devices

/// A network that keeps what is sent.
private final class Network: Sendable {
    struct Packet {
        var bytes: [UInt8]
        var address: UInt32
        var port: UInt16
    }

    private struct State {
        var packets: [Packet] = []
        var failure: Int32?
        var isOpen = false
        var opened: [String?] = []
    }

    private let state = Mutex(State())

    var calls: UDPCalls {
        UDPCalls(
            open: { [self] interface in
                state.withLock {
                    $0.opened.append(interface)
                    if let failure = $0.failure, failure == ENODEV { return .failure(SystemError(errno: failure)) }
                    $0.isOpen = true
                    return .success(7)
                }
            },
            send: { [self] _, bytes, address, port in
                state.withLock {
                    if let failure = $0.failure { return .failure(SystemError(errno: failure)) }
                    $0.packets.append(Packet(bytes: Array(bytes), address: address, port: port))
                    return .success(bytes.count)
                }
            },
            close: { [self] _ in state.withLock { $0.isOpen = false } })
    }

    func drain() -> [Packet] {
        state.withLock { state in
            defer { state.packets = [] }
            return state.packets
        }
    }

    func fail(_ failure: Int32?) { state.withLock { $0.failure = failure } }
    var isOpen: Bool { state.withLock(\.isOpen) }
    var opened: [String?] { state.withLock(\.opened) }
}

@Suite("Sending to walls of lights")
struct WallSenderTests {
    private let time = ManualTime()
    private let network = Network()

    private func sender(_ panel: PanelConfiguration = PanelConfiguration(), _ walls: Wall...) throws -> WallSender {
        let made = try WallSender(walls, panel, name: "TEST", clock: time, changes: time, calls: network.calls)
        return try #require(made)
    }

    private func wall(_ change: (inout Wall) -> Void = { _ in }) -> Wall {
        var wall = Wall()
        (wall.address, wall.columns, wall.rows) = ("10.1.2.3", 1, 1)
        change(&wall)
        return wall
    }

    private func all(_ colour: UInt32) -> [RGB] { [RGB](repeating: RGB(colour), count: 44 * 24) }

    @Test("a wall gets the newest picture at once, later ones at its rate, and the same one each second")
    func rate() throws {
        let driver = try PanelDriver(PanelConfiguration())
        let sender = try sender(PanelConfiguration(), wall { $0.rate = 10 })
        try time.pass()
        _ = network.drain()
        try time.pass(.milliseconds(500))
        var light: [UInt8] = []
        for value in 1...50 as ClosedRange<UInt32> {
            sender.show(all(value << 16), by: driver)
            try time.pass(.milliseconds(10))
            light += network.drain().map { $0.bytes[10] }
        }
        try time.pass(.milliseconds(100))
        light += network.drain().map { $0.bytes[10] }
        // The first one at once, then one every 100 ms, none twice, and the last.
        #expect((5...7).contains(light.count) && light.first == 1 && light.last == 50, "\(light)")
        #expect(light == light.sorted() && Set(light).count == light.count, "\(light)")
        try time.pass(.milliseconds(3000))
        #expect(network.drain().map { $0.bytes[10] } == [50, 50, 50])
        sender.stop()
        #expect(!network.isOpen && sender.statuses[0].pictures > 8)
    }

    @Test("addresses: one's own, or one for each universe")
    func addresses() throws {
        let multicast = wall {
            ($0.transport, $0.address, $0.columns, $0.universe) = (.sacn, nil, 171, 511)
            $0.interface = "eth7"
        }
        let sender = try sender(PanelConfiguration(), wall(), multicast)
        try time.pass()
        sender.stop()
        let packets = network.drain()
        func name(_ address: UInt32) -> String {
            (0..<4).map { (part: Int) -> String in "\(address >> UInt32(8 * part) & 255)" }.joined(separator: ".")
        }
        #expect(
            Set(packets.map { "\(name($0.address)):\($0.port)" }) == [
                "10.1.2.3:4048", "239.255.1.255:5568", "239.255.2.0:5568",
            ])
        #expect(network.opened == [nil, "eth7"])
        // Each universe ends with three packets that say so.
        let ends = packets.filter { $0.port == 5568 && $0.bytes[112] == 0x40 }
        #expect(ends.count == 6 && packets.suffix(6).allSatisfy { $0.bytes.count > 112 && $0.bytes[112] == 0x40 })
    }

    @Test(
        "a failure is told, tried again each second, and forgotten when it has passed",
        arguments: [ENODEV, ENETUNREACH, ENETDOWN, EPERM])
    func failures(code: Int32) throws {
        let sender = try sender(PanelConfiguration(), wall())
        let driver = try PanelDriver(PanelConfiguration())
        network.fail(code)
        try time.pass(.milliseconds(10))
        sender.show(all(0xff), by: driver)
        try time.pass(.milliseconds(4000))
        #expect(sender.statuses[0].problem == "\(SystemError(errno: code))")
        #expect((3...6).contains(network.opened.count), "\(network.opened.count)")
        network.fail(nil)
        try time.pass(.milliseconds(1000))
        #expect(sender.statuses[0].problem == nil && network.drain().last?.bytes[12] == 0xff)
        sender.stop()
    }

    @Test("switched off, a wall becomes dark and its stream ends; switched on, it has the picture again")
    func switching() throws {
        let driver = try PanelDriver(PanelConfiguration())
        let sender = try sender(PanelConfiguration(), wall { ($0.transport, $0.address) = (.sacn, nil) })
        sender.show(all(0xff), by: driver)
        try time.pass(.milliseconds(100))
        #expect(network.drain().last?.bytes[128] == 0xff)
        sender.isOn = false
        try time.pass(.milliseconds(100))
        let last = network.drain()
        #expect(last.map { $0.bytes[112] } == [0, 0x40, 0x40, 0x40] && last.allSatisfy { $0.bytes[128] == 0 })
        sender.show(all(0x7f), by: driver)
        try time.pass(.milliseconds(5000))
        #expect(network.drain().isEmpty && !network.isOpen)
        sender.isOn = true
        try time.pass(.milliseconds(100))
        let first = network.drain()
        #expect(first.map { $0.bytes[112] } == [0] && first.first?.bytes[128] == 0x7f)
        sender.isOn = false
        try time.pass(.milliseconds(100))
        _ = network.drain()
        sender.stop()
        #expect(network.drain().isEmpty)
    }

    @Test("a full buffer costs packets, and is no failure", arguments: [EAGAIN, ENOBUFS, ECONNREFUSED])
    func full(code: Int32) throws {
        let sender = try sender(PanelConfiguration(), wall())
        network.fail(code)
        try time.pass(.milliseconds(2000))
        #expect(sender.statuses[0].problem == nil && sender.statuses[0].lost >= 1)
        sender.stop()
    }

    @Test("drawn is what was drawn; lit is dimmed as the panel is")
    func stages() throws {
        var driver = try PanelDriver(PanelConfiguration())
        driver.dimming = 0.25
        var frame = Frame(columns: 44, rows: 24)
        frame.fill(RGB(0x0000c8))
        driver.drive(frame)
        let sender = try sender(PanelConfiguration(), wall(), wall { $0.stage = .lit })
        try time.pass(.milliseconds(50))
        _ = network.drain()
        sender.show(frame.pixels, by: driver)
        try time.pass(.milliseconds(50))
        // A quarter of the light: 0.25 to the power of 1 / 2.4 of the value.
        #expect(network.drain().suffix(2).map { $0.bytes[12] } == [200, 112])
        sender.stop()
    }

    @Test("without the panel's flash guard, what leaves has one")
    func flashes() throws {
        var panel = PanelConfiguration()
        panel.flashGuard = false
        let driver = try PanelDriver(panel)
        let sender = try sender(panel, wall { ($0.columns, $0.rows) = (44, 24) })
        var shots: [FlashAnalyser.Shot] = []
        for number in 0..<120 {
            sender.show(all(number / 3 % 2 == 0 ? 0xffffff : 0), by: driver)
            try time.pass(.milliseconds(17))
            let packets = network.drain()
            guard packets.count == 3 else { continue }
            shots.append(
                FlashAnalyser.Shot(at: Int(time.now.microseconds), rgb: packets.flatMap { $0.bytes.dropFirst(10) }))
        }
        #expect(shots.count > 50)
        let report = FlashAnalyser(columns: 44, rows: 24).analyse(shots)
        #expect(report.isSafe, "\(report)")
        sender.stop()
    }
}
