/// The wire of APA102 and SK9822 (datasheets: APA102-C and SK9822 specifications): data and clock, 32 bits an LED.
///
/// A message is 4 zero bytes, then for each LED `0xE0 | brightness`, blue, green, red; then 4 more zero bytes, on which
/// an SK9822 shows what it has taken in; then at least half a clock bit for each LED, because every LED hands the data
/// on half a clock late.
public struct ClockedLED: Hashable, Sendable {
    /// 0-31; the light of a channel is this times its value.
    public var brightness: UInt8
    /// Red, 0-255.
    public var red: UInt8
    /// Green, 0-255.
    public var green: UInt8
    /// Blue, 0-255.
    public var blue: UInt8

    /// The most that brightness times a channel can be.
    public static let lightMax = 31 * 255

    /// An LED's word.
    public init(brightness: UInt8, red: UInt8, green: UInt8, blue: UInt8) {
        self.brightness = brightness
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Bytes before the first LED.
    static let headerSize = 4

    /// Bytes after the last of `count` LEDs.
    static func trailerSize(_ count: Int) -> Int { 4 + (count + 15) / 16 }

    /// Bytes of a message for `count` LEDs.
    public static func messageSize(_ count: Int) -> Int { headerSize + 4 * count + trailerSize(count) }
}

/// What the chips at the far end of a wire take from the bytes on it.
public enum ClockedLEDDecoder {
    /// Why bytes are not a message for a chain.
    public enum Failure: Error, Hashable, Sendable {
        /// The message does not begin with 32 zero bits.
        case noStart
        /// The word of this LED does not begin with 111.
        case notAWord(Int)
        /// The message ends within or before the words of the chain's LEDs.
        case tooShort
        /// No 32 zero bits follow the words: SK9822s would show this frame one frame late.
        case noLatch
        /// The clock stops before the last LEDs have their words.
        case tooFewClocks
    }

    /// The words that a chain of `count` LEDs shows after `message`. Throws `Failure` when any of them would not show what
    /// was sent to it.
    public static func decode(_ message: [UInt8], count: Int) throws(Failure) -> [ClockedLED] {
        guard message.starts(with: [0, 0, 0, 0]) else { throw .noStart }
        let end = ClockedLED.headerSize + 4 * count
        guard message.count >= end else { throw .tooShort }
        var leds: [ClockedLED] = []
        leds.reserveCapacity(count)
        for number in 0..<count {
            let at = ClockedLED.headerSize + 4 * number
            guard message[at] & 0xe0 == 0xe0 else { throw .notAWord(number) }
            leds.append(
                ClockedLED(
                    brightness: message[at] & 0x1f, red: message[at + 3], green: message[at + 2],
                    blue: message[at + 1]))
        }
        guard message[end...].starts(with: [0, 0, 0, 0]) else { throw .noLatch }
        guard 16 * (message.count - end - 4) >= count else { throw .tooFewClocks }
        return leds
    }
}
