import InputEvents
import Testing

@testable import Instrument

@Suite("Note pages by scale degree")
struct PageTests {
    private func notes(_ track: Track, page: Int, _ tonality: Tonality = Tonality()) -> [Int?] {
        let map = PageMap(.box, track, page: page, tonality)
        return (0..<map.rows).map { map.note(atRow: $0) }
    }

    @Test("row y is degree y above the page; degrees without a note have black rows")
    func degrees() {
        #expect(notes(.melody, page: 0) == [0, 2, 4, 5, 7, 9])
        #expect(notes(.melody, page: 6) == [11, 12, 14, 16, 17, 19])
        #expect(notes(.bass, page: -9) == [nil, nil, -12, -10])
        #expect(notes(.bass, page: 12) == [21, 23, nil, nil])
        #expect(notes(.chords, page: 0, Tonality(root: 6, scale: .minor)) == [-6, -4, -3, -1, 1, 2])
        #expect(notes(.rhythm, page: 0) == [0, 3, 7, 8])
        #expect(notes(.rhythm, page: 1) == [2, 5, 6, 9])
        #expect(notes(.rhythm, page: 2) == [1, 4, 10, 11])
    }

    @Test("every note of a track lights exactly one LED on some page, in every key")
    func everyNote() {
        for scale in Scale.named {
            for root in 0..<12 {
                let tonality = Tonality(root: root, scale: scale)
                for track in [Track.melody, .chords, .bass] {
                    for page in PageMap.offsets(of: track, tonality) {
                        let map = PageMap(.box, track, page: page, tonality)
                        for note in track.notes {
                            let rows = (0..<map.rows).filter { map.notes(atRow: $0).contains(note) }
                            let isOff = map.above.contains(note) || map.below.contains(note)
                            #expect(rows.count + (isOff ? 1 : 0) == 1, "\(tonality), \(track), \(page), \(note)")
                        }
                    }
                }
            }
        }
    }

    @Test("a tap on column 3 goes through 0, +6, -6, +12, ... without pages that do not exist; rhythm through three")
    func taps() {
        var player = Player()
        func pages(_ row: Float, _ track: Track, _ count: Int) -> [Int] {
            (0..<count).map { _ in
                player.tap(3, row)
                return player.instrument.state.session.pages[track.rawValue]
            }
        }
        #expect(pages(4, .melody, 6) == [6, -6, 12, -12, 0, 6])
        #expect(pages(15, .bass, 8) == [4, -4, 8, -8, 12, 0, 4, -4])
        #expect(pages(19, .rhythm, 4) == [1, 2, 0, 1])
        // Column 2 is the same target.
        player.tap(2, 19)
        #expect(player.instrument.state.session.pages[3] == 2)
    }

    @Test("the page turns as the finger lifts; a finger that left its row scrolls, one row up one degree higher")
    func drags() {
        var player = Player()
        var page: Int { player.instrument.state.session.pages[0] }
        player.finger(.down, .page(.melody, row: 2))
        #expect(page == 0)
        player.finger(.move, .page(.melody, row: 4))
        #expect(page == 2 && player.tooltip == "PAGE +2")
        player.finger(.move, .page(.melody, row: 1))
        #expect(page == -1 && player.tooltip == "PAGE -1")
        player.finger(.move, .page(.melody, row: 2))
        player.finger(.up)
        #expect(page == 0)
        // It ends where one row is left.
        player.finger(.down, .page(.melody, row: 2))
        player.finger(.move, 3, -40)
        player.finger(.up)
        #expect(page == 13)
        player.finger(.down, .page(.melody, row: 2))
        player.finger(.move, 3, 60)
        player.finger(.up)
        #expect(page == -12)
        // The next tap goes to page 0, also from a page of the round.
        player.tap(.page(.melody, row: 2))
        #expect(page == 0)
        player.finger(.down, .page(.melody, row: 0))
        player.finger(.move, 3, 1)
        player.finger(.up)
        #expect(page == 6)
        player.tap(.page(.melody, row: 2))
        #expect(page == 0)
        // Rhythm does not scroll.
        player.finger(.down, .page(.rhythm, row: 0))
        player.finger(.move, .page(.rhythm, row: 3))
        player.finger(.up)
        #expect(player.instrument.state.session.pages[3] == 0)
    }

    @Test("a page that a new key leaves without rows becomes page 0")
    func newKey() {
        var player = Player()
        player.finger(.down, .page(.melody, row: 2))
        player.finger(.move, 3, -40)
        player.finger(.up)
        #expect(player.instrument.state.session.pages[0] == 13)
        player.tap(.control(.scale(.penta)))
        #expect(player.instrument.state.session.pages[0] == 0)
    }

    @Test("a note on another page is drawn there, and a tap on its LED removes it")
    func otherPages() {
        var player = Player()
        player.tap(.page(.melody, row: 2))
        player.tap(.step(4, .melody))
        #expect(player.cells(.melody) == ["11@4=1"])
        player.tap(.page(.melody, row: 2))
        player.tap(.step(4, .melody))
        #expect(player.cells(.melody) == ["-10@4=1", "11@4=1"])
        player.tap(.step(4, .melody))
        #expect(player.cells(.melody) == ["11@4=1"])
    }

    @Test("a finger that scrolls while other rules are chosen scrolls no more", arguments: Rules.allCases)
    func otherRules(rules: Rules) {
        var player = Player()
        player.finger(.down, .page(.bass, row: 1))
        player.finger(.move, .page(.bass, row: 2))
        player.send(.rules(rules))
        player.finger(.move, .page(.bass, row: 0))
        player.finger(.up)
        #expect(player.instrument.state.session.pages[2] == (rules == .box ? -1 : 0))
    }

    @Test("a session with a page that does not exist shows page 0")
    func loaded() {
        var session = Session()
        session.pages = [40, -40, 2, 3]
        var player = Player()
        player.instrument.load(session)
        #expect(player.instrument.state.session.pages == [0, 0, 2, 0])
    }
}
