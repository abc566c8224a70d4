import Display
import TestSupport
import Testing

@testable import Panel

/// A buffer of a screen, filled with noise that no drawing leaves.
private struct Buffer {
    static let noise: UInt32 = 0x0bad_f00d
    let stride: Int
    let height: Int
    let pixels: UnsafeMutableBufferPointer<UInt32>

    init(_ layout: ScreenLayout, padding: Int = 3) {
        stride = layout.width + padding
        height = layout.height
        pixels = .allocate(capacity: stride * height)
        pixels.initialize(repeating: Self.noise)
    }

    subscript(x: Int, y: Int) -> UInt32 { pixels[y * stride + x] }

    /// The pixels as text, without the padding; the padding is untouched.
    func lines(_ columns: Range<Int>, _ rows: Range<Int>) -> [String] {
        rows.map { y in
            columns.map { x in
                let digits = String(self[x, y], radix: 16)
                return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
            }.joined(separator: " ")
        }
    }
}

@Suite("The panel on a screen")
struct ScreenTests {
    static let turns = PanelConfiguration.Rotation.allCases

    private func picture(_ colours: [(column: Int, row: Int, colour: UInt32)], columns: Int = 44) -> [UInt8] {
        var picture = [UInt8](repeating: 0, count: 3 * columns * 24)
        for (column, row, colour) in colours {
            let at = 3 * (row * columns + column)
            for channel in 0..<3 { picture[at + channel] = UInt8(truncatingIfNeeded: colour >> (16 - 8 * channel)) }
        }
        return picture
    }

    // MARK: Layout

    static let sizes: [(width: Int, height: Int, columns: Int, turn: Int, pitch: Int, left: Int, top: Int)] = [
        (800, 480, 44, 0, 18, 4, 24), (800, 480, 44, 180, 18, 4, 24), (800, 480, 44, 90, 10, 280, 20),
        (480, 800, 44, 270, 18, 24, 4), (1280, 720, 44, 0, 29, 2, 12), (1920, 1080, 44, 0, 43, 14, 24),
        (1920, 1080, 50, 0, 38, 10, 84), (1920, 1080, 46, 0, 41, 17, 48), (1080, 1920, 44, 90, 43, 24, 14),
        (3840, 2160, 44, 0, 45, 930, 540), (320, 240, 44, 0, 7, 6, 36),
    ]

    @Test("LEDs are as large as whole pixels allow, and centred", arguments: sizes)
    func layout(size: (width: Int, height: Int, columns: Int, turn: Int, pitch: Int, left: Int, top: Int)) throws {
        let turn = try #require(PanelConfiguration.Rotation(rawValue: size.turn))
        let layout = try #require(
            ScreenLayout(width: size.width, height: size.height, columns: size.columns, rotation: turn))
        #expect(layout.pitch == size.pitch)
        #expect(layout.left == size.left)
        #expect(layout.top == size.top)
    }

    @Test("a mode of less than four pixels for an LED has no layout")
    func tooSmall() {
        #expect(ScreenLayout(width: 175, height: 480, columns: 44) == nil)
        #expect(ScreenLayout(width: 800, height: 95, columns: 44) == nil)
        #expect(ScreenLayout(width: 176, height: 96, columns: 44) != nil)
        #expect(ScreenLayout(width: 0, height: 0, columns: 44) == nil)
        #expect(ScreenLayout(width: -5, height: 7, columns: 0) == nil)
    }

    @Test("each pixel belongs to the LED whose square it is in, in each turn, and the margin to none", arguments: turns)
    func inverse(turn: PanelConfiguration.Rotation) throws {
        let layout = try #require(ScreenLayout(width: 320, height: 301, columns: 46, rotation: turn))
        var owners: [Int: Int] = [:]
        for row in 0..<24 {
            for column in 0..<46 {
                let corner = layout.corner(column: column, row: row)
                for y in corner.y..<corner.y + layout.pitch {
                    for x in corner.x..<corner.x + layout.pitch { owners[y * 320 + x] = row * 46 + column }
                }
            }
        }
        #expect(owners.count == 46 * 24 * layout.pitch * layout.pitch)
        var wrong = 0
        for y in -2..<303 {
            for x in -2..<322 {
                let isInside = x >= 0 && x < 320 && y >= 0 && y < 301
                let found = layout.led(x: x, y: y).map { $0.row * 46 + $0.column }
                if found != (isInside ? owners[y * 320 + x] : nil) { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    @Test("a touch on the middle of an LED is mapped onto it, in each turn", arguments: turns)
    func touchMatrix(turn: PanelConfiguration.Rotation) throws {
        let layout = try #require(ScreenLayout(width: 800, height: 480, columns: 44, rotation: turn))
        let matrix = layout.touchMatrix
        for (column, row) in [(0, 0), (43, 0), (0, 23), (43, 23), (17, 5)] {
            let corner = layout.corner(column: column, row: row)
            let half = Double(layout.pitch) / 2
            let (u, v) = ((Double(corner.x) + half) / 800, (Double(corner.y) + half) / 480)
            let x = (matrix[0] * u + matrix[1] * v + matrix[2]) * 44
            let y = (matrix[3] * u + matrix[4] * v + matrix[5]) * 24
            #expect(abs(x - Double(column) - 0.5) < 1e-9)
            #expect(abs(y - Double(row) - 0.5) < 1e-9)
        }
    }

    @Test("the panel's top left corner turns clockwise")
    func corners() throws {
        let corners = try Self.turns.map { turn in
            let layout = try #require(ScreenLayout(width: 480, height: 480, columns: 44, rotation: turn))
            let corner = layout.corner(column: 0, row: 0)
            return [corner.x < 240 ? "left" : "right", corner.y < 240 ? "top" : "bottom"]
        }
        #expect(corners == [["left", "top"], ["right", "top"], ["right", "bottom"], ["left", "bottom"]])
        #expect(PanelConfiguration.Rotation.quarter + .threeQuarters == .none)
        #expect(PanelConfiguration.Rotation.half + .threeQuarters == .quarter)
    }

    // MARK: Modes

    static let modes: [(modes: [(Int, Int, Int)], preferred: Int?, best: Int?)] = [
        ([], nil, nil),
        ([(800, 480, 60)], nil, 0),
        ([(1024, 768, 60), (1920, 1080, 60)], 1, 1),
        // The screen's own shape, without a preference the first, which the kernel sorts to the front.
        ([(3840, 2160, 30), (1920, 1200, 60), (1920, 1080, 120), (1920, 1080, 60), (1280, 720, 60)], 0, 3),
        ([(3840, 2160, 60), (1024, 768, 60)], 0, 0),
    ]

    @Test("the preferred mode is chosen, or of a larger one the largest of its shape at 60 Hz", arguments: modes)
    func mode(choice: (modes: [(Int, Int, Int)], preferred: Int?, best: Int?)) {
        let modes = choice.modes.enumerated().map { number, mode in
            ScreenMode(width: mode.0, height: mode.1, hertz: mode.2, isPreferred: number == choice.preferred)
        }
        #expect(ScreenMode.best(of: modes) == choice.best)
    }

    // MARK: Pixels

    @Test("an LED is round, brighter in the middle, in a dark cell, exactly")
    func pixels() throws {
        let layout = try #require(ScreenLayout(width: 360, height: 200, columns: 44))
        #expect(layout.pitch == 8)
        let buffer = Buffer(layout)
        defer { buffer.pixels.deallocate() }
        var painter = ScreenPainter(layout)
        let drawn = painter.draw(
            picture([(0, 0, 0xff8040)]), on: buffer.pixels, stride: buffer.stride, buffer: 0)
        #expect(drawn == 44 * 24)
        let (x, y) = layout.corner(column: 0, row: 0)
        #expect(buffer.lines(x..<x + 8, y..<y + 8) == Self.lit)
        #expect(buffer.lines(x + 8..<x + 16, y..<y + 8) == Self.dark)
        // The margin is black, and what is beyond the mode is left alone.
        #expect((0..<360).allSatisfy { buffer[$0, 0] == 0 } && (0..<200).allSatisfy { buffer[3, $0] == 0 })
        #expect((0..<200).allSatisfy { buffer[360, $0] == Buffer.noise })
    }

    private static let lit = [
        "050505 050505 050505 080808 080808 050505 050505 050505",
        "050505 080808 b65c2f d86d37 d86d37 b65c2f 080808 050505",
        "050505 b65c2f e7743a f97d3e f97d3e e7743a b65c2f 050505",
        "080808 d86d37 f97d3e fc7e3f fc7e3f f97d3e d86d37 080808",
        "080808 d86d37 f97d3e fc7e3f fc7e3f f97d3e d86d37 080808",
        "050505 b65c2f e7743a f97d3e f97d3e e7743a b65c2f 050505",
        "050505 080808 b65c2f d86d37 d86d37 b65c2f 080808 050505",
        "050505 050505 050505 080808 080808 050505 050505 050505",
    ]
    private static let dark = [
        "050505 050505 050505 080808 080808 050505 050505 050505",
        "050505 080808 020202 010101 010101 020202 080808 050505",
        "050505 020202 010101 000000 000000 010101 020202 050505",
        "080808 010101 000000 000000 000000 000000 010101 080808",
        "080808 010101 000000 000000 000000 000000 010101 080808",
        "050505 020202 010101 000000 000000 010101 020202 050505",
        "050505 080808 020202 010101 010101 020202 080808 050505",
        "050505 050505 050505 080808 080808 050505 050505 050505",
    ]

    @Test(
        "full white is white in the middle at each pitch, and every LED symmetric", arguments: [4, 5, 18, 29, 43, 45])
    func symmetry(pitch: Int) throws {
        let layout = try #require(ScreenLayout(width: 44 * pitch, height: 24 * pitch, columns: 44))
        let buffer = Buffer(layout)
        defer { buffer.pixels.deallocate() }
        var painter = ScreenPainter(layout)
        _ = painter.draw(picture([(3, 7, 0xffffff)]), on: buffer.pixels, stride: buffer.stride, buffer: 0)
        let (left, top) = layout.corner(column: 3, row: 7)
        #expect(buffer[left + pitch / 2, top + pitch / 2] >= 0xfafafa)
        var wrong = 0
        for y in 0..<pitch {
            for x in 0..<pitch {
                let pixel = buffer[left + x, top + y]
                let mirrored = [(pitch - 1 - x, y), (x, pitch - 1 - y), (y, x)].map { buffer[left + $0.0, top + $0.1] }
                if pixel > 0xffffff || mirrored.contains(where: { $0 != pixel }) { wrong += 1 }
                if pixel & 0xff != pixel >> 16 || pixel & 0xff != pixel >> 8 & 0xff { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    @Test("each turn has the same LEDs at their turned places", arguments: turns)
    func turned(turn: PanelConfiguration.Rotation) throws {
        let upright = try #require(ScreenLayout(width: 360, height: 360, columns: 44))
        let turned = try #require(ScreenLayout(width: 360, height: 360, columns: 44, rotation: turn))
        let (one, other) = (Buffer(upright), Buffer(turned))
        defer {
            one.pixels.deallocate()
            other.pixels.deallocate()
        }
        let picture = picture([(0, 0, 0xff0000), (43, 0, 0x00ff00), (0, 23, 0x0000ff), (20, 11, 0x123456)])
        var (first, second) = (ScreenPainter(upright), ScreenPainter(turned))
        _ = first.draw(picture, on: one.pixels, stride: one.stride, buffer: 0)
        _ = second.draw(picture, on: other.pixels, stride: other.stride, buffer: 0)
        for row in 0..<24 {
            for column in 0..<44 {
                let (a, b) = (upright.corner(column: column, row: row), turned.corner(column: column, row: row))
                #expect(
                    one.lines(a.x..<a.x + 8, a.y..<a.y + 8) == other.lines(b.x..<b.x + 8, b.y..<b.y + 8),
                    "\(column), \(row)")
            }
        }
    }

    // MARK: Changes

    @Test("only changed LEDs are drawn, on each buffer for itself, and the result is that of a full drawing")
    func changes() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let turn = Self.turns.randomElement(using: &random) ?? .none
        let layout = try #require(ScreenLayout(width: 240, height: 240, columns: 44, rotation: turn))
        let buffers = [Buffer(layout), Buffer(layout, padding: 0)]
        let whole = Buffer(layout, padding: 0)
        defer { for buffer in buffers + [whole] { buffer.pixels.deallocate() } }
        var painter = ScreenPainter(layout)
        var pictures = [[UInt8]](repeating: [], count: 2)
        var picture = [UInt8](repeating: 0, count: 3 * 44 * 24)
        for step in 0..<200 {
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                let at = Int.random(in: picture.indices, using: &random)
                picture[at] = [0, 255, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
            }
            let number = Int.random(in: 0...1, using: &random)
            let buffer = buffers[number]
            let before = pictures[number]
            let changed = (0..<44 * 24).count { led in
                before.isEmpty || before[3 * led..<3 * led + 3] != picture[3 * led..<3 * led + 3]
            }
            let drawn = painter.draw(picture, on: buffer.pixels, stride: buffer.stride, buffer: number)
            #expect(drawn == changed, "seed \(seed), step \(step)")
            pictures[number] = picture
            guard step % 10 == 9 else { continue }
            var fresh = ScreenPainter(layout)
            _ = fresh.draw(picture, on: whole.pixels, stride: whole.stride, buffer: 0)
            let isSame = (0..<240).allSatisfy { y in (0..<240).allSatisfy { buffer[$0, y] == whole[$0, y] } }
            #expect(isSame, "seed \(seed), step \(step)")
        }
    }

    @Test("a picture or a buffer of a wrong size is not drawn")
    func wrongSizes() throws {
        let layout = try #require(ScreenLayout(width: 176, height: 96, columns: 44))
        let buffer = Buffer(layout, padding: 0)
        defer { buffer.pixels.deallocate() }
        var painter = ScreenPainter(layout)
        let picture = picture([])
        #expect(painter.draw(Array(picture.dropLast()), on: buffer.pixels, stride: 176, buffer: 0) == 0)
        #expect(painter.draw(picture, on: buffer.pixels, stride: 175, buffer: 0) == 0)
        #expect(painter.draw(picture, on: .init(rebasing: buffer.pixels.dropLast()), stride: 176, buffer: 0) == 0)
        #expect(painter.draw(picture, on: buffer.pixels, stride: 176, buffer: 2) == 0)
        #expect(buffer.pixels.allSatisfy { $0 == Buffer.noise })
    }
}
