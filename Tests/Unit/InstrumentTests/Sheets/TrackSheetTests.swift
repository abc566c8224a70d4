import InputEvents
import Display
import Testing

@testable import Instrument

@Suite("The TRACK sheet")
struct TrackSheetTests {
    /// A player at the sheet of `track`, after a touch of its lowest row on the grid.
    private func atTrack(_ track: Track) -> Player {
        var player = Player()
        player.tap(.step(15, track))
        player.instrument.undo(tooltip: "")
        player.tap(.spot(.lanesLight))
        player.tap(.spot(.openTrack))
        return player
    }

    /// Drags the fader whose first column is `column` to `row` and rests until it has come.
    private func move(_ player: inout Player, _ column: Float, to row: Float) {
        player.finger(.down, column + 1, row)
        player.wait(400)
        player.finger(.up, column + 1, row)
        player.wait(1500)
    }

    @Test("its button is on the LANES screen, and back leads there")
    func opening() {
        var player = atTrack(.chords)
        guard case .track(let sheet) = player.instrument.state.view.screen else {
            Issue.record("another screen")
            return
        }
        #expect(sheet.track == .chords)
        // On chords the title is what a tap makes.
        #expect(shows("TRIAD", player.frame(), column: 6))
        player.tap(.spot(.back))
        #expect(player.instrument.state.view.screen == .lanes(LanesSheet(of: .chords)))
    }

    @Test("length, division and transposition are faders, each drag one history step")
    func faders() {
        var player = atTrack(.bass)
        move(&player, 6, to: 7)
        #expect(player.pattern[shape: .bass].length == 128)
        move(&player, 6, to: 17)
        #expect(player.pattern.length(of: .bass) == 1)
        move(&player, 10, to: 17)
        #expect(player.pattern[shape: .bass].division == .quarter)
        move(&player, 15, to: 7)
        #expect(player.pattern[shape: .bass].transposition == 14)
        #expect(player.instrument.state.session.history.past.count == 4)
        for _ in 0..<4 { player.instrument.undo(tooltip: "") }
        #expect(player.pattern == Pattern())
        player.finger(.down, .fader(.track(.bass, .division), row: 17))
        player.wait(400)
        #expect(player.tooltip == "DIV 1/4")
    }

    @Test("rhythm is not transposed")
    func rhythm() {
        var player = atTrack(.rhythm)
        move(&player, 15, to: 7)
        #expect(player.pattern == Pattern())
        player.finger(.down, .letter(.track(.rhythm, .transposition)))
        #expect(player.tooltip == "NOT HERE")
    }

    @Test("four directions, and three voicings of chords")
    func choices() {
        var player = atTrack(.chords)
        for (column, row, direction) in [
            (Float(41), Float(9), TrackShape.Direction.back), (35, 15, .pendulum), (41, 15, .random), (35, 9, .forward),
        ] {
            player.tap(column, row)
            #expect(player.pattern[shape: .chords].direction == direction)
            #expect(player.tooltip == direction.rawValue.uppercased())
        }
        for (column, voicing) in [(Float(38), TrackShape.Voicing.close), (42, .spread), (34, .root)] {
            player.tap(column, 21)
            #expect(player.pattern[shape: .chords].voicing == voicing)
        }
        var bass = atTrack(.bass)
        bass.tap(42, 21)
        #expect(bass.pattern == Pattern())
    }

    @Test(
        "hits are spread evenly: as Bjorklund's patterns, turned",
        arguments: [
            (3, 8, 0, "x..x..x."), (5, 8, 0, "x.x.xx.x"), (5, 13, 0, "x..x..x.x..x."), (4, 16, 0, "x...x...x...x..."),
            (3, 8, 2, "x.x..x.."), (1, 1, 0, "x"), (7, 5, 0, "xxxxx"),
        ])
    func spread(hits: Int, steps: Int, rotation: Int, pattern: String) {
        var euclid = Euclid()
        (euclid.hits, euclid.steps, euclid.rotation) = (hits, steps, rotation)
        let found = (0..<steps).map { euclid.hasHit(at: $0) ? "x" : "." }.joined()
        #expect(found.filter { $0 == "x" }.count == pattern.filter { $0 == "x" }.count)
        if rotation == 0, hits != 5 || steps != 8 { #expect(found == pattern) }
        #expect((0..<64).allSatisfy { euclid.hasHit(at: $0) == euclid.hasHit(at: $0 + steps) })
    }

    @Test("lifting from the hits writes the row that was touched last, as one history step")
    func writing() {
        var player = atTrack(.rhythm)
        // The highest of 0 to 32 hits is at row 7, and 16 steps are the default.
        player.finger(.down, .fader(.track(.rhythm, .hits), row: 17))
        player.wait(400)
        player.finger(.move, .fader(.track(.rhythm, .hits), row: 15.8))
        player.wait(400)
        let hits = player.instrument.state.view.euclid.hits
        #expect(hits > 0)
        #expect(player.led(column(0), 6) != .black && player.pattern == Pattern())
        player.finger(.up)
        #expect(player.pattern[.rhythm, note: 0, step: 0] == .normal)
        #expect((0..<32).count { player.pattern[.rhythm, note: 0, step: $0] == .normal } == 2 * hits)
        player.instrument.undo(tooltip: "")
        #expect(player.pattern == Pattern())
    }

    @Test("the shown hits are those of the shown window, up to the track's end")
    func window() {
        var player = atTrack(.bass)
        player.instrument.state.session.composition.pattern.length = 64
        player.instrument.state.session.composition.pattern[shape: .bass].length = 40
        player.instrument.state.view.window = 1
        player.finger(.down, .fader(.track(.bass, .steps), row: 12))
        // Hits at 14 and 34.
        var euclid = Euclid()
        (euclid.hits, euclid.steps, euclid.rotation) = (1, 20, 14)
        player.instrument.state.view.euclid = euclid
        #expect((0..<8).filter { player.led(column($0), 6) != RGB(0x241a1a) } == [2])
        #expect(player.led(column(9), 6) == .black)
    }
}
