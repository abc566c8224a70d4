import TestSupport
import Testing

@testable import Instrument

extension Player {
    /// A box with scenes of these tempos, 0 for none, and a song of scenes with their repeats.
    static func withSong(
        _ tempos: [Int], _ order: [(scene: Int, repeats: Int)], mode: SceneMode = .song, playing scene: Int? = 0
    ) -> Player {
        var player = withScenes(tempos, playing: scene)
        var session = player.instrument.state.session
        session.composition.song = Song(order.map { Song.Entry(scene: $0.scene, repeats: $0.repeats) })
        session.sceneMode = mode
        player.instrument.load(session)
        return player
    }

    var place: Instrument.SongPlay.Place { instrument.state.songPlay.place }
    var upcoming: Instrument.SongPlay.UpcomingScene? { instrument.state.upcomingScene }
    var pass: Int { instrument.state.songPlay.pass(in: instrument.state.song) }

    /// The entries of the song as SCENExREPEATS, from 0.
    var order: [String] { instrument.state.session.composition.song.entries.map { "\($0.scene)x\($0.repeats)" } }

    /// The sequencer plays the passes before the upcoming scene, and begins that. Returns its number and the passes;
    /// none without it.
    @discardableResult
    mutating func playOn() -> [Int] {
        guard let next = upcoming else { return [] }
        for _ in 0..<next.passes { for step in 0..<pattern.length { send(.step(step, number: step)) } }
        send(.sceneBegan(next.slot))
        return [next.slot, next.passes]
    }
}

@Suite("The song")
struct SongTests {
    @Test("plays its scenes in order with their repeats, and from the start again after the last")
    func order() {
        var player = Player.withSong([100, 110, 0, 0, 150], [(4, 2), (0, 1), (1, 8), (1, 3)], playing: 1)
        #expect(player.upcoming == nil)
        player.send(.key(.playStop))
        // Play begins with the first entry.
        #expect(player.scene == 4 && player.place == .entry(0))
        var found: [[Int]] = []
        for _ in 0..<6 {
            let next = player.playOn()
            #expect(player.scene == next.first)
            found.append(next)
        }
        #expect(found == [[0, 2], [1, 1], [1, 8], [4, 3], [0, 2], [1, 1]])
        #expect(player.place == .entry(2))
        #expect(player.tempos == [100, 110, 0, 0, 150, 0, 0, 0])
    }

    @Test("counts the passes that are heard, also where a report of a step is lost")
    func passes() {
        var player = Player.withSong([100, 110], [(0, 3), (1, 1)])
        player.send(.key(.playStop))
        for step in Array(0..<32) + Array(1..<32) { player.send(.step(step, number: step)) }
        #expect(player.pass == 1)
        player.send(.step(0, number: 0))
        #expect(player.pass == 2)
        // The switch was asked for too late: the last pass is heard again.
        for step in 0..<32 { player.send(.step(step, number: step)) }
        #expect(player.pass == 2)
        player.send(.sceneBegan(1))
        player.send(.step(0, number: 0))
        #expect(player.pass == 0 && player.place == .entry(1))
    }

    @Test("skips entries whose scenes are empty; without a filled scene it plays the current pattern")
    func empty() {
        var player = Player.withSong([100, 0, 120], [(1, 2), (0, 1), (5, 1), (2, 1), (1, 8)])
        player.send(.key(.playStop))
        #expect(player.place == .entry(1) && player.scene == 0)
        let next1 = player.playOn()
        #expect(next1 == [2, 1])
        #expect(player.place == .entry(3))
        let next2 = player.playOn()
        #expect(next2 == [0, 1])
        // Cleared while it plays: its pattern goes on to its end, and then the next entry.
        player.holdScene(0, 1300)
        #expect(player.scene == nil && player.place == .aside(after: 1))
        #expect(player.upcoming == .init(slot: 2, isAtBar: false))
        player.playOn()
        // Only one is left.
        #expect(player.upcoming == .init(slot: 2, isAtBar: false) && player.place == .entry(3))
        player.holdScene(2, 1300)
        #expect(player.upcoming == nil)
        #expect(player.order == ["1x2", "0x1", "5x1", "2x1", "1x8"])
        player.send(.key(.undo))
        #expect(player.upcoming?.slot == 2)
    }

    @Test("of one entry begins its scene again after its repeats")
    func single() {
        var player = Player.withSong([100, 110], [(1, 4)], playing: 1)
        player.send(.key(.playStop))
        for _ in 0..<3 {
            let next3 = player.playOn()
            #expect(next3 == [1, 4])
            #expect(player.place == .entry(0) && player.pass == 0)
        }
        // Notes that are drawn while it begins again are not lost.
        player.finger(.down, .step(6, .melody, row: 2), contact: 1)
        player.send(.sceneBegan(1))
        player.finger(.up, contact: 1)
        #expect(!player.pattern.isEmpty)
    }

    @Test("a scene queued by hand plays once, from the next bar on, and the song goes on after its last entry")
    func byHand() {
        var player = Player.withSong([100, 110, 120], [(0, 2), (1, 1)])
        player.send(.key(.playStop))
        player.tapScene(2)
        #expect(player.upcoming == .init(slot: 2, isAtBar: true))
        player.send(.sceneBegan(2))
        #expect(player.place == .aside(after: 0))
        let next4 = player.playOn()
        #expect(next4 == [1, 1])
        #expect(player.place == .entry(1))
        // A scene of the song too.
        player.tapScene(0)
        player.send(.sceneBegan(0))
        #expect(player.place == .aside(after: 1))
        let next5 = player.playOn()
        #expect(next5 == [0, 1])
        #expect(player.place == .entry(0))
        // Cancelled.
        player.tapScene(2)
        player.tapScene(2)
        #expect(player.upcoming == .init(slot: 1, isAtBar: false, passes: 2))
    }

    @Test("Stop keeps the entry, and Play begins with its first pass; a scene chosen meanwhile plays once")
    func stop() {
        var player = Player.withSong([100, 110, 120], [(0, 2), (1, 3), (2, 1)])
        player.send(.key(.playStop))
        player.playOn()
        for step in Array(0..<32) + [0, 1] { player.send(.step(step, number: step)) }
        #expect(player.pass == 1)
        player.send(.key(.playStop))
        #expect(player.upcoming == nil)
        player.send(.key(.playStop))
        #expect(player.place == .entry(1) && player.pass == 0)
        #expect(player.upcoming == .init(slot: 2, isAtBar: false, passes: 3))
        player.send(.key(.playStop))
        player.tapScene(0)
        player.send(.key(.playStop))
        #expect(player.scene == 0)
        let next6 = player.playOn()
        #expect(next6 == [2, 1])
        // An opened tune begins at its start.
        player.send(.opened(player.instrument.state.session))
        #expect(player.place == .start)
        let next7 = player.playOn()
        #expect(next7 == [0, 1])
    }

    @Test("an external start begins it like Play")
    func transport() {
        var player = Player.withSong([100, 110], [(1, 2), (0, 1)])
        player.send(.transport(.begin(step: 0)))
        #expect(player.scene == 1 && player.place == .entry(0))
        player.send(.transport(.stop))
        player.send(.transport(.begin(step: 0)))
        #expect(player.place == .entry(0) && player.upcoming == .init(slot: 0, isAtBar: false, passes: 2))
    }

    @Test(
        "the switch below the scenes goes through ONE, CHAIN and SONG, if there is one; playing keeps the place"
    )
    func modes() {
        var player = Player.withSong([100, 110], [(1, 1), (0, 2)], mode: .one)
        var words: [String?] = []
        for _ in 0..<4 {
            player.tap(.chain, pause: 0)
            words.append(player.tooltip)
        }
        #expect(words == ["CHAIN", "SONG", "ONE", "CHAIN"])
        player.send(.key(.playStop))
        player.tap(.chain)
        // The song begins when the scene ends.
        #expect(player.upcoming == .init(slot: 1, isAtBar: false) && player.place == .start)
        player.playOn()
        player.playOn()
        #expect(player.place == .entry(1))
        player.tap(.chain)
        #expect(player.upcoming == nil)
        player.tap(.chain)
        player.tap(.chain)
        #expect(player.place == .entry(1) && player.upcoming == .init(slot: 1, isAtBar: false, passes: 2))
        // Chosen while stopped it begins anew.
        player.send(.key(.playStop))
        for _ in 0..<3 { player.tap(.chain) }
        #expect(player.place == .start)
    }

    @Test("undo and redo restore the order, and the place stays with its scene")
    func history() {
        var player = Player.withSong([100, 110, 120], [(0, 1), (1, 2), (2, 1)])
        player.send(.key(.playStop))
        player.playOn()
        #expect(player.place == .entry(1))
        player.instrument.perform("SONG") { _ = $0.song.insert(scene: 2, at: 0) }
        player.send(.tick)
        #expect(player.place == .entry(2) && player.order == ["2x1", "0x1", "1x2", "2x1"])
        player.send(.key(.undo))
        #expect(player.place == .entry(1) && player.order == ["0x1", "1x2", "2x1"])
        #expect(player.tooltip == "UNDO SONG")
        player.send(.key(.redo))
        #expect(player.place == .entry(2) && player.order == ["2x1", "0x1", "1x2", "2x1"])
        // The entry that plays goes: its pattern goes on, and the song after it.
        player.instrument.perform("SONG") { $0.song = Song([Song.Entry(scene: 0)]) }
        player.send(.tick)
        #expect(player.place == .aside(after: 0) && player.upcoming == .init(slot: 0, isAtBar: false))
        player.instrument.perform("SONG") { $0.song = Song() }
        player.send(.tick)
        #expect(player.place == .aside(after: nil) && player.upcoming == nil)
    }

    @Test("values out of range are limited")
    func limits() {
        #expect(Song.Entry(scene: 7, repeats: 0).repeats == 1 && Song.Entry(scene: 0, repeats: 99).repeats == 8)
        let long = Song((0..<100).map { Song.Entry(scene: $0 % 8) })
        #expect(long.entries.count == Song.entriesMax)
        var full = long
        let hasRoom = full.insert(scene: 0, at: 3)
        #expect(!hasRoom && full == long)
        full.remove(at: 0)
        let hasSome = full.insert(scene: 7, at: 100)
        #expect(hasSome && full.entries.last?.scene == .some(7))
    }

    /// The song as a list: what sounds pass by pass.
    @Test(
        "each pass of a random song with empty scenes is the one of the list", arguments: 1...20 as ClosedRange<UInt64>)
    func byChance(number: UInt64) {
        let seed = number &* 0x9e37
        var random = SplitMix(seed: seed)
        let tempos = (0..<8).map { _ in Bool.random(using: &random) ? Int.random(in: 60...200, using: &random) : 0 }
        let order = (0..<Int.random(in: 1...Song.entriesMax, using: &random)).map { _ in
            (scene: Int.random(in: 0..<8, using: &random), repeats: Int.random(in: 1...8, using: &random))
        }
        let expected = order.filter { tempos[$0.scene] != 0 }
        var player = Player.withSong(tempos, order, playing: tempos.firstIndex { $0 != 0 })
        player.send(.key(.playStop))
        for place in 0..<min(100, 2 * expected.count) {
            let entry = expected[place % expected.count]
            #expect(player.scene == entry.scene, "seed \(seed)")
            let passes = player.playOn().last
            #expect(passes == entry.repeats, "seed \(seed)")
        }
    }
}
