import Display
import Testing
import TestSupport

@testable import Panel

private func frame(_ colour: (Int, Int) -> RGB) -> Frame {
    var frame = Frame(columns: 44, rows: 24)
    for row in 0..<24 { for column in 0..<44 { frame[column, row] = colour(column, row) } }
    return frame
}

@Suite("The wire of APA102 and SK9822")
struct WireTests {
    @Test("the lit message of three LEDs, byte by byte, from the datasheet")
    func golden() throws {
        var configuration = PanelConfiguration()
        configuration.brightness = 1
        configuration.gamma = 1
        configuration.chains = [
            .init(device: "/dev/spidev0.0", hertz: 4_000_000, tiles: [.init(x: 0, y: 0, columns: 3, rows: 1)])
        ]
        configuration.zones = [.init(amps: 1, from: 0, count: 3)]
        var driver = try PanelDriver(configuration)
        driver.drive(frame { column, _ in [RGB(0xff0000), RGB(0x00ff80), RGB.black][min(column, 2)] })
        #expect(
            driver.messages == [
                [
                    0, 0, 0, 0,
                    0xff, 0x00, 0x00, 0xff,
                    0xff, 0x80, 0xff, 0x00,
                    0xe0, 0x00, 0x00, 0x00,
                    0, 0, 0, 0,
                    0,
                ]
            ])
    }

    @Test(
        "a message is 4 + 4n + 4 bytes and half a clock bit for each LED",
        arguments: [(1056, 4298), (528, 2153), (1, 13), (16, 73)])
    func size(count: Int, bytes: Int) { #expect(ClockedLED.messageSize(count) == bytes) }

    @Test("what was encoded is what is decoded")
    func roundTrip() throws {
        var driver = try PanelDriver(PanelConfiguration())
        driver.drive(frame { RGB(red: UInt8($0 * 5), green: UInt8($1 * 10), blue: UInt8(($0 + $1) * 3)) })
        let leds = try ClockedLEDDecoder.decode(driver.messages[0], count: 1056)
        for (number, led) in leds.enumerated() {
            let at = 4 + 4 * number
            #expect(Array(driver.messages[0][at..<at + 4]) == [0xe0 | led.brightness, led.blue, led.green, led.red])
        }
    }

    @Test("the far end refuses what chips would not show as meant")
    func refusals() throws {
        let good = try PanelDriver(PanelConfiguration()).messages[0]
        func failure(_ change: (inout [UInt8]) -> Void) -> ClockedLEDDecoder.Failure? {
            var bytes = good
            change(&bytes)
            do throws(ClockedLEDDecoder.Failure) {
                _ = try ClockedLEDDecoder.decode(bytes, count: 1056)
                return nil
            } catch { return error }
        }
        #expect(failure { _ in } == nil)
        #expect(failure { $0[2] = 1 } == .noStart)
        #expect(failure { $0.removeAll() } == .noStart)
        #expect(failure { $0[4 + 4 * 77] = 0x1f } == .notAWord(77))
        #expect(failure { $0.removeLast(100) } == .tooShort)
        #expect(failure { $0[4 + 4224 + 1] = 0xff } == .noLatch)
        #expect(failure { $0.removeLast() } == .tooFewClocks)
    }
}

@Suite("Where LEDs stand")
struct GeometryTests {
    private func order(_ change: (inout PanelConfiguration.Tile) -> Void) throws -> [[Int]] {
        var tile = PanelConfiguration.Tile(x: 0, y: 0, columns: 3, rows: 2)
        change(&tile)
        var configuration = PanelConfiguration()
        configuration.chains = [.init(device: "", hertz: 1, tiles: [tile])]
        var places = [[Int]](repeating: [-1, -1, -1], count: 2)
        for (number, pixel) in try Geometry(configuration).pixels.enumerated() {
            places[pixel / 44][pixel % 44] = number
        }
        return places
    }

    @Test("the reference panel runs by rows from the top left, every other row back")
    func reference() throws {
        let pixels = try Geometry(PanelConfiguration()).pixels
        #expect(pixels.count == 1056)
        #expect(pixels[0] == 0 && pixels[43] == 43 && pixels[44] == 87 && pixels[87] == 44 && pixels[88] == 88)
    }

    @Test("corners, directions, serpentine and missing LEDs")
    func tiles() throws {
        #expect(try order { _ in } == [[0, 1, 2], [5, 4, 3]])
        #expect(try order { $0.serpentine = false } == [[0, 1, 2], [3, 4, 5]])
        #expect(try order { $0.first = .topRight } == [[2, 1, 0], [3, 4, 5]])
        #expect(try order { $0.first = .bottomLeft } == [[5, 4, 3], [0, 1, 2]])
        #expect(try order { $0.first = .bottomRight } == [[3, 4, 5], [2, 1, 0]])
        #expect(try order { $0.along = .columns } == [[0, 3, 4], [1, 2, 5]])
        #expect(try order { ($0.along, $0.first) = (.columns, .bottomRight) } == [[5, 2, 1], [4, 3, 0]])
        #expect(try order { $0.missing = [.init(column: 1, row: 0)] } == [[0, -1, 1], [4, 3, 2]])
    }

    @Test("several tiles and chains number on, and no place has two LEDs", arguments: 1...30)
    func bijection(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var configuration = PanelConfiguration()
        // Cut the panel into a random grid of tiles, shuffle them and share them out among chains.
        let cuts = (
            [0, 44] + (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 1...43, using: &random) },
            [0, 24] + (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 1...23, using: &random) }
        )
        let (xs, ys) = (Set(cuts.0).sorted(), Set(cuts.1).sorted())
        var tiles: [PanelConfiguration.Tile] = []
        for (x, nextX) in zip(xs, xs.dropFirst()) {
            for (y, nextY) in zip(ys, ys.dropFirst()) {
                var tile = PanelConfiguration.Tile(x: x, y: y, columns: nextX - x, rows: nextY - y)
                tile.first = PanelConfiguration.Corner.allCases.randomElement(using: &random) ?? .topLeft
                tile.along = Bool.random(using: &random) ? .rows : .columns
                tile.serpentine = Bool.random(using: &random)
                tiles.append(tile)
            }
        }
        tiles.shuffle(using: &random)
        let half = tiles.count / 2
        configuration.chains = [tiles[..<half], tiles[half...]].filter { !$0.isEmpty }.map {
            .init(device: "", hertz: 1, tiles: Array($0))
        }
        let geometry = try Geometry(configuration)
        #expect(geometry.pixels.sorted() == Array(0..<1056), "seed \(seed)")
        #expect(geometry.chains.map(\.count) == configuration.chains.map(\.length), "seed \(seed)")
    }

    @Test("a tile that leaves the panel or covers another is refused by its name")
    func refusals() {
        func failure(_ tiles: [PanelConfiguration.Tile]) -> PanelError? {
            var configuration = PanelConfiguration()
            configuration.chains = [.init(device: "", hertz: 1, tiles: tiles)]
            do throws(PanelError) {
                _ = try Geometry(configuration)
                return nil
            } catch { return error }
        }
        let left = PanelConfiguration.Tile(x: 0, y: 0, columns: 22, rows: 24)
        #expect(failure([left, .init(x: 23, y: 0, columns: 22, rows: 24)])?.place == "chains[0].tiles[1]")
        #expect(
            failure([left, .init(x: 21, y: 3, columns: 22, rows: 4)])?.problem.contains("column 21, row 3") == true)
    }
}

@Suite("Light and power")
struct LightTests {
    @Test("zero is off, full is brightness times full, and light grows with every value")
    func curve() throws {
        var driver = try PanelDriver(PanelConfiguration())
        driver.drive(
            frame { column, row in
                let value = UInt8(min(255, row * 44 + column))
                return row * 44 + column < 256 ? RGB(red: value, green: 0, blue: 0) : .black
            })
        let leds = try ClockedLEDDecoder.decode(driver.messages[0], count: 1056)
        // Undo the serpentine: the second row runs back.
        let light = (0..<256).map { value in
            let (row, column) = value.quotientAndRemainder(dividingBy: 44)
            let led = leds[row * 44 + (row % 2 == 0 ? column : 43 - column)]
            return Int(led.brightness) * Int(led.red)
        }
        #expect(light[0] == 0)
        #expect(abs(light[255] - Int(0.6 * 7905)) <= 16)
        #expect(zip(light, light.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("dark colours keep their steps: sRGB 20 to 40 are twenty-one different lights")
    func darkSteps() throws {
        var driver = try PanelDriver(PanelConfiguration())
        driver.drive(
            frame { column, row in RGB(red: row == 0 && column <= 20 ? UInt8(20 + column) : 0, green: 0, blue: 0) })
        let leds = try ClockedLEDDecoder.decode(driver.messages[0], count: 1056)
        #expect(Set(leds[...20].map { Int($0.brightness) * Int($0.red) }).count == 21)
    }

    @Test("the meter reads back from the wire what was drawn, coarser only where one channel is far below another")
    func meter() throws {
        var driver = try PanelDriver(PanelConfiguration())
        let meter = LightMeter(PanelConfiguration())
        driver.drive(
            frame { column, row in
                row < 5 ? RGB(red: UInt8(row * 44 + column), green: UInt8(255 - row * 44 - column), blue: 60) : .black
            })
        let leds = try ClockedLEDDecoder.decode(driver.messages[0], count: 1056)
        for number in 0..<44 {
            let value = meter.value(of: leds[number])
            if number > 24 { #expect(abs(Int(value.red) - number) <= 4) }
            #expect(abs(Int(value.green) - (255 - number)) <= 1)
        }
    }

    @Test("no frame ever draws more than its zone's limit, and the amps reported are those sent", arguments: 1...60)
    func powerCap(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var configuration = PanelConfiguration()
        configuration.brightness = Double.random(in: 0.05...1, using: &random)
        configuration.gamma = Double.random(in: 1...3, using: &random)
        configuration.milliamps = .init(
            red: .random(in: 5...30, using: &random), green: .random(in: 5...30, using: &random),
            blue: .random(in: 5...30, using: &random))
        let first = Int.random(in: 1...1055, using: &random)
        configuration.zones = [
            .init(amps: Double(first) / 1000 + .random(in: 0.01...6, using: &random), from: 0, count: first),
            .init(
                amps: Double(1056 - first) / 1000 + .random(in: 0.01...6, using: &random), from: first,
                count: 1056 - first),
        ]
        var driver = try PanelDriver(configuration)
        let frames = [
            frame { _, _ in .white },
            frame { _, _ in
                RGB(red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random), blue: 255)
            },
            frame { column, _ in column < 22 ? .white : RGB(0x010101) },
            frame { _, _ in RGB(0x0b0b0b) },
        ]
        for picture in frames {
            driver.drive(picture)
            let leds = try ClockedLEDDecoder.decode(driver.messages[0], count: 1056)
            for (zone, amps) in zip(configuration.zones, driver.zoneAmps) {
                let milliamps = leds[zone.from..<zone.from + zone.count].reduce(Double(zone.count)) { sum, led in
                    let each = configuration.milliamps
                    let light =
                        Double(led.red) * each.red + Double(led.green) * each.green + Double(led.blue) * each.blue
                    return sum + Double(led.brightness) / 31 * light / 255
                }
                #expect(milliamps <= zone.amps * 1000 + 1e-6, "seed \(seed)")
                #expect(abs(milliamps / 1000 - amps) < 1e-6, "seed \(seed)")
            }
        }
    }

    @Test("a frame within the limit is not dimmed, and one over it uses what it may")
    func capIsTight() throws {
        var configuration = PanelConfiguration()
        var driver = try PanelDriver(configuration)
        driver.drive(frame { _, _ in .white })
        #expect((7.8...8).contains(driver.amps))
        let dimmed = driver.messages
        configuration.zones[0].amps = 100
        driver = try PanelDriver(configuration)
        driver.drive(frame { _, _ in .white })
        #expect(abs(driver.amps - (1.056 + 1056 * 0.054 * 0.6)) < 0.2)
        #expect(driver.messages != dimmed)
    }

    @Test(
        "a zone at or below its standby, a gap and an overlap are refused",
        arguments: [
            ([(1.056, 0, 1056)], "zones[0].amps"), ([(8, 0, 1000)], "zones"),
            ([(8, 0, 528), (8, 500, 556)], "zones[1]"),
            ([(8, 0, 2000)], "zones[0]"), ([(8, 4, 1052)], "zones[0]"),
        ] as [([(Double, Int, Int)], String)])
    func refusals(zones: [(Double, Int, Int)], place: String) {
        var configuration = PanelConfiguration()
        configuration.zones = zones.map { .init(amps: $0.0, from: $0.1, count: $0.2) }
        #expect { try PanelDriver(configuration) } throws: { ($0 as? PanelError)?.place == place }
    }
}
