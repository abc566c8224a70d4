/// A picture that shows whether a chain takes its SPI clock: an even grey, in words that differ in most of their bits.
///
/// Each word has another gain (the 5-bit brightness) and another byte, whose product is the same: 1 × 255 = 3 × 85 = 5
/// × 51 = 15 × 17. So the data line toggles with every bit (0x55, 0xAA), rests for many bits and toggles once (0xFF,
/// 0x11), and does both in turn from LED to LED; but all LEDs have the same light. An LED that misses a bit has a
/// colour, or another light; a lost clock colours all LEDs behind it. Once a second each LED gets the word of the LED
/// before it, so that each meets all words.
public struct ClockPicture: Sendable {
    /// Time until the words move on by one LED, in milliseconds.
    public static let stepMilliseconds = 1000
    /// Time in which an LED meets every word of the longest list, in milliseconds.
    public static let roundMilliseconds = stepMilliseconds * 8
    /// Current of all LEDs, standby included, in amperes.
    public let amps: Double

    /// The messages of each chain, for each step of a round.
    private let steps: [[[UInt8]]]

    /// A word of an LED: gain of 31, and the byte of each channel.
    struct Word: Hashable, Sendable {
        let gain: UInt8
        let byte: UInt8

        init(_ gain: UInt8, _ byte: UInt8) {
            self.gain = gain
            self.byte = byte
        }
    }

    /// Maximum of a gain.
    static let gainMax = 31
    /// Lists of words, the brightest first; the product is the same throughout a list.
    static let lists: [[Word]] = [
        [
            Word(3, 0xaa), Word(6, 0x55), Word(2, 0xff), Word(30, 0x11), Word(10, 0x33), Word(5, 0x66), Word(15, 0x22),
            Word(17, 0x1e),
        ],
        [Word(3, 0x55), Word(1, 0xff), Word(15, 0x11), Word(5, 0x33), Word(17, 0x0f)],
        [Word(1, 0x55), Word(17, 0x05), Word(5, 0x11)],
    ]

    /// The brightest picture on `chain`, or on all chains, that every zone of `configuration` allows. Throws
    /// `PanelError` for an impossible panel, for chips without a clock line, and for a zone that allows too little.
    public init(_ configuration: PanelConfiguration, chain: Int? = nil) throws(PanelError) {
        let geometry = try Geometry(configuration)
        guard let form = configuration.chip.forms.first, form.wire.isClocked else {
            throw PanelError(
                place: "chip", problem: "is \(configuration.chip), which has no clock line: its clock is fixed")
        }
        let chosen = geometry.chains.indices.filter { chain == nil || $0 == chain }
        var fitting: (words: [Word], amps: Double)?
        var problem: PanelError?
        for words in Self.lists where fitting == nil {
            do throws(PanelError) {
                fitting = (words, try Self.amps(words, on: chosen.map { geometry.chains[$0] }, of: configuration))
            } catch {
                problem = error
            }
        }
        guard let (words, amps) = fitting else {
            throw problem ?? PanelError(place: "zones", problem: "allow no picture")
        }
        self.amps = amps
        steps = words.indices.map { step in
            geometry.chains.enumerated().map { number, leds in
                var message = form.format.darkMessage(leds: leds.count, hertz: form.wire.defaultHertz)
                guard chosen.contains(number) else { return message }
                for led in 0..<leds.count {
                    form.format.write(words[(led + step) % words.count], of: led, into: &message)
                }
                return message
            }
        }
    }

    /// The message of each chain `milliseconds`, 0 or more, after the start.
    public func messages(at milliseconds: Int) -> [[UInt8]] {
        steps[max(0, milliseconds) / Self.stepMilliseconds % steps.count]
    }

    /// Current of the LEDs with `words` on `chains` and all others dark. Throws `PanelError` for a zone that allows
    /// less.
    private static func amps(
        _ words: [Word], on chains: [Range<Int>], of configuration: PanelConfiguration
    ) throws(PanelError) -> Double {
        let share = Double(words[0].gain) * Double(words[0].byte) / Double(gainMax * 255)
        let each = configuration.milliamps
        let milliamps = share * (each.red + each.green + each.blue)
        var sum = 0.0
        for (index, zone) in configuration.zones.enumerated() {
            let leds = zone.from..<zone.from + zone.count
            let lit = chains.reduce(0) { $0 + $1.clamped(to: leds).count }
            let amps = (Double(zone.count) * configuration.standbyMilliamps + Double(lit) * milliamps) / 1000
            guard amps <= zone.amps else {
                let tenths = Int((amps * 10).rounded(.up))
                throw PanelError(
                    place: "zones[\(index)].amps",
                    problem:
                        "is \(zone.amps), and the picture draws \(tenths / 10).\(tenths % 10); test one chain, or allow more"
                )
            }
            sum += amps
        }
        return sum
    }
}
