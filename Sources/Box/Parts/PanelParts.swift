import Devices
import Formats
import InputEvents
import Panel
import Runtime
import Threads

/// The panel of a box, the parts that show its picture elsewhere, and the wires around it.
struct PanelParts {
    let view: PanelView
    /// The LEDs' bus; nil for a simulated panel.
    let wires: SPIBus?
    let wiring: Wiring
    let network: Network
    let midi: MIDI
    let writer: PanelWriter
    private let clock: SystemClock

    /// The panel of `configuration` behind `view`, dark. `version` is the software's version. Throws if a device or a
    /// thread is unavailable.
    init(_ view: PanelView, _ configuration: Configuration, version: String, clock: SystemClock) throws {
        self.view = view
        self.clock = clock
        let panel = configuration.panel
        let driver = try PanelDriver(panel)
        let bus = try view.bus(panel, dark: driver.messages)
        wires = bus as? SPIBus
        if wires != nil {
            Log.post("the panel is \(panel.chip.rawValue) on \(panel.chains.map(\.device).joined(separator: ", "))")
        }
        _ = wires?.send(driver.messages, at: clock.now)
        wiring = Wiring(configuration, clock: clock)
        network = try Network(configuration, page: view.page, version: version, clock: clock)
        midi = MIDI(
            configuration.midi, columns: panel.columns, priority: configuration.audio.priorityAbove, clock: clock)
        var mirrors: [any PictureOutput] = []
        if let walls = network.walls { mirrors.append(walls) }
        if let launchpads = midi.launchpads { mirrors.append(launchpads) }
        guard
            let writer = PanelWriter(
                driver, bus: bus, clock: clock, care: wires == nil ? .init() : .leds, mirrors: mirrors)
        else {
            throw CommandError(.unavailable, "the system has no thread to give for the panel")
        }
        self.writer = writer
    }
    /// Darkens the panel, switches its supply off and releases the devices.
    func stop() {
        writer.stop()
        // After the panel's last picture.
        network.stop()
        wiring.stop(at: clock.now)
        // After the panel is dark: the kernel waits for a device that takes no bytes, for up to ten seconds.
        midi.stop()
        view.stop()
    }
}
