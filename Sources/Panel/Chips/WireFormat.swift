/// How the light of a chain's LEDs becomes bytes, and bytes light again. A frame is encoded by one call for each chain
/// and zone, so that the loop over the LEDs is compiled for its format.
protocol WireFormat: Sendable {
    /// Bytes of a message for `leds` LEDs on a wire of `hertz`.
    func messageSize(leds: Int, hertz: Int) -> Int

    /// The message that leaves `leds` LEDs dark.
    func darkMessage(leds: Int, hertz: Int) -> [UInt8]

    /// Writes `lights` into `message`, the first at the chain's LED `first`. Returns the light that was sent.
    func encode(
        _ lights: UnsafeBufferPointer<LinearLight>, into message: UnsafeMutableBufferPointer<UInt8>, from first: Int,
        as pass: EncodingPass
    ) -> LightSums

    /// What the chips show after `message`.
    func decode(_ message: [UInt8], leds: Int, hertz: Int) throws(WireFailure) -> [LEDLight]
}

/// The light wanted of one LED, each channel in 1/65535 of full.
struct LinearLight: Hashable, Sendable {
    var red: UInt16
    var green: UInt16
    var blue: UInt16
    var white: UInt16

    static let full = 65_535
    static let dark = LinearLight(red: 0, green: 0, blue: 0, white: 0)
}

/// The light of many LEDs, each channel added up, in the format's steps.
struct LightSums: Hashable, Sendable {
    var red: UInt64 = 0
    var green: UInt64 = 0
    var blue: UInt64 = 0
    var white: UInt64 = 0
}

/// How one pass over the LEDs dims and rounds.
struct EncodingPass {
    /// The factor on the light, 0 to 1 as 0 to 2³².
    let dim: UInt64
    /// What is added before a channel's fraction of a step is dropped, in 1/65536 of a step, for eight neighbouring LEDs.
    private let thresholds: UnsafePointer<UInt64>
    /// The place of LED 0 among them.
    private let phase: Int

    static let undimmed: UInt64 = 1 << 32
    /// Thresholds, and frames until they begin anew.
    static let thresholdCount = 8

    init(dim: UInt64, thresholds: UnsafePointer<UInt64>, phase: Int) {
        self.dim = dim
        self.thresholds = thresholds
        self.phase = phase
    }

    /// The threshold of the LED that stands at `index` of the lights, in 1/65536 of a step, 0-65535.
    @inline(__always)
    func threshold(_ index: Int) -> UInt64 { thresholds[(index &* 3 &+ phase) & (Self.thresholdCount - 1)] }

    /// All channels are rounded down: what is sent is never more than what is wanted.
    static let down = [UInt64](repeating: 0, count: thresholdCount)
    /// All channels are rounded to the nearest step.
    static let nearest = [UInt64](repeating: 1 << 15, count: thresholdCount)
    /// The thresholds of eight frames, in bit-reversed order: 1/16, 9/16, 5/16 … of a step. Over any eight frames each
    /// comes once, so a steady fraction shows in as many of them as it has eighths, spread as evenly as can be.
    ///
    /// One threshold for all channels of an LED, and not an error that each carries on by itself: equal channels then stay
    /// equal in every frame, a channel of half of another's light or more is never dark while the other shows two steps,
    /// and a frame can be encoded twice, for its power, without a trace.
    static let dithered: [UInt64] = [0, 4, 2, 6, 1, 5, 3, 7].map { (2 * $0 + 1) << 12 }
}
