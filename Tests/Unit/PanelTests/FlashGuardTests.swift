import Display
import TestSupport
import Testing

@testable import Panel

/// docs/panel.md, Flashes. The judge is `FlashAnalyser`, which knows only WCAG.
@Suite("The flash guard")
struct FlashGuardTests {
    private static let analyser = FlashAnalyser(columns: 44, rows: 24)
    private static let frame = 16_667

    /// `pictures`, one every frame, as they are.
    private func shots(_ pictures: [Frame], every interval: Int = frame) -> [FlashAnalyser.Shot] {
        pictures.enumerated().map {
            FlashAnalyser.Shot(at: $0 * interval, rgb: $1.pixels.flatMap { [$0.red, $0.green, $0.blue] })
        }
    }

    /// `pictures`, one every frame, as the guard shows them.
    private func guarded(_ pictures: [Frame], every interval: Int = frame) -> [FlashAnalyser.Shot] {
        var flashGuard = FlashGuard(columns: 44, rows: 24)
        return pictures.enumerated().map { place, picture in
            flashGuard.limit(picture.pixels, at: Int64(place * interval))
            return FlashAnalyser.Shot(
                at: place * interval, rgb: flashGuard.shown.flatMap { [$0.red, $0.green, $0.blue] })
        }
    }

    /// Two pictures in turn, `hertz` times a second each, for two and a half seconds.
    private func alternating(_ first: Frame, _ second: Frame, hertz: Int) -> [Frame] {
        (0..<150).map { $0 * 2 * hertz / 60 % 2 == 0 ? first : second }
    }

    private func all(_ colour: RGB) -> Frame { PanelTests.frame { _, _ in colour } }

    /// Two colours, in whole or as a checkerboard of squares with this side.
    struct Alternation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let first: RGB
        let second: RGB
        let side: Int
    }

    static let alternations: [Alternation] = [
        Alternation(testDescription: "black, white", first: .black, second: .white, side: 0),
        Alternation(testDescription: "red, black", first: RGB(0xff0000), second: .black, side: 0),
        Alternation(testDescription: "dark red, black", first: RGB(0x500000), second: .black, side: 0),
        Alternation(testDescription: "red, blue", first: RGB(0xff0000), second: RGB(0x0000ff), side: 0),
        Alternation(testDescription: "red, equally bright grey", first: RGB(0xff0000), second: RGB(0x7f7f7f), side: 0),
        Alternation(testDescription: "green, violet", first: RGB(0x44ff44), second: RGB(0x8a2be2), side: 0),
        Alternation(testDescription: "checkerboard", first: .black, second: .white, side: 1),
        Alternation(testDescription: "red checkerboard", first: RGB(0xff0000), second: RGB(0x004000), side: 2),
        Alternation(testDescription: "large checkerboard", first: .black, second: RGB(0xffc800), side: 6),
    ]

    @Test("whatever flashes at 1 to 30 Hz stays within the thresholds", arguments: alternations)
    func alternation(pattern: Alternation) {
        func picture(_ isSwapped: Bool) -> Frame {
            PanelTests.frame { column, row in
                let isFirst = pattern.side == 0 || (column / pattern.side + row / pattern.side) % 2 == 0
                return isFirst != isSwapped ? pattern.first : pattern.second
            }
        }
        for hertz in 1...30 {
            let pictures = alternating(picture(false), picture(true), hertz: hertz)
            // A reversing checkerboard has two flashes in each turn, on the even fields and on the odd ones.
            let flashes = hertz * (pattern.side == 0 ? 1 : 2)
            if hertz <= 5 || hertz % 10 == 0 {
                let before = Self.analyser.analyse(shots(pictures))
                #expect(before.isSafe == (flashes <= FlashGuard.flashesMax), "\(hertz) Hz, unguarded: \(before)")
            }
            let after = Self.analyser.analyse(guarded(pictures))
            #expect(after.isSafe, "\(hertz) Hz: \(after)")
            // The guard has a reserve of 50 ms in a second. Below that nothing is changed.
            if flashes < FlashGuard.flashesMax {
                #expect(guarded(pictures).map(\.rgb) == shots(pictures).map(\.rgb), "\(hertz) Hz")
            }
        }
    }

    @Test("areas that flash in turn are flashes of their field")
    func rotation() {
        let pictures = (0..<150).map { place in
            PanelTests.frame { column, row in
                // Four quarters of each field, each three times a second.
                let quarter = column % 10 / 5 + 2 * (row % 10 / 5)
                return place % 20 / 5 == quarter ? .white : .black
            }
        }
        #expect(!Self.analyser.analyse(shots(pictures)).isSafe)
        #expect(Self.analyser.analyse(guarded(pictures)).isSafe)
    }

    @Test("a small area may flash, a quarter of a field may not")
    func area() {
        func pictures(_ leds: Int) -> [Frame] {
            let lit = PanelTests.frame { column, row in
                (20..<25).contains(column) && (column - 20) * 5 + row - 10 < leds && (10..<15).contains(row)
                    ? .white : .black
            }
            return alternating(all(.black), lit, hertz: 10)
        }
        #expect(guarded(pictures(19)).map(\.rgb) == shots(pictures(19)).map(\.rgb))
        #expect(Self.analyser.analyse(shots(pictures(19))).isSafe)
        #expect(!Self.analyser.analyse(shots(pictures(20))).isSafe)
        #expect(Self.analyser.analyse(guarded(pictures(20))).isSafe)
    }

    @Test("random frames stay within the thresholds", arguments: 0..<6)
    func random(kind: Int) {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let colours: [RGB] = [.black, .white, RGB(0xff0000), RGB(0x0000ff), RGB(0x330000), RGB(0x606060)]
        var pictures: [Frame] = []
        var picture = all(.black)
        while pictures.count < 150 {
            switch kind {
            case 0: picture = PanelTests.frame { _, _ in .random(using: &random) }
            case 1: picture = PanelTests.frame { _, _ in colours.randomElement(using: &random) ?? .black }
            case 2: picture = all(colours.randomElement(using: &random) ?? .black)
            case 3, 4:
                // Rectangles, of any size or of the size of a field.
                for _ in 0..<3 {
                    let most = kind == 3 ? 20 : 8
                    let (x, y) = (Int.random(in: 0..<44, using: &random), Int.random(in: 0..<24, using: &random))
                    let (width, height) = (
                        Int.random(in: 1...most, using: &random), Int.random(in: 1...most, using: &random)
                    )
                    picture.fill(
                        columns: x..<x + width, rows: y..<y + height, colours.randomElement(using: &random) ?? .black)
                }
            default:
                // Every LED fades at its own pace.
                let place = Double(pictures.count)
                picture = PanelTests.frame { column, row in
                    let phase = place * Double(1 + (column * 7 + row * 13) % 17) / 40
                    let value = UInt8(255 * abs(2 * (phase - phase.rounded())))
                    return RGB(red: value, green: UInt8(column * 5), blue: 255 - value)
                }
            }
            for _ in 0..<Int.random(in: 1...4, using: &random) { pictures.append(picture) }
        }
        let report = Self.analyser.analyse(guarded(pictures))
        #expect(report.isSafe, "seed \(seed), kind \(kind): \(report)")
    }

    @Test("what is held back comes as soon as it is allowed")
    func release() {
        var flashGuard = FlashGuard(columns: 44, rows: 24)
        let (dark, white) = (all(.black).pixels, all(.white).pixels)
        for time in 0..<4 {
            flashGuard.limit(white, at: Int64(200_000 * time))
            if time < 3 {
                #expect(flashGuard.shown == white && !flashGuard.isHolding)
                flashGuard.limit(dark, at: Int64(200_000 * time + 100_000))
                #expect(flashGuard.shown == dark)
            }
        }
        #expect(flashGuard.isHolding && flashGuard.shown != white)
        // Held, it is as bright as no flash is.
        let grey = flashGuard.shown[0]
        let luminance = ColourScience.luminance(ColourScience.linear(grey.red, grey.green, grey.blue))
        #expect(luminance > 0.06 && luminance < 0.1)
        flashGuard.limit(white, at: 999_999)
        #expect(flashGuard.isHolding)
        flashGuard.limit(white, at: 1_050_000)
        #expect(!flashGuard.isHolding && flashGuard.shown == white)
    }

    @Test("the driver shows what the guard allows, and without it everything")
    func driver() throws {
        var configuration = PanelConfiguration()
        configuration.dither = false
        var guarded = try PanelDriver(configuration)
        configuration.flashGuard = false
        var free = try PanelDriver(configuration)
        var plain = try PanelDriver(configuration)
        let lit = PanelTests.frame { column, row in column < 10 && row < 10 ? .white : .black }
        var (differs, isHeld) = (false, false)
        for place in 0..<60 {
            let picture = place / 3 % 2 == 0 ? lit : all(.black)
            let now = Int64(place * Self.frame)
            guarded.drive(picture, at: now)
            free.drive(picture, at: now)
            plain.drive(picture)
            #expect(free.messages == plain.messages)
            if place < 12 { #expect(guarded.messages == free.messages) }
            isHeld = isHeld || guarded.isHolding
            differs = differs || guarded.messages != free.messages
        }
        #expect(differs && isHeld && !free.isHolding)
    }

    @Test("LEDs that the power limit has dimmed become bright again slowly, but at once without the guard")
    func recovery() throws {
        // A white bar uses the whole limit; all LEDs do so many times over.
        let bar = PanelTests.frame { column, _ in column < 4 ? .white : .black }
        func brightness(of configuration: PanelConfiguration) throws -> [Int] {
            var driver = try PanelDriver(configuration)
            return try [bar, all(.white), bar, bar, bar].enumerated().map { place, picture in
                driver.drive(picture, at: Int64(place) * 1_000_000)
                return try driver.shown()[0].red
            }
        }
        var configuration = PanelConfiguration()
        configuration.dither = false
        let slow = try brightness(of: configuration)
        #expect(slow[1] < slow[2] && slow[2] < slow[3] && slow[3] < slow[4] && slow[4] <= slow[0])
        configuration.flashGuard = false
        let fast = try brightness(of: configuration)
        #expect(fast[0] == slow[0] && fast[1] == slow[1] && fast[2] == fast[0])
    }
}
