import InputEvents
import Testing

@testable import Instrument

@Suite("A root held moves the music to its key")
struct TransposeTests {
    /// A player with a note on each track, in C.
    private func player() -> Player {
        var player = Player()
        for track in Track.allCases { player.tap(.step(0, track)) }
        return player
    }

    @Test("a touch changes the key only; held 600 ms the melodic notes follow, as one undo step")
    func held() {
        var player = player()
        let before = player.pattern
        player.tap(.control(.root(2)), held: 599)
        #expect(player.pattern.tonality.root == 2 && player.cells(.melody) == ["0@0=1"])
        player.send(.key(.undo))
        player.tap(.control(.root(2)), held: 600)
        #expect(player.cells(.melody) == ["2@0=1"] && player.cells(.bass) == ["2@0=1"])
        #expect(player.cells(.chords) == ["2@0=1", "6@0=1", "9@0=1"])
        #expect(player.cells(.rhythm) == ["0@0=1"])
        player.send(.key(.undo))
        #expect(player.pattern == before)
    }

    @Test("it moves by -6 to +5 semitones", arguments: [(5, 5), (6, -6), (11, -1)])
    func distance(root: Int, moved: Int) {
        var player = player()
        player.tap(.control(.root(root)), held: 700)
        #expect(player.cells(.melody) == ["\(moved)@0=1"])
    }

    @Test("sliding starts the time anew, and the notes move from the key before the touch")
    func slides() {
        var player = player()
        player.finger(.down, .control(.root(1)))
        player.wait(500)
        player.finger(.move, .control(.root(2)))
        player.wait(500)
        #expect(player.cells(.melody) == ["0@0=1"])
        player.wait(100)
        #expect(player.cells(.melody) == ["2@0=1"])
        player.finger(.move, .control(.root(4)))
        player.wait(600)
        #expect(player.cells(.melody) == ["4@0=1"])
        player.finger(.move, .control(.root(0)))
        player.wait(600)
        player.finger(.up)
        #expect(player.cells(.melody) == ["0@0=1"] && player.pattern.tonality.root == 0)
        #expect(player.instrument.state.session.history.past.count == 4)
    }

    @Test("a note that would leave the range moves an octave inward, and the stronger of two on a cell stays")
    func folds() {
        var player = Player()
        player.instrument.perform("NOTE") {
            // 23 and 12 meet on 13 + 0; hidden steps move too.
            $0.pattern[.melody, note: 23, step: 30] = .accent
            $0.pattern[.melody, note: 11, step: 30] = .normal
            $0.pattern[.bass, note: -12, step: 1] = .sustain
            $0.pattern.length = 8
        }
        player.tap(.control(.root(2)), held: 700)
        #expect(player.cells(.melody) == ["13@30=2"])
        player.tap(.control(.root(1)), held: 700)
        #expect(player.cells(.bass) == ["-11@1=3"])
        player.tap(.control(.root(11)), held: 700)
        #expect(player.cells(.bass) == ["-1@1=3"])
    }

    @Test("other fingers' notes stay while a root is held, and undo takes the steps back in order")
    func others() {
        var player = player()
        player.finger(.down, .control(.root(2)), contact: 5)
        player.wait(300)
        player.tap(.step(15, .rhythm), pause: 100)
        player.wait(400)
        player.finger(.up, contact: 5)
        #expect(player.cells(.melody) == ["2@0=1"] && player.cells(.rhythm).count == 2)
        player.send(.key(.undo))
        #expect(player.cells(.melody) == ["2@0=1"] && player.cells(.rhythm).count == 1)
        player.send(.key(.undo))
        #expect(player.cells(.melody) == ["0@0=1"] && player.pattern.tonality.root == 0)
    }

    @Test("notes that another finger writes between two moves of one touch move along, and none is lost")
    func writtenBetween() {
        var player = player()
        player.instrument.perform("NOTE") { $0.pattern[.melody, note: 23, step: 8] = .normal }
        player.finger(.down, .control(.root(4)), contact: 5)
        player.wait(600)
        #expect(player.cells(.melody) == ["4@0=1", "15@8=1"])
        // On the lowest row of E major.
        player.tap(.step(16, .melody), pause: 100)
        #expect(player.cells(.melody).contains("4@16=1"))
        player.finger(.move, .control(.root(2)), contact: 5)
        player.wait(600)
        player.finger(.move, .control(.root(0)), contact: 5)
        player.wait(600)
        player.finger(.up, contact: 5)
        #expect(player.cells(.melody) == ["0@0=1", "23@8=1", "0@16=1"])
    }

    @Test("under the phone's rules a root held only changes the key")
    func phone() {
        var player = Player.phone
        player.tap(.step(0, .melody))
        player.tap(.control(.root(2)), held: 1000)
        #expect(player.cells(.melody) == ["0@0=1"] && player.pattern.tonality.root == 2)
    }
}
