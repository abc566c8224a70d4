import Testing

@testable import Panel

/// Packets as programs send them, written byte by byte.
@Suite("Habits of senders of light")
struct LightHabitTests {
    /// One sender at one port of a panel of 44 columns, and its pictures.
    private struct Panel {
        var reception: LightReception
        var time: Int64 = 0

        init(_ transport: LightProtocol) {
            var port = LightPort(interface: "lo")
            port.transport = transport
            reception = LightReception([port], columns: 44)
        }

        /// Takes `packets`, a millisecond apart; returns how many pictures were complete.
        mutating func receive(_ packets: [UInt8]..., from address: UInt32 = 1) -> Int {
            packets.reduce(0) { count, packet in
                time += 1000
                return count + packet.withUnsafeBytes { reception.receive($0, port: 0, from: address, at: time).count }
            }
        }

        /// Lets time pass; returns how many pictures are complete then.
        mutating func wait(milliseconds: Int64) -> Int {
            time += 1000 * milliseconds
            return reception.advance(to: time).count
        }

        /// The red of the LED at `place`; nil without a source.
        func red(_ place: Int) -> UInt8? { reception.sources.first?.picture.shown[3 * place] }
        var name: String? { reception.sources.first?.name }
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(value >> (8 * $0) & 255) }
    }

    private func light(_ value: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: value, count: count) }

    // MARK: DDP

    private func ddp(
        _ light: [UInt8], at offset: Int = 0, push: Bool = false, type: UInt8 = 0x0b, destination: UInt8 = 1,
        sequence: UInt8 = 0
    ) -> [UInt8] {
        Self.joined(
            [push ? 0x41 : 0x40, sequence, type, destination], Self.big(offset, 4), Self.big(light.count, 2), light)
    }

    @Test("three packets of 1440 bytes, a push with the last, numbers from 1 to 15: WLED, LedFx with the old type")
    func pushed() {
        for type in [0x0b, 0x01] as [UInt8] {
            var panel = Panel(.ddp)
            for picture in 1...20 as ClosedRange<UInt8> {
                let number = (picture - 1) % 15 + 1
                let done = panel.receive(
                    ddp(light(picture, 1440), type: type, sequence: number),
                    ddp(light(picture, 1440), at: 1440, type: type, sequence: number),
                    ddp(light(picture, 288), at: 2880, push: true, type: type, sequence: number))
                #expect(done == 1 && panel.red(0) == picture && panel.red(1055) == picture)
            }
            #expect(panel.wait(milliseconds: 100) == 0)
        }
    }

    @Test("types that mean red, green and blue of 8 bits", arguments: [0x00, 0x01, 0x05, 0x0a, 0x0b, 0x0d] as [UInt8])
    func types(type: UInt8) {
        var panel = Panel(.ddp)
        #expect(panel.receive(ddp(light(7, 3), push: true, type: type)) == 1 && panel.red(0) == 7)
    }

    @Test(
        "other types are listed, named and not shown",
        arguments: [
            (0x03, "RGBW"), (0x1a, "RGBW"), (0x1b, "RGBW"), (0x02, "HSL"), (0x13, "HSL"), (0x23, "shades of grey"),
            (0x0c, "RGB with 16 bits a colour"), (0x8b, "data of type 139"), (0x2b, "data of type 43"),
        ] as [(UInt8, String)])
    func foreignTypes(type: UInt8, form: String) {
        var panel = Panel(.ddp)
        #expect(panel.receive(ddp(light(7, 3), push: true, type: type)) == 0 && panel.red(0) == 0)
        #expect(panel.name == "DDP ?" && panel.reception.sources[0].foreignForm == form)
        #expect(panel.receive(ddp(light(7, 3), push: true)) == 1 && panel.red(0) == 7 && panel.name == "DDP 0")
    }

    @Test("any output", arguments: [0, 1, 2, 100, 249, 254, 255] as [UInt8])
    func destinations(destination: UInt8) {
        var panel = Panel(.ddp)
        #expect(panel.receive(ddp(light(7, 3), push: true, destination: destination)) == 1 && panel.red(0) == 7)
    }

    @Test("a picture larger than the panel, its push behind the panel's end")
    func larger() {
        var panel = Panel(.ddp)
        for value in 1...3 as ClosedRange<UInt8> {
            let done = panel.receive(
                ddp(light(value, 1440)), ddp(light(value, 1440), at: 1440), ddp(light(value, 1440), at: 2880),
                ddp(light(value, 1440), at: 4320, push: true))
            #expect(done == 1 && panel.red(1055) == value)
        }
        // Offsets beyond any picture.
        #expect(panel.receive(ddp(light(9, 3), at: 0xffff_fff0, push: true)) == 1 && panel.red(0) == 3)
    }

    @Test("light without push, then a push alone, of a type of its own: xLights and Vixen with synchronisation")
    func pushAlone() {
        var panel = Panel(.ddp)
        for value in 1...3 as ClosedRange<UInt8> {
            let done = panel.receive(
                ddp(light(value, 1440)), ddp(light(value, 1440), at: 1440), ddp(light(value, 288), at: 2880),
                ddp([], push: true, type: 0x80))
            #expect(panel.red(0) == value && done == 1)
        }
        // Between them it waits, as for ArtSync.
        #expect(panel.receive(ddp(light(9, 1440))) == 0 && panel.wait(milliseconds: 100) == 0 && panel.red(0) == 3)
        #expect(panel.wait(milliseconds: 4000) == 1 && panel.red(0) == 9)
    }

    @Test("no push at all: a picture is shown when the next one begins, the last one after 50 ms")
    func withoutPush() {
        var panel = Panel(.ddp)
        for value in 1...3 as ClosedRange<UInt8> {
            let done = panel.receive(
                ddp(light(value, 1440)), ddp(light(value, 1440), at: 1440), ddp(light(value, 288), at: 2880))
            #expect(done == (value == 1 ? 0 : 1) && panel.red(0) == value - 1)
        }
        #expect(panel.wait(milliseconds: 49) == 0)
        #expect(panel.wait(milliseconds: 1) == 1 && panel.red(0) == 3 && panel.red(1055) == 3)
        #expect(panel.wait(milliseconds: 1000) == 0)
    }

    @Test("a whole picture in one packet, and a time code")
    func oneLargePacket() {
        var panel = Panel(.ddp)
        #expect(panel.receive(ddp(light(5, 3168), push: true)) == 1 && panel.red(1055) == 5)
        var packet = ddp(light(6, 3), push: true)
        packet[0] |= 0x10
        packet.insert(contentsOf: [1, 2, 3, 4], at: 10)
        #expect(panel.receive(packet) == 1 && panel.red(0) == 6)
    }

    // MARK: sACN

    /// The first bytes of each packet of ACN.
    private static let acn: [UInt8] = joined([0, 0x10, 0, 0], Array("ASC-E1.17".utf8), [0, 0, 0])

    private static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

    private func sacn(
        _ universe: Int, _ light: [UInt8], sequence: UInt8, priority: UInt8 = 100, options: UInt8 = 0,
        synchronisation: Int = 0, startCode: UInt8 = 0
    ) -> [UInt8] {
        let length = 126 + light.count
        func flags(_ from: Int) -> [UInt8] { Self.big(0x7000 | (length - from), 2) }
        return Self.joined(
            Self.acn, flags(16), Self.big(4, 4), Array(1...16), flags(38), Self.big(2, 4),
            [UInt8](repeating: 0, count: 64), [priority], Self.big(synchronisation, 2), [sequence, options],
            Self.big(universe, 2), flags(115), [2, 0xa1, 0, 0, 0, 1], Self.big(1 + light.count, 2), [startCode], light)
    }

    private func sacnSync(_ address: Int, sequence: UInt8) -> [UInt8] {
        Self.joined(
            Self.acn, Self.big(0x7000 | 33, 2), Self.big(8, 4), Array(1...16), Self.big(0x7000 | 11, 2), Self.big(1, 4),
            [sequence], Self.big(address, 2), [0, 0])
    }

    private func universes(_ value: UInt8, sequence: UInt8, without missing: Int? = nil) -> [[UInt8]] {
        (1...7).filter { $0 != missing }.map { sacn($0, light(value, 512), sequence: sequence) }
    }

    @Test(
        "universes of 512 bytes, at any priority, each second again: OLA, consoles",
        arguments: [0, 100, 200] as [UInt8])
    func priorities(priority: UInt8) {
        var panel = Panel(.sacn)
        for value in 1...3 as ClosedRange<UInt8> {
            for universe in 1...7 {
                _ = panel.receive(sacn(universe, light(value, 512), sequence: value, priority: priority))
            }
        }
        _ = panel.wait(milliseconds: 50)
        #expect(panel.red(0) == 3 && panel.red(1055) == 3)
    }

    @Test("only the universe that has changed is sent: python-sacn, consoles")
    func onlyChanged() {
        var panel = Panel(.sacn)
        for packet in universes(1, sequence: 1) + universes(2, sequence: 2) { _ = panel.receive(packet) }
        #expect(panel.red(0) == 2)
        // The third universe alone begins with LED 340.
        #expect(panel.receive(sacn(3, light(9, 512), sequence: 3)) == 0)
        #expect(panel.wait(milliseconds: 50) == 1 && panel.red(340) == 9 && panel.red(0) == 2)
        // It is expected alone now.
        #expect(panel.receive(sacn(3, light(10, 512), sequence: 4)) == 1 && panel.red(340) == 10)
        // All of them again.
        for packet in universes(5, sequence: 5) { _ = panel.receive(packet) }
        _ = panel.wait(milliseconds: 50)
        #expect(panel.red(0) == 5 && panel.red(340) == 5 && panel.red(1055) == 5)
    }

    @Test("a last packet that is lost, and nothing after it: what came is shown after 50 ms")
    func lastLost() {
        var panel = Panel(.sacn)
        for packet in universes(1, sequence: 1) + universes(2, sequence: 2) { _ = panel.receive(packet) }
        for packet in universes(3, sequence: 3, without: 7) { _ = panel.receive(packet) }
        #expect(panel.red(0) == 2)
        #expect(panel.reception.deadline == panel.time + 50_000)
        #expect(panel.wait(milliseconds: 50) == 1 && panel.red(0) == 3 && panel.red(1055) == 2)
    }

    @Test("the end of one universe leaves the others, three times; the end of the last one is the source's")
    func ends() {
        var panel = Panel(.sacn)
        for packet in universes(1, sequence: 1) { _ = panel.receive(packet) }
        func end(_ universe: Int, _ sequence: UInt8) -> [UInt8] {
            sacn(universe, light(0, 512), sequence: sequence, options: 0x40)
        }
        for universe in 1...6 {
            for sequence in 2...4 as ClosedRange<UInt8> { _ = panel.receive(end(universe, sequence)) }
        }
        #expect(panel.reception.sources.count == 1)
        // One comes back, and counts anew.
        _ = panel.receive(sacn(2, light(8, 512), sequence: 0), sacn(7, light(8, 512), sequence: 2))
        _ = panel.wait(milliseconds: 50)
        #expect(panel.red(170) == 8)
        _ = panel.receive(end(7, 3))
        #expect(panel.reception.sources.count == 1)
        _ = panel.receive(end(2, 6))
        #expect(panel.reception.sources.isEmpty)
        for sequence in 7...8 as ClosedRange<UInt8> { _ = panel.receive(end(2, sequence)) }
        #expect(panel.reception.sources.isEmpty)
    }

    @Test("light with a synchronisation address waits for it from the first synchronisation packet on: E1.31 11.1")
    func synchronised() {
        var panel = Panel(.sacn)
        func picture(_ value: UInt8, options: UInt8 = 0) -> [[UInt8]] {
            (1...7).map { sacn($0, light(value, 510), sequence: value, options: options, synchronisation: 999) }
        }
        for packet in picture(1) + picture(2) { _ = panel.receive(packet) }
        #expect(panel.red(0) == 2)
        #expect(panel.receive(sacnSync(998, sequence: 1)) == 0)
        #expect(panel.receive(sacnSync(999, sequence: 1)) == 1)
        for packet in picture(3) { #expect(panel.receive(packet) == 0) }
        #expect(panel.wait(milliseconds: 100) == 0 && panel.red(0) == 2)
        // From another machine.
        #expect(panel.receive(sacnSync(999, sequence: 2), from: 77) == 1 && panel.red(0) == 3)
        // Without the option to go on unsynchronised it stays, with it it goes on after 2.5 s.
        for packet in picture(4) { _ = panel.receive(packet) }
        #expect(panel.wait(milliseconds: 5000) == 0 && panel.reception.deadline == nil && panel.red(0) == 3)
        for packet in picture(5, options: 0x20) { _ = panel.receive(packet) }
        _ = panel.wait(milliseconds: 50)
        #expect(panel.red(0) == 5)
    }

    @Test("start codes beside light's and previews are left out: priorities of consoles, lighting plans")
    func otherCodes() {
        var panel = Panel(.sacn)
        _ = panel.receive(sacn(1, light(9, 512), sequence: 1, startCode: 0xdd))
        _ = panel.receive(sacn(1, light(9, 512), sequence: 1, options: 0x80))
        #expect(panel.reception.sources.isEmpty)
    }

    // MARK: Art-Net

    private func artDmx(_ universe: Int, _ light: [UInt8], sequence: UInt8, version: UInt8 = 14) -> [UInt8] {
        let head: [UInt8] = [0, 0, 0x50, 0, version, sequence, 0, UInt8(universe & 255), UInt8(universe >> 8)]
        return Self.joined(Array("Art-Net".utf8), head, Self.big(light.count, 2), light)
    }

    @Test(
        "universes of 512 bytes without ArtSync, counted or not, of old versions: MadMapper, Resolume, small nodes",
        arguments: [(0, 14), (1, 14), (1, 13), (0, 0)] as [(UInt8, UInt8)])
    func artnet(count: UInt8, version: UInt8) {
        var panel = Panel(.artnet)
        for value in 1...4 as ClosedRange<UInt8> {
            var done = 0
            for universe in 0..<7 {
                done += panel.receive(artDmx(universe, light(value, 512), sequence: count * value, version: version))
            }
            #expect(done == (value == 2 ? 2 : value == 1 ? 0 : 1))
        }
        #expect(panel.red(0) == 4 && panel.red(1055) == 4)
    }

    @Test("universes with the LEDs that they have: short ones, and only the one that has changed")
    func shortUniverses() {
        var panel = Panel(.artnet)
        #expect(panel.receive(artDmx(0, light(3, 6), sequence: 0)) == 0)
        #expect(panel.wait(milliseconds: 50) == 1 && panel.red(1) == 3 && panel.red(2) == 0)
        #expect(panel.receive(artDmx(0, light(4, 6), sequence: 0)) == 1 && panel.red(1) == 4)
    }
}
