import Display
import Testing

@testable import Instrument

@Suite("The phone's rules: touches")
struct PhoneTouchTests {
    @Test("a finger within its first LED for 400 ms is a hold, for 399 ms a tap", arguments: [(399, 1), (400, 2)])
    func hold(milliseconds: Int64, value: Int) {
        var player = Player.phone
        player.tap(.step(0, .melody), held: milliseconds)
        #expect(player.cells(.melody) == ["0@0=\(value)"])
    }

    @Test("a finger that trembles within its LED still holds")
    func trembling() {
        var player = Player.phone
        player.finger(.down, .step(0, .melody))
        for _ in 0..<50 {
            player.finger(.move, 4.4, 6.7)
            player.wait(5)
            player.finger(.move, 3.6, 7.3)
            player.wait(5)
        }
        player.finger(.up, .step(0, .melody))
        #expect(player.cells(.melody) == ["0@0=2"])
    }

    @Test("a slow drag is not a hold, and coming back does not make it one")
    func slowDrag() {
        var player = Player.phone
        player.drag(from: .step(0, .melody), to: .step(3, .melody), duration: 900)
        #expect(player.cells(.melody).first == "0@0=1")
        player.finger(.down, .step(15, .melody))
        player.wait(300)
        player.finger(.move, 21, 7)
        player.finger(.move, .step(15, .melody))
        player.wait(1000)
        player.finger(.up)
        #expect(player.cells(.melody).contains("0@15=1"))
    }

    @Test("leaving the track's rows or the pattern keeps the last place inside")
    func leaving() {
        var player = Player.phone
        player.finger(.down, .step(0, .melody))
        player.finger(.move, .step(2, .melody))
        player.finger(.move, .step(5, .chords, row: 1))
        player.finger(.up)
        #expect(player.cells(.melody) == ["0@0=1", "2@1=1", "4@2=1"])
        player.instrument.state.session.composition.pattern.length = 8
        player.finger(.down, .step(5, .rhythm))
        player.finger(.move, .step(7, .rhythm))
        player.finger(.move, .step(19, .rhythm))
        player.finger(.up)
        #expect(player.cells(.rhythm) == ["0@5=1", "0@6=1", "0@7=1"])
    }

    @Test("a cancelled touch does nothing")
    func cancelled() {
        var player = Player.phone
        player.finger(.down, .step(0, .melody))
        player.finger(.move, .step(4, .melody))
        player.finger(.cancel)
        #expect(player.pattern.isEmpty)
        #expect(player.instrument.state.session.history.past.isEmpty)
    }

    @Test(
        "a touch beyond the pattern's length, in the scenes' columns or in column 2 does nothing",
        arguments: [14, 39, 43, 2])
    func outside(column: Int) {
        var player = Player.phone
        player.instrument.state.session.composition.pattern.length = 8
        player.tap(Float(column), 7)
        #expect(player.pattern.isEmpty)
    }

    @Test("sixteen fingers draw sixteen gestures at once, and a seventeenth is ignored")
    func manyFingers() {
        var player = Player.phone
        for contact in 0..<17 { player.finger(.down, Float(column(contact)), 7, contact: contact) }
        for contact in 0..<17 { player.finger(.up, Float(column(contact)), 7, contact: contact) }
        #expect(player.cells(.melody).count == 16)
    }

    @Test("two fingers on two tracks make two gestures, each with its own hold")
    func twoFingers() {
        var player = Player.phone
        player.finger(.down, .step(0, .melody), contact: 3)
        player.wait(300)
        player.finger(.down, .step(0, .bass), contact: 7)
        player.wait(200)
        player.finger(.up, contact: 7)
        player.finger(.up, contact: 3)
        #expect(player.cells(.melody) == ["0@0=2"])
        #expect(player.cells(.bass) == ["0@0=1", "7@0=1"])
    }

    // MARK: Double taps

    @Test("two taps whose downs are less than 500 ms apart erase the step, and are one undo step")
    func doubleTap() {
        var player = Player.phone
        player.tap(.step(0, .chords))
        let before = player.pattern
        player.tap(.step(0, .chords, row: 1), pause: 0)
        player.wait(200)
        player.tap(.step(0, .chords, row: 1))
        #expect(player.cells(.chords).isEmpty)
        player.send(.key(.undo))
        #expect(player.pattern == before)
        player.send(.key(.redo))
        #expect(player.cells(.chords).isEmpty)
    }

    @Test(
        "500 ms apart, another step, or two rows apart are two taps",
        arguments: [(420, 4, 13), (100, 5, 13), (100, 4, 11)])
    func notDouble(pause: Int64, column: Int, row: Int) {
        var player = Player.phone
        player.tap(.step(0, .chords), pause: pause)
        player.tap(Float(column), Float(row))
        #expect(player.tooltip != "ERASE")
        #expect(!player.cells(.chords).isEmpty)
    }

    @Test("the first tap's notes at other steps stay")
    func doubleTapEcho() {
        var player = Player.phone
        player.tap(.step(0, .rhythm), pause: 100)
        player.tap(.step(0, .rhythm))
        #expect(player.cells(.rhythm) == ["0@2=1"])
    }

    @Test("a third tap starts a new pair")
    func tripleTap() {
        var player = Player.phone
        for _ in 0..<3 { player.tap(.step(0, .melody), pause: 100) }
        #expect(player.cells(.melody) == ["0@0=1"])
    }

    @Test("erasing an empty step changes nothing, including redo")
    func doubleTapNothing() {
        var player = Player.phone
        player.tap(.step(15, .melody))
        player.send(.key(.undo))
        player.tap(.step(0, .melody), pause: 100)
        player.tap(.step(0, .melody))
        #expect(player.pattern.isEmpty)
        player.send(.key(.redo))
        #expect(player.cells(.melody) == ["0@15=1"])
    }

    @Test("a double tap on rows 1, 22 and 23 is Play, then Stop", arguments: [1, 22, 23])
    func doubleTapPlays(row: Int) {
        var player = Player.phone
        for isPlaying in [true, false] {
            player.tap(20, Float(row), pause: 150)
            player.tap(20, Float(row))
            #expect(player.instrument.state.isPlaying == isPlaying)
        }
    }

    @Test("a double tap on the menu handle is not Play")
    func handle() {
        var player = Player.phone
        player.tap(.handle, pause: 100)
        player.tap(.handle)
        #expect(!player.instrument.state.isPlaying)
    }

    // MARK: Swipes

    @Test("two swipes left undo the action before them; two right redo it")
    func swipes() {
        var player = Player.phone
        player.tap(.step(0, .melody))
        let one = player.pattern
        player.tap(.step(15, .melody))
        let two = player.pattern
        player.drag(from: (20, 5), to: (12, 5), duration: 120, pause: 60)
        #expect(player.pattern != two)
        player.drag(from: (20, 5), to: (12, 5), duration: 120)
        #expect(player.pattern == one)
        #expect(player.instrument.state.session.history.past.count == 1)
        player.drag(from: (12, 5), to: (20, 5), duration: 120, pause: 60)
        player.drag(from: (12, 5), to: (20, 5), duration: 120)
        #expect(player.pattern == two)
    }

    @Test("swipes show <<UNDO and REDO>>")
    func swipeWords() {
        var player = Player.phone
        player.tap(.step(0, .melody))
        for _ in 0..<2 { player.drag(from: (20, 5), to: (12, 5), duration: 120, pause: 60) }
        #expect(player.tooltip == "<<UNDO")
        for _ in 0..<2 { player.drag(from: (12, 5), to: (20, 5), duration: 120, pause: 60) }
        #expect(player.tooltip == "REDO>>")
    }

    @Test(
        "swipes that are too slow, too short, too far apart or in opposite directions draw",
        arguments: [(310, 8, 60, 8), (120, 5, 60, 5), (120, 8, 450, 8), (120, 8, 60, -8)])
    func notSwipes(duration: Int64, first: Int, pause: Int64, second: Int) {
        var player = Player.phone
        player.tap(.step(0, .rhythm))
        player.drag(from: (20, 5), to: (20 - first, 5), duration: duration, pause: pause)
        player.drag(from: (20, 5), to: (20 - second, 5), duration: duration)
        #expect(player.cells(.rhythm) == ["0@0=1", "0@2=1"])
        #expect(!player.cells(.melody).isEmpty)
    }

    // MARK: Shakes

    static func shake(_ player: inout Player, reversals: Int, pause: Int64 = 40, amplitude: Float = 3) {
        player.finger(.down, .step(6, .melody, row: 2))
        player.wait(pause)
        for i in 0...reversals {
            player.finger(.move, i % 2 == 0 ? 10 + amplitude : 10, 5)
            player.wait(pause)
        }
        player.finger(.up, reversals % 2 == 0 ? 10 + amplitude : 10, 5)
    }

    @Test("five reversals clear the four tracks as one undo step, while the finger is down")
    func shakeClears() {
        var player = Player.phone
        player.tap(.step(0, .rhythm))
        player.tap(.step(15, .melody))
        let before = player.pattern
        Self.shake(&player, reversals: 5)
        #expect(player.pattern.isEmpty)
        #expect(player.tooltip == "~SHAKE CLEAR~")
        #expect(player.effects.contains(.fade))
        player.send(.key(.undo))
        #expect(player.pattern == before)
    }

    @Test(
        "from the third reversal on a touch makes no notes; with two it does",
        arguments: [(2, false), (3, true), (4, true)])
    func shakeMutes(reversals: Int, isEmpty: Bool) {
        var player = Player.phone
        Self.shake(&player, reversals: reversals)
        #expect(player.pattern.isEmpty == isEmpty)
    }

    @Test(
        "reversals of less than two columns, or after a pause of more than 500 ms, do not count",
        arguments: [(40, 1), (510, 3)])
    func notShakes(pause: Int64, amplitude: Float) {
        var player = Player.phone
        Self.shake(&player, reversals: 9, pause: pause, amplitude: amplitude)
        #expect(!player.pattern.isEmpty)
    }

    // MARK: Lock

    @Test("the performance lock ignores double taps, shakes and Clear")
    func lock() {
        var player = Player.phone
        player.send(.lock(true))
        player.tap(.step(0, .melody), pause: 100)
        player.tap(.step(0, .melody))
        #expect(player.cells(.melody) == ["0@0=1"])
        player.tap(.overview(15), pause: 100)
        player.tap(.overview(15))
        #expect(!player.instrument.state.isPlaying)
        Self.shake(&player, reversals: 8)
        player.tap(.control(.clear), held: 900)
        player.send(.key(.clear))
        #expect(player.cells(.melody).contains("0@0=1"))
    }

    // MARK: Sound

    @Test("with the transport stopped a gesture's first column sounds as it lands")
    func audition() {
        var player = Player.phone
        player.tap(.step(0, .rhythm))
        #expect(player.effects == [.audition([.init(track: .rhythm, note: 0, velocity: 1, steps: 1)])])
        player.effects = []
        player.drag(from: .step(0, .chords), to: .step(2, .chords), held: 450)
        let triad = [0, 4, 7].map { Instrument.Effect.Note(track: .chords, note: $0, velocity: 2, steps: 3) }
        #expect(player.effects == [.audition(triad)])
    }

    @Test("nothing is auditioned while playing, on a silent track, or when the setting is off")
    func noAudition() {
        var player = Player.phone
        player.send(.audition(false))
        player.tap(.step(0, .melody))
        player.send(.audition(true))
        player.tap(.mute(.melody))
        player.tap(.step(2, .melody))
        player.send(.key(.playStop))
        player.tap(.step(4, .bass))
        #expect(player.effects.isEmpty)
    }
}
