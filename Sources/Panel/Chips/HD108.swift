extension LEDChip {
    /// HD108 (datasheet): data and clock lines, SPI mode 3, 16 bits per channel, and a 5-bit current gain per channel.
    public static let hd108 = LEDChip(
        "HD108", order: .rgb, lightSteps: LinearLight.full,
        forms: [
            LEDForm(
                wire: LEDWire(
                    spiMode: 3, defaultHertz: 8_000_000, hertz: 100_000...20_000_000, isClocked: true),
                format: SixteenBitWords())
        ])
}

/// Wire format of HD108: 8 zero bytes; for each LED a one bit, three 5-bit gains and 16 bits each of red, green and
/// blue, most significant bit first; then one bits, 4 bytes plus half a byte per LED, which push the words to the far
/// end.
///
/// The gains stay at maximum: 16 bits give enough steps, and full light then matches the configured current.
final class SixteenBitWords: WireFormat {
    private static let headerSize = 8
    private static let ledSize = 8
    private static let gainMax = 31

    func messageSize(leds: Int, hertz: Int) -> Int { Self.headerSize + Self.ledSize * leds + Self.trailerSize(leds) }

    private static func trailerSize(_ leds: Int) -> Int { 4 + (leds + 1) / 2 }

    func darkMessage(leds: Int, hertz: Int) -> [UInt8] {
        var message = [UInt8](repeating: 0, count: messageSize(leds: leds, hertz: hertz))
        let end = Self.headerSize + Self.ledSize * leds
        for led in 0..<leds { for at in 0..<2 { message[Self.headerSize + Self.ledSize * led + at] = 0xff } }
        for at in end..<message.count { message[at] = 0xff }
        return message
    }

    func encode(
        _ lights: UnsafeBufferPointer<LinearLight>, into message: UnsafeMutableBufferPointer<UInt8>, from first: Int,
        as pass: EncodingPass
    ) -> LightSums {
        var sums = LightSums()
        guard let start = UnsafeMutableRawBufferPointer(message).baseAddress else { return sums }
        let words = start.advanced(by: Self.headerSize + Self.ledSize * first)
        for index in lights.indices {
            let light = lights[index]
            let threshold = pass.threshold(index) << 16
            let red = (UInt64(light.red) &* pass.dim &+ threshold) >> 32
            let green = (UInt64(light.green) &* pass.dim &+ threshold) >> 32
            let blue = (UInt64(light.blue) &* pass.dim &+ threshold) >> 32
            sums.red &+= red
            sums.green &+= green
            sums.blue &+= blue
            let word = 0xffff << 48 | red << 32 | green << 16 | blue
            words.storeBytes(of: word.bigEndian, toByteOffset: Self.ledSize &* index, as: UInt64.self)
        }
        return sums
    }

    func write(_ word: ClockPicture.Word, of led: Int, into message: inout [UInt8]) {
        let at = Self.headerSize + Self.ledSize * led
        let gain = UInt16(word.gain)
        let mark = 0x8000 | gain << 10 | gain << 5 | gain
        message[at] = UInt8(mark >> 8)
        message[at + 1] = UInt8(mark & 0xff)
        for byte in 2..<Self.ledSize { message[at + byte] = word.byte }
    }

    func decode(_ message: [UInt8], leds: Int, hertz: Int) throws(WireFailure) -> [LEDLight] {
        var lights: [LEDLight] = []
        lights.reserveCapacity(leds)
        for (led, at) in try starts(in: message, leds: leds, after: Self.headerSize, size: Self.ledSize) {
            func word(_ number: Int) -> Int { Int(message[at + 2 * number]) << 8 | Int(message[at + 2 * number + 1]) }
            let mark = word(0)
            guard mark & 0x8000 != 0 else { throw .noMark(led: led) }
            let gains = (red: mark >> 10 & Self.gainMax, green: mark >> 5 & Self.gainMax, blue: mark & Self.gainMax)
            lights.append(
                LEDLight(
                    red: word(1) * gains.red / Self.gainMax, green: word(2) * gains.green / Self.gainMax,
                    blue: word(3) * gains.blue / Self.gainMax))
        }
        let end = Self.headerSize + Self.ledSize * leds
        guard message[end...].allSatisfy({ $0 == 0xff }) else { throw .noLatch }
        guard message.count - end >= Self.trailerSize(leds) else { throw .tooFewClocks }
        return lights
    }
}
