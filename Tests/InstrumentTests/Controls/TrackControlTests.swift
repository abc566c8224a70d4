import Testing

@testable import Instrument

@Suite("Mute, solo and note pages")
struct TrackControlTests {
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
}
