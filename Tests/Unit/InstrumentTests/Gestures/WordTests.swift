import InputEvents
import Testing

@testable import Instrument

@Suite("Words for gestures")
struct WordTests {
    /// A gesture on an empty pattern, and the words while the finger is down and after it lifted.
    struct Case: Sendable, CustomTestStringConvertible {
        let scale: Scale
        let root: Int
        let from: (Int, Int)
        let to: (Int, Int)
        let held: Int64
        let word: String

        init(
            _ word: String, _ from: (Int, Int), _ to: (Int, Int)? = nil, held: Int64 = 0, root: Int = 0,
            scale: Scale = .major
        ) {
            (self.word, self.from, self.to, self.held, self.root, self.scale) = (
                word, from, to ?? from, held, root, scale
            )
        }

        var testDescription: String { word }
    }

    @Test("a word names the note, the drum, the chord or the shape", arguments: table)
    func names(_ example: Case) {
        var player = Player()
        player.instrument.state.session.composition.pattern.tonality = Tonality(
            root: example.root, scale: example.scale)
        player.drag(from: example.from, to: example.to, held: example.held, pause: 0)
        #expect(player.tooltip == example.word)
    }

    private static let table: [Case] = notes + chords + shapes
    private static let notes: [Case] = [
        Case("C4", (4, 7)), Case("A4", (4, 2)), Case("F♯3", (4, 7), root: 6), Case("C2", (4, 17)),
        Case("C4!", (4, 7), held: 450), Case("KICK", (4, 21)), Case("SNARE", (4, 20)),
        Case("OPEN HAT!", (4, 18), held: 450),
    ]
    private static let chords: [Case] = [
        Case("C MAJ", (4, 13)), Case("D MIN", (4, 12)), Case("D SUS4", (4, 12), scale: .penta),
        Case("C MIN", (4, 13), scale: .minor), Case("D MIN!", (4, 12), held: 450),
        Case("D DIM", (4, 12), scale: .minor),
        Case("A MIN", (4, 9), scale: .penta), Case("C MAJ7", (4, 13), (4, 10)), Case("D MIN7", (4, 12), (4, 9)),
        Case("A♯ 7", (4, 8), (4, 11), scale: .minor), Case("B M7♭5", (4, 8), (4, 11)),
    ]
    private static let shapes: [Case] = [
        Case("RUN", (4, 7), (8, 7)), Case("ARP", (4, 13), (8, 13)), Case("WALK", (4, 17), (8, 17)),
        Case("ROLL", (4, 21), (8, 21)), Case("ROLL!", (4, 21), (8, 21), held: 450),
        Case("LONG", (4, 7), (8, 7), held: 450), Case("ROOT+5", (4, 17), (4, 15)), Case("MULTI", (4, 21), (4, 19)),
        Case("LINE", (4, 7), (7, 5)), Case("LINE!", (4, 7), (7, 5), held: 450),
        Case("STACK", (4, 12), (4, 9), scale: .penta),
    ]

    @Test("OFF for a removal, the note's name while the finger is down; STEP OFF for a double tap")
    func removals() {
        var player = Player()
        player.tap(.step(0, .melody))
        player.finger(.down, .step(0, .melody))
        #expect(player.tooltip == "C4")
        player.wait(80)
        player.finger(.up)
        #expect(player.tooltip == "OFF")
        player.wait(1000)
        player.tap(.step(0, .chords, row: 1), pause: 100)
        player.tap(.step(0, .chords, row: 1), pause: 0)
        #expect(player.tooltip == "STEP OFF")
    }

    @Test("an arrow behind the word says that a gesture writes off the page, and the page's bar glows there")
    func offPage() {
        var player = Player()
        // A run of a whole octave goes up, beyond six degrees.
        player.finger(.down, 4, 7)
        player.wait(50)
        #expect(player.instrument.words.word == "C4")
        let quiet = (2...7).map { player.frame()[3, $0] }
        for column in 5...20 { player.finger(.move, Float(column), 7) }
        #expect(player.instrument.words.word == "RUN ↑")
        let glowing = (2...7).map { player.frame()[3, $0] != quiet[$0 - 2] }
        #expect(glowing == [true, true, true, false, false, false])
        player.finger(.up)
        #expect(player.instrument.words.word == "RUN ↑")
        player.wait(2000)
        #expect(player.instrument.words.word == "" && (2...7).map { player.frame()[3, $0] } == quiet)
        // On the page above, it goes down to what is below.
        player.drag(from: (4, 4), to: (4, 7), pause: 0)
        #expect(!player.instrument.words.word.contains("↑"))
    }

    @Test("a word names a note outside the scale while a finger is on it")
    func outsideTheScale() {
        var player = Player()
        player.instrument.state.session.composition.pattern[.melody, note: 6, step: 0] = .normal
        player.finger(.down, .step(0, .melody, row: 3))
        #expect(player.tooltip == "F♯4")
    }

    @Test("a word stands away from the finger, for 1,200 ms five times, then for 500 ms; each kind has its own count")
    func lives() {
        var player = Player()
        for time in 1...6 {
            player.tap(.step(time - 1, .melody), pause: 0)
            player.wait(499)
            #expect(player.tooltip == "C4")
            player.wait(1)
            #expect((player.tooltip == "C4") == (time <= 5), "\(time)")
            player.wait(699)
            #expect((player.tooltip == "C4") == (time <= 5), "\(time)")
            player.wait(1)
            #expect(player.tooltip == nil)
        }
        player.tap(.step(15, .chords), pause: 600)
        #expect(player.tooltip == "C MAJ")
        #expect(player.instrument.state.view.tooltip?.isBelow == false)
        player.tap(.step(15, .chords, row: 2), pause: 0)
        #expect(player.instrument.state.view.tooltip?.isBelow == true)
        // The counts survive a power cut with the session.
        let kept = player.instrument.state.session
        var next = Player()
        next.instrument.load(kept)
        next.tap(.step(18, .melody), pause: 600)
        #expect(next.tooltip == nil)
    }

    @Test("a gesture that is given up has no word")
    func givenUp() {
        var player = Player()
        player.finger(.down, .step(0, .melody))
        player.wait(100)
        player.finger(.move, .step(5, .melody))
        #expect(player.tooltip == "RUN")
        player.wait(200)
        player.finger(.move, .step(0, .melody))
        #expect(player.tooltip == nil)
        player.finger(.up)
        #expect(player.tooltip == nil && player.pattern.isEmpty)
    }

    @Test("a word stays while its finger is down")
    func stays() {
        var player = Player()
        player.finger(.down, .step(0, .melody))
        player.wait(5000)
        #expect(player.tooltip == "C4!")
    }
}
