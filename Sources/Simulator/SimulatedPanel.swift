import Instrument
import Panel
import Runtime
import Synchronization

/// The panel at the far end of the wires: it sees nothing but the bytes on them, decodes them as the chips would, and
/// shows the light that they ask for.
public final class SimulatedPanel: PanelBus, Sendable {
    private let geometry: Geometry
    private let meter: LightMeter
    private let columns: Int
    private let state: Mutex<Contents>
    private let onFrame: @Sendable ([UInt8]) -> Void

    private struct Contents {
        /// sRGB bytes, row by row.
        var pixels: [UInt8]
        var bytes = 0
    }

    /// A panel built as `configuration` says. `onFrame` is handed the panel's picture, three sRGB bytes an LED, row by
    /// row, each time that its last chain has been written.
    public init(
        _ configuration: PanelConfiguration, onFrame: @escaping @Sendable ([UInt8]) -> Void = { _ in }
    ) throws(PanelError) {
        geometry = try Geometry(configuration)
        meter = LightMeter(configuration)
        columns = configuration.columns
        state = Mutex(
            Contents(pixels: [UInt8](repeating: 0, count: 3 * configuration.columns * PanelConfiguration.rows)))
        self.onFrame = onFrame
    }

    /// Takes in the bytes on `chain`. Throws `ClockedLEDDecoder.Failure` for bytes that the chips would not show as meant.
    public func send(_ message: [UInt8], chain: Int, at now: Instant) throws {
        let numbers = geometry.chains[chain]
        let leds = try ClockedLEDDecoder.decode(message, count: numbers.count)
        let picture = state.withLock { contents in
            for (number, led) in zip(numbers, leds) {
                let value = meter.value(of: led)
                let at = 3 * geometry.pixels[number]
                contents.pixels[at] = value.red
                contents.pixels[at + 1] = value.green
                contents.pixels[at + 2] = value.blue
            }
            contents.bytes += message.count
            return contents.pixels
        }
        if chain == geometry.chains.count - 1 { onFrame(picture) }
    }

    /// The panel's picture, three sRGB bytes an LED, row by row.
    public var pixels: [UInt8] { state.withLock { $0.pixels } }

    /// The LED at `column`, `row`.
    public func led(_ column: Int, _ row: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        state.withLock {
            let at = 3 * (row * columns + column)
            return ($0.pixels[at], $0.pixels[at + 1], $0.pixels[at + 2])
        }
    }

    /// Bytes that have come down all wires.
    public var bytes: Int { state.withLock { $0.bytes } }
}
