import Display
import Glibc
import InputEvents
import Instrument
import Panel
import Runtime
import Synchronization
import TestSupport
import TestTags
import Testing

@testable import Devices

@Suite("Receiving light at ports", .tags(.live))
struct LightReceiverTests {
    private let network = FakeUDP()
    private let clock = WokenClock()

    private func picture(_ value: UInt8) -> [[UInt8]] {
        var packets = LightPackets(.ddp, count: 3168, universe: 1, identity: Array(1...16), name: "")
        packets.write([UInt8](repeating: value, count: 3168))
        return packets.packets
    }

    private func bring(_ packets: [[UInt8]], from sender: UInt32 = 1) {
        network.bring(packets, from: sender)
    }

    private func pass(_ milliseconds: Int64) { clock.set(clock.now + .milliseconds(milliseconds)) }

    private func receiver(_ ports: LightPort...) -> (LightReceiver, PortLines) {
        (
            LightReceiver(unopened: ports, columns: 44, clock: clock),
            PortLines(ports.map { NetworkPort($0, columns: 44) }, network.calls)
        )
    }

    private func events(_ receiver: LightReceiver) -> [Instrument.Event] {
        var events: [ControlEvent] = []
        receiver.read(into: &events)
        return events.map(\.event)
    }

    @Test("who sends is told once; a picture of the one who is shown wakes the loop, another's does not")
    func tells() {
        var (receiver, lines) = receiver(LightPort(interface: "eth0"))
        #expect(receiver.pass(&lines) != .pause && clock.wakes == 0 && events(receiver).isEmpty)
        bring(picture(1))
        bring(picture(2), from: 9)
        #expect(receiver.pass(&lines) != .pause && clock.wakes == 1)
        let sources = [LightSource(number: 0, name: "DDP 0"), LightSource(number: 1, name: "DDP 0")]
        #expect(events(receiver) == [.lights(sources)] && events(receiver).isEmpty)
        #expect(!receiver.follow(nil))
        #expect(receiver.follow(1) && !receiver.follow(1))
        bring(picture(3))
        _ = receiver.pass(&lines)
        #expect(clock.wakes == 1 && !receiver.follow(1))
        bring(picture(4), from: 9)
        bring(picture(5), from: 9)
        _ = receiver.pass(&lines)
        #expect(clock.wakes == 2 && receiver.follow(1) && !receiver.follow(1))
        var frame = Frame(columns: 44, rows: 24)
        receiver.draw(1, into: &frame, columns: 0..<44, rows: 0..<24)
        #expect(frame.pixels.allSatisfy { $0 == RGB(red: 5, green: 5, blue: 5) })
        frame.fill(.black)
        receiver.draw(7, into: &frame, columns: 0..<44, rows: 0..<24)
        #expect(frame.pixels.allSatisfy { $0 == .black })
    }

    @Test("a source's rate is told each second, and its end")
    func rate() {
        var (receiver, lines) = receiver(LightPort(interface: "eth0"))
        for _ in 0..<50 {
            bring(picture(1))
            _ = receiver.pass(&lines)
            pass(20)
        }
        _ = receiver.pass(&lines)
        #expect(events(receiver) == [.lights([LightSource(number: 0, name: "DDP 50")])])
        pass(10_000)
        _ = receiver.pass(&lines)
        #expect(events(receiver) == [.lights([])])
    }

    @Test("a picture whose end is not said wakes the loop 50 ms after its last packet; the thread comes back then")
    func unsaid() {
        var (receiver, lines) = receiver(LightPort(interface: "eth0"))
        let parts = picture(7).map { packet in
            var packet = packet
            packet[0] &= ~1
            return packet
        }
        bring(parts)
        #expect(receiver.pass(&lines) == .wait(until: clock.now + .milliseconds(50)))
        _ = receiver.follow(0)
        let wakes = clock.wakes
        pass(49)
        _ = receiver.pass(&lines)
        #expect(clock.wakes == wakes && !receiver.follow(0))
        pass(1)
        #expect(receiver.pass(&lines) == .wait(until: nil) && clock.wakes == wakes + 1 && receiver.follow(0))
    }

    @Test("light in a form that cannot be shown is named with its sender, until the sender sends another or is gone")
    func foreign() {
        var (receiver, lines) = receiver(LightPort(interface: "eth0"))
        var packet = picture(1)[0]
        packet[2] = 0x1b
        let sender = UDPCalls.address("10.0.0.7") ?? 0
        bring([packet], from: sender)
        _ = receiver.pass(&lines)
        #expect(events(receiver) == [.lights([LightSource(number: 0, name: "DDP ?")])])
        #expect(receiver.statuses[0].problem == "10.0.0.7 sends RGBW; set it to RGB with 8 bits a colour")
        bring(picture(1), from: sender)
        _ = receiver.pass(&lines)
        #expect(receiver.statuses[0].problem == nil)
        bring([packet], from: sender)
        _ = receiver.pass(&lines)
        #expect(receiver.statuses[0].problem != nil)
        pass(10_000)
        _ = receiver.pass(&lines)
        #expect(receiver.statuses[0].problem == nil)
    }

    @Test("no more than 64 packets are read at once")
    func flood() {
        var (receiver, lines) = receiver(LightPort(interface: "eth0"))
        for _ in 0..<50 { bring(picture(1)) }
        #expect(receiver.pass(&lines) == .pause && network.waiting == 150 - 64)
        #expect(receiver.pass(&lines) == .pause && network.waiting == 150 - 128)
        #expect(receiver.pass(&lines) == .wait(until: nil) && network.waiting == 0)
    }

    @Test("a port has its protocol's number and, for sACN, the addresses of its universes")
    func ports() {
        var sacn = LightPort(interface: "eth1")
        (sacn.transport, sacn.universe) = (.sacn, 255)
        var own = LightPort(interface: "wlan0")
        own.port = 5000
        var (receiver, lines) = receiver(LightPort(interface: "eth0"), sacn, own)
        _ = receiver.pass(&lines)
        let opened = network.state.withLock { $0.opened }
        #expect(opened.map(\.interface) == ["eth0", "eth1", "wlan0"] && opened.map(\.port) == [4048, 5568, 5000])
        #expect(opened[0].groups.isEmpty)
        let last = opened[1].groups.map { [UInt8](withUnsafeBytes(of: $0) { Array($0) }) }
        #expect(last.count == 7 && last[0] == [239, 255, 0, 255] && last[6] == [239, 255, 1, 5])
    }

    @Test("a failure is told, and tried again each second; an interface that comes again is opened again")
    func failures() {
        var (receiver, lines) = receiver(LightPort(interface: "eth0"))
        network.state.withLock { $0.failure = EADDRINUSE }
        _ = receiver.pass(&lines)
        #expect(receiver.statuses[0].problem == "Address already in use")
        network.state.withLock { $0.failure = nil }
        pass(900)
        _ = receiver.pass(&lines)
        #expect(receiver.statuses[0].problem != nil)
        pass(100)
        _ = receiver.pass(&lines)
        #expect(receiver.statuses[0].problem == nil && network.state.withLock { $0.opened.count } == 1)
        network.state.withLock { $0.index = 0 }
        pass(1000)
        _ = receiver.pass(&lines)
        #expect(receiver.statuses[0].problem?.hasPrefix("there is no such network interface") == true)
        #expect(network.state.withLock { $0.closed } == 1)
        network.state.withLock { $0.index = 3 }
        pass(1000)
        _ = receiver.pass(&lines)
        #expect(receiver.statuses[0].problem == nil && network.state.withLock { $0.opened.count } == 2)
        network.state.withLock { $0.failure = ENETDOWN }
        _ = receiver.pass(&lines)
        #expect(receiver.statuses[0].problem == "Network is down" && network.state.withLock { $0.closed } == 2)
    }

    @Test("on the loopback interface, packets of a socket arrive by the receiver's own thread")
    func loopback() throws {
        let free = try #require(UDPSocket()?.port)
        var port = LightPort(interface: "lo")
        port.port = free
        let clock = try SystemClock()
        let receiver = try #require(LightReceiver([port], columns: 44, clock: clock))
        defer { receiver.stop() }
        let sender = try #require(UDPSocket())
        var sources: [LightSource] = []
        let patience = clock.now + .milliseconds(10_000)
        // The port may not be open yet.
        while sources.isEmpty, clock.now < patience {
            for packet in picture(7) { sender.send(packet, to: free) }
            clock.wait(until: clock.now + .milliseconds(50))
            for case .lights(let heard) in events(receiver) { sources = heard }
        }
        try #require(sources.count == 1)
        #expect(receiver.follow(sources[0].number))
        for packet in picture(8) { sender.send(packet, to: free) }
        var isNew = false
        while !isNew, clock.now < patience {
            clock.wait(until: patience)
            isNew = receiver.follow(sources[0].number)
        }
        var frame = Frame(columns: 44, rows: 24)
        receiver.draw(sources[0].number, into: &frame, columns: 0..<44, rows: 0..<24)
        #expect(isNew && frame[43, 23] == RGB(red: 8, green: 8, blue: 8))
    }
}
