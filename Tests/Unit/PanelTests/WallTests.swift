import Display
import Testing

@testable import Panel

@Suite("Walls of lights")
struct WallTests {
    /// A picture whose LED at a place has its column as red, and its row as green.
    private let picture = (0..<1056).map { (led: Int) -> RGB in
        RGB(red: UInt8(led % 44), green: UInt8(led / 44), blue: 7)
    }

    private func light(_ change: (inout Wall) -> Void) throws -> [[UInt8]] {
        var wall = Wall()
        change(&wall)
        var shown = try WallPicture(wall, panelColumns: 44)
        shown.draw(picture)
        return stride(from: 0, to: shown.bytes.count, by: 3).map { Array(shown.bytes[$0..<$0 + 3]) }
    }

    @Test("a wall as large as the panel has its rows one after the other")
    func plain() throws {
        let light = try light { _ in }
        #expect(light.count == 1056)
        #expect(
            light[0] == [0, 0, 7] && light[43] == [43, 0, 7] && light[44] == [0, 1, 7] && light[1055] == [43, 23, 7])
    }

    @Test("tiles give the order, and a place without an LED has no light")
    func tiles() throws {
        var left = PanelConfiguration.Tile(x: 0, y: 0, columns: 2, rows: 2)
        left.missing = [.init(column: 1, row: 0)]
        var right = PanelConfiguration.Tile(x: 3, y: 5, columns: 2, rows: 3)
        right.rotation = .quarter
        let light = try light { $0.tiles = [right, left] }
        let places = light.map { [$0[0], $0[1]] }
        // A serpentine of 2 × 3, turned to the right: from its top right corner down.
        #expect(places == [[5, 5], [5, 6], [4, 6], [4, 5], [3, 5], [3, 6], [0, 0], [1, 1], [0, 1]])
    }

    @Test("a smaller wall shows averages, a larger one each place several times")
    func scales() throws {
        let small = try light { ($0.columns, $0.rows) = (22, 12) }
        // The middle of 0 and 1, rounded.
        #expect(small.count == 264 && small[0] == [1, 1, 7] && small[263] == [43, 23, 7])
        let large = try light { ($0.columns, $0.rows) = (88, 48) }
        #expect(
            large.count == 88 * 48 && large[0] == large[89] && large[2] == [1, 0, 7]
                && large[88 * 48 - 1] == [43, 23, 7])
        let one = try light { ($0.columns, $0.rows) = (1, 1) }
        #expect(one == [[22, 12, 7]])
    }

    @Test("its brightness scales the values")
    func brightness() throws {
        #expect(try light { $0.brightness = 0.5 }[1055] == [22, 12, 4])
        #expect(try light { $0.brightness = 0 }.allSatisfy { $0 == [0, 0, 0] })
    }

    @Test("a tile beyond the wall, too many LEDs and universes beyond the last are refused")
    func refused() {
        func refusal(_ change: (inout Wall) -> Void) -> String? {
            var wall = Wall()
            change(&wall)
            do throws(PanelError) {
                _ = try WallPicture(wall, panelColumns: 44)
                return nil
            } catch {
                return "\(error.place) \(error.problem)"
            }
        }
        #expect(
            refusal { $0.tiles = [.init(x: 43, y: 0, columns: 2, rows: 1)] }?.hasPrefix("tiles[0] reaches from") == true
        )
        #expect(refusal { ($0.columns, $0.rows) = (256, 65) } == "tiles have 16640 LEDs, should be 1 to 16384")
        #expect(
            refusal {
                $0.transport = .sacn
                $0.universe = 63_994
            } == "universe puts the last LED into universe 64000, beyond 63999")
        #expect(refusal { $0.transport = .artnet } == nil)
    }

    @Test("sequence numbers count as each protocol does, and heads are those of its specification")
    func packets() {
        var ddp = LightPackets(.ddp, count: 3168, universe: 1, identity: [], name: "")
        var sequences: [UInt8] = []
        for _ in 0..<11 {
            ddp.write([UInt8](repeating: 9, count: 3168))
            sequences += ddp.packets.map { $0[1] }
        }
        let expected = (0..<33).map { (packet: Int) -> UInt8 in UInt8(packet % 15 + 1) }
        #expect(sequences == expected)
        #expect(ddp.packets.map(\.count) == [1450, 1450, 298] && ddp.packets.map { $0[0] } == [0x40, 0x40, 0x41])
        #expect(Array(ddp.packets[2][..<10]) == [0x41, 3, 0x0b, 1, 0, 0, 0x0b, 0x40, 1, 0x20])

        let identity = [UInt8](1...16)
        var sacn = LightPackets(.sacn, count: 513, universe: 258, identity: identity, name: "BOX")
        for _ in 0..<256 { sacn.write([UInt8](repeating: 5, count: 513)) }
        #expect(sacn.universes == [258, 259] && sacn.packets.map(\.count) == [636, 129])
        let last = sacn.packets[1]
        let root: [UInt8] = [0, 16, 0, 0] + Array("ASC-E1.17".utf8) + [0, 0, 0]
        #expect(Array(last[..<16]) == root)
        #expect(Array(last[16..<22]) == [0x70, 113, 0, 0, 0, 4] && Array(last[22..<38]) == identity)
        #expect(Array(last[38..<44]) == [0x70, 91, 0, 0, 0, 2] && Array(last[44..<48]) == [66, 79, 88, 0])
        #expect(Array(last[108..<126]) == [100, 0, 0, 0, 0, 1, 3, 0x70, 14, 2, 0xa1, 0, 0, 0, 1, 0, 4, 0])
        #expect(Array(last[126...]) == [5, 5, 5])
        sacn.end()
        #expect(sacn.packets.allSatisfy { $0[111] == 1 && $0[112] == 0x40 })

        var artnet = LightPackets(.artnet, count: 513, universe: 0x1ff, identity: [], name: "")
        for _ in 0..<256 { artnet.write([UInt8](repeating: 5, count: 513)) }
        // The length is even; numbers begin with 1 again.
        let head = Array("Art-Net".utf8)
        let (light, show): ([UInt8], [UInt8]) = (
            [0, 0, 0x50, 0, 14, 1, 0, 0, 2, 0, 4, 5, 5, 5, 0], [0, 0, 0x52, 0, 14, 0, 0]
        )
        #expect(artnet.packets[1] == head + light && artnet.packets[2] == head + show)
        #expect(artnet.universes == [0x1ff, 0x200, nil])
    }
}
