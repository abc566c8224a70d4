import InputEvents
import Instrument
import Panel
import Runtime
import Synchronization

/// A simulated LED panel: decodes the bytes on the wires as the LED chips do, and gives the resulting light.
public final class SimulatedPanel: PanelBus, Sendable {
    private let geometry: Geometry
    private let meter: LightMeter
    private let columns: Int
    private let chip: LEDChip
    private let order: ColourOrder?
    private let hertz: [Int]
    private let state: Mutex<Contents>
    private let onFrame: (@Sendable ([UInt8]) -> Void)?

    private struct Contents {
        /// The last values of each chain's LEDs.
        var leds: [[LEDLight]]
        var bytes = 0
    }

    /// A panel of `configuration`. `onFrame` gets the picture, three sRGB bytes per LED, row by row, after each message
    /// on the last chain.
    public init(
        _ configuration: PanelConfiguration, onFrame: (@Sendable ([UInt8]) -> Void)? = nil
    ) throws(PanelError) {
        geometry = try Geometry(configuration)
        meter = LightMeter(configuration)
        columns = configuration.columns
        chip = configuration.chip
        order = configuration.order
        hertz = configuration.chains.map { $0.hertz }
        state = Mutex(Contents(leds: geometry.chains.map { Array(repeating: .dark, count: $0.count) }))
        self.onFrame = onFrame
    }

    /// Takes the bytes on `chain`. Throws `WireFailure` for bytes that the chips would misread.
    public func send(_ message: [UInt8], chain: Int, at now: Instant) throws(WireFailure) {
        let leds = try chip.decode(message, leds: geometry.chains[chain].count, hertz: hertz[chain], order: order)
        state.withLock { contents in
            contents.leds[chain] = leds
            contents.bytes += message.count
        }
        if let onFrame, chain == geometry.chains.count - 1 { onFrame(pixels) }
    }

    /// The picture, three sRGB bytes per LED, row by row.
    public var pixels: [UInt8] {
        var pixels = [UInt8](repeating: 0, count: 3 * columns * PanelConfiguration.rows)
        for (numbers, leds) in zip(geometry.chains, state.withLock { $0.leds }) {
            for (number, led) in zip(numbers, leds) {
                let value = meter.value(of: led)
                let at = 3 * geometry.pixels[number]
                pixels[at] = value.red
                pixels[at + 1] = value.green
                pixels[at + 2] = value.blue
            }
        }
        return pixels
    }

    /// Bytes received on all chains.
    public var bytes: Int { state.withLock { $0.bytes } }
}
