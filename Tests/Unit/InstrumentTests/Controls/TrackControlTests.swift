import Testing

@testable import Instrument

@Suite("Mute, solo and note pages")
struct TrackControlTests {
    @Test("mute toggles and is not undone")
    func mute() {
        var player = Player()
        player.tap(.mute(.bass, row: 2), pause: 0)
        #expect(player.instrument.state.silent == TrackSet(.bass))
        #expect(player.tooltip == "MUTE BAS")
        #expect(player.instrument.state.session.history.past.isEmpty)
        player.tap(.mute(.bass, row: 3), pause: 0)
        #expect(player.instrument.state.silent == TrackSet())
        #expect(player.tooltip == "UNMUTE")
    }

    @Test("solo is exclusive, and a muted track that is soloed stays silent")
    func solo() {
        var player = Player()
        player.tap(.solo(.melody, row: 5), pause: 0)
        #expect(player.tooltip == "SOLO MEL")
        #expect(player.instrument.state.silent == TrackSet(.chords, .bass, .rhythm))
        player.tap(.solo(.rhythm, row: 3))
        #expect(player.instrument.state.session.soloed == .rhythm)
        player.tap(.solo(.rhythm, row: 1))
        #expect(player.instrument.state.session.soloed == nil)
        player.tap(.mute(.chords, row: 5))
        player.tap(.solo(.chords, row: 5))
        #expect(player.instrument.state.silent == TrackSet(Track.allCases))
    }

    @Test("tapping mute on the soloed track un-solos it instead")
    func muteOnSolo() {
        var player = Player()
        player.tap(.solo(.melody, row: 5))
        player.tap(.mute(.melody, row: 5))
        #expect(player.instrument.state.session.soloed == nil)
        #expect(player.instrument.state.session.muted == TrackSet())
    }
}
