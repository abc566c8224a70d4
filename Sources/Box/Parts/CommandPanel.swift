import InputEvents
import Devices
import Dispatch
import Display
import Formats
import Panel
import Runtime
import Simulator

/// A panel, LEDs or simulated, for a command that draws on it.
final class CommandPanel {
    /// The time.
    let clock: SystemClock
    /// Ends the command.
    let stopper: Stopper
    /// The panel's view.
    let view: PanelView
    /// The panel's writer.
    private(set) var driver: PanelDriver
    /// The frame.
    var frame: Frame

    private let bus: any PanelBus
    private var wires: SPIBus? { bus as? SPIBus }
    private let signals: [any DispatchSourceSignal]
    private var watch = PanelWatch()

    /// The panel of `configuration` on a view of `kind`. Make it after `StopSignals.hold`.
    init(_ kind: PanelView.Kind, _ configuration: Configuration, _ options: BoxOptions) throws {
        let panel = configuration.panel
        clock = try SystemClock()
        driver = try PanelDriver(panel)
        view = try PanelView(kind, configuration, options, clock: clock)
        bus = try view.bus(panel, dark: driver.messages)
        stopper = Stopper(clock)
        frame = Frame(columns: panel.columns, rows: PanelConfiguration.rows)
        view.onQuit(stopper)
        signals = StopSignals.stop(stopper)
    }

    /// Shows `frame`, limited to this part of the supply's power.
    func show(power: Double = 1, at now: Instant) {
        driver.powerLimit = power
        send(at: now)
        if let wires { for line in watch.lines(wires.status) { Log.post(line) } }
    }

    /// Darkens the panel and releases it.
    func stop() throws {
        defer { view.stop() }
        frame.fill(.black)
        driver.powerLimit = 1
        if send(at: clock.now).failures > 0 {
            throw CommandError(.unavailable, wires?.status.compactMap(\.problem).first ?? "the panel did not go dark")
        }
    }

    @discardableResult
    private func send(at now: Instant) -> PanelDelivery {
        driver.drive(frame, at: now.microseconds)
        return bus.send(driver.messages, at: now)
    }
}
