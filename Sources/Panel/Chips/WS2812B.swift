extension LEDChip {
    /// WS2812B (datasheet): one data line. A bit takes 1.25 µs; a 0 is high for 0.4 ± 0.15 µs and a 1 for 0.8 ± 0.15
    /// µs; a low time of 300 µs makes the chips show the received values (50 µs for old chips, 280 µs for new ones).
    public static let ws2812b = PulseTrain.chip("WS2812B", hasWhite: false)
}

/// Wire format of WS2812B, SK6812 and SK6812RGBW: each bit is one pulse, short for 0 and long for 1, formed by several
/// SPI bits; the SPI clock line is not connected. The order is green, red, blue and, if present, white, most
/// significant bit first.
///
/// A message has one low byte, because a data line that idles high would count as a pulse; then the bits; then the low
/// reset time, and one more low byte to leave the line low.
final class PulseTrain: WireFormat {
    /// SPI bits per LED bit: 8 (0 is 11000000, 1 is 11111000) or 4 (1000, 1100).
    let pulseBits: Int
    let hasWhite: Bool

    private init(pulseBits: Int, hasWhite: Bool) { (self.pulseBits, self.hasWhite) = (pulseBits, hasWhite) }

    /// A chip with this wire format.
    static func chip(_ name: String, hasWhite: Bool) -> LEDChip {
        LEDChip(
            name, hasWhite: hasWhite, order: .grb, lightSteps: lightSteps, resetMicroseconds: resetMicroseconds,
            forms: forms(hasWhite: hasWhite))
    }

    private static let lightSteps = 255
    private static let resetMicroseconds = 300

    /// High time of a pulse in nanoseconds (WS2812B datasheet).
    private static let zeroHigh = 250...550
    private static let oneHigh = 650...950

    /// The two pulse encodings. Their clock ranges keep both pulses within the datasheet's times and the bit within
    /// 1.25 ± 0.6 µs: 5 bits of 650 to 950 ns are 5.26 to 7.69 MHz, 2 of them 2.11 to 3.07 MHz, and 4 bits of at most
    /// 1.85 µs are 2.17 MHz or more.
    private static func forms(hasWhite: Bool) -> [LEDForm] {
        [
            LEDForm(
                wire: LEDWire(
                    spiMode: 0, defaultHertz: 6_400_000, hertz: 5_300_000...7_600_000, isClocked: false),
                format: PulseTrain(pulseBits: 8, hasWhite: hasWhite)),
            LEDForm(
                wire: LEDWire(
                    spiMode: 0, defaultHertz: 2_600_000, hertz: 2_200_000...3_000_000, isClocked: false),
                format: PulseTrain(pulseBits: 4, hasWhite: hasWhite)),
        ]
    }

    private static let guardSize = 1

    /// Bytes on the wire per channel of one LED: 8 bits of `pulseBits` each.
    private var channelSize: Int { pulseBits }
    private var channels: Int { hasWhite ? 4 : 3 }
    private var ledSize: Int { channelSize * channels }

    func messageSize(leds: Int, hertz: Int) -> Int {
        let resetSize = (Self.resetMicroseconds * hertz + 7_999_999) / 8_000_000
        return Self.guardSize + ledSize * leds + resetSize + Self.guardSize
    }

    func darkMessage(leds: Int, hertz: Int) -> [UInt8] {
        var message = [UInt8](repeating: 0, count: messageSize(leds: leds, hertz: hertz))
        let zero: UInt8 = pulseBits == 8 ? 0b1100_0000 : 0b1000_1000
        for at in Self.guardSize..<Self.guardSize + ledSize * leds { message[at] = zero }
        return message
    }

    /// The wire bytes for a channel `value`, the first byte lowest.
    private static func pulses(_ value: Int, bits: Int) -> UInt64 {
        var wire: UInt64 = 0
        for bit in (0..<8).reversed() {
            let isOne = value & 1 << bit != 0
            wire = wire << UInt64(bits)
            wire |= bits == 8 ? (isOne ? 0b1111_1000 : 0b1100_0000) : (isOne ? 0b1100 : 0b1000)
        }
        return wire
    }

    private static let bytePulses: [UInt64] = (0...255).map { pulses($0, bits: 8).bigEndian }
    private static let nibblePulses: [UInt32] = (0...255).map {
        UInt32(truncatingIfNeeded: pulses($0, bits: 4)).bigEndian
    }

    func encode(
        _ lights: UnsafeBufferPointer<LinearLight>, into message: UnsafeMutableBufferPointer<UInt8>, from first: Int,
        as pass: EncodingPass
    ) -> LightSums {
        guard let start = UnsafeMutableRawBufferPointer(message).baseAddress else { return LightSums() }
        let leds = start.advanced(by: Self.guardSize + ledSize * first)
        return switch (pulseBits, hasWhite) {
        case (8, false): Self.write(lights, Self.bytePulses, hasWhite: false, to: leds, as: pass)
        case (8, true): Self.write(lights, Self.bytePulses, hasWhite: true, to: leds, as: pass)
        case (_, false): Self.write(lights, Self.nibblePulses, hasWhite: false, to: leds, as: pass)
        case (_, true): Self.write(lights, Self.nibblePulses, hasWhite: true, to: leds, as: pass)
        }
    }

    /// The loop over LEDs, specialised for the pulse encoding and the number of channels.
    @inline(__always)
    private static func write<Pulses: FixedWidthInteger>(
        _ lights: UnsafeBufferPointer<LinearLight>, _ table: [Pulses], hasWhite: Bool,
        to start: UnsafeMutableRawPointer,
        as pass: EncodingPass
    ) -> LightSums {
        var sums = LightSums()
        let size = MemoryLayout<Pulses>.size
        // 255 / 65535 of the dimming factor, in 1/2³²; multiplied by light < 2¹⁶ it stays below 2⁴⁰.
        let steps = (pass.dim &* UInt64(lightSteps)) / UInt64(LinearLight.full)
        var at = start
        table.withUnsafeBufferPointer { table in
            for index in lights.indices {
                let light = lights[index]
                let threshold = pass.threshold(index) << 16
                let red = (UInt64(light.red) &* steps &+ threshold) >> 32
                let green = (UInt64(light.green) &* steps &+ threshold) >> 32
                let blue = (UInt64(light.blue) &* steps &+ threshold) >> 32
                sums.red &+= red
                sums.green &+= green
                sums.blue &+= blue
                at.storeBytes(of: table[Int(truncatingIfNeeded: green)], as: Pulses.self)
                at.storeBytes(of: table[Int(truncatingIfNeeded: red)], toByteOffset: size, as: Pulses.self)
                at.storeBytes(of: table[Int(truncatingIfNeeded: blue)], toByteOffset: 2 * size, as: Pulses.self)
                if hasWhite {
                    let white = (UInt64(light.white) &* steps &+ threshold) >> 32
                    sums.white &+= white
                    at.storeBytes(of: table[Int(truncatingIfNeeded: white)], toByteOffset: 3 * size, as: Pulses.self)
                }
                at += (hasWhite ? 4 : 3) * size
            }
        }
        return sums
    }

    func decode(_ message: [UInt8], leds: Int, hertz: Int) throws(WireFailure) -> [LEDLight] {
        guard message.first == 0 else { throw .noStart }
        let end = Self.guardSize + ledSize * leds
        guard message.count >= end else { throw .tooShort }
        let bits = Self.bits(ofByteAt: hertz, pulseBits: pulseBits)
        let bitsPerByte = 8 / pulseBits
        var lights: [LEDLight] = []
        lights.reserveCapacity(leds)
        var at = Self.guardSize
        for led in 0..<leds {
            func channel() throws(WireFailure) -> Int {
                var value = 0
                for _ in 0..<channelSize {
                    let pulses = bits[Int(message[at])]
                    guard pulses >= 0 else { throw .badPulse(led: led) }
                    value = value << bitsPerByte | pulses
                    at += 1
                }
                return value
            }
            let green = try channel()
            let red = try channel()
            let blue = try channel()
            lights.append(LEDLight(red: red, green: green, blue: blue, white: hasWhite ? try channel() : 0))
        }
        let rest = message[end...]
        guard rest.allSatisfy({ $0 == 0 }) else { throw .tooLong }
        guard rest.count * 8_000_000 >= Self.resetMicroseconds * hertz else { throw .noLatch }
        return lights
    }

    /// The LED bits that a chip reads from each wire byte, by the pulses' high times; −1 for an invalid pulse.
    private static func bits(ofByteAt hertz: Int, pulseBits: Int) -> [Int] {
        /// Decodes one pulse in the lowest `pulseBits` bits; nil if invalid.
        func bit(_ pulse: Int) -> Int? {
            let high = (0..<pulseBits).prefix { pulse & 1 << (pulseBits - 1 - $0) != 0 }.count
            // A pulse has one falling edge and ends low.
            guard high < pulseBits, pulse & ((1 << (pulseBits - high)) - 1) == 0 else { return nil }
            let nanoseconds = Int(Int64(high) * 1_000_000_000 / Int64(hertz))
            return zeroHigh.contains(nanoseconds) ? 0 : oneHigh.contains(nanoseconds) ? 1 : nil
        }
        return (0...255).map { byte in
            guard pulseBits == 4 else { return bit(byte) ?? -1 }
            guard let first = bit(byte >> 4), let second = bit(byte & 0xf) else { return -1 }
            return 2 * first + second
        }
    }
}
