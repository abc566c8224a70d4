extension LEDChip {
    /// APA102 (datasheet APA102-C): data and clock lines, 5-bit brightness by PWM at about 400 Hz over 8-bit channels.
    ///
    /// Each LED stretches the clock slightly, so a long chain needs a slow clock: 4 MHz for a whole panel in one chain,
    /// 8 MHz for half a panel. At 24 MHz chains fail after 150 to 250 LEDs.
    public static let apa102 = BrightnessWords.chip("APA102")
}

/// Wire format of APA102 and SK9822 (datasheets): data and clock lines, 32 bits per LED.
///
/// A message has 4 zero bytes; for each LED `0xE0 | brightness`, blue, green, red; then 4 more zero bytes, on which an
/// SK9822 shows the received values; then at least half a clock bit per LED, because every LED delays the data by half
/// a clock.
///
/// A channel's light is its value times the brightness. An LED uses the smallest of the 31 brightnesses that its
/// strongest channel fits in: that gives all three channels the finest steps.
final class BrightnessWords: WireFormat {
    /// A chip with this wire format.
    static func chip(_ name: String) -> LEDChip {
        let wire = LEDWire(
            spiMode: 0, defaultHertz: 4_000_000, hertz: 100_000...20_000_000, isClocked: true, shortChain: 600,
            shortChainHertz: 8_000_000)
        return LEDChip(
            name, order: .bgr, lightSteps: lightSteps, forms: [LEDForm(wire: wire, format: BrightnessWords())])
    }

    private static let lightSteps = brightnessMax * 255
    private static let brightnessMax = 31
    private static let headerSize = 4
    private static let ledSize = 4
    private static let latchSize = 4
    private static let mark: UInt8 = 0xe0

    func messageSize(leds: Int, hertz: Int) -> Int {
        Self.headerSize + Self.ledSize * leds + Self.latchSize + (leds + 15) / 16
    }

    func darkMessage(leds: Int, hertz: Int) -> [UInt8] {
        var message = [UInt8](repeating: 0, count: messageSize(leds: leds, hertz: hertz))
        for led in 0..<leds { message[Self.headerSize + Self.ledSize * led] = Self.mark }
        return message
    }

    /// For each brightness, 7905 / (brightness · 65535) in 1/2³², rounded down.
    private let stepsPerLight: [UInt64] = (0...brightnessMax).map {
        $0 == 0 ? 0 : UInt64(lightSteps) << 32 / (UInt64($0) * UInt64(LinearLight.full))
    }

    func encode(
        _ lights: UnsafeBufferPointer<LinearLight>, into message: UnsafeMutableBufferPointer<UInt8>, from first: Int,
        as pass: EncodingPass
    ) -> LightSums {
        var sums = LightSums()
        let words = UnsafeMutableRawBufferPointer(message).baseAddress?.advanced(
            by: Self.headerSize + Self.ledSize * first)
        guard let words else { return sums }
        // All values stay below 2⁶⁴: light < 2¹⁶, dim ≤ 2³², a channel's value < 2⁸ with a 32-bit fraction.
        let full = UInt64(LinearLight.full)
        let brightnessPerLight = (UInt64(Self.brightnessMax) &* pass.dim &+ (full - 1)) / full
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.brightnessMax + 1) { stepsPerLight in
            for brightness in stepsPerLight.indices {
                stepsPerLight[brightness] = (self.stepsPerLight[brightness] &* (pass.dim >> 8)) >> 24
            }
            for index in lights.indices {
                let light = lights[index]
                let strongest = UInt64(max(max(light.red, light.green), light.blue))
                let needed = (strongest &* brightnessPerLight &+ 0xffff_ffff) >> 32
                let brightness = min(needed, UInt64(Self.brightnessMax))
                let steps = stepsPerLight[Int(truncatingIfNeeded: brightness)]
                let threshold = pass.threshold(index) << 16
                let sentRed = (UInt64(light.red) &* steps &+ threshold) >> 32
                let sentGreen = (UInt64(light.green) &* steps &+ threshold) >> 32
                let sentBlue = (UInt64(light.blue) &* steps &+ threshold) >> 32
                sums.red &+= sentRed &* brightness
                sums.green &+= sentGreen &* brightness
                sums.blue &+= sentBlue &* brightness
                let word = UInt64(Self.mark) | brightness | sentBlue << 8 | sentGreen << 16 | sentRed << 24
                words.storeBytes(
                    of: UInt32(truncatingIfNeeded: word).littleEndian, toByteOffset: Self.ledSize &* index,
                    as: UInt32.self)
            }
        }
        return sums
    }

    func write(_ word: ClockPicture.Word, of led: Int, into message: inout [UInt8]) {
        let at = Self.headerSize + Self.ledSize * led
        message[at] = Self.mark | word.gain
        for channel in 1...3 { message[at + channel] = word.byte }
    }

    func decode(_ message: [UInt8], leds: Int, hertz: Int) throws(WireFailure) -> [LEDLight] {
        var lights: [LEDLight] = []
        lights.reserveCapacity(leds)
        for (led, at) in try starts(in: message, leds: leds, after: Self.headerSize, size: Self.ledSize) {
            guard message[at] & Self.mark == Self.mark else { throw .noMark(led: led) }
            let brightness = Int(message[at] & ~Self.mark)
            lights.append(
                LEDLight(
                    red: brightness * Int(message[at + 3]), green: brightness * Int(message[at + 2]),
                    blue: brightness * Int(message[at + 1])))
        }
        let end = Self.headerSize + Self.ledSize * leds
        guard message[end...].starts(with: repeatElement(0, count: Self.latchSize)) else { throw .noLatch }
        guard 16 * (message.count - end - Self.latchSize) >= leds else { throw .tooFewClocks }
        return lights
    }
}
