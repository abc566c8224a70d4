import Display
import Testing

@testable import Instrument

@Suite("The phone's rules: note pages")
struct PhonePageTests {
    private static let maps: [(Track, [Int], [Int], [Int])] = [
        (.melody, [0, 2, 4, 7, 9, 11], [0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]),
        (.rhythm, [0, 4, 7, 11], [0, 1, 2, 3], [4, 5, 6, 7]),
    ]

    @Test("column 3 cycles the note page: the span, then consecutive notes, lowest first", arguments: maps)
    func pages(track: Track, span: [Int], low: [Int], next: [Int]) {
        let pages = (0..<3).map { page in
            let map = PageMap(.phone, track, page: page, Tonality())
            return (0..<map.rows).map { map.note(atRow: $0) }
        }
        #expect(pages == [span, low, next])
        var player = Player.phone
        let count = 1 + Pattern.octave / track.rows.count
        for page in 1...count {
            player.tap(.page(track, row: 0))
            #expect(player.instrument.state.session.pages[track.rawValue] == page % count)
        }
    }

    @Test("on its pages all twelve drums are one tap away")
    func everyDrum() {
        var player = Player.phone
        for page in 1...3 {
            player.tap(.page(.rhythm, row: 0))
            for row in 0..<4 { player.tap(.step(0, .rhythm, row: row)) }
            #expect(player.cells(.rhythm).filter { $0.contains("@0=") }.count == 4 * page)
        }
    }
}
