import Display
import InputEvents
import TestSupport
import Testing

@testable import Instrument

extension Player {
    /// Presses `key`, holds it and releases it.
    mutating func key(_ key: Key, held: Int64 = 80, pause: Int64 = 1000) {
        send(.key(key))
        wait(held)
        send(.keyUp(key))
        wait(pause)
    }

    /// Moves the cursor, which is shown, to `column`, `row`.
    mutating func moveCursor(to column: Int, _ row: Int) {
        while instrument.state.view.cursor.column < column { send(.key(.arrowRight)) }
        while instrument.state.view.cursor.column > column { send(.key(.arrowLeft)) }
        while instrument.state.view.cursor.row < row { send(.key(.arrowDown)) }
        while instrument.state.view.cursor.row > row { send(.key(.arrowUp)) }
    }

    /// Moves the cursor to `place`.
    mutating func moveCursor(to place: Place, at location: SourceLocation = #_sourceLocation) {
        guard let position = position(of: place, at: location) else { return }
        moveCursor(to: Int(position.column), Int(position.row))
    }

    fileprivate var cursor: Cursor { instrument.state.view.cursor }
}

/// A player with the cursor at `column`, `row`.
private func atCursor(_ column: Int, _ row: Int, _ player: Player = Player()) -> Player {
    var player = player
    player.send(.key(.arrowRight))
    player.moveCursor(to: column, row)
    return player
}

@Suite("The keyboard's cursor")
struct CursorTests {
    @Test("arrows and Enter show the cursor; before, Space plays and the vertical arrows change the tempo")
    func hidden() {
        for key in [Key.arrowLeft, .arrowRight, .enter, .latch] {
            var player = Player()
            player.key(key)
            #expect(player.cursor.isShown && player.pattern.isEmpty)
        }
        var player = Player()
        player.key(.spaceBar)
        #expect(player.instrument.state.isPlaying && !player.cursor.isShown)
        player.send(.key(.arrowUp))
        player.send(.key(.arrowUp))
        player.send(.key(.arrowDown))
        #expect(player.pattern.tempo == 125 && !player.cursor.isShown)
    }

    @Test("a shown cursor moves by LEDs and stays on the panel", arguments: [44, 46, 50])
    func moves(columns: Int) {
        var player = Player(instrument: Instrument(columns: columns))
        player.send(.key(.arrowLeft))
        let start = player.cursor
        #expect(start.column == columns - 40 && start.row == 7)
        player.send(.key(.arrowDown))
        player.send(.key(.arrowRight))
        #expect(player.cursor.column == start.column + 1 && player.cursor.row == 8 && player.pattern.tempo == 120)
        for _ in 0..<60 { for key in [Key.arrowLeft, .arrowUp] { player.send(.key(key)) } }
        #expect(player.cursor.column == 0 && player.cursor.row == 0)
        for _ in 0..<60 { for key in [Key.arrowRight, .arrowDown] { player.send(.key(key)) } }
        #expect(player.cursor.column == columns - 1 && player.cursor.row == 23)
        _ = player.frame()
    }

    @Test("it is a ring round an LED that keeps its colour, brighter while the finger is down")
    func ring() {
        var player = atCursor(10, 12)
        let (ground, centre) = (Player().led(9, 11), Player().led(10, 12))
        #expect(player.led(9, 11) == ground.blended(towards: .white, 0.4))
        #expect(player.led(10, 12) == centre)
        player.send(.key(.enter))
        #expect(player.led(9, 11).red > 0xd0)
        player.send(.keyUp(.enter))
        player.send(.key(.escape))
        #expect(!player.cursor.isShown)
        #expect(player.led(9, 11) == ground)
    }

    /// A touch by a finger, and the same by keys: landing, steps, time held before the steps.
    static let touches: [(column: Int, row: Int, steps: [Key], held: Int64)] = [
        (4, 7, [], 80), (8, 13, [], 600), (20, 17, [], 600), (13, 21, [], 500),
        (22, 5, [.arrowRight, .arrowRight, .arrowRight, .arrowRight, .arrowRight], 0),
        (6, 12, [.arrowRight, .arrowRight, .arrowRight, .arrowRight], 500),
        (9, 4, [.arrowUp, .arrowUp, .arrowUp], 0),
        (14, 19, [.arrowRight, .arrowUp, .arrowRight, .arrowUp, .arrowRight, .arrowUp], 0), (40, 0, [], 600),
        (0, 0, [], 700), (28, 0, [], 900), (15, 0, [], 700), (0, 3, [], 50), (1, 9, [], 50), (3, 3, [], 50),
        (42, 5, [], 800), (1, 1, [], 50),
    ]

    @Test("its finger does what one on the panel does: the same events, music and screens", arguments: touches)
    func fingers(touch: (column: Int, row: Int, steps: [Key], held: Int64)) {
        var (played, typed) = (Player(), Player())
        for key in [Key.enter, .spaceBar, .latch] {
            (played, typed) = (Player(), Player())
            for step in 0..<3 { played.tap(.step(8 * step, .rhythm)) }
            for step in 0..<3 { typed.tap(.step(8 * step, .rhythm)) }
            typed = atCursor(touch.column, touch.row, typed)
            var (x, y) = (touch.column, touch.row)
            played.finger(.down, Float(x), Float(y))
            typed.send(.key(key))
            for step in [nil] + touch.steps {
                if let step {
                    x += step == .arrowRight ? 1 : step == .arrowLeft ? -1 : 0
                    y += step == .arrowDown ? 1 : step == .arrowUp ? -1 : 0
                    played.finger(.move, Float(x), Float(y))
                    typed.send(.key(step))
                }
                for _ in 0..<2 {
                    played.wait((step == nil ? touch.held : 60) / 2)
                    typed.wait((step == nil ? touch.held : 60) / 2)
                }
            }
            played.finger(.up, Float(x), Float(y))
            typed.send(key == .latch ? .key(key) : .keyUp(key))
            #expect(typed.instrument.state.session == played.instrument.state.session)
            #expect(typed.instrument.state.view.screen == played.instrument.state.view.screen)
            #expect(typed.effects == played.effects)
            #expect(typed.tooltip == played.tooltip)
        }
    }

    @Test("Escape gives up the finger, and so does a keyboard that vanishes; another key does not lift it")
    func givenUp() {
        for end in [Instrument.Event.key(.escape), .keyCancel(.enter)] {
            var player = atCursor(4, 7)
            player.send(.key(.enter))
            player.wait(50)
            player.send(.keyUp(.spaceBar))
            player.send(.key(.spaceBar))
            #expect(player.cursor.holder == .enter)
            player.send(end)
            player.send(.keyUp(.enter))
            player.wait(1000)
            #expect(player.pattern.isEmpty && player.cursor.isShown && player.cursor.holder == nil)
        }
    }

    @Test("the menu and the sheets are reached and left by keys")
    func screens() {
        var player = atCursor(1, 1)
        player.key(.enter)
        #expect(player.instrument.state.session.isMenuOpen)
        player.moveCursor(to: .menu(.sound))
        player.key(.enter)
        #expect(player.instrument.words.title == "SOUND")
        player.moveCursor(to: .fader(.sound(.track(.melody, .attack)), row: 9))
        player.key(.spaceBar)
        #expect(player.instrument.state.view.screen != .grid)
        player.send(.key(.escape))
        #expect(player.instrument.state.view.screen == .grid && player.instrument.state.session.isMenuOpen)
        player.send(.key(.escape))
        #expect(!player.instrument.state.session.isMenuOpen && player.cursor.isShown)
    }
}

@Suite("The keyboard on the screens")
struct KeyboardScreenTests {
    private func naming(_ name: String = "") -> Player {
        var player = Player()
        player.tap(.step(0, .melody))
        player.show(.letters(LetterSheet(pattern: 7, name: name)))
        return player
    }

    private func name(_ player: Player) -> String {
        guard case .letters(let sheet) = player.instrument.state.view.screen else { return "none" }
        return sheet.name.map(\.text).joined()
    }

    @Test("a name is typed: letters, digits and signs, Space and Backspace; other characters do nothing")
    func typing() {
        var player = naming()
        for character in "night-7?é字" { player.send(.type(character)) }
        player.key(.spaceBar)
        player.send(.type("♯"))
        #expect(name(player) == "NIGHT-7? ♯")
        player.key(.erase)
        player.key(.erase)
        player.key(.erase)
        #expect(name(player) == "NIGHT-7")
        for _ in 0..<30 { player.send(.type("a")) }
        #expect(name(player).count == LetterSheet.lengthMax)
        player.key(.enter)
        #expect(player.instrument.state.view.screen == .guide)
        #expect(player.effects.last == .job(.rename(7, "NIGHT-7AAAAAAAAA")))
    }

    @Test("Escape leaves the name as it was")
    func cancel() {
        var player = naming("OLD")
        player.send(.type("x"))
        player.key(.escape)
        #expect(player.instrument.state.view.screen == .guide)
        #expect(!player.effects.contains { if case .job(.rename) = $0 { true } else { false } })
    }

    @Test("no key changes the music behind the letters, nor starts it")
    func unseen() {
        var player = naming("A")
        let (before, isPlaying) = (player.instrument.state.session, player.instrument.state.isPlaying)
        for key in [Key.erase, .undo, .redo, .faster, .slower, .arrowUp, .arrowDown, .arrowLeft, .spaceBar, .latch] {
            player.key(key, held: 1500)
        }
        #expect(player.instrument.state.session == before && player.instrument.state.isPlaying == isPlaying)
        #expect(!player.cursor.isShown && player.instrument.isNaming)
    }

    @Test("letters do nothing elsewhere")
    func elsewhere() {
        var player = Player()
        let before = player.instrument.state.session
        for character in "qQ1?" { player.send(.type(character)) }
        #expect(player.instrument.state.session == before && player.instrument.state.view.screen == .grid)
    }

    @Test("Delete clears after 0.4 s, and shows it by filling Clear")
    func erase() {
        var player = Player()
        player.tap(.step(0, .melody))
        player.key(.erase, held: 390)
        #expect(!player.pattern.isEmpty)
        player.send(.key(.erase))
        player.wait(200)
        player.send(.key(.erase))
        player.wait(100)
        #expect(player.led(40, 0) == RGB(0xff2828) && player.led(43, 0) == RGB(0x662222))
        player.wait(100)
        #expect(player.pattern.isEmpty && player.tooltip == "CLEAR!")
        player.wait(2000)
        player.send(.key(.erase))
        player.send(.keyUp(.erase))
        player.send(.key(.undo))
        #expect(!player.pattern.isEmpty)
    }

    @Test("Delete clears nothing on another screen, nor if one opens meanwhile, nor under the lock")
    func eraseElsewhere() {
        for screen in [Instrument.Screen.settings, .guide, .song(SongSheet(showing: nil))] {
            var player = Player()
            player.tap(.step(0, .melody))
            player.show(screen)
            player.key(.erase, held: 1500)
            #expect(!player.pattern.isEmpty)
        }
        var player = Player()
        player.tap(.step(0, .melody))
        player.send(.key(.erase))
        player.wait(200)
        player.show(.settings)
        player.wait(1000)
        #expect(!player.pattern.isEmpty)
        var locked = Player()
        locked.tap(.step(0, .melody))
        locked.send(.lock(true))
        locked.key(.erase, held: 1500)
        #expect(!locked.pattern.isEmpty)
    }

    /// A screen, and those that Escape leads to.
    static let backs: [(Instrument.Screen, [Instrument.Screen])] = [
        (.settings, [.grid]), (.song(SongSheet(showing: nil)), [.grid]), (.sync, [.grid]), (.guide, [.grid]),
        (.power, [.settings, .grid]),
        (.about(AboutSheet(.zero)), [.settings, .grid]),
        (.letters(LetterSheet(pattern: 1, name: "")), [.guide, .grid]),
    ]

    @Test("Escape goes back, screen by screen", arguments: backs)
    func back(way: (Instrument.Screen, [Instrument.Screen])) {
        var player = Player()
        player.show(way.0)
        for next in way.1 {
            player.key(.escape)
            #expect(player.instrument.state.view.screen == next)
        }
    }

    @Test("Escape dismisses the question about a stick")
    func stick() {
        var player = Player()
        player.send(.stick(isThere: true))
        player.key(.escape)
        #expect(player.instrument.state.box.stickPrompt == nil)
        #expect(player.effects.isEmpty)
    }

    @Test("under the open menu, what is not drawn does not act")
    func underMenu() {
        var player = Player()
        player.tap(.step(15, .melody))
        player.tap(.handle)
        #expect(player.instrument.state.session.isMenuOpen)
        let before = player.instrument.state.session
        for column in [4, 5] as [Float] {
            player.tap(column, 0)
            player.tap(column, 1, pause: 100)
            player.tap(column, 1)
        }
        #expect(player.instrument.state.session == before && !player.instrument.state.isPlaying)
        player.tap(.control(.play))
        #expect(player.instrument.state.isPlaying)
        player.tap(.control(.scale(.minor)))
        #expect(player.pattern.tonality.scale == .minor)
        player.tap(.handle)
        player.tap(.control(.undo))
        #expect(player.pattern.tonality.scale == .major)
    }

    /// A place on the grid, and its name.
    static let places: [(column: Int, row: Int, name: String)] = [
        (1, 0, "PLAY"), (4, 0, "UNDO"), (7, 0, "MAJOR"), (12, 0, "C♯"), (27, 0, "TAP TEMPO"), (41, 0, "CLEAR"),
        (2, 1, "MENU"), (6, 1, "STEP 3"), (0, 3, "MUTE MELODY"), (1, 9, "SOLO CHORDS"), (3, 15, "PAGE BASS"),
        (4, 7, "C4 STEP 1 ON"), (6, 6, "D4 STEP 3"), (13, 21, "KICK STEP 9"), (42, 2, "SCENE 1"), (42, 3, "BAS 1"),
        (40, 22, "CHAIN"),
        (42, 22, "TAKE"),
        (39, 2, "SCENE 1"), (23, 1, "STEP 18"), (24, 0, "GHOSTS"), (34, 0, "KEYS"), (37, 0, "FX"), (33, 0, "LONGER"),
    ]

    @Test("the place under the cursor has a name", arguments: places)
    func place(place: (column: Int, row: Int, name: String)) {
        var player = Player()
        player.tap(.step(0, .melody))
        #expect(player.instrument.words.place.isEmpty)
        player.send(.key(.arrowRight))
        player.moveCursor(to: place.column, place.row)
        #expect(player.instrument.words.place == place.name)
    }

    @Test("the places of the menu and of a sheet have names")
    func sheetPlaces() {
        var player = Player()
        player.send(.key(.arrowRight))
        player.tap(.handle)
        player.moveCursor(to: .menu(.sound))
        #expect(player.instrument.words.place == "SOUND")
        player.moveCursor(to: 4, 0)
        #expect(player.instrument.words.place.isEmpty)
        player.tap(.menu(.settings))
        player.moveCursor(to: .spot(.back))
        #expect(player.instrument.words.place == "BACK")
        player.moveCursor(to: .spot(.play))
        #expect(player.instrument.words.place == "PLAY")
    }

    @Test("the words are those on the panel, and the title of its screen")
    func words() {
        var player = Player()
        #expect(player.instrument.words == PanelWords())
        player.tap(.control(.play), pause: 0)
        #expect(player.instrument.words.word == "PLAY")
        player.wait(2000)
        #expect(player.instrument.words.word.isEmpty)
        player.tap(.handle)
        #expect(player.instrument.words.title == "MENU")
        player.tap(.menu(.settings))
        #expect(player.instrument.words.title == "SETTINGS")
        player = Player()
        player.tap(.spot(.lanesLight))
        #expect(player.instrument.words.title == "LANES")
        player = naming("AB")
        #expect(player.instrument.words.title == "NAME AB" && player.instrument.words.isNaming)
    }
}
