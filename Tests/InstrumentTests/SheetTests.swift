import Display
import Testing
import TestSupport

@testable import Instrument

/// The menu and the sheets behind it, by one finger.
@Suite("The menu and its sheets")
struct SheetTests {
    /// A player whose menu is open.
    private func atMenu(columns: Int = 44) -> Player {
        var player = Player(instrument: Instrument(columns: columns))
        if columns == 44 { player.tap(1, 1) }
        return player
    }

    /// A player on the sheet behind the icon at `row`.
    private func atSheet(_ row: Float) -> Player {
        var player = atMenu()
        player.tap(2, row)
        return player
    }

    private var atSettings: Player { atSheet(19) }

    // MARK: The menu

    @Test(
        "the handle opens the menu and closes it, and so does the LED above its end",
        arguments: [(0, 1), (3, 1), (3, 0)])
    func handle(column: Int, row: Int) {
        var player = Player()
        player.tap(Float(column), Float(row))
        #expect(player.instrument.state.session.isMenuOpen)
        player.tap(Float(column), Float(row))
        #expect(!player.instrument.state.session.isMenuOpen)
        #expect(player.tooltip == nil && player.pattern.isEmpty)
    }

    @Test("it slides over the leftmost columns within 300 ms, and never back and forth")
    func slide() {
        var player = Player()
        player.wait(2000)
        let closed = player.frame()
        player.finger(.down, 1, 1)
        var seen = [0]
        for _ in 0..<18 {
            player.wait(16)
            let frame = player.frame()
            // The divider is the last black column.
            let open = (0..<10).last { column in (2..<24).allSatisfy { frame[column, $0] == .black } }.map { $0 + 1 }
            seen.append(open ?? seen[seen.count - 1])
            let edge = seen[seen.count - 1]
            #expect(
                (edge..<44).allSatisfy { column in (2..<22).allSatisfy { frame[column, $0] == closed[column, $0] } })
        }
        #expect(seen == seen.sorted() && seen.last == 6 && Set(seen).count > 3, "\(seen)")
    }

    @Test(
        "each icon names itself when it is touched and leads to its sheet when the finger lifts",
        arguments: [
            (2, 7, "SOUND", "SOUND"), (2, 15, "SYNC", "SYNC"), (2, 19, "SETTINGS", "SETTINGS"),
            (4, 22, "POWER", "POWER OFF?"),
        ] as [(Float, Float, String, String)])
    func icons(column: Float, row: Float, name: String, title: String) {
        var player = atMenu()
        player.finger(.down, column, row)
        #expect(player.tooltip == name && player.instrument.state.screen == .grid)
        player.finger(.up, column, row)
        player.wait(2000)
        #expect(player.instrument.state.screen != .grid)
        #expect(shows(title, player.frame(), column: title == "POWER OFF?" ? 5 : 6))
        // The top left corner goes back, as far as there is to go.
        player.tap(1, 2)
        if player.instrument.state.screen != .grid { player.tap(1, 2) }
        #expect(player.instrument.state.screen == .grid && player.instrument.state.session.isMenuOpen)
    }

    @Test("every LED of an icon's target means it: 6 × 4, the two small ones 3 × 3")
    func targets() {
        for row in 2..<24 {
            for column in 0..<6 {
                var player = atMenu()
                player.finger(.down, Float(column), Float(row))
                let expected: String
                if row >= 21 {
                    expected = column < 3 ? "LOCK" : "POWER"
                } else {
                    expected = ["LIBRARY", "SOUND", "SONG", "SYNC", "SETTINGS"][min((row - 2) / 4, 4)]
                }
                #expect(
                    player.tooltip?.hasSuffix(expected) == true, "\(column), \(row): \(player.tooltip ?? "nothing")")
                player.finger(.up, Float(column), Float(row))
                #expect(player.pattern.isEmpty)
            }
        }
    }

    @Test("a finger that slides off an icon takes it back, and sliding on it again means it again")
    func slideOff() {
        var player = atMenu()
        player.finger(.down, 2, 7)
        player.finger(.move, 12, 7)
        player.finger(.up, 12, 7)
        #expect(player.instrument.state.screen == .grid && player.pattern.isEmpty)
        player.finger(.down, 2, 7)
        player.finger(.move, 12, 7)
        player.finger(.move, 3, 6)
        player.finger(.up, 3, 6)
        #expect(player.instrument.state.screen != .grid)
    }

    @Test("what the menu lies over is not played; beside it the grid is played on")
    func covers() {
        var player = atMenu()
        player.drag(from: (5, 3), to: (12, 3))
        #expect(player.pattern.isEmpty)
        player.tap(10, 7)
        #expect(!player.pattern.isEmpty)
    }

    @Test(
        "on a panel that has columns for it the menu stands there, and the grid is where it always is",
        arguments: [46, 50])
    func beside(columns: Int) {
        var player = atMenu(columns: columns)
        let origin = columns - 44
        #expect(player.led(origin - 1, 10) == .black)
        for row in [2, 6, 14, 18] {
            #expect(
                (0..<origin - 1).contains { column in (row..<row + 3).contains { player.led(column, $0) != .black } })
        }
        player.tap(0, 7)
        #expect(player.instrument.state.screen != .grid)
        // Another icon leads from sheet to sheet.
        player.tap(0, 19)
        #expect(player.instrument.state.screen == .settings)
        player.tap(Float(origin) + 1, 2)
        player.tap(Float(origin) + 10, 7)
        #expect(!player.pattern.isEmpty)
        player.tap(Float(origin) + 1, 1)
        #expect(!player.instrument.state.session.isMenuOpen)
    }

    @Test("the menu's lock shows on the handle and darkens Clear")
    func lock() {
        var player = atMenu()
        let (handle, clear) = (player.led(3, 1), player.led(41, 0))
        player.tap(1, 22)
        #expect(player.instrument.state.session.isLocked)
        player.tap(1, 1)
        #expect(player.led(3, 1) != handle && player.led(41, 0) != clear)
        player.tap(10, 7)
        player.tap(41, 0, held: 600)
        #expect(!player.pattern.isEmpty)
        player.tap(1, 1)
        player.tap(1, 22)
        #expect(!player.instrument.state.session.isLocked)
    }

    @Test("a fault shows on the handle, in the menu and in words; nothing else changes")
    func faults() {
        var player = atMenu()
        var facts = Facts()
        facts.version = "1.2.3"
        facts.address = "192.168.1.47"
        player.send(.facts(facts))
        let well = player.frame()
        facts.faults = .sound
        facts.problem = "the sound device is gone"
        player.send(.facts(facts))
        var red: Set<Bool> = []
        for _ in 0..<40 {
            player.wait(25)
            let frame = player.frame()
            red.insert(frame[1, 6].red > 200 && frame[1, 6].green < 60)
            #expect((10..<44).allSatisfy { column in (2..<22).allSatisfy { frame[column, $0] == well[column, $0] } })
        }
        #expect(red == [true, false])
        facts.faults = []
        facts.problem = nil
        player.send(.facts(facts))
        player.wait(1000)
        let again = player.frame()
        // The LED in the corner breathes.
        #expect((1..<44).allSatisfy { column in (0..<24).allSatisfy { again[column, $0] == well[column, $0] } })
    }

    // MARK: Every sheet

    @Test("the corner and the play button of a sheet are 5 × 6 and 4 × 6 LEDs")
    func corners() {
        for row in 0..<6 {
            for column in 0..<5 {
                var player = atSettings
                player.tap(Float(column), Float(row))
                #expect(player.instrument.state.screen == .grid)
            }
            for column in 40..<44 {
                var player = atSettings
                player.tap(Float(column), Float(row))
                #expect(player.instrument.state.isPlaying && player.instrument.state.screen == .settings)
            }
        }
    }

    @Test("the steps run on a sheet's row 5, and come down to it within 120 ms")
    func steps() {
        var player = atMenu()
        player.send(.key(.space))
        player.tap(2, 19, pause: 0)
        var rows: [Int] = []
        for _ in 0..<12 {
            let frame = player.frame()
            rows.append((0..<24).first { frame[column(8), $0] == RGB(0x444444) } ?? -1)
            player.wait(12)
        }
        #expect(rows == rows.sorted() && rows.first == 1 && rows.last == 5, "\(rows)")
        player.send(.step(12))
        #expect(player.frame()[column(12), 5] == .white)
        player.wait(200)
        #expect(player.frame()[column(12), 5] == RGB(0xaaaaaa))
    }

    @Test("no touch on any LED of any sheet writes a note or leads where the corner does not lead back from")
    func everywhere() {
        for row in [7, 15, 19] as [Float] {
            for y in 0..<24 {
                for x in stride(from: 0, to: 44, by: 3) {
                    var player = atSheet(row)
                    player.tap(Float(x), Float(y), pause: 300)
                    #expect(player.pattern.isEmpty)
                    for _ in 0..<3 where player.instrument.state.screen != .grid { player.tap(1, 1, pause: 300) }
                    #expect(player.instrument.state.screen == .grid, "\(x), \(y)")
                }
            }
        }
    }

    // MARK: Faders

    /// The first columns of the faders of the sound sheet.
    private static let faders: [Float] = [6, 10, 15, 19, 24, 28, 33, 37, 41]

    @Test("every control of the sound has a fader on its track's two rows; the drums' envelope has none that moves")
    func soundFaders() {
        var controls: Set<SoundControl> = []
        for track in Track.allCases {
            var player = atSheet(7)
            player.tap(2, Float(9 + 4 * track.rawValue))
            if track == .melody { player.tap(2, 9) }
            for second in [false, true] {
                for column in Self.faders {
                    var next = player
                    next.finger(.down, column + 1, 6)
                    next.wait(2000)
                    next.finger(.up, column + 1, 6)
                    let (before, after) = (player.instrument.state, next.instrument.state)
                    let turned = SoundControl.allCases.filter { before.session.sound[$0] != after.session.sound[$0] }
                    #expect(turned.count <= 1)
                    for control in turned {
                        #expect(after.session.sound[control] == control.range.upperBound)
                        controls.insert(control)
                    }
                }
                if !second { player.tap(2, Float(9 + 4 * track.rawValue)) }
            }
        }
        let fixed = [TrackControl.attack, .decay, .sustain, .release].map { SoundControl.track(.rhythm, $0) }
        // What stands at its end already cannot be pushed there.
        let full = SoundControl.allCases.filter { $0.standard == $0.range.upperBound }
        #expect(controls == Set(SoundControl.allCases).subtracting(fixed).subtracting(full))
    }

    @Test("the metronome, the count-in and the master have faders too")
    func clicks() {
        var player = atSheet(7)
        player.tap(2, 9)
        for column in [34, 38] as [Float] {
            player.finger(.down, column, 7)
            player.wait(500)
            player.finger(.up, column, 7)
        }
        #expect(player.instrument.state.session.metronome && player.instrument.state.session.countIn == 2)
        player.finger(.down, 42, 17)
        player.wait(5000)
        player.finger(.up, 42, 17)
        #expect(player.instrument.state.volume == 0)
    }

    @Test("a finger near the cap takes it without a jump, and the value follows in fine steps")
    func nearCap() {
        var player = atSheet(7)
        let cutoff = SoundControl.track(.melody, .cutoff)
        // 2000 Hz is two thirds of the way up: row 10⅓.
        player.finger(.down, 16, 12)
        player.wait(1000)
        #expect(player.instrument.state.session.sound[cutoff] == 2000)
        var values: [Int] = []
        for tenth in 0...20 {
            player.finger(.move, 16, 12 - Float(tenth) / 10)
            values.append(player.instrument.state.session.sound[cutoff])
        }
        #expect(values == values.sorted() && Set(values).count == values.count, "\(values)")
        player.finger(.up, 16, 10)
    }

    @Test(
        "far from the cap the level walks to the finger, the same at any rate of ticks, and stops when it lifts",
        arguments: [1, 7, 16, 50, 250] as [Int64])
    func farFromCap(interval: Int64) {
        var player = atSheet(7)
        let volume = SoundControl.track(.melody, .volume)
        player.finger(.down, 7, 17)
        #expect(player.instrument.state.session.sound[volume] == 100)
        var elapsed: Int64 = 0
        while elapsed < 100 {
            player.wait(min(interval, 100 - elapsed))
            elapsed += min(interval, 100 - elapsed)
        }
        // All of the way in 250 ms: 0.4 of it in 100.
        #expect(player.instrument.state.session.sound[volume] == 20)
        player.finger(.up, 7, 17)
        player.wait(1000)
        #expect(player.instrument.state.session.sound[volume] == 20)
    }

    @Test("what could startle walks slowly: the master takes a second and a half from end to end")
    func slowMaster() {
        var player = atSheet(7)
        player.finger(.down, 42, 17)
        player.wait(750)
        #expect((49...51).contains(player.instrument.state.volume))
        player.wait(750)
        #expect(player.instrument.state.volume == 0)
    }

    @Test("the values of a fader and its levels are each other's inverse, end to end")
    func scales() {
        var faders: [Fader] = [.master, .light, .metronome, .countIn]
        faders += SoundControl.allCases.map { .sound($0) }
        for fader in faders {
            #expect(fader.value(at: 0) == fader.range.lowerBound && fader.value(at: 1) == fader.range.upperBound)
            for value in fader.range {
                let level = fader.level(of: value)
                #expect((0...1).contains(level) && fader.value(at: level) == value, "\(fader) \(value)")
            }
        }
    }

    @Test("ten fingers push ten faders; a second finger on one is none")
    func tenFingers() {
        var player = atSheet(7)
        for (contact, column) in Self.faders.enumerated() { player.finger(.down, column + 1, 6, contact: contact) }
        player.finger(.down, 7, 17, contact: 9)
        player.wait(3000)
        for control in [TrackControl.volume, .pan, .cutoff, .resonance, .attack, .release, .delay, .reverb] {
            #expect(player.instrument.state.session.sound[.track(.melody, control)] == control.range.upperBound)
        }
    }

    @Test("the letter below reads the value, and two taps on it put it back")
    func letters() {
        var player = atSheet(7)
        let pan = SoundControl.track(.melody, .pan)
        player.finger(.down, 11, 6)
        player.wait(1000)
        player.finger(.up, 11, 6)
        #expect(player.tooltip == "PAN R100")
        player.tap(11, 21, pause: 100)
        #expect(player.tooltip == "PAN R100" && player.instrument.state.session.sound[pan] == 100)
        player.tap(11, 21)
        #expect(player.instrument.state.session.sound[pan] == 0)
        player.tap(11, 21, pause: 900)
        player.tap(12, 21)
        #expect(player.instrument.state.session.sound[pan] == 0)
    }

    @Test("the words stand while a finger is on a fader, and 1200 ms longer; all fit into the header")
    func words() {
        var player = atSheet(7)
        player.finger(.down, 16, 10)
        player.wait(5000)
        #expect(player.tooltip == "CUT 2.0K")
        player.finger(.up, 16, 10)
        player.wait(1100)
        #expect(player.tooltip == "CUT 2.0K")
        player.wait(200)
        #expect(player.tooltip == nil)
        for fader in [Fader.master, .light, .metronome, .countIn] + SoundControl.allCases.map({ Fader.sound($0) }) {
            for value in [fader.range.lowerBound, fader.range.upperBound, fader.range.count / 2] {
                #expect(TextLine(fader.text(of: value)).width <= 31, "\(fader.text(of: value))")
            }
        }
    }

    // MARK: Settings

    @Test("each switch of the settings turns what it says, anywhere on it, at lift")
    func switches() {
        var player = atSettings
        for column in [14, 20, 26, 31] as [Float] {
            let before = player.instrument.state
            player.tap(column, 8)
            player.tap(column, 14)
            player.tap(column, 20)
            let after = player.instrument.state
            #expect(
                before.session.auditions != after.session.auditions
                    && before.session.soundsTaps != after.session.soundsTaps)
            #expect(before.session.composition.showsGhosts != after.session.composition.showsGhosts)
        }
        // Ghosts are what undo brings back.
        #expect(player.instrument.state.session.history.past.count == 4)
    }

    @Test("volume, light and swing have faders; light never goes out")
    func settingsFaders() {
        var player = atSettings
        for column in [1, 5, 9] as [Float] {
            player.finger(.down, column, 17)
            player.wait(3000)
            player.finger(.up, column, 17)
        }
        let state = player.instrument.state
        #expect(state.volume == 0 && state.brightness == 5 && state.session.sound[.swing] == 50)
        #expect(state.session.brightness == 5)
    }

    @Test("a finger that lands sounds at once when it is to, and not again when it lifts")
    func tapSound() {
        var player = Player()
        player.send(.tapSound(true))
        player.finger(.down, 4, 7)
        #expect(player.effects.count == 1)
        player.finger(.up, 4, 7)
        #expect(player.effects.count == 1)
        player.send(.key(.space))
        player.tap(4, 21)
        #expect(player.effects.count == 2)
    }

    @Test("calibration is asked for by a button")
    func calibration() {
        var player = atSettings
        player.tap(35, 9)
        #expect(player.effects == [.calibrate])
    }

    // MARK: Power

    private var atPower: Player {
        var player = atSettings
        player.tap(41, 21)
        return player
    }

    @Test("the box goes off when the red half is held for 1.2 s, filling as it is; a shorter touch leaves it on")
    func power() {
        var player = atPower
        player.finger(.down, 34, 15)
        player.wait(1100)
        let frame = player.frame()
        #expect(frame[26, 22] != .black && frame[26, 9] == .black)
        #expect(player.effects.isEmpty)
        player.finger(.up, 34, 15)
        player.wait(1000)
        #expect(player.effects.isEmpty)
        player.finger(.down, 34, 15)
        player.wait(1200)
        #expect(player.effects == [.powerOff])
    }

    @Test("a finger that slides off the red half, and the other half, leave the box on")
    func stay() {
        var player = atPower
        player.finger(.down, 34, 15)
        player.wait(600)
        player.finger(.move, 21, 15)
        player.wait(2000)
        player.finger(.up, 21, 15)
        player.tap(10, 15, held: 2000)
        #expect(player.effects.isEmpty && player.instrument.state.screen == .settings)
    }

    @Test("what the box has to say is read on every sheet")
    func notices() {
        for row in [7, 11, 15, 19] as [Float] {
            var player = atSheet(row)
            player.send(.notice(.diskFull))
            #expect(shows("DISK FUL", player.frame(), column: 6))
        }
        var player = atPower
        player.send(.power)
        #expect(shows("OFF?", player.frame(), column: 6))
        player.instrument.show(.letters(LetterSheet(pattern: 1, name: "OLD")), at: player.now)
        player.send(.notice(.notSaved))
        #expect(shows("NOT", player.frame(), column: 6))
    }

    // MARK: About

    @Test("the about sheet passes a long line by at twelve columns a second, and a finger drags it")
    func about() {
        var player = atSettings
        var facts = Facts()
        facts.version = "1.2.3"
        facts.address = "192.168.1.47"
        facts.problem = "SPI BUFSIZ 4096: USE 32768"
        player.send(.facts(facts))
        player.tap(41, 15, pause: 0)
        let first = player.frame()
        #expect(shows("192.168.1.47", first, column: 1, row: 13))
        player.wait(800 + 1000)
        #expect(player.frame()[1, 19] != first[1, 19] || player.frame() != first)
        #expect(lit(player.frame(), 19, from: 1, count: 20) == lit(first, 19, from: 13, count: 20))
        player.finger(.down, 20, 20)
        let held = player.frame()
        player.wait(3000)
        #expect(player.frame() == held)
        player.finger(.move, 15, 20)
        #expect(lit(player.frame(), 19, from: 1, count: 20) == lit(held, 19, from: 6, count: 20))
    }

    /// Which LEDs of five rows from `row` are lit, column by column.
    private func lit(_ frame: Frame, _ row: Int, from column: Int, count: Int) -> [[Bool]] {
        (column..<column + count).map { x in (row..<row + 5).map { frame[x, $0] != .black } }
    }

    // MARK: Tempo

    @Test("the sync sheet moves the tempo by one, repeats while held, and takes taps; it is one undo step a touch")
    func tempo() {
        var player = atSheet(15)
        player.tap(40, 12)
        #expect(player.pattern.bpm == 121)
        player.finger(.down, 3, 12)
        player.wait(1000)
        player.finger(.up, 3, 12)
        #expect(player.pattern.bpm == 121 - 7)
        for _ in 0..<5 { player.tap(20, 12, held: 50, pause: 350) }
        #expect(player.pattern.bpm == 150)
        #expect(player.instrument.state.session.history.past.count == 3)
    }

    /// Whether `text` stands in `frame` from `column`, `row` on.
    private func shows(_ text: String, _ frame: Frame, column: Int, row: Int = 0) -> Bool {
        let line = TextLine(text)
        var wanted = Frame(columns: frame.columns, rows: frame.rows)
        line.draw(into: &wanted, column: column, row: row, colour: .white, clip: 0..<frame.columns)
        return (column..<min(column + line.width, frame.columns)).allSatisfy { x in
            (row..<row + 5).allSatisfy { (wanted[x, $0] != .black) == (frame[x, $0] != .black) }
        }
    }
}
