import Display
import InputEvents
import TestSupport
import Testing

@testable import Instrument

/// WCAG 2.2, 1.4.11: a control is visible if it has three times the luminance of what is beside it. Measured on frames
/// of the idle grid under the rules of the box, where the surroundings are unlit or grey.
@Suite("Contrast")
struct ContrastTests {
    private static let enough = 3.0

    private func contrast(_ first: RGB, _ second: RGB) -> Double {
        TestSupport.contrast((first.red, first.green, first.blue), (second.red, second.green, second.blue))
    }

    private func player(_ mode: ColourMode) -> Player {
        var player = Player()
        player.instrument.state.session.colourMode = mode
        return player
    }

    @Test(
        "the menu's handle is visible beside step 0, the solo light and the background", arguments: ColourMode.allCases)
    func handle(mode: ColourMode) {
        let player = player(mode)
        for column in 0...3 {
            for (x, y) in [(3, 0), (4, 1), (1, 2), (2, 2)] {
                let ratio = contrast(player.led(column, 1), player.led(x, y))
                #expect(ratio >= Self.enough, "\(column): \(ratio) beside \(x), \(y)")
            }
        }
    }

    @Test("on every page of every key a track's bar has a visible LED", arguments: ColourMode.allCases)
    func pages(mode: ColourMode) {
        var player = player(mode)
        for scale in Scale.named {
            for root in 0..<12 {
                player.instrument.state.session.composition.pattern.tonality = Tonality(root: root, scale: scale)
                for track in [Track.melody, .chords, .bass] {
                    for page in PageMap.offsets(of: track, Tonality(root: root, scale: scale)) {
                        player.instrument.state.session.pages[track.rawValue] = page
                        let frame = player.frame()
                        let best =
                            track.rows.map { row in
                                min(
                                    contrast(frame[3, row], frame[2, row]), contrast(frame[3, row], frame[4, row]),
                                    contrast(frame[3, row], Palette.pageBar))
                            }.max() ?? 0
                        #expect(best >= Self.enough, "\(track), page \(page): \(best)")
                    }
                    player.instrument.state.session.pages[track.rawValue] = 0
                }
            }
        }
    }

    @Test(
        "the lights of all pages of the drums are visible, and the one shown is brighter",
        arguments: ColourMode.allCases)
    func drums(mode: ColourMode) {
        let player = player(mode)
        for row in 19...21 {
            for column in [2, 4] {
                let ratio = contrast(player.led(3, row), player.led(column, row))
                #expect(ratio >= Self.enough, "\(row): \(ratio) beside \(column)")
            }
        }
        func lightness(_ row: Int) -> Double {
            let led = player.led(3, row)
            return ColourScience.lab(ColourScience.linear(led.red, led.green, led.blue)).x
        }
        #expect(lightness(21) - lightness(20) >= 10 && lightness(20) == lightness(19))
    }

    @Test("on the scale sheet pips of flat and sharp notes are visible beside those of others, and so are A4 and EQUAL")
    func tuning() {
        var player = Player()
        let offsets = [0, -5865, 5865, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        player.instrument.state.session.composition.pattern.tuning = Tuning(
            cents: offsets.enumerated().map { 100_000 * $0 + $1 })
        player.tap(.control(.scale(.major)), held: 400)
        for lit in [7, 11] {
            for dark in [4, 5, lit - 1, lit + 1, 41] {
                let ratio = contrast(player.led(lit, 17), player.led(dark, 17))
                #expect(ratio >= Self.enough, "\(lit) beside \(dark): \(ratio)")
            }
        }
        player.instrument.state.session.composition.pattern.tuning = Tuning()
        for columns in [0..<11, 16..<36] {
            let letters = Set(columns.flatMap { x in (19..<24).map { player.led(x, $0) } }).subtracting([.black])
            #expect(letters.count == 1)
            for colour in letters { #expect(contrast(colour, .black) >= Self.enough) }
        }
    }

    @Test(
        "the places of the scenes are visible before the first is filled, and so are filled ones and the chain's switch"
    )
    func scenes() {
        var player = Player()
        func check(_ column: Int, _ row: Int) {
            for beside in [player.led(39, row), Palette.background] {
                let ratio = contrast(player.led(column, row), beside)
                #expect(ratio >= Self.enough, "\(column), \(row): \(ratio)")
            }
        }
        for row in [2, 4, 7, 9, 12, 14, 17, 19] { check(40, row) }
        check(40, 22)
        player = .withScenes([120, 100])
        for row in [2, 4] { for column in 40...43 { check(column, row) } }
    }
}
