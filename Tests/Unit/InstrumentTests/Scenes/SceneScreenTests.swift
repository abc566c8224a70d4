import Display
import Testing

@testable import Instrument

@Suite("The look of the scenes")
struct SceneScreenTests {
    /// The LEDs of columns 39 to 43 in `rows`, in hexadecimal; without a tooltip.
    private func words(_ player: Player, _ rows: ClosedRange<Int>) -> [String] {
        rows.map { row in
            (39..<44).map { column in
                let colour = player.led(player.instrument.columns - 44 + column, row)
                let number = UInt32(colour.red) << 16 | UInt32(colour.green) << 8 | UInt32(colour.blue)
                let digits = String(number, radix: 16)
                return String(repeating: "0", count: 6 - digits.count) + digits
            }.joined(separator: " ")
        }
    }

    private let ground = "0a0a0a 0a0a0a 0a0a0a 0a0a0a 0a0a0a"
    private let empty = "000000 626262 0a0a0a 0a0a0a 0a0a0a"
    private let dark = "000000 0a0a0a 0a0a0a 0a0a0a 0a0a0a"

    /// Scene 1 plays and has a melody and drums, scene 2 has chords, the others are empty.
    private func player(columns: Int = 44) -> Player {
        var (one, two) = (Pattern(), Pattern())
        one[.melody, note: 0, step: 0] = .normal
        one[.rhythm, note: 0, step: 31] = .normal
        two[.chords, note: 0, step: 3] = .accent
        var player = Player()
        player.instrument = Instrument(columns: columns)
        player.instrument.load(Session(Composition(pattern: one, scenes: Scenes([one, two], current: 0))))
        return player
    }

    @Test("their places show before the first is filled")
    func idle() {
        let player = Player()
        #expect(words(player, 2...6) == [empty, dark, empty, dark, dark])
        #expect(words(player, 22...23) == ["000000 626262 0a0a0a 0a0a0a 0a0a0a", dark])
    }

    @Test("under the rules of the phone dark while none is filled, the chain is off and no finger is there")
    func nothing() {
        var player = Player.phone
        let empty = "000000 383838 0a0a0a 0a0a0a 0a0a0a"
        #expect(words(player, 2...23).allSatisfy { $0 == ground })
        player.finger(.down, .scene(3))
        #expect(words(player, 2...6) == [empty, dark, empty, dark, dark])
        player.finger(.up)
        #expect(words(player, 2...23).allSatisfy { $0 == ground })
        player.tap(.chain)
        let chain = ["000000 9b5cff 9b5cff 9b5cff 9b5cff", "000000 613b9d 0a0a0a 613b9d 0a0a0a"]
        #expect(words(player, 22...23) == chain)
    }

    @Test("empty, filled and playing, on a panel of any width", arguments: [44, 46, 50])
    func states(columns: Int) {
        let player = player(columns: columns)
        #expect(
            words(player, 2...8) == [
                "000000 8a8a8a 8a8a8a 8a8a8a 8a8a8a", "000000 ffffff 626262 626262 ffffff",
                "000000 6a6a6a 6a6a6a 6a6a6a 6a6a6a", "000000 141414 245451 141414 141414", dark, empty, dark,
            ])
        #expect(words(player, 19...23) == [empty, dark, dark, "000000 626262 0a0a0a 0a0a0a 0a0a0a", dark])
        #expect(player.led(columns - 5, 0) == .black)
        #expect(player.led(columns - 1, 0) == RGB(0x662222))
    }

    @Test("the playing scene's bar fills through the pattern, the queued one's empties until the bar")
    func progress() {
        var player = player()
        player.send(.key(.playStop))
        player.tapScene(1)
        let (white, grey, amber, brown) = ("ffffff", "8a8a8a", "ffaa00", "402b00")
        for (step, played, queued) in [
            (0, 1, 4), (3, 1, 4), (4, 1, 3), (7, 1, 3), (8, 2, 2), (12, 2, 1), (15, 2, 1), (16, 3, 4), (20, 3, 3),
            (31, 4, 1),
        ] {
            player.send(.step(step, number: step))
            player.wait(200)
            let first = ["000000"] + (0..<4).map { $0 < played ? white : grey }
            let second = ["000000"] + (0..<4).map { $0 < 4 - queued ? brown : amber }
            #expect(words(player, 2...2) == [first.joined(separator: " ")], "step \(step)")
            #expect(words(player, 4...4) == [second.joined(separator: " ")], "step \(step)")
        }
    }

    @Test(
        "a bar fills white while a scene is copied to, red while one is replaced or cleared",
        arguments: [
            (2, 7, 600, "ffffff", "404040"), (1, 4, 1200, "ff2828", "400a0a"), (0, 2, 1200, "ff2828", "400a0a"),
        ] as [(Int, Int, Int64, String, String)])
    func holds(slot: Int, row: Int, span: Int64, lit: String, dim: String) {
        for part in 0..<4 as Range<Int64> {
            var player = player()
            player.finger(.down, .scene(slot))
            player.wait(span * part / 4 + 10)
            let bar = ["000000"] + (0..<4).map { $0 <= part ? lit : dim }
            #expect(words(player, row...row) == [bar.joined(separator: " ")], "scene \(slot), part \(part)")
        }
    }
}
