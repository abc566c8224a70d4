import InputEvents
import Testing

@testable import Instrument

@Suite("Kinds of chord")
struct ChordKindTests {
    private static let tones: [(TrackShape.ChordKind, [Int], String)] = [
        (.triad, [0, 4, 7], "C MAJ"), (.seventh, [0, 4, 7, 11], "C MAJ7"), (.ninth, [0, 4, 7, 11, 14], "C MAJ9"),
        (.sus2, [0, 2, 7], "C SUS2"), (.sus4, [0, 5, 7], "C SUS4"), (.power, [0, 7], "C 5"), (.note, [0], "C3"),
    ]

    private func player(_ kind: TrackShape.ChordKind, _ scale: Scale = .major) -> Player {
        var player = Player()
        player.instrument.state.session.composition.pattern[shape: .chords].chordKind = kind
        player.instrument.state.session.composition.pattern.tonality.scale = scale
        return player
    }

    private func cells(_ notes: [Int], step: Int, _ value: Int) -> [String] { notes.map { "\($0)@\(step)=\(value)" } }

    @Test(
        "a tap, a held one and a long note make the pattern's kind, which sounds as the finger lands", arguments: tones)
    func kinds(_ kind: TrackShape.ChordKind, _ notes: [Int], _ word: String) {
        var player = player(kind)
        player.tap(.step(0, .chords), pause: 0)
        #expect(player.cells(.chords) == cells(notes, step: 0, 1) && player.tooltip == word)
        let heard = notes.map { Instrument.Effect.Note(track: .chords, note: $0, velocity: 1, steps: 1) }
        #expect(player.effects == [.audition(heard)])
        player.send(.key(.undo))
        #expect(player.tooltip == (kind == .note ? "UNDO NOTE" : "UNDO CHORD"))
        player.wait(1000)
        player.tap(.step(0, .chords), held: 450)
        #expect(player.cells(.chords) == cells(notes, step: 0, 2))
        player.send(.key(.undo))
        player.drag(from: .step(0, .chords), to: .step(1, .chords), held: 450, duration: 600)
        player.drag(from: .step(4, .chords), to: .step(6, .chords), held: 450)
        let long = cells(notes, step: 4, 2) + cells(notes, step: 5, 3) + cells(notes, step: 6, 3)
        #expect(player.cells(.chords).suffix(3 * notes.count) == long[...])
    }

    @Test("other gestures, tracks and the rules of the phone do not depend on it")
    func others() {
        var player = player(.sus2)
        player.drag(from: .step(0, .chords), to: .step(0, .chords, row: 3))
        #expect(player.cells(.chords) == ["0@0=1", "4@0=1", "7@0=1", "11@0=1"])
        player.tap(.step(0, .melody))
        #expect(player.cells(.melody) == ["0@0=1"])
        var phone = Player.phone
        phone.instrument.state.session.composition.pattern[shape: .chords].chordKind = .sus2
        phone.tap(.step(0, .chords))
        #expect(phone.cells(.chords) == ["0@0=1", "4@0=1", "7@0=1"])
    }

    @Test("in a scale without seven notes the nearest tones; what the track does not have is left out")
    func otherScales() {
        for (kind, notes) in [
            (TrackShape.ChordKind.sus2, [0, 2, 7]), (.sus4, [0, 4, 7]), (.ninth, [0, 4, 7, 12, 14]),
        ] {
            var player = player(kind, .penta)
            player.tap(.step(0, .chords))
            #expect(player.cells(.chords) == cells(notes, step: 0, 1), "\(kind)")
        }
        var player = player(.ninth)
        player.instrument.state.session.pages[1] = 11
        player.tap(.step(0, .chords))
        #expect(player.cells(.chords) == ["19@0=1", "23@0=1"])
    }

    @Test("a tap on a lit LED removes the note that it shows")
    func removal() {
        var player = player(.seventh)
        player.tap(.step(0, .chords))
        player.tap(.step(0, .chords, row: 2))
        #expect(player.cells(.chords) == ["0@0=1", "7@0=1", "11@0=1"])
    }

    // MARK: The TRACK sheet

    private func atTrack(_ track: Track = .chords) -> Player {
        var player = Player()
        player.tap(.step(15, track))
        player.instrument.undo(tooltip: "")
        player.tap(.spot(.lanesLight))
        player.tap(.spot(.openTrack))
        return player
    }

    private func kind(_ player: Player) -> TrackShape.ChordKind { player.pattern[shape: .chords].chordKind }

    @Test("the title of the chords is the kind; a tap goes to the next, and after the last to the first")
    func taps() {
        var player = atTrack()
        #expect(shows("TRIAD", player.frame(), column: 6))
        for next in [TrackShape.ChordKind.seventh, .ninth, .sus2, .sus4, .power, .note, .triad] {
            player.tap(.spot(.chordKind))
            #expect(kind(player) == next && shows(next.rawValue.uppercased(), player.frame(), column: 6))
        }
        #expect(player.instrument.state.session.history.past.count == 7)
        player.send(.key(.undo))
        #expect(kind(player) == .note && player.tooltip == "UNDO KIND")
        for track in [Track.melody, .bass, .rhythm] {
            var other = atTrack(track)
            other.tap(10, 2)
            #expect(kind(other) == .triad && shows("TRACK", other.frame(), column: 6))
        }
    }

    @Test("a drag on the title walks through the kinds as one undo step, and a dot shows the place")
    func drag() {
        var player = atTrack()
        player.effects = []
        player.finger(.down, 8, 2)
        player.finger(.move, 21, 2)
        #expect(kind(player) == .ninth)
        player.finger(.move, 38, 2)
        #expect(kind(player) == .power)
        player.finger(.move, 27, 2)
        #expect(kind(player) == .sus2)
        player.finger(.up)
        player.wait(1000)
        let dots = (0..<7).map { player.led(6 + 2 * $0, 6) }
        #expect(dots[3] != dots[0] && Set(dots).count == 2 && dots.count { $0 == dots[3] } == 1)
        #expect(player.effects.count == 3)
        player.send(.key(.undo))
        #expect(kind(player) == .triad && player.instrument.state.session.history.past.isEmpty)
    }

    @Test("the lock refuses another kind")
    func lock() {
        var player = atTrack()
        player.send(.lock(true))
        player.tap(.spot(.chordKind), pause: 0)
        #expect(kind(player) == .triad && player.tooltip == "LOCKED")
    }
}
