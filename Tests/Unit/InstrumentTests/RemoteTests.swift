import InputEvents
import Testing

@testable import Instrument

@Suite("Commands of programs")
struct RemoteTests {
    @Test("play and stop are that, however often they come")
    func transport() {
        var player = Player()
        player.send(.remote(.play))
        player.send(.remote(.play))
        #expect(player.instrument.state.isPlaying)
        player.send(.remote(.stop))
        player.send(.remote(.stop))
        #expect(!player.instrument.state.isPlaying)
    }

    @Test("tempos that follow each other are one step of the history; the lock refuses them")
    func tempo() {
        var player = Player()
        for bpm in 90...110 { player.send(.remote(.tempo(Tempo(bpm)))) }
        #expect(player.pattern.tempo == 110 && player.instrument.state.session.history.past.count == 1)
        player.send(.key(.undo))
        #expect(player.pattern.tempo == Pattern().tempo)
        player.send(.lock(true))
        player.send(.remote(.tempo(77)))
        #expect(player.pattern.tempo == Pattern().tempo && player.tooltip == "LOCKED")
    }

    @Test("programs set any tempo, also under the rules of the phone", arguments: [2000, 29050, 30000])
    func anyTempo(hundredths: Int) {
        var player = Player.phone
        player.send(.remote(.tempo(Tempo(hundredths: hundredths))))
        #expect(player.pattern.tempo == Tempo(hundredths: hundredths))
    }

    @Test("a member of a Link session leads it to the tempo; a clock is not to be led")
    func led() {
        var player = Player()
        player.send(.sync(.source(.link)))
        var status = SyncStatus()
        status.tempo = 125
        player.send(.syncStatus(status))
        player.send(.remote(.tempo(90)))
        #expect(player.instrument.state.transport.sessionTempo?.tempo == 90 && player.pattern.tempo == Pattern().tempo)
        player.send(.sync(.source(.midi)))
        player.send(.syncStatus(status))
        player.send(.remote(.tempo(80)))
        #expect(player.pattern.tempo == Pattern().tempo && player.instrument.state.transport.sessionTempo?.tempo == 90)
    }

    @Test("a filled scene is played; asking twice does not take it back, an empty one changes nothing")
    func scenes() {
        var player = Player()
        player.tap(.step(2, .chords, row: 5))
        var session = player.instrument.state.session
        session.composition.scenes.copy(session.composition.pattern, into: 2)
        session.composition.scenes.copy(session.composition.pattern, into: 5)
        player.instrument.load(session)
        player.send(.remote(.scene(2)))
        #expect(player.instrument.state.scene == 2)
        player.send(.remote(.play))
        player.send(.remote(.scene(5)))
        player.send(.remote(.scene(5)))
        #expect(player.instrument.state.songPlay.queuedScene == 5)
        player.send(.remote(.scene(7)))
        #expect(player.instrument.state.songPlay.queuedScene == 5)
    }

    @Test("mute and solo are set, not switched")
    func silence() {
        var player = Player()
        for _ in 1...2 {
            player.send(.remote(.mute(.bass, true)))
            player.send(.remote(.solo(.chords, true)))
        }
        #expect(player.instrument.state.session.muted == TrackSet(.bass))
        #expect(player.instrument.state.session.soloed == .chords)
        player.send(.remote(.solo(.bass, false)))
        #expect(player.instrument.state.session.soloed == .chords)
        player.send(.remote(.solo(.chords, false)))
        player.send(.remote(.mute(.bass, false)))
        #expect(player.instrument.state.session.soloed == nil && player.instrument.state.silent.isEmpty)
        player.send(.remote(.toggleMute(.melody)))
        #expect(player.instrument.state.session.muted == TrackSet(.melody))
        player.send(.remote(.toggleMute(.melody)))
        #expect(player.instrument.state.session.muted.isEmpty)
    }
}
