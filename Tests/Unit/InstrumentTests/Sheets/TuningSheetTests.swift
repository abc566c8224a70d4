import Display
import InputEvents
import Testing

@testable import Instrument

@Suite("Tunings on the scale sheet")
struct TuningSheetTests {
    /// Offsets of Werckmeister's third from equal temperament, in thousandths of a cent.
    private static let werckmeister = [
        0, -9775, -7820, -5865, -9775, -1955, -11_730, -3910, -7820, -11_730, -3910, -7820,
    ]

    private func own(_ name: String, _ offsets: [Int] = werckmeister, a4: Int? = nil) throws -> OwnTuning {
        OwnTuning(name: try #require(SoundName(name)), cents: offsets.enumerated().map { 100_000 * $0 + $1 }, a4: a4)
    }

    /// A player on the sheet with `tunings`.
    private func player(_ tunings: [OwnTuning] = [], _ change: (inout Pattern) -> Void = { _ in }) -> Player {
        var player = Player()
        player.send(.tunings(tunings))
        change(&player.instrument.state.session.composition.pattern)
        player.tap(.control(.scale(.major)), held: 400)
        player.wait(2000)
        return player
    }

    /// Colours of the letters from `column` on: of A4, or of the tuning's name.
    private func textColours(_ player: Player, from column: Int) -> Set<RGB> {
        let columns = column..<(column == 0 ? 13 : 44)
        return Set(columns.flatMap { x in (19..<24).map { player.led(x, $0) } }).subtracting([.black])
    }

    private func history(_ player: Player) -> Int { player.instrument.state.session.history.past.count }

    @Test("the sheet requests the player's own tunings when it opens")
    func request() {
        #expect(player().effects.contains(.job(.showTunings)))
    }

    // MARK: Pips

    @Test("pips are dim within a cent, else the left one says flat and the right one sharp")
    func pips() throws {
        for root in [0, 9] {
            let offsets = [0, 1000, -1000, 1001, -1001, 50_000, -50_000, 0, 999, 0, 0, 0]
            let own = try own("TEST", offsets)
            let player = player {
                $0.tonality.root = root
                $0.tuning.choose(own)
            }
            for interval in 0..<12 {
                let offset = offsets[(root + interval) % 12]
                let column = 4 + 3 * interval
                let dim = RGB(0x2c2c2c)
                let lit = RGB(0x8a8a8a)
                let expected = abs(offset) <= 1000 ? (dim, dim) : offset < 0 ? (lit, RGB.black) : (.black, lit)
                #expect(player.led(column, 17) == expected.0 && player.led(column + 1, 17) == expected.1, "\(interval)")
                #expect(player.led(column + 2, 17) == .black)
            }
        }
    }

    @Test("a note held for 400 ms shows its offset, and is not switched; a tap switches it")
    func offsets() throws {
        let own = try own("WERCK 3")
        var player = player { $0.tuning.choose(own) }
        for (interval, text) in [(0, "C 0"), (3, "E♭ -5.9"), (5, "F -2"), (6, "F♯ -11.7"), (4, "E -9.8")] {
            player.finger(.down, Float(4 + 3 * interval), 13)
            player.wait(399)
            #expect(player.tooltip != text)
            player.wait(1)
            #expect(player.tooltip == text)
            player.wait(3000)
            #expect(player.tooltip == text)
            player.finger(.up, Float(4 + 3 * interval), 13)
        }
        #expect(player.pattern.tonality == Tonality() && history(player) == 0)
        player.tap(.spot(.scaleNote(3)))
        #expect(player.pattern.tonality.scale.kind == .user)
    }

    @Test("sharp notes have a plus, and the root's names go round")
    func sharp() throws {
        let own = try own("SHARP", [0, 11_731, 3910, 15_641, -13_686, -1955, -9776, 1955, 13_686, -15_641, -3910, 49])
        var player = player {
            $0.tuning.choose(own)
            $0.tonality.root = 7
        }
        for (interval, text) in [(0, "G +2"), (1, "G♯ +13.7"), (4, "B 0"), (6, "C♯ +11.7"), (2, "A -15.6")] {
            player.finger(.down, Float(4 + 3 * interval), 13)
            player.wait(400)
            #expect(player.tooltip == text)
            #expect(shows(text, player.frame(), column: 6))
            player.finger(.cancel, Float(4 + 3 * interval), 13)
        }
    }

    // MARK: A4

    @Test("a drag moves A4 by a hertz for two LEDs, within 415 to 466, as one undo step")
    func a4() {
        var player = player()
        #expect(shows("440", player.frame(), column: 0, row: 19) && textColours(player, from: 0) == [Palette.text])
        player.finger(.down, .spot(.a4, column: 5))
        #expect(player.tooltip == "440 HZ" && textColours(player, from: 0) == [.white])
        player.finger(.move, .spot(.a4, column: 6))
        #expect(player.pattern.tuning.a4 == 440_000)
        player.finger(.move, 9, 12)
        #expect(player.pattern.tuning.a4 == 442_000 && player.tooltip == "442 HZ")
        #expect(shows("442", player.frame(), column: 0, row: 19))
        player.finger(.up)
        #expect(history(player) == 1)
        player.drag(from: (1, 20), to: (43, 20))
        #expect(player.pattern.tuning.a4 == 463_000)
        player.drag(from: (1, 20), to: (43, 20))
        #expect(player.pattern.tuning.a4 == 466_000)
        for _ in 0..<6 { player.drag(from: .spot(.a4, column: 12), to: .spot(.a4, column: -8)) }
        #expect(player.pattern.tuning.a4 == 415_000)
        let count = history(player)
        player.drag(from: .spot(.a4, column: 12), to: .spot(.a4, column: 0))
        #expect(history(player) == count)
        for _ in 0..<count { player.send(.key(.undo)) }
        #expect(player.pattern.tuning == Tuning())
    }

    @Test("a drag from parts of a hertz ends on whole ones, and one that returns changes nothing")
    func parts() {
        var player = player { $0.tuning.a4 = 441_493 }
        #expect(shows("441", player.frame(), column: 0, row: 19))
        player.finger(.down, .spot(.a4, column: 5))
        #expect(player.tooltip == "441.5 HZ")
        player.finger(.move, .spot(.a4, column: 7))
        #expect(player.pattern.tuning.a4 == 442_000)
        player.finger(.move, .spot(.a4, column: 5))
        player.finger(.up)
        #expect(player.pattern.tuning.a4 == 441_493 && history(player) == 0)
    }

    @Test("A4 follows one finger, also while another finger changes the music")
    func twoFingers() {
        var player = player()
        player.finger(.down, .spot(.a4, column: 5), contact: 0)
        player.finger(.down, .spot(.a4, column: 2), contact: 1)
        player.finger(.move, .spot(.a4, column: 12), contact: 1)
        #expect(player.pattern.tuning.a4 == 440_000)
        player.finger(.move, .spot(.a4, column: 9), contact: 0)
        player.finger(.down, .spot(.scaleDial, column: 25), contact: 2)
        player.finger(.up, contact: 2)
        player.finger(.move, .spot(.a4, column: 11), contact: 0)
        #expect(player.pattern.tuning.a4 == 443_000 && player.pattern.tonality.scale.kind == .blues)
        player.finger(.up, contact: 0)
        player.finger(.up, contact: 1)
        player.send(.key(.undo))
        #expect(player.pattern.tuning.a4 == 443_000 && player.pattern.tonality.scale == .major)
        player.send(.key(.undo))
        #expect(player.pattern.tuning.a4 == 440_000)
    }

    // MARK: The name

    @Test("a tap takes the next own tuning, the first after the last; a hold of 600 ms is EQUAL")
    func next() throws {
        let all = [try own("A", a4: 442_000), try own("B", Tuning().cents.map { _ in 0 }), try own("C")]
        var player = player(all)
        #expect(shows("EQUAL", player.frame(), column: 16, row: 19) && textColours(player, from: 13) == [Palette.quiet])
        for (name, a4) in [("A", 442_000), ("B", 442_000), ("C", 442_000), ("A", 442_000)] {
            player.tap(.spot(.tuning))
            #expect(player.pattern.tuning.name?.text == name && player.tooltip == name)
            #expect(player.pattern.tuning.a4 == a4)
            #expect(shows(name, player.frame(), column: 16, row: 19))
        }
        #expect(history(player) == 4)
        player.finger(.down, .spot(.tuning))
        player.wait(599)
        #expect(player.pattern.tuning.name?.text == "A")
        player.wait(1)
        #expect(player.pattern.tuning.isEqual && player.pattern.tuning.name == nil && player.tooltip == "EQUAL")
        player.finger(.up)
        #expect(player.pattern.tuning.isEqual && player.pattern.tuning.a4 == 442_000 && history(player) == 5)
        player.send(.key(.undo))
        #expect(player.pattern.tuning.cents == all[0].cents)
    }

    @Test("without own tunings a tap says so; sliding off cancels")
    func none() throws {
        var player = player()
        player.tap(.spot(.tuning))
        #expect(player.tooltip == "NO TUNINGS" && history(player) == 0)
        player.send(.tunings([try own("A")]))
        player.finger(.down, .spot(.tuning))
        player.finger(.move, 20, 12)
        player.wait(700)
        player.finger(.up)
        #expect(player.pattern.tuning == Tuning())
    }

    @Test("a chosen tuning is heard once as the scale, while the music is stopped")
    func sound() throws {
        var player = player([try own("A")])
        player.effects = []
        player.tap(.spot(.tuning))
        for _ in 0..<300 { player.wait(10) }
        let notes = player.effects.filter { if case .audition = $0 { true } else { false } }
        #expect(notes.count == 8)
        player.send(.key(.playStop))
        player.effects = []
        player.tap(.spot(.tuning))
        for _ in 0..<100 { player.wait(10) }
        #expect(player.effects.isEmpty)
    }

    @Test("the longest name begins farther left, and a tuning without a name is OTHER")
    func names() throws {
        let long = try own("MEANTONE")
        let player = player { $0.tuning.choose(long) }
        #expect(shows("MEANTONE", player.frame(), column: 13, row: 19, room: 31))
        let unnamed = Tuning(cents: long.cents)
        var other = self.player { $0.tuning = unnamed }
        #expect(shows("OTHER", other.frame(), column: 16, row: 19) && textColours(other, from: 13) == [.white])
        other.finger(.down, .spot(.tuning))
        #expect(other.tooltip == "OTHER")
    }

    @Test("A4 and the name have rows 18 to 23, on either side of column 13")
    func spots() {
        let player = player()
        for row in [18, 23] as [Float] {
            for (column, spot) in [(0, .a4), (12, .a4), (13, .tuning), (43, .tuning)] as [(Float, Spot)] {
                #expect(player.instrument.spot(at: Position(column: column, row: row)) == spot)
            }
        }
        #expect(player.instrument.spot(at: Position(column: 5, row: 17)) == .ground)
    }

    @Test("A4, the tuning and the notes have names under the cursor")
    func places() throws {
        let own = try own("WERCK 3", a4: 415_300)
        var player = player { $0.tuning.choose(own) }
        player.instrument.state.view.cursor.isShown = true
        for (column, row, name) in [(3, 20, "A4 415.3 HZ"), (20, 20, "TUNING WERCK 3"), (13, 13, "E♭ OFF")] {
            (player.instrument.state.view.cursor.column, player.instrument.state.view.cursor.row) = (column, row)
            #expect(player.instrument.words.place == name)
        }
    }

    @Test("while the box is locked nothing changes")
    func locked() throws {
        var player = player([try own("A")])
        player.send(.lock(true))
        player.tap(.spot(.tuning), pause: 0)
        #expect(player.tooltip == "LOCKED")
        player.drag(from: .spot(.a4, column: 1), to: .spot(.a4, column: 9))
        player.tap(.spot(.tuning), held: 700)
        #expect(player.pattern.tuning == Tuning() && history(player) == 0)
    }

    // MARK: Music

    @Test("a tuning goes with scenes, with a new one too, and stays when the tracks are cleared")
    func scenes() throws {
        let own = try own("A")
        var player = Player.withScenes([120, 100])
        player.instrument.state.session.composition.pattern.tuning.choose(own)
        let tuning = player.pattern.tuning
        player.instrument.choose(scene: 1)
        #expect(player.pattern.tuning == Tuning())
        player.instrument.choose(scene: 0)
        #expect(player.pattern.tuning == tuning)
        player.tap(.scene(2))
        #expect(player.instrument.state.scene == 2 && player.pattern.tuning == tuning && player.pattern.isEmpty)
        var pattern = player.pattern
        pattern[.bass, note: 0, step: 0] = .normal
        pattern.clear()
        #expect(pattern.tuning == tuning)
    }

    @Test("names are shortened to letters of the panel")
    func shortening() {
        let names = [
            ("werck3", "WERCK3"), ("meantone_quarter", "MEANTONE"), ("  a__b", "A B"), ("équal-12", "EQUAL-12"),
            ("12 notes", "12 NOTES"), ("sixteen letters!", "SIXTEEN"), ("♥", nil), ("", nil),
        ]
        for (text, name) in names { #expect(SoundName(shortening: text)?.text == name, "\(text)") }
    }
}
