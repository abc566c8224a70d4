import Display
import InputEvents
import Testing

@testable import Instrument

@Suite("Fingers together: history, lock, sound")
struct TogetherTests {
    // MARK: History

    @Test("kick and snare tapped together are two notes and one undo step", arguments: [0, 60, 61] as [Int64])
    func together(apart: Int64) {
        var player = Player()
        player.finger(.down, .step(0, .rhythm), contact: 0)
        player.wait(apart)
        player.finger(.down, .step(0, .rhythm, row: 1), contact: 1)
        player.wait(50)
        player.finger(.up, contact: 1)
        player.finger(.up, contact: 0)
        #expect(player.cells(.rhythm) == ["0@0=1", "3@0=1"])
        player.send(.key(.undo))
        #expect(player.cells(.rhythm) == (apart <= 60 ? [] : ["3@0=1"]))
        player.send(.key(.redo))
        #expect(player.cells(.rhythm) == ["0@0=1", "3@0=1"])
    }

    @Test("they are one step also where another finger lifts in between, which stays a step of its own")
    func between() {
        var player = Player()
        player.finger(.down, .step(0, .rhythm), contact: 0)
        player.finger(.down, .step(1, .rhythm), contact: 1)
        player.wait(100)
        player.finger(.down, .step(15, .melody), contact: 2)
        player.wait(10)
        player.finger(.up, contact: 0)
        player.wait(10)
        player.finger(.up, contact: 2)
        player.wait(10)
        player.finger(.up, contact: 1)
        let all = player.pattern
        player.send(.key(.undo))
        #expect(player.cells(.melody).isEmpty && player.cells(.rhythm) == ["0@0=1", "0@1=1"])
        player.send(.key(.undo))
        #expect(player.pattern.isEmpty)
        player.send(.key(.redo))
        player.send(.key(.redo))
        #expect(player.pattern == all)
    }

    @Test("a finger that lifts after undo makes a step of its own, and the undone notes do not return with it")
    func afterUndo() {
        var player = Player()
        player.finger(.down, .step(0, .rhythm), contact: 0)
        player.finger(.down, .step(1, .rhythm), contact: 1)
        player.wait(50)
        player.finger(.up, contact: 0)
        player.send(.key(.undo))
        player.finger(.up, contact: 1)
        #expect(player.cells(.rhythm) == ["0@1=1"])
        player.send(.key(.undo))
        #expect(player.pattern.isEmpty)
    }

    @Test("four taps make four kicks, and a gesture that changes nothing makes no undo step")
    func four() {
        var player = Player()
        for step in [0, 4, 8, 12] { player.tap(.step(step, .rhythm), pause: 100) }
        #expect(player.cells(.rhythm) == ["0@0=1", "0@4=1", "0@8=1", "0@12=1"])
        for _ in 0..<2 {
            player.finger(.down, .step(16, .rhythm))
            player.finger(.move, .step(16, .rhythm, row: 2))
            player.wait(300)
            player.finger(.up)
            #expect(player.cells(.rhythm).count == 7 && player.instrument.state.session.history.past.count == 5)
        }
    }

    // MARK: Landing

    @Test("page, key and length are those of the landing, and a finger keeps to them")
    func landing() {
        var player = Player()
        player.finger(.down, .step(0, .melody), contact: 0)
        // Another finger turns the page, chooses D and takes steps away.
        for (column, row) in [(3, 2), (13, 0), (30, 0), (30, 0), (30, 0), (30, 0), (30, 0), (30, 0)] as [(Float, Float)]
        {
            player.finger(.down, column, row, contact: 1)
            player.finger(.up, column, row, contact: 1)
        }
        #expect(player.pattern.length == 8 && player.instrument.state.session.pages[0] == 6)
        player.finger(.move, .step(10, .melody), contact: 0)
        player.wait(300)
        player.finger(.up, contact: 0)
        #expect(player.cells(.melody).prefix(4) == ["0@0=1", "2@1=1", "4@2=1", "5@3=1"])
        #expect(player.cells(.melody).count == 11)
    }

    // MARK: Lock

    private static let locked: [(Place, Int64)] = [
        (.step(0, .melody), 80), (.control(.scale(.minor)), 80), (.control(.root(5)), 700), (.control(.undo), 80),
        (.control(.redo), 80), (.control(.faster), 900), (.control(.tapTempo), 80), (.control(.shorter), 900),
        (.control(.ghosts), 80), (.control(.clear), 900), (.scene(7), 900),
    ]

    @Test("under the lock nothing changes the music, its key, tempo, length or history")
    func lock() {
        for (place, held) in Self.locked {
            var player = Player()
            player.tap(.step(1, .rhythm))
            player.tap(.step(2, .rhythm))
            player.send(.key(.undo))
            player.send(.lock(true))
            let before = player.instrument.state.session
            player.tap(place, held: held)
            #expect(player.instrument.state.session == before, "\(place)")
        }
        var player = Player()
        player.tap(.step(1, .rhythm))
        player.send(.lock(true))
        let before = player.instrument.state.session
        for key in Key.allCases where ![.playStop, .spaceBar].contains(key) { player.send(.key(key)) }
        player.wait(1000)
        player.send(.keyCancel(.latch))
        for key in Key.allCases { player.send(.keyUp(key)) }
        player.send(.key(.clear))
        player.send(.turn(.tempo, by: 3))
        player.send(.turn(.length, by: -3))
        player.tap(.step(1, .rhythm), pause: 100)
        player.tap(.step(1, .rhythm))
        for _ in 0..<3 { player.drag(from: (30, 5), to: (20, 5), duration: 200, pause: 150) }
        player.drag(from: .step(9, .rhythm), to: .step(18, .rhythm), duration: 200, pause: 0)
        #expect(player.instrument.state.session == before)
        #expect(player.tooltip == "LOCKED")
    }

    @Test("under the lock the guide opens and begins no other pattern, and does not delete the current one")
    func lockedGuide() {
        var player = Player()
        player.instrument.state.session.pattern = 5
        player.send(.lock(true))
        for act in [ScreenAct.open(6), .begin(channel: 1), .delete(5)] {
            #expect(player.perform(act).isEmpty && player.tooltip == "LOCKED")
        }
        #expect(player.perform(.delete(6)) == [.job(.delete(6))])
    }

    @Test("under the lock a finger on a track shows no preview, and the box says why")
    func noPreview() {
        var player = Player()
        player.send(.lock(true))
        player.finger(.down, .step(1, .melody))
        #expect(player.led(.step(1, .melody)) == RGB(0x0a0a0a) && player.tooltip == "LOCKED")
        player.finger(.move, 12, 7)
        #expect(player.led(.step(1, .melody)) == RGB(0x0a0a0a))
    }

    @Test("under the lock Play, scenes, mutes and pages work, and touches on tracks still sound")
    func plays() {
        var player = Player()
        player.tap(.step(0, .melody))
        player.tap(.scene(0), held: 700)
        player.tap(.scene(1), held: 700)
        player.send(.lock(true))
        player.effects = []
        player.tap(.scene(1))
        #expect(player.instrument.state.scene == 1)
        player.tap(.mute(.melody))
        player.tap(.page(.chords))
        player.tap(.control(.play))
        let state = player.instrument.state
        #expect(state.session.muted == TrackSet(.melody) && state.session.pages[1] == 6 && state.isPlaying)
        player.tap(.step(6, .bass))
        #expect(player.effects == [.audition([.init(track: .bass, note: 0, velocity: 1, steps: 1)])])
    }

    // MARK: Sound

    @Test("a finger sounds what a tap would write as it lands, stopped or playing", arguments: [false, true])
    func sounds(playing: Bool) {
        var player = Player()
        if playing { player.send(.key(.playStop)) }
        player.finger(.down, .step(0, .chords, row: 1))
        #expect(
            player.effects == [
                .audition([2, 5, 9].map { .init(track: .chords, note: $0, velocity: 1, steps: 1) })
            ])
        // Not louder when held, nor again when it lifts or moves.
        player.wait(500)
        player.finger(.move, .step(6, .chords, row: 1))
        player.finger(.up)
        #expect(player.effects.count == 1)
    }

    @Test("a lit LED, a silent track and a row without notes are silent, and so is all with TAP off")
    func silent() {
        var player = Player()
        player.tap(.step(0, .melody))
        player.effects = []
        player.tap(.step(0, .melody))
        player.tap(.mute(.chords))
        player.tap(.step(0, .chords))
        player.send(.tapSound(false))
        player.tap(.step(4, .rhythm))
        #expect(player.effects.isEmpty)
        player.send(.tapSound(true))
        player.tap(.step(5, .rhythm))
        #expect(player.effects.count == 1)
    }
}
