import Display
import TestSupport
import Testing

@testable import Panel

@Suite("Receiving light")
struct LightReceptionTests {
    private static let count = 3 * 44 * 24
    private let identity: [UInt8] = Array(1...16)

    private func packets(_ transport: LightProtocol, universe: Int? = nil) -> LightPackets {
        LightPackets(
            transport, count: Self.count, universe: universe ?? transport.firstUniverse, identity: identity,
            name: "TEST")
    }

    private func reception(_ transport: LightProtocol, universe: Int? = nil) -> LightReception {
        var port = LightPort(interface: "lo")
        (port.transport, port.universe) = (transport, universe)
        return LightReception([port], columns: 44)
    }

    private func light(_ random: inout SplitMix) -> [UInt8] {
        (0..<Self.count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// Takes `packets`; returns the numbers of the sources that have completed pictures.
    @discardableResult
    private func receive(
        _ packets: [[UInt8]], _ reception: inout LightReception, from address: UInt32 = 1, at microseconds: Int64 = 0
    ) -> [Int] {
        packets.flatMap { packet in
            packet.withUnsafeBytes { reception.receive($0, port: 0, from: address, at: microseconds) }
        }
    }

    @Test(
        "random pictures arrive as they were sent, each complete with its last packet",
        arguments: LightProtocol.allCases)
    func pictures(_ transport: LightProtocol) {
        var random = SplitMix(seed: 1)
        let universe = transport.hasUniverses ? transport.universes.upperBound - 6 : nil
        var (packets, reception) = (packets(transport, universe: universe), reception(transport, universe: universe))
        for number in 0..<300 {
            let light = light(&random)
            packets.write(light)
            let done = receive(packets.packets, &reception)
            // A sender's first picture is complete when its second begins, unless it says that it is.
            let end = packets.packets.last?.withUnsafeBytes(transport.format.read)
            let isSaid = end?.kind == .show || end?.isLast == true
            if number == 0, !isSaid { continue }
            #expect(done == (number == 1 && !isSaid ? [0, 0] : [0]))
            #expect(reception.sources[0].picture.shown == light)
        }
    }

    @Test("a picture of which packets are lost is complete when the next one begins")
    func losses() {
        var random = SplitMix(seed: 2)
        var (packets, reception) = (packets(.sacn), reception(.sacn))
        let pictures = (0..<4).map { _ in light(&random) }
        for (number, light) in pictures.enumerated() {
            packets.write(light)
            var sent = packets.packets
            if number == 2 { sent.remove(at: 3) }
            let done = receive(sent, &reception)
            #expect(done.count == [0, 2, 0, 1][number])
        }
        // The fourth picture, of which the expectation is one universe too few, ends before its last packet.
        packets.write(pictures[3])
        receive(packets.packets, &reception)
        receive(packets.packets, &reception)
        #expect(reception.sources[0].picture.shown == pictures[3])
    }

    @Test("late packets of a universe are left out, and a sender that begins anew is heard")
    func order() throws {
        for transport in LightProtocol.allCases where transport.hasUniverses {
            var (packets, reception) = (packets(transport), reception(transport))
            var sent: [[[UInt8]]] = []
            for value in 0..<40 as Range<UInt8> {
                packets.write([UInt8](repeating: value, count: Self.count))
                sent.append(packets.packets)
            }
            for picture in sent { receive(picture, &reception) }
            receive(sent[37], &reception)
            receive(sent[39], &reception)
            #expect(reception.sources[0].picture.shown.allSatisfy { $0 == 39 })
            for picture in sent[..<2] { receive(picture, &reception) }
            #expect(reception.sources[0].picture.shown.allSatisfy { $0 == 1 })
        }
    }

    @Test("ArtSync shows a picture, and without it for four seconds the packets do")
    func artSync() {
        var (packets, reception) = (packets(.artnet), reception(.artnet))
        func picture(_ value: UInt8) -> [[UInt8]] {
            packets.write([UInt8](repeating: value, count: Self.count))
            return packets.packets
        }
        #expect(receive(picture(1), &reception) == [0])
        let second = picture(2)
        #expect(receive(Array(second.dropLast()), &reception, at: 100) == [])
        #expect(reception.sources[0].picture.shown[0] == 1)
        #expect(receive([second[7]], &reception, at: 200) == [0])
        #expect(reception.sources[0].picture.shown[0] == 2)
        for value in 3...5 as ClosedRange<UInt8> {
            receive(Array(picture(value).dropLast()), &reception, at: 5_000_000)
        }
        #expect(reception.sources[0].picture.shown[0] == 5)
    }

    @Test("senders are told apart by address and identity, counted, and forgotten after ten seconds or their end")
    func sources() {
        var reception = reception(.sacn)
        var one = packets(.sacn)
        var other = LightPackets(.sacn, count: Self.count, universe: 1, identity: Array(2...17), name: "TEST")
        let dark = [UInt8](repeating: 0, count: Self.count)
        for second in 0..<3 as Range<Int64> {
            for picture in 0..<40 as Range<Int64> {
                one.write(dark)
                receive(one.packets, &reception, from: 1, at: second * 1_000_000 + picture * 25_000)
            }
            _ = reception.advance(to: (second + 1) * 1_000_000)
        }
        #expect(reception.sources.map(\.number) == [0] && reception.sources[0].rate == 40)
        other.write(dark)
        receive(other.packets, &reception, from: 1, at: 4_000_000)
        receive(other.packets, &reception, from: 2, at: 4_000_000)
        #expect(reception.sources.map(\.number) == [0, 1, 2] && reception.sources.map(\.name)[0] == "ACN U1")
        other.end()
        receive(other.packets, &reception, from: 2, at: 4_000_000)
        #expect(reception.sources.map(\.number) == [0, 1])
        _ = reception.advance(to: 13_500_000)
        #expect(reception.sources.map(\.number) == [1])
        _ = reception.advance(to: 14_000_000)
        #expect(reception.sources.isEmpty)
    }

    @Test(
        "eight sources have a place; one address cannot hold all, nor one that is silent, and the one shown keeps its own"
    )
    func places() {
        var reception = reception(.ddp)
        var packets = packets(.ddp)
        packets.write([UInt8](repeating: 9, count: Self.count))
        func send(from address: UInt32, at milliseconds: Int64) {
            receive(packets.packets, &reception, from: address, at: milliseconds * 1000)
        }
        for address in 0..<20 as Range<UInt32> { send(from: address, at: 0) }
        #expect(reception.sources.map(\.address) == Array(0..<8))
        reception.followed = 0
        for address in 1..<8 as Range<UInt32> { send(from: address, at: 500) }
        send(from: 30, at: 999)
        #expect(!reception.sources.contains { $0.address == 30 })
        send(from: 30, at: 1500)
        #expect(reception.sources.map(\.address) == [0, 2, 3, 4, 5, 6, 7, 30])
        // Many streams of one address are the first to go.
        var sacn = self.reception(.sacn)
        for number in 0..<8 as Range<UInt8> {
            var stream = LightPackets(
                .sacn, count: Self.count, universe: 1, identity: [UInt8](repeating: number, count: 16), name: "")
            stream.write([UInt8](repeating: 9, count: Self.count))
            receive(stream.packets, &sacn, from: number == 3 ? 7 : 6)
        }
        var other = self.packets(.sacn)
        other.write([UInt8](repeating: 9, count: Self.count))
        receive(other.packets, &sacn, from: 8)
        #expect(sacn.sources.map(\.address) == [6, 6, 7, 6, 6, 6, 6, 8])
    }

    /// Changes of one byte, by offset, after which a packet is no light.
    private static let spoilers: [LightProtocol: [(Int, UInt8)]] = [
        // Version 2; query; storage; reply; control, settings and status of a display; more bytes than there are.
        .ddp: [(0, 0x80), (0, 0x42), (0, 0x48), (0, 0x44), (3, 246), (3, 250), (3, 251), (8, 6)],
        // The name; vectors; a preview; another start code; another universe; more bytes than there are.
        .sacn: [(5, 0), (21, 8), (43, 1), (112, 0x80), (125, 0xdd), (114, 99), (123, 3)],
        // The name; ArtPoll; another net; more bytes than there are.
        .artnet: [(3, 0), (9, 0x20), (15, 1), (16, 2)],
    ]

    @Test("what is no light changes nothing")
    func nonsense() throws {
        for transport in LightProtocol.allCases {
            var packets = packets(transport)
            packets.write([UInt8](repeating: 9, count: Self.count))
            let packet = packets.packets[0]
            let head = transport.headSize
            var bad: [[UInt8]] = (0..<head + 20).map { Array(packet.prefix($0)) }
            func changed(_ place: Int, _ value: UInt8) -> [UInt8] {
                var packet = packet
                packet[place] = value
                return packet
            }
            let spoilers = try #require(Self.spoilers[transport], "\(transport)")
            for (place, value) in spoilers { bad.append(changed(place, value)) }
            var reception = reception(transport)
            receive(bad, &reception)
            #expect(reception.sources.isEmpty, "\(transport)")
        }
    }

    @Test("a picture is drawn in its size, and as averages")
    func drawing() {
        var reception = reception(.ddp)
        var packets = packets(.ddp)
        packets.write((0..<44 * 24).flatMap { (led: Int) -> [UInt8] in [UInt8(led % 44), UInt8(led / 44), 7] })
        receive(packets.packets, &reception)
        var frame = Frame(columns: 44, rows: 24)
        reception.sources[0].picture.draw(into: &frame, columns: 0..<44, rows: 0..<24)
        #expect(frame[0, 0] == RGB(red: 0, green: 0, blue: 7) && frame[43, 23] == RGB(red: 43, green: 23, blue: 7))
        frame.fill(.black)
        reception.sources[0].picture.draw(into: &frame, columns: 1..<4, rows: 8..<11)
        // Columns 14 to 28 and rows 8 to 15.
        #expect(frame[2, 9] == RGB(red: 21, green: 12, blue: 7) && frame[0, 9] == .black && frame[4, 9] == .black)
    }
}
