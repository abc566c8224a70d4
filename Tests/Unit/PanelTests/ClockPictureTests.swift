import Testing

@testable import Panel

@Suite("The picture and the search of the clock test")
struct ClockPictureTests {
    static let clocked: [LEDChip] = [.apa102, .sk9822, .hd108]

    /// The LEDs' lights at `milliseconds`, decoded.
    private func lights(
        _ picture: ClockPicture, _ configuration: PanelConfiguration, at milliseconds: Int
    ) throws -> [[LEDLight]] {
        let geometry = try Geometry(configuration)
        return try zip(picture.messages(at: milliseconds), geometry.chains).map { message, leds in
            try configuration.chip.decode(message, leds: leds.count, hertz: 4_000_000)
        }
    }

    /// A panel with a chain of twelve rows on each device.
    private func halves(_ chip: LEDChip = .sk9822) -> PanelConfiguration {
        var configuration = PanelConfiguration(chip: chip)
        configuration.chains = [0, 12].map { y in
            PanelConfiguration.Chain(
                device: "/dev/spidev0.\(y / 12)", hertz: 8_000_000, tiles: [.init(x: 0, y: y, columns: 44, rows: 12)])
        }
        return configuration
    }

    /// Why there is no picture for `configuration`; nil if there is one.
    private func refusal(of configuration: PanelConfiguration) -> PanelError? {
        do throws(PanelError) {
            _ = try ClockPicture(configuration)
            return nil
        } catch {
            return error
        }
    }

    @Test("every LED has the same grey at every moment, and meets every word in a round", arguments: clocked)
    func even(chip: LEDChip) throws {
        let configuration = PanelConfiguration(chip: chip)
        let picture = try ClockPicture(configuration)
        let step = ClockPicture.stepMilliseconds
        let wanted = try lights(picture, configuration, at: 0)[0][0]
        #expect(wanted.red > 0 && wanted.red == wanted.green && wanted.green == wanted.blue)
        var words: Set<[UInt8]> = []
        for milliseconds in stride(from: 0, to: ClockPicture.roundMilliseconds, by: step) {
            #expect(try lights(picture, configuration, at: milliseconds) == [Array(repeating: wanted, count: 1056)])
            #expect(picture.messages(at: milliseconds) == picture.messages(at: milliseconds + step - 1))
            words.insert(Array(picture.messages(at: milliseconds)[0].prefix(16).suffix(8)))
        }
        #expect(words.count == 8)
        #expect(picture.messages(at: ClockPicture.roundMilliseconds) == picture.messages(at: 0))
    }

    @Test("the words of a list have the same product, and contain toggling bits, long runs and single bits")
    func words() {
        for list in ClockPicture.lists {
            #expect(Set(list.map { Int($0.gain) * Int($0.byte) }).count == 1)
            #expect(list.allSatisfy { Int($0.gain) <= ClockPicture.gainMax })
            #expect(Set(list.map(\.byte)).count == list.count)
        }
        let brightest = Set(ClockPicture.lists[0].map(\.byte))
        #expect(brightest.isSuperset(of: [0x55, 0xaa, 0xff, 0x11]))
        let products = ClockPicture.lists.map { Int($0[0].gain) * Int($0[0].byte) }
        #expect(products == [510, 255, 85])
    }

    @Test("a bit that flips changes an LED's light by a tenth or more for six of ten bits", arguments: [LEDChip.sk9822])
    func flips(chip: LEDChip) throws {
        let configuration = PanelConfiguration(chip: chip)
        let message = try ClockPicture(configuration).messages(at: 0)[0]
        let grey = Double(try chip.decode(message, leds: 1056, hertz: 4_000_000)[0].red)
        var visible = 0
        var count = 0
        for led in 0..<8 {
            for bit in 3..<32 {
                var flipped = message
                flipped[4 + 4 * led + bit / 8] ^= 0x80 >> UInt8(bit % 8)
                let light = try chip.decode(flipped, leds: 1056, hertz: 4_000_000)[led]
                let change = [light.red, light.green, light.blue].map { abs(Double($0) - grey) / grey }.max() ?? 0
                count += 1
                if change >= 0.1 { visible += 1 }
            }
        }
        #expect(Double(visible) / Double(count) > 0.6, "\(visible) of \(count)")
    }

    @Test("a lost clock changes nearly all LEDs behind it", arguments: [0, 500, 1000])
    func lostClock(led: Int) throws {
        let configuration = PanelConfiguration()
        let message = try ClockPicture(configuration).messages(at: 0)[0]
        // The bits from the LED on arrive a bit early.
        var bits = message.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        bits.remove(at: 32 + 32 * led + 13)
        bits.append(0)
        let shifted = stride(from: 0, to: bits.count, by: 8).map { at in bits[at..<at + 8].reduce(0) { $0 << 1 | $1 } }
        let words = { (bytes: [UInt8], led: Int) in Array(bytes[4 + 4 * led..<8 + 4 * led]) }
        let behind = led + 1..<1056
        let grey = 510
        let changed = behind.count { number in
            let word = words(shifted, number)
            // Without the mark an LED takes no word.
            guard word[0] >= 0xe0 else { return true }
            return (1...3).contains { abs(Int(word[0] & 31) * Int(word[$0]) - grey) > grey / 10 }
        }
        #expect(Double(changed) > 0.9 * Double(behind.count), "\(changed) of \(behind.count)")
    }

    @Test("one chain is lit alone, and the other stays dark", arguments: [0, 1])
    func chain(number: Int) throws {
        let configuration = halves()
        let shown = try lights(ClockPicture(configuration, chain: number), configuration, at: 0)
        #expect(shown.map { Set($0).contains(.dark) } == [number != 0, number != 1])
        let both = try ClockPicture(configuration)
        #expect(try lights(both, configuration, at: 0).allSatisfy { !$0.contains(.dark) })
    }

    /// Limits of a zone of 1056 LEDs, and the product of the picture within it; nil: none.
    static let limits: [(amps: Double, product: Int?)] = [
        (8, 510), (4.74, 510), (4.73, 255), (2.9, 255), (2.89, 85), (1.67, 85), (1.66, nil),
    ]

    @Test("the picture stays within each zone's limit: a darker one, or none", arguments: limits)
    func limit(limit: (amps: Double, product: Int?)) throws {
        var configuration = PanelConfiguration()
        configuration.zones = [.init(amps: limit.amps, from: 0, count: 1056)]
        guard let product = limit.product else {
            #expect(refusal(of: configuration)?.place == .some("zones[0].amps"))
            return
        }
        let picture = try ClockPicture(configuration)
        #expect(picture.amps <= limit.amps)
        #expect(try lights(picture, configuration, at: 0)[0][0].red == product)
    }

    @Test("chips without a clock line are refused")
    func unclocked() {
        let error = refusal(of: PanelConfiguration(chip: .ws2812b))
        #expect(error?.problem.contains("WS2812B, which has no clock line") == .some(true))
    }

    @Test("the search begins at half of the configured clock, rises by tenths, and ends at the first wrong clock")
    func search() {
        var search = ClockSearch(PanelConfiguration())
        var clocks: [Int] = []
        for isRight in [true, true, false] {
            clocks.append(search.hertz)
            search.judge(isRight: isRight)
        }
        #expect(clocks == [2_000_000, 2_200_000, 2_420_000])
        #expect(search.isOver && !search.isFull && search.right == .some(2_200_000))
        search.judge(isRight: true)
        #expect(search.right == .some(2_200_000))
        #expect(ClockSearch(halves(), chain: 1).hertz == 4_000_000)
    }

    @Test("the search ends at the chip's highest clock")
    func full() {
        var search = ClockSearch(PanelConfiguration())
        var count = 0
        while !search.isOver, count < 100 {
            search.judge(isRight: true)
            count += 1
        }
        #expect(search.isFull && search.right == .some(20_000_000) && count < 30)
    }

    @Test("the clock to configure is a fifth below the highest right one")
    func recommended() {
        #expect(ClockSearch.recommended(for: 20_000_000) == 16_000_000)
        #expect(ClockSearch.recommended(for: 2_200_000) == 1_700_000)
        #expect(ClockSearch.recommended(for: 100_000) == 80_000)
    }
}
