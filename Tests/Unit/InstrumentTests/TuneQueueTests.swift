import Display
import InputEvents
import TestSupport
import Testing

@testable import Instrument

@Suite("A tune that waits")
struct TuneQueueTests {
    /// A player of pattern 7 at the guide, while the music runs.
    private var player: Player {
        var player = Player.atLibrary
        var session = Session()
        session.pattern = 7
        player.instrument.load(session)
        player.send(.key(.playStop))
        player.effects = []
        return player
    }

    private func tune(_ number: Int64?, bpm: Int = 90) -> Session {
        var session = Session()
        session.pattern = number
        session.composition.pattern.tempo = Tempo(bpm)
        session.sound[.swing] = 60
        return session
    }

    private func jobs(_ player: Player) -> [Instrument.Job] {
        player.effects.compactMap { if case .job(let job) = $0 { job } else { nil } }
    }

    private func upcoming(_ player: Player) -> Instrument.TuneQueue.Upcoming? {
        if case .tune(let tune)? = player.instrument.state.upcoming { tune } else { nil }
    }

    /// Queues pattern 8, whose cell is in bank B.
    private func queue(_ player: inout Player) {
        player.tap(.guide(.cell(1)))
        player.tap(.guide(.cell(1)), pause: 100)
        player.send(.opened(tune(8), tune: 1))
    }

    @Test("the second tap queues it for the end of the pattern, with its tempo and sound, and the guide stays")
    func queues() throws {
        var player = player
        player.tap(.guide(.cell(1)))
        #expect(jobs(player).isEmpty)
        player.tap(.guide(.cell(1)))
        #expect(jobs(player) == [.open(8, tune: 1)] && upcoming(player) == nil)
        player.send(.opened(tune(8), tune: 1))
        let next = try #require(upcoming(player))
        #expect(!next.isAtBeat && next.tune.session.composition.pattern.tempo == 90)
        #expect(player.pattern.tempo == 120 && player.instrument.state.view.screen == .guide)
        player.send(.tuneEnds)
        player.send(.tuneBegan(tag: next.tag))
        #expect(player.pattern.tempo == 90 && player.instrument.state.session.pattern == 8)
        #expect(player.instrument.state.session.sound[.swing] == 60 && player.instrument.state.isPlaying)
        #expect(player.instrument.state.upcoming == nil && player.tooltip == "EIGHT")
    }

    @Test("a further tap at least 300 ms later forces it at the next beat")
    func forces() {
        var player = player
        queue(&player)
        player.tap(.guide(.cell(1)), pause: 300)
        #expect(upcoming(player)?.isAtBeat == false)
        player.tap(.guide(.cell(1)))
        #expect(upcoming(player)?.isAtBeat == true && jobs(player) == [.open(8, tune: 1)])
    }

    @Test("a tap on the playing tune cancels it; with nothing queued it leads to the grid")
    func cancels() {
        var player = player
        queue(&player)
        player.tap(.guide(.cell(0)))
        #expect(upcoming(player) != nil)
        player.tap(.guide(.cell(0)))
        #expect(upcoming(player) == nil && player.instrument.state.view.screen == .guide)
        player.tap(.guide(.cell(0)))
        #expect(player.instrument.state.view.screen == .grid)
    }

    @Test("another tune takes its place, also before the library has sent the first")
    func replaces() throws {
        var player = player
        player.send(.guide(GuideScreenTests.content))
        for number in [8, 9] as [Int64] { _ = player.perform(.open(number)) }
        player.send(.opened(tune(8), tune: 1))
        #expect(upcoming(player) == nil && player.instrument.state.session.pattern == 7)
        player.send(.opened(tune(9), tune: 2))
        #expect(upcoming(player)?.tune.session.pattern == 9)
        // The engine has begun it already when the player chooses again.
        let tag = try #require(upcoming(player)).tag
        _ = player.perform(.open(8))
        player.send(.opened(tune(8), tune: 3))
        player.send(.tuneBegan(tag: tag))
        #expect(player.instrument.state.session.pattern == 9 && upcoming(player)?.tune.session.pattern == 8)
    }

    @Test("a new pattern waits as well")
    func new() {
        var player = player
        player.tap(.guide(.cell(3)))
        player.tap(.guide(.cell(3)))
        #expect(jobs(player) == [.begin(bank: 3, tune: 1)])
        #expect(player.instrument.state.view.screen == .grid && player.tooltip == "NEW WAITS")
        player.send(.opened(tune(44), tune: 1))
        #expect(upcoming(player)?.tune.session.pattern == 44 && player.instrument.state.session.pattern == 7)
    }

    @Test("a scene queued by hand comes first, unless the tune is forced; a chain does not")
    func order() {
        var player = Player.withScenes([100, 110, 120])
        player.send(.key(.playStop))
        player.send(.remote(.scene(1)))
        _ = player.perform(.open(8))
        player.send(.opened(tune(8), tune: 1))
        #expect(upcoming(player) == nil)
        _ = player.perform(.open(8))
        #expect(upcoming(player) == nil)
        player.wait(400)
        _ = player.perform(.open(8))
        #expect(upcoming(player)?.isAtBeat == true)
        var chained = Player.withScenes([100, 110, 120])
        chained.instrument.state.session.sceneMode = .chain
        chained.send(.key(.playStop))
        _ = chained.perform(.open(8))
        chained.send(.opened(tune(8), tune: 1))
        #expect(upcoming(chained)?.isAtBeat == false)
    }

    @Test("Stop is the end of the pattern: the tune is there; one on its way opens when it arrives")
    func stop() {
        for arrives in [true, false] {
            var player = player
            _ = player.perform(.open(8))
            if arrives { player.send(.opened(tune(8), tune: 1)) }
            player.send(.key(.playStop))
            if !arrives { player.send(.opened(tune(8), tune: 1)) }
            #expect(player.instrument.state.session.pattern == 8 && !player.instrument.state.isPlaying)
            player.send(.key(.playStop))
            #expect(player.instrument.state.upcoming == nil)
        }
    }

    @Test("the lock refuses it, and deleting it cancels it")
    func refused() {
        var player = player
        player.send(.lock(true))
        _ = player.perform(.open(8))
        #expect(player.tooltip == "LOCKED" && player.instrument.state.tunes.isEmpty)
        player.send(.lock(false))
        queue(&player)
        _ = player.perform(.delete(8))
        #expect(upcoming(player) == nil)
    }

    @Test("a tune that plays its song begins with the first entry")
    func song() throws {
        var player = player
        var session = tune(8)
        var patterns = [Pattern?](repeating: nil, count: Scenes.count)
        for (slot, bpm) in [(0, 90), (2, 150)] {
            var pattern = Pattern()
            pattern.tempo = Tempo(bpm)
            patterns[slot] = pattern
        }
        session.composition.scenes = Scenes(patterns, current: 0)
        session.composition.song = Song([Song.Entry(scene: 2, repeats: 2), Song.Entry(scene: 0)])
        session.sceneMode = .song
        _ = player.perform(.open(8))
        player.send(.opened(session, tune: 1))
        let next = try #require(upcoming(player))
        #expect(next.tune.session.composition.pattern.tempo == 150)
        player.send(.tuneBegan(tag: next.tag))
        #expect(player.scene == 2 && player.instrument.state.songPlay.place == .entry(0))
    }

    @Test("held notes end with the old tune, which keeps what was recorded into it")
    func keys() throws {
        var player = player
        player.send(.record(true))
        player.send(.step(0, number: 0))
        player.wait(20)
        player.send(.midi(.noteOn(channel: 0, key: 60, velocity: 100)))
        _ = player.perform(.open(8))
        player.send(.opened(tune(8), tune: 1))
        player.wait(1000)
        player.effects = []
        player.send(.tuneEnds)
        #expect(player.cells(.melody).count > 1)
        let release = player.effects.contains { if case .release = $0 { true } else { false } }
        #expect(release)
        player.send(.tuneBegan(tag: try #require(upcoming(player)).tag))
        #expect(player.cells(.melody).isEmpty)
    }

    @Test("a tune that is opened for another reason is not taken for a new one that is on its way")
    func unrelated() {
        // The playing pattern was deleted and is restored: it plays again.
        for isBefore in [true, false] {
            var player = player
            player.tap(.guide(.cell(3)))
            player.tap(.guide(.cell(3)))
            let restored = tune(7, bpm: 100)
            if isBefore { player.send(.opened(restored)) }
            player.send(.opened(tune(44), tune: 1))
            if !isBefore { player.send(.opened(restored)) }
            #expect(player.pattern.tempo == 100 && player.instrument.state.session.pattern == 7)
            #expect(upcoming(player) == nil)
        }
    }

    @Test("a tune whose request fails waits no more, and the next that opens is not taken for it")
    func fails() {
        var player = player
        player.tap(.guide(.cell(3)))
        player.tap(.guide(.cell(3)))
        player.send(.notice(.libraryFailed))
        #expect(player.instrument.state.tunes.isEmpty)
        player.send(.opened(tune(8)))
        #expect(player.instrument.state.session.pattern == 8 && player.pattern.tempo == 90)
        // A tune that is there waits on.
        _ = player.perform(.open(9))
        player.send(.opened(tune(9), tune: 2))
        player.send(.notice(.libraryFailed))
        #expect(upcoming(player)?.tune.session.pattern == 9)
    }

    @Test("of tunes chosen before Stop, only the one that waited opens when it arrives")
    func cancelledAtStop() {
        var player = player
        for number in [8, 9] as [Int64] { _ = player.perform(.open(number)) }
        player.send(.key(.playStop))
        player.send(.opened(tune(8), tune: 1))
        #expect(player.instrument.state.session.pattern == 7)
        player.send(.opened(tune(9), tune: 2))
        #expect(player.instrument.state.session.pattern == 9)
    }

    @Test("on the grid the last beat's markers are amber while a tune waits: dashed, and whole for the next beat")
    func marks() throws {
        var player = player
        func marked(_ player: Player) -> [Int] {
            var quiet = player
            quiet.instrument.state.view.tooltip = nil
            let frame = quiet.frame()
            return (0..<frame.columns).filter { frame[$0, 1] == Palette.warning }
        }
        player.tap(.guide(.cell(3)))
        #expect(marked(player).isEmpty)
        player.tap(.guide(.cell(3)))
        #expect(marked(player) == [36, 38])
        player.send(.opened(tune(44), tune: 1))
        #expect(marked(player) == [36, 38])
        // The playhead is still seen.
        player.send(.step(31, number: 31))
        #expect(marked(player) == [36])
        player.send(.tuneBegan(tag: try #require(upcoming(player)).tag))
        #expect(marked(player).isEmpty)
        _ = player.perform(.open(8))
        player.wait(400)
        _ = player.perform(.open(8))
        player.instrument.state.view.screen = .grid
        #expect(marked(player) == [35, 36, 37, 38])
    }

    @Test("its cell has a dashed ring in amber")
    func ring() {
        var player = player
        queue(&player)
        player.tap(.guide(.cell(3)))
        var quiet = player
        quiet.instrument.state.view.tooltip = nil
        let frame = quiet.frame()
        let amber = (0..<frame.columns).flatMap { column in (0..<frame.rows).map { frame[column, $0] } }
            .count { $0 == Palette.warning }
        #expect(amber >= 8)
        player.tap(.guide(.cell(0)))
        player.tap(.guide(.cell(0)))
        player.instrument.state.view.tooltip = nil
        let after = player.frame()
        #expect(
            (0..<after.columns).allSatisfy { column in
                (0..<after.rows).allSatisfy { after[column, $0] != Palette.warning }
            })
    }
}
