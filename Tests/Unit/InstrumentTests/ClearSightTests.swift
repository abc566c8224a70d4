import Display
import InputEvents
import TestSupport
import Testing

@testable import Instrument

/// docs/spec.md, section 2: the colours of CLEAR SIGHT, for every eye.
@Suite("CLEAR SIGHT")
struct ClearSightTests {
    private typealias Eye = ColourScience.Eye

    /// Pairs of Sharma, Wu and Dalal's test data for CIEDE2000 (2005): L*, a*, b* of both, and their difference.
    private static let published: [(SIMD3<Double>, SIMD3<Double>, Double)] = [
        (SIMD3(50, 2.6772, -79.7751), SIMD3(50, 0, -82.7485), 2.0425),
        (SIMD3(50, 0, 0), SIMD3(50, -1, 2), 2.3669),
        (SIMD3(50, 2.49, -0.001), SIMD3(50, -2.49, 0.0009), 7.1792),
        (SIMD3(50, 2.49, -0.001), SIMD3(50, -2.49, 0.0011), 7.2195),
        (SIMD3(50, 2.5, 0), SIMD3(73, 25, -18), 27.1492),
        (SIMD3(50, 2.5, 0), SIMD3(58, 24, 15), 19.4535),
        (SIMD3(60.2574, -34.0099, 36.2677), SIMD3(60.4626, -34.1751, 39.4387), 1.2644),
        (SIMD3(63.0109, -31.0961, -5.8663), SIMD3(62.8187, -29.7946, -4.0864), 1.2630),
        (SIMD3(22.7233, 20.0904, -46.6940), SIMD3(23.0331, 14.9730, -42.5619), 2.0373),
        (SIMD3(90.8027, -2.0831, 1.4410), SIMD3(91.1528, -1.6435, 0.0447), 1.4441),
        (SIMD3(2.0776, 0.0795, -1.1350), SIMD3(0.9033, -0.0636, -0.5514), 0.9082),
    ]

    @Test("the measure agrees with the published pairs, in both directions")
    func measure() {
        for (first, second, difference) in Self.published {
            #expect(abs(ColourScience.difference(first, second) - difference) < 0.00005, "\(first) \(second)")
            #expect(abs(ColourScience.difference(second, first) - difference) < 0.00005, "\(second) \(first)")
        }
    }

    @Test("the eyes see greys as they are, and colours as the published matrices say")
    func eyes() {
        let grey = LinearRGB(0.4, 0.4, 0.4)
        for eye in Eye.allCases {
            let shift = eye.sees(grey) - grey
            #expect(max(shift.max(), -shift.min()) < 0.001, "\(eye)")
        }
        #expect(Eye.protan.sees(LinearRGB(1, 0, 0)) == LinearRGB(0.152286, 0.114503, 0))
        #expect(Eye.deutan.sees(LinearRGB(1, 0, 0)) == LinearRGB(0.367322, 0.280085, 0))
        #expect(Eye.tritan.sees(LinearRGB(0, 0, 1)) == LinearRGB(0, 0.147602, 0.3039))
    }

    private static let cells: [Cell] = [.accent, .normal]

    private func difference(_ a: RGB, _ b: RGB, _ eye: Eye) -> Double {
        func lab(_ colour: RGB) -> SIMD3<Double> {
            ColourScience.lab(eye.sees(ColourScience.linear(colour.red, colour.green, colour.blue)))
        }
        return ColourScience.difference(lab(a), lab(b))
    }

    @Test("neighbouring notes differ by 10 at least, and any two by 10, accented or not", arguments: cells)
    func notes(cell: Cell) {
        func colour(_ note: Int) -> RGB { Palette.note(note, cell, isSilent: false, .clearSight) }
        for eye in Eye.allCases {
            for note in 0..<12 {
                for other in 0..<note {
                    let apart = difference(colour(note), colour(other), eye)
                    #expect(apart >= 10, "\(eye): \(other) and \(note) differ by \(apart)")
                }
            }
        }
    }

    @Test("the colours of the other modes do not")
    func others() {
        for mode in [ColourMode.chromatic, .harmonic] {
            let pairs = (0..<12).flatMap { note in (0..<note).map { (note, $0) } }
            let nearest = pairs.map { difference(Palette.note($0, mode), Palette.note($1, mode), .deutan) }.min()
            #expect((nearest ?? 100) < 5)
        }
    }

    @Test("tracks differ by 15 at least, Play from Stop by 45")
    func tracks() {
        for eye in Eye.allCases {
            for track in Track.allCases {
                for other in Track.allCases where other.rawValue < track.rawValue {
                    let apart = difference(
                        Palette.track(track, .clearSight), Palette.track(other, .clearSight), eye)
                    #expect(apart >= 15, "\(eye): \(other) and \(track) differ by \(apart)")
                }
            }
            #expect(difference(Palette.go(.clearSight), Palette.stop(.clearSight), eye) >= 45, "\(eye)")
        }
    }

    /// A player with a note of each track who has held the LED at 0, 0 twice.
    private var clear: Player {
        var player = Player()
        for track in Track.allCases { player.tap(.step(1, track), held: 500) }
        for _ in 1...2 { player.tap(.colours, held: 700) }
        return player
    }

    @Test("is the third mode: notes, tracks, roots and Play on the grid have its colours")
    func grid() {
        var player = clear
        player.send(.key(.playStop))
        #expect(player.instrument.state.session.colourMode == .clearSight)
        #expect(player.led(.step(1, .melody)) == RGB(0xe25810) && player.led(.control(.root(0))) == RGB(0xe25810))
        #expect(player.led(5, 22) == RGB(0xecef33) && player.led(5, 23) == RGB(0xe25810))
        #expect(isClose(player.led(0, 8), over(0x389798, 200.0 / 255)))
        #expect(player.led(0, 0) == RGB(0xff7a00))
        player.send(.key(.playStop))
        #expect(player.led(1, 0) == RGB(0x5ad1ff))
    }

    @Test("the sheets and the guide have its colours")
    func screens() {
        var player = clear
        player.tap(.handle)
        player.tap(.menu(.sound))
        // SOUND: the chosen track, melody, and Play.
        #expect(player.led(0, 9) == RGB(0xecef33) && player.led(42, 2) == RGB(0x5ad1ff))
        let guide = player.instrument.state.shelf.guide
        var frame = Frame(columns: 44, rows: Instrument.rows)
        guide.draw(into: &frame, at: .zero, isPlaying: false, mode: .clearSight)
        #expect(frame[42, 2] == RGB(0x5ad1ff))
        guide.draw(into: &frame, at: .zero, isPlaying: true, mode: .clearSight)
        #expect(frame[42, 2] == RGB(0xff7a00))
        var pattern = Pattern()
        pattern[.melody, note: 9, step: 0] = .accent
        let colour = GuideThumbnail(pattern).colour(0, slice: 0, isTurned: false, .clearSight)
        #expect(colour == RGB.black.blended(towards: RGB(0x536e9c), 0.85))
    }
}
