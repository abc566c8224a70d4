import Display
import Testing

@testable import Panel

@Suite("Walks and pictures")
struct WalkTests {
    /// Two chains; the second has two tiles, one of them turned, and a place without an LED.
    private func geometry() throws -> Geometry {
        var configuration = PanelConfiguration()
        var turned = PanelConfiguration.Tile(x: 0, y: 12, columns: 12, rows: 20)
        turned.rotation = .quarter
        var right = PanelConfiguration.Tile(x: 20, y: 12, columns: 24, rows: 12)
        right.missing = [.init(column: 23, row: 11)]
        configuration.chains = [
            .init(device: "a", hertz: 4_000_000, tiles: [.init(x: 0, y: 0, columns: 44, rows: 12)]),
            .init(device: "b", hertz: 4_000_000, tiles: [turned, right]),
        ]
        return try Geometry(configuration)
    }

    private func drawn(_ walk: PanelWalk, _ index: Int) -> Frame {
        var frame = Frame(columns: 44, rows: 24)
        frame.fill(RGB(0x123456))
        walk.draw(index, into: &frame)
        return frame
    }

    @Test("the dot is at every LED once, in order, at the reported place")
    func leds() throws {
        let geometry = try geometry()
        let walk = PanelWalk(.leds, of: geometry)
        #expect(walk.count == 1055)
        var visits = [Int](repeating: 0, count: 1056)
        var isRight = true
        for number in 0..<walk.count {
            let frame = drawn(walk, number)
            guard case .led(let led) = walk[number] else {
                Issue.record("stop \(number) is no LED")
                return
            }
            isRight = isRight && led.number == number && frame[led.column, led.row] == .white
            isRight = isRight && geometry.tiles[led.chain][led.tile].contains(number)
            let whites = frame.pixels.indices.filter { frame.pixels[$0] == .white }
            isRight = isRight && whites == [geometry.pixels[number]]
            whites.forEach { visits[$0] += 1 }
            let lit = frame.pixels.count { $0 != .black }
            isRight = isRight && lit == min(number, PanelWalk.tail) + 1
        }
        #expect(isRight)
        #expect(visits.count { $0 == 1 } == 1055 && visits[1055] == 0)
        #expect(walk[1055] == walk[0])
    }

    @Test("a stop describes number, chain, tile, column and row")
    func locations() throws {
        let walk = PanelWalk(.leds, of: try geometry())
        #expect("\(walk[45])" == "LED 45: chain 0, tile 0, column 42, row 1")
        // The turned tile's first LED is at its top right, and its lines run downwards.
        #expect("\(walk[528])" == "LED 528: chain 1, tile 0, column 19, row 12")
        #expect("\(walk[529])" == "LED 529: chain 1, tile 0, column 19, row 13")
        #expect("\(walk[768])" == "LED 768: chain 1, tile 1, column 20, row 12")
    }

    @Test("the tail fades behind the dot, along the chain")
    func tail() throws {
        let frame = drawn(PanelWalk(.leds, of: try geometry()), 45)
        #expect(frame[42, 1] == .white && frame[43, 1] == RGB(0x3f3f3f))
        #expect(frame[43, 0] == RGB(0x0f0f0f) && frame[42, 0] == RGB(0x030303) && frame[41, 0] == .black)
    }

    @Test("every row and every column is lit once, completely and alone")
    func lines() throws {
        let geometry = try geometry()
        let rows = PanelWalk(.rows, of: geometry)
        let columns = PanelWalk(.columns, of: geometry)
        #expect(rows.count == 24 && columns.count == 44)
        var isRight = true
        for (walk, isRows) in [(rows, true), (columns, false)] {
            for stop in 0..<walk.count {
                let frame = drawn(walk, stop)
                for row in 0..<24 {
                    for column in 0..<44 {
                        isRight = isRight && frame[column, row] == ((isRows ? row : column) == stop ? .white : .black)
                    }
                }
            }
        }
        #expect(isRight)
        #expect(rows[3] == .row(3) && columns[7] == .column(7))
    }

    @Test("chains are lit together and one by one, each in its own colour")
    func chains() throws {
        let walk = PanelWalk(.chains, of: try geometry())
        #expect((0..<4).map { walk[$0] } == [.allChains, .chain(0), .chain(1), .allChains])
        let frames = (0..<3).map { drawn(walk, $0) }
        #expect(frames[0][0, 0] == RGB(0xff0000) && frames[0][0, 20] == RGB(0x00ff00) && frames[0][43, 23] == .black)
        #expect(frames[1][0, 0] == RGB(0xff0000) && frames[1][0, 20] == .black)
        #expect(frames[2][0, 0] == .black && frames[2][0, 20] == RGB(0x00ff00))
        #expect(Set(PanelWalk.chainColours).count == 8)
    }

    private func picture(_ picture: PanelPicture, at milliseconds: Int = 0) -> Frame {
        var frame = Frame(columns: 44, rows: 24)
        picture.draw(into: &frame, at: milliseconds)
        return frame
    }

    @Test("plain pictures are one colour")
    func plain() {
        let colours: [(PanelPicture, RGB)] = [
            (.red, RGB(0xff0000)), (.green, RGB(0x00ff00)), (.blue, RGB(0x0000ff)), (.white, .white),
        ]
        for (kind, colour) in colours {
            let frame = picture(kind)
            let isPlain = frame.pixels.allSatisfy { $0 == colour }
            #expect(isPlain, "\(kind)")
        }
    }

    @Test("ramps rise from dark to full in grey, red, green and blue")
    func ramps() {
        let frame = picture(.ramps)
        #expect([0, 6, 12, 18].allSatisfy { frame[0, $0] == .black })
        #expect(frame[43, 5] == .white && frame[43, 6] == RGB(0xff0000))
        #expect(frame[43, 17] == RGB(0x00ff00) && frame[43, 23] == RGB(0x0000ff))
        let greys = (0..<44).map { frame[$0, 0].red }
        #expect(zip(greys, greys.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("the power rises in tenths of the limit, and the current matches")
    func power() throws {
        #expect([0, 999, 1000, 9999, 10_000].map { PanelPicture.power.powerLimit(at: $0) } == [0.1, 0.1, 0.2, 1, 0.1])
        #expect(PanelPicture.white.powerLimit(at: 0) == 1)
        var driver = try PanelDriver(PanelConfiguration())
        for step in 1...10 {
            driver.powerLimit = PanelPicture.power.powerLimit(at: 1000 * step - 1)
            driver.drive(picture(.power, at: 1000 * step - 1))
            let share = (driver.amps - 1.056) / (8 - 1.056)
            #expect(abs(share - Double(step) / 10) < 0.02)
        }
    }

    @Test("the bar moves on by one column in each frame of 60 a second, and wraps round")
    func bar() {
        for number in 0..<120 {
            // The middle of the frame's sixtieth.
            let frame = picture(.bar, at: (1000 * number + 500) / 60 + 1)
            let lit = (0..<44).filter { frame[$0, 0] == .white }
            #expect(Set(lit) == Set((number..<number + 4).map { $0 % 44 }))
        }
    }
}
