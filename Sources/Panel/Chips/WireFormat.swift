/// Encodes the light of a chain's LEDs to bytes, and decodes bytes to light. A frame is encoded by one call per chain
/// and zone, so that the loop over the LEDs is compiled for its format. A class: Embedded Swift has no other values of
/// a protocol's type.
protocol WireFormat: AnyObject, Sendable {
    /// Message size in bytes for `leds` LEDs on a wire at `hertz`.
    func messageSize(leds: Int, hertz: Int) -> Int

    /// A message for `leds` dark LEDs.
    func darkMessage(leds: Int, hertz: Int) -> [UInt8]

    /// Encodes `lights` into `message`; `first` is the chain index of the first. Returns the light that was sent.
    func encode(
        _ lights: UnsafeBufferPointer<LinearLight>, into message: UnsafeMutableBufferPointer<UInt8>, from first: Int,
        as pass: EncodingPass
    ) -> LightSums

    /// Writes `word` for the LED at the chain index `led` into `message`, in all channels. Formats without a clock line
    /// ignore it.
    func write(_ word: ClockPicture.Word, of led: Int, into message: inout [UInt8])

    /// The light that the chips show after `message`.
    func decode(_ message: [UInt8], leds: Int, hertz: Int) throws(WireFailure) -> [LEDLight]
}

extension WireFormat {
    func write(_ word: ClockPicture.Word, of led: Int, into message: inout [UInt8]) {}

    /// Offsets of the `size`-byte words of `leds` LEDs in a `message` that begins with `header` zero bytes.
    func starts(
        in message: [UInt8], leds: Int, after header: Int, size: Int
    ) throws(WireFailure) -> EnumeratedSequence<StrideTo<Int>> {
        guard message.starts(with: repeatElement(0, count: header)) else { throw .noStart }
        let end = header + size * leds
        guard message.count >= end else { throw .tooShort }
        return stride(from: header, to: end, by: size).enumerated()
    }
}

/// Target light of one LED, each channel in 1/65535 of full.
struct LinearLight: Hashable, Sendable {
    var red: UInt16
    var green: UInt16
    var blue: UInt16
    var white: UInt16

    static let full = 65_535
    static let dark = LinearLight(red: 0, green: 0, blue: 0, white: 0)
}

/// Sums of the light of many LEDs per channel, in the format's steps.
struct LightSums: Hashable, Sendable {
    var red: UInt64 = 0
    var green: UInt64 = 0
    var blue: UInt64 = 0
    var white: UInt64 = 0
}

/// Dimming and rounding of one pass over the LEDs.
struct EncodingPass {
    /// Dimming factor 0 to 1, as 0 to 2³².
    let dim: UInt64
    /// Rounding thresholds of eight neighbouring LEDs, in 1/65536 of a step, added before the fraction is dropped.
    private let thresholds: UnsafePointer<UInt64>
    /// Index of LED 0's threshold.
    private let phase: Int

    static let undimmed: UInt64 = 1 << 32
    /// Number of thresholds, and frames per dithering cycle.
    static let thresholdCount = 8

    init(dim: UInt64, thresholds: UnsafePointer<UInt64>, phase: Int) {
        self.dim = dim
        self.thresholds = thresholds
        self.phase = phase
    }

    /// The threshold of the LED at `index` of the lights, in 1/65536 of a step, 0-65535.
    @inline(__always)
    func threshold(_ index: Int) -> UInt64 { thresholds[(index &* 3 &+ phase) & (Self.thresholdCount - 1)] }

    /// Rounds all channels down: the sent light never exceeds the target.
    static let down = [UInt64](repeating: 0, count: thresholdCount)
    /// Rounds all channels to the nearest step.
    static let nearest = [UInt64](repeating: 1 << 15, count: thresholdCount)
    /// Dithering thresholds of eight frames, in bit-reversed order: 1/16, 9/16, 5/16 … of a step. In any eight frames
    /// each occurs once, so a constant fraction of n eighths is lit in n of them, spread as evenly as possible.
    ///
    /// All channels of an LED share one threshold; there is no error diffusion. So equal channels stay equal in every
    /// frame, a channel with at least half of another's light is never dark while the other shows two steps, and
    /// encoding a frame twice for its power has no side effect.
    static let dithered: [UInt64] = [0, 4, 2, 6, 1, 5, 3, 7].map { (2 * $0 + 1) << 12 }
}
