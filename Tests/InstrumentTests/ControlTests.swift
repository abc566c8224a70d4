import Display
import Testing

@testable import Instrument

@Suite("Controls")
struct ControlTests {
    @Test("Play/Stop acts at touch-down, and stopping goes back to the start")
    func play() {
        var player = Player()
        player.finger(.down, 1, 0)
        #expect(player.instrument.state.isPlaying)
        #expect(player.tooltip == "PLAY")
        player.finger(.up, 1, 0)
        player.send(.step(5))
        #expect(player.instrument.state.playhead?.step == 5)
        player.tap(2, 0)
        #expect(!player.instrument.state.isPlaying)
        #expect(player.instrument.state.playhead == nil)
        #expect(player.tooltip == nil || player.tooltip == "STOP")
    }

    @Test(
        "the LED at 0, 0 is Play at release, and the colour mode after 600 ms", arguments: [(599, true), (600, false)])
    func colourHold(milliseconds: Int64, plays: Bool) {
        var player = Player()
        player.finger(.down, 0, 0)
        #expect(!player.instrument.state.isPlaying)
        player.wait(milliseconds)
        player.finger(.up, 0, 0)
        #expect(player.instrument.state.isPlaying == plays)
        #expect(player.instrument.state.session.colourMode == (plays ? .chromatic : .harmonic))
        #expect(player.tooltip == (plays ? "PLAY" : "HARMONIC"))
    }

    @Test("holding it again goes back to CHROMATIC")
    func colourHoldAgain() {
        var player = Player()
        player.tap(0, 0, held: 700)
        player.tap(0, 0, held: 700, pause: 0)
        #expect(player.instrument.state.session.colourMode == .chromatic)
        #expect(player.tooltip == "CHROMATIC")
    }

    @Test(
        "scales and roots are chosen by one touch and say their name",
        arguments: [
            (8, "C MINOR"), (9, "C PENTA"), (12, "C♯ MAJOR"), (22, "B MAJOR"),
        ])
    func tonality(column: Int, title: String) {
        var player = Player()
        player.tap(Float(column), 0, pause: 0)
        #expect(player.tooltip == title)
        player.send(.key(.undo))
        #expect(player.pattern.tonality == Tonality())
    }

    @Test("sliding in a group of choices moves the choice, as one undo step")
    func sliding() {
        var player = Player()
        player.drag(from: (11, 0), to: (18, 0))
        #expect(player.pattern.tonality.root == 7)
        player.drag(from: (18, 0), to: (7, 0))
        #expect(player.pattern.tonality == Tonality(root: 0, scale: .major))
        #expect(player.instrument.state.session.history.past.count == 2)
        player.drag(from: (7, 0), to: (9, 0))
        #expect(player.pattern.tonality.scale == .penta)
        player.send(.key(.undo))
        #expect(player.pattern.tonality.scale == .major)
    }

    static let near: [(Float, Control)] = [
        (6.3, .scale(.major)), (5.7, .redo), (10.4, .root(0)), (9.6, .scale(.penta)), (23.4, .ghosts), (25.4, .slower),
        (28.6, .faster), (33, .longer), (39, .clear),
    ]

    @Test("a dark LED of row 0 counts for the nearest control at most one LED away", arguments: near)
    func darkLEDs(column: Float, control: Control) { #expect(Control.at(column: column) == control) }

    @Test(
        "the menu handle's LED, the shown length and the shake meter are no controls",
        arguments: [3, 31, 34, 35, 36, 37, 38])
    func noControls(column: Int) { #expect(Control.at(column: Float(column)) == nil) }

    @Test("BPM moves by 5 within 60-200", arguments: [(28, 1, 125), (26, 1, 115), (28, 40, 200), (26, 40, 60)])
    func tempo(column: Int, taps: Int, bpm: Int) {
        var player = Player()
        for _ in 0..<taps { player.tap(Float(column), 0, pause: 50) }
        #expect(player.pattern.bpm == bpm)
        #expect(player.tooltip == "\(bpm) BPM")
    }

    @Test("length moves by 4 within 8-32, and shortening keeps the hidden notes")
    func length() {
        var player = Player()
        player.tap(37, 7)
        for _ in 0..<9 { player.tap(30, 0, pause: 50) }
        #expect(player.pattern.length == 8)
        #expect(player.tooltip == "8 STEPS")
        for _ in 0..<9 { player.tap(32, 0, pause: 50) }
        #expect(player.pattern.length == 32)
        #expect(player.cells(.melody) == ["0@30=1"])
    }

    @Test("holding − or + repeats, and the whole touch is one undo step")
    func repeating() {
        var player = Player()
        player.finger(.down, 28, 0)
        player.wait(400)
        #expect(player.pattern.bpm == 130)
        player.wait(360)
        #expect(player.pattern.bpm == 145)
        player.finger(.up, 28, 0)
        player.wait(1000)
        #expect(player.pattern.bpm == 145)
        player.send(.key(.undo))
        #expect(player.pattern.bpm == 120)
    }

    @Test("sliding off − or + ends the repeat")
    func slidingOff() {
        var player = Player()
        player.finger(.down, 28, 0)
        player.finger(.move, 28, 5)
        player.wait(2000)
        #expect(player.pattern.bpm == 125)
    }

    @Test("tap tempo takes any whole BPM, from the mean of the taps, as one undo step")
    func tapTempo() {
        var player = Player()
        for interval in [460, 450, 470, 460] { player.tap(27, 0, held: 50, pause: Int64(interval - 50)) }
        #expect(player.pattern.bpm == 130)
        player.send(.key(.undo))
        #expect(player.pattern.bpm == 120)
    }

    @Test("tap tempo forgets after two seconds, and stays within 60-200")
    func tapTempoForgets() {
        var player = Player()
        player.tap(27, 0, held: 50, pause: 2100)
        player.tap(27, 0, held: 50, pause: 100)
        #expect(player.pattern.bpm == 120)
        player.tap(27, 0)
        #expect(player.pattern.bpm == 200)
    }

    @Test("ghosts toggle, undoably")
    func ghosts() {
        var player = Player()
        player.tap(24, 0, pause: 0)
        #expect(!player.instrument.state.session.composition.showsGhosts)
        #expect(player.tooltip == "GHOSTS")
        player.send(.key(.undo))
        #expect(player.instrument.state.session.composition.showsGhosts)
    }

    @Test("Clear acts after a hold of 400 ms, once, undoably", arguments: [(399, false), (400, true)])
    func clear(milliseconds: Int64, clears: Bool) {
        var player = Player()
        player.tap(4, 7)
        player.tap(42, 0, held: milliseconds, pause: 0)
        #expect(player.pattern.isEmpty == clears)
        #expect((player.tooltip == "CLEAR!") == clears)
        #expect(player.effects.contains(.fade) == clears)
        if clears {
            player.send(.key(.undo))
            #expect(player.cells(.melody) == ["0@0=1"])
        }
    }

    @Test("Clear fills as the hold nears its end")
    func clearFills() {
        var player = Player()
        player.finger(.down, 41, 0)
        player.wait(200)
        #expect(player.led(40, 0) == RGB(0xff2828))
        #expect(player.led(41, 0) == RGB(0xff2828))
        #expect(player.led(42, 0) == RGB(0x662222))
    }

    // MARK: Mute, solo, pages

    @Test("mute toggles and is not undone")
    func mute() {
        var player = Player()
        player.tap(0, 15, pause: 0)
        #expect(player.instrument.state.silent == TrackSet(.bass))
        #expect(player.tooltip == "MUTE BAS")
        #expect(player.instrument.state.session.history.past.isEmpty)
        player.tap(0, 14, pause: 0)
        #expect(player.instrument.state.silent == TrackSet())
        #expect(player.tooltip == "UNMUTE")
    }

    @Test("solo is exclusive, and a muted track that is soloed stays silent")
    func solo() {
        var player = Player()
        player.tap(1, 2, pause: 0)
        #expect(player.tooltip == "SOLO MEL")
        #expect(player.instrument.state.silent == TrackSet(.chords, .bass, .rhythm))
        player.tap(1, 18)
        #expect(player.instrument.state.session.soloed == .rhythm)
        player.tap(1, 20)
        #expect(player.instrument.state.session.soloed == nil)
        player.tap(0, 8)
        player.tap(1, 8)
        #expect(player.instrument.state.silent == TrackSet(Track.allCases))
    }

    @Test("tapping mute on the soloed track un-solos it instead")
    func muteOnSolo() {
        var player = Player()
        player.tap(1, 2)
        player.tap(0, 2)
        #expect(player.instrument.state.session.soloed == nil)
        #expect(player.instrument.state.session.muted == TrackSet())
    }

    @Test(
        "column 3 cycles the note page: the span, then consecutive notes, lowest first",
        arguments: [
            (Track.melody, [11, 9, 7, 4, 2, 0], [5, 4, 3, 2, 1, 0], [11, 10, 9, 8, 7, 6]),
            (.rhythm, [11, 7, 4, 0], [3, 2, 1, 0], [7, 6, 5, 4]),
        ])
    func pages(track: Track, span: [Int], low: [Int], next: [Int]) {
        #expect((0..<3).map { NoteMap.map(track, page: $0).noteOfRow } == [span, low, next])
        var player = Player()
        let row = Float(track.rows.upperBound - 1)
        for page in 1...NoteMap.pages(track) {
            player.tap(3, row)
            #expect(player.instrument.state.session.pages[track.rawValue] == page % NoteMap.pages(track))
        }
    }

    @Test("on its pages all twelve drums are one tap away")
    func everyDrum() {
        var player = Player()
        for page in 1...3 {
            player.tap(3, 21)
            for row in 18...21 { player.tap(4, Float(row)) }
            #expect(player.cells(.rhythm).filter { $0.contains("@0=") }.count == 4 * page)
        }
    }

    // MARK: Keyboard

    @Test("keys: Space, undo, redo, clear, up, down")
    func keys() {
        var player = Player()
        player.tap(4, 7)
        player.send(.key(.space))
        #expect(player.instrument.state.isPlaying)
        player.send(.key(.clear))
        #expect(player.pattern.isEmpty)
        player.send(.key(.undo))
        #expect(!player.pattern.isEmpty)
        #expect(player.tooltip == "UNDO")
        player.send(.key(.redo))
        #expect(player.pattern.isEmpty)
        #expect(player.tooltip == "REDO")
        player.send(.key(.up))
        player.send(.key(.up))
        player.send(.key(.down))
        #expect(player.pattern.bpm == 125)
    }

    // MARK: Knobs

    static let turns: [(knob: Knob, by: Int, says: String)] = [
        (.tempo, 1, "121 BPM"), (.tempo, -1, "119 BPM"), (.tempo, 500, "200 BPM"), (.tempo, -500, "60 BPM"),
        (.length, -1, "28 STEPS"), (.length, 3, "32 STEPS"), (.length, -20, "8 STEPS"),
        (.volume, -2, "VOL 78%"), (.volume, 2, "VOL 82%"), (.volume, 30, "VOL 100%"), (.volume, -90, "VOL 0%"),
    ]

    @Test("a knob moves its value by its units, within what there is, and says it", arguments: turns)
    func knob(turn: (knob: Knob, by: Int, says: String)) {
        var player = Player(instrument: Instrument(volume: 80))
        player.send(.turn(turn.knob, by: turn.by))
        #expect(player.tooltip == turn.says)
        let state = player.instrument.state
        #expect(
            ["\(player.pattern.bpm) BPM", "\(player.pattern.length) STEPS", "VOL \(state.volume)%"].contains(turn.says))
    }

    @Test("one turn of a knob is one undo step; a rest, another knob and an undo begin another")
    func turnsInHistory() {
        var player = Player()
        for _ in 0..<10 {
            player.send(.turn(.tempo, by: 1))
            player.wait(1900)
        }
        #expect(player.pattern.bpm == 130)
        player.wait(2000)
        player.send(.turn(.tempo, by: -5))
        player.send(.turn(.length, by: -2))
        player.send(.turn(.tempo, by: 1))
        #expect(player.instrument.state.session.history.past.map(\.pattern.bpm) == [120, 130, 125, 125])
        #expect(player.instrument.state.session.history.past.map(\.pattern.length) == [32, 32, 32, 24])
        player.send(.key(.undo))
        player.send(.turn(.tempo, by: 2))
        #expect(player.instrument.state.session.history.past.map(\.pattern.bpm) == [120, 130, 125, 125])
        #expect(player.pattern.bpm == 127)
    }

    @Test("the volume is not undone, is kept once it was turned, and before that is nobody's")
    func volume() {
        var player = Player(instrument: Instrument(volume: 80))
        #expect(player.instrument.state.volume == 80)
        #expect(player.instrument.state.session.volume == nil)
        player.send(.turn(.volume, by: 6))
        player.send(.key(.undo))
        #expect(player.instrument.state.volume == 86)
        let session = player.instrument.state.session
        var other = Instrument(volume: 20)
        other.load(session)
        #expect(other.state.volume == 86)
        other.load(Session())
        #expect(other.state.volume == 20)
    }

    // MARK: Power

    @Test("the power button asks, and pressed again within 5 s switches off", arguments: [(4999, true), (5000, false)])
    func power(milliseconds: Int64, isOff: Bool) {
        var player = Player()
        player.send(.power)
        #expect(player.tooltip == "OFF?")
        #expect(player.effects.isEmpty)
        player.wait(milliseconds)
        #expect(player.tooltip == (isOff ? "OFF?" : nil))
        player.send(.power)
        #expect(player.effects.contains(.powerOff) == isOff)
        #expect(player.tooltip == (isOff ? nil : "OFF?"))
    }

    static let answers: [(event: Event, cancels: Bool)] = [
        (.touch(Touch(contact: 0, phase: .down, column: 10, row: 23)), true), (.key(.space), true), (.key(.up), true),
        (.turn(.volume, by: 2), true), (.turn(.tempo, by: 1), true), (.lock(true), true), (.sound(.swing, 60), true),
        (.touch(Touch(contact: 0, phase: .move, column: 10, row: 10)), false), (.step(3), false), (.tick, false),
        (.touch(Touch(contact: 0, phase: .up, column: 10, row: 10)), false),
    ]

    @Test("whatever else is done takes the question back; fingers and music that go on do not", arguments: answers)
    func powerCancelled(answer: (event: Event, cancels: Bool)) {
        var player = Player()
        player.send(.power)
        player.wait(100)
        player.send(answer.event)
        #expect((player.tooltip != "OFF?") == answer.cancels)
        player.wait(100)
        player.send(.power)
        #expect(player.effects.contains(.powerOff) != answer.cancels)
    }

    @Test("held for ten seconds it switches off unasked")
    func powerHeld() {
        var player = Player()
        player.send(.powerOff)
        #expect(player.effects == [.powerOff])
    }

    // MARK: History

    @Test("fifty levels are kept; a new action drops the redo tail")
    func history() {
        var player = Player()
        for _ in 0..<2 {
            for step in 0..<30 { player.tap(Float(column(step)), 7, held: player.cells(.melody).count < 30 ? 80 : 450) }
        }
        #expect(player.instrument.state.session.history.past.count == 50)
        for _ in 0..<60 { player.send(.key(.undo)) }
        #expect(player.cells(.melody).count == 10)
        player.send(.key(.redo))
        #expect(player.cells(.melody).count == 11)
        player.tap(4, 21)
        #expect(player.instrument.state.session.history.future.isEmpty)
    }

    @Test("an action that changes nothing is no undo step")
    func noStep() {
        var player = Player()
        player.tap(4, 7)
        player.tap(4, 7)
        player.tap(7, 0)
        player.send(.key(.clear))
        player.send(.key(.clear))
        #expect(player.instrument.state.session.history.past.count == 2)
    }

    @Test("mute, solo, page, colour mode and transport are not undone")
    func notUndone() {
        var player = Player()
        player.tap(4, 7)
        player.tap(0, 2)
        player.tap(1, 8)
        player.tap(3, 2)
        player.tap(0, 0, held: 700)
        player.send(.key(.space))
        player.send(.key(.undo))
        let state = player.instrument.state
        #expect(player.pattern.isEmpty)
        #expect(
            state.session.muted == TrackSet(.melody) && state.session.soloed == .chords && state.session.pages[0] == 1)
        #expect(state.session.colourMode == .harmonic && state.isPlaying)
    }
}
