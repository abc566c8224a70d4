import Testing

@testable import Instrument

@Suite("Undo and redo")
struct HistoryTests {
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
        player.tap(.step(0, .rhythm))
        #expect(player.instrument.state.session.history.future.isEmpty)
    }

    @Test("an action that changes nothing is no undo step")
    func noStep() {
        var player = Player()
        player.tap(.step(0, .melody))
        player.tap(.step(0, .melody))
        player.tap(.control(.scale(.major)))
        player.send(.key(.clear))
        player.send(.key(.clear))
        #expect(player.instrument.state.session.history.past.count == 2)
    }

    @Test("mute, solo, page, colour mode and transport are not undone")
    func notUndone() {
        var player = Player()
        player.tap(.step(0, .melody))
        player.tap(.mute(.melody))
        player.tap(.solo(.chords))
        player.tap(.page(.melody))
        player.tap(.colours, held: 700)
        player.send(.key(.playStop))
        player.send(.key(.undo))
        let state = player.instrument.state
        #expect(player.pattern.isEmpty)
        #expect(
            state.session.muted == TrackSet(.melody) && state.session.soloed == .chords && state.session.pages[0] == 6)
        #expect(state.session.colourMode == .harmonic && state.isPlaying)
    }
}
