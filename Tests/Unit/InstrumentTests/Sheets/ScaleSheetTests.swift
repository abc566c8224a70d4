import Display
import InputEvents
import Testing

@testable import Instrument

@Suite("The scale sheet")
struct ScaleSheetTests {
    /// A player on the sheet, in `tonality`.
    private func player(_ tonality: Tonality = Tonality()) -> Player {
        var player = Player()
        player.instrument.state.session.composition.pattern.tonality = tonality
        player.tap(.control(.scale(.major)), held: 400)
        return player
    }

    private func history(_ player: Player) -> Int { player.instrument.state.session.history.past.count }

    /// The notes that have sounded.
    private func sounded(_ player: Player) -> [Int] {
        player.effects.flatMap { effect -> [Int] in
            guard case .audition(let notes) = effect else { return [] }
            return notes.map(\.note)
        }
    }

    // MARK: Opening

    @Test(
        "opens by a hold of 400 ms on a scale light, and the hold changes nothing",
        arguments: [.major, .minor, .penta] as [Scale])
    func opens(scale: Scale) {
        for (held, isOpen) in [(399, false), (400, true)] as [(Int64, Bool)] {
            var player = Player()
            let before = Tonality(root: 2, scale: Scale(.dorian))
            player.instrument.state.session.composition.pattern.tonality = before
            player.tap(.control(.scale(scale)), held: held)
            #expect((player.instrument.state.view.screen == .scale) == isOpen)
            #expect(player.pattern.tonality == (isOpen ? before : Tonality(root: 2, scale: scale)))
            #expect(history(player) == (isOpen ? 0 : 1))
        }
    }

    @Test("sliding on the lights starts the time anew, and sliding off cancels it")
    func sliding() {
        var player = Player()
        player.finger(.down, .control(.scale(.major)))
        player.wait(300)
        player.finger(.move, .control(.scale(.minor)))
        player.wait(300)
        #expect(player.instrument.state.view.screen == .grid && player.pattern.tonality.scale == .minor)
        player.finger(.move, 8, 4)
        player.wait(1000)
        #expect(player.instrument.state.view.screen == .grid)
        player.finger(.up)
        player.tap(.control(.scale(.major)))
        player.finger(.down, .control(.scale(.minor)))
        player.wait(390)
        player.finger(.move, .control(.scale(.penta)))
        player.wait(400)
        #expect(player.instrument.state.view.screen == .scale && player.pattern.tonality.scale == .major)
    }

    @Test("does not open under the rules of the phone, nor while the box is locked")
    func refused() {
        var phone = Player.phone
        phone.tap(.control(.scale(.minor)), held: 600)
        #expect(phone.instrument.state.view.screen == .grid && phone.pattern.tonality.scale == .minor)
        var locked = Player()
        locked.send(.lock(true))
        locked.tap(.control(.scale(.minor)), held: 600, pause: 0)
        #expect(locked.instrument.state.view.screen == .grid && locked.tooltip == "LOCKED")
    }

    @Test("the third light of row 0 shines for every scale without a light of its own; a tap on it is penta")
    func thirdLight() {
        for scale in Scale.named + [Scale(user: [0, 6])] {
            var player = Player()
            player.instrument.state.session.composition.pattern.tonality.scale = scale
            let bright = (7...9).filter { player.led($0, 0) == Palette.scales[$0 - 7] }
            #expect(bright == [scale == .major ? 7 : scale == .minor ? 8 : 9], "\(scale.name)")
            player.tap(.control(.scale(.penta)))
            #expect(player.pattern.tonality.scale == .penta)
        }
    }

    // MARK: The dial

    /// Column of each light of the dial.
    static let lights = [2, 4, 6, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 40]

    @Test("the chosen light of the dial is white and three high, the others are on row 8 only")
    func dial() {
        for (place, kind) in Scale.Kind.allCases.enumerated() {
            let player = player(Tonality(root: 1, scale: kind == .user ? Scale(user: [0, 3]) : Scale(kind)))
            for row in [7, 8, 9] {
                let lit = (0..<44).filter { player.led($0, row) != .black }
                #expect(lit == (row == 8 ? Self.lights : [Self.lights[place]]), "\(kind), \(row)")
                #expect(player.led(Self.lights[place], row) == .white)
            }
            for (other, column) in Self.lights.enumerated() where other != place {
                let colours = [RGB(0xffaa00), RGB(0x00aaff), RGB(0xaa00ff)]
                #expect(player.led(column, 8) == (other < 3 ? colours[other] : RGB(0x6a6a6a)))
            }
        }
    }

    @Test("a finger on the dial chooses the nearest light in rows 6 to 9, and says its name")
    func choice() {
        for (place, kind) in Scale.Kind.allCases.enumerated() {
            for row in [6, 9] as [Float] {
                var player = player(Tonality(root: 0, scale: kind == .major ? .minor : .major))
                player.finger(.down, Float(Self.lights[place]), row)
                #expect(player.pattern.tonality.scale.kind == kind && player.tooltip == kind.title)
            }
        }
    }

    @Test("sliding walks the dial as one undo step a finger; back where it began there is none")
    func slide() {
        var player = player()
        player.drag(from: .spot(.scaleDial, column: 2), to: .spot(.scaleDial, column: 25))
        #expect(player.pattern.tonality.scale.kind == .blues && history(player) == 1)
        player.drag(from: .spot(.scaleDial, column: 25), to: .spot(.scaleDial, column: 9))
        #expect(player.pattern.tonality.scale.kind == .dorian && history(player) == 2)
        player.finger(.down, .spot(.scaleDial, column: 9))
        player.finger(.move, .spot(.scaleDial, column: 30))
        player.finger(.move, .spot(.scaleDial, column: 9))
        player.finger(.up)
        #expect(history(player) == 2)
        player.send(.key(.undo))
        #expect(player.pattern.tonality.scale.kind == .blues)
        player.send(.key(.undo))
        #expect(player.pattern.tonality.scale == .major)
    }

    @Test("USER begins with the notes of the scale before the touch, and keeps its own")
    func user() {
        var player = player(Tonality(root: 0, scale: Scale(.dorian)))
        player.drag(from: .spot(.scaleDial, column: 20), to: .spot(.scaleDial, column: 41))
        #expect(player.pattern.tonality.scale == Scale(.dorian).asUser && player.tooltip == "USER")
        player.finger(.down, .spot(.scaleDial, column: 40))
        player.finger(.move, .spot(.scaleDial, column: 2))
        #expect(player.pattern.tonality.scale == .major)
        player.finger(.move, .spot(.scaleDial, column: 40))
        #expect(player.pattern.tonality.scale == Scale(.dorian).asUser)
    }

    @Test("the chosen scale sounds once, from the root to the root above; while the music plays it does not")
    func sound() {
        var player = player(Tonality(root: 9, scale: .major))
        player.finger(.down, .spot(.scaleDial, column: 25))
        player.finger(.up)
        for _ in 0..<300 { player.wait(10) }
        #expect(sounded(player) == [-3, 0, 2, 3, 4, 7, 9])
        player.effects = []
        player.send(.key(.playStop))
        player.tap(.spot(.scaleDial, column: 9))
        for _ in 0..<100 { player.wait(10) }
        #expect(sounded(player).isEmpty)
    }

    @Test("the run of a scale asks for time until it ends, and ends when the sheet is left")
    func deadline() {
        var player = player()
        #expect(player.instrument.nextDeadline == nil)
        player.finger(.down, .spot(.scaleDial, column: 9))
        player.finger(.up)
        var times: [Int64] = []
        while let due = player.instrument.nextDeadline, times.count < 20 {
            times.append((due - player.now).microseconds)
            player.now = due
            player.send(.tick)
        }
        #expect(times == Array(repeating: 120_000, count: 8))
        player.tap(.spot(.scaleDial, column: 11), pause: 0)
        player.tap(.spot(.back))
        let count = sounded(player).count
        player.wait(2000)
        #expect(sounded(player).count == count && player.instrument.nextDeadline == nil)
    }

    // MARK: The notes

    @Test("notes of the scale are four high, the others a dim base, and the root has a white cap")
    func notes() {
        let player = player(Tonality(root: 2, scale: Scale(.dorian)))
        for interval in 0..<12 {
            let isIn = Scale(.dorian).contains(interval)
            let colour = Palette.note(2 + interval, .chromatic)
            for column in [4 + 3 * interval, 5 + 3 * interval] {
                let rows = (10...16).filter { player.led(column, $0) != .black }
                #expect(rows == (interval == 0 ? [11, 12, 13, 14, 15] : isIn ? [12, 13, 14, 15] : [15]))
                #expect((player.led(column, 15) == colour) == isIn)
            }
        }
        #expect(player.led(4, 11) == .white)
    }

    @Test("a tap switches a note: the scale becomes USER, one undo step a finger; sliding off cancels")
    func switching() {
        var player = player()
        player.finger(.down, .spot(.scaleNote(3)))
        #expect(player.tooltip == "E♭ OFF" && player.pattern.tonality.scale == .major)
        player.finger(.up)
        #expect(player.tooltip == "E♭ ON" && player.pattern.tonality.scale.intervals == [0, 2, 3, 4, 5, 7, 9, 11])
        #expect(player.pattern.tonality.scale.kind == .user && player.led(40, 7) == .white)
        player.tap(.spot(.scaleNote(3)))
        #expect(player.pattern.tonality.scale == Scale.major.asUser && history(player) == 2)
        player.finger(.down, .spot(.scaleNote(3)))
        player.finger(.move, 13, 20)
        player.finger(.up)
        #expect(history(player) == 2)
        player.finger(.down, .spot(.scaleNote(0)))
        #expect(player.tooltip == "C ROOT")
        player.finger(.up)
        #expect(history(player) == 2)
        player.send(.key(.undo))
        player.send(.key(.undo))
        #expect(player.pattern.tonality.scale == .major)
    }

    @Test("each note has three columns of rows 10 to 16", arguments: 0..<12)
    func noteSpots(interval: Int) {
        let player = player()
        for row in [10, 16] as [Float] {
            for column in 3...5 {
                let position = Position(column: Float(column + 3 * interval), row: row)
                #expect(player.instrument.spot(at: position) == .scaleNote(interval))
            }
        }
        #expect(player.instrument.spot(at: Position(column: 41, row: 12)) == .ground)
        #expect(player.instrument.spot(at: Position(column: 20, row: 17)) == .ground)
    }

    @Test("while the box is locked nothing changes")
    func locked() {
        var player = player()
        player.send(.lock(true))
        player.tap(.spot(.scaleDial, column: 20), pause: 0)
        #expect(player.tooltip == "LOCKED")
        player.tap(.spot(.scaleNote(3)), pause: 0)
        #expect(player.tooltip == "LOCKED" && player.pattern.tonality == Tonality() && history(player) == 0)
    }

    // MARK: The header

    @Test("the header shows the name; a long one passes by")
    func header() {
        var player = player(Tonality(root: 0, scale: Scale(.dorian)))
        #expect(shows("DORIAN", player.frame(), column: 6) && player.frame()[6, 0] == Palette.text)
        #expect(player.instrument.words.title == "SCALE")
        player.instrument.state.session.composition.pattern.tonality.scale = Scale(.diminished)
        player.instrument.state.view.show(.scale, at: player.now)
        // The steps have moved down to row 5.
        player.wait(200)
        #expect(shows("DIMINIS", player.frame(), column: 6))
        player.wait(2000)
        #expect(!shows("DIMINIS", player.frame(), column: 6))
        #expect((37..<41).allSatisfy { player.frame()[$0, 1] == .black })
        player.tap(.spot(.back))
        #expect(player.instrument.state.view.screen == .grid)
    }

    @Test("every name and note can be written in the font")
    func glyphs() {
        for kind in Scale.Kind.allCases { #expect(TextLine(kind.title).text == kind.title) }
        for root in 0..<12 {
            var player = player(Tonality(root: root, scale: .major))
            for interval in 0..<12 {
                player.finger(.down, Float(4 + 3 * interval), 12)
                let text = player.tooltip ?? ""
                #expect(text.hasSuffix(" ON") || text.hasSuffix(" OFF") || text.hasSuffix(" ROOT"))
                #expect(shows(text, player.frame(), column: 6))
                player.finger(.cancel, 4, 12)
            }
        }
    }
}
