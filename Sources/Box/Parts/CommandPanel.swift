import InputEvents
import Devices
import Display
import Formats
import Pages
import Panel
import Runtime

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

    private var bus: any PanelBus
    private var wires: SPIBus? { bus as? SPIBus }
    private let signals: StopSignals.Watch
    private var watch = ProblemWatch()
    /// The LEDs' supply and level shifter; nil without LEDs.
    private let wiring: Wiring?
    private var darkFrames = 0
    private let heat: HeatWatch?
    private let readings: ControlMailbox
    private var limit: LightLimit
    private var limitProblem: String?
    private var events: [ControlEvent] = []
    /// The messages that darken the panel.
    private let dark: [[UInt8]]

    /// The panel of `configuration` on a view of `kind`. Make it after `StopSignals.hold`.
    init(_ kind: PanelView.Kind, _ configuration: Configuration, _ options: BoxOptions) throws {
        let panel = configuration.panel
        clock = try SystemClock()
        driver = try PanelDriver(panel)
        view = try PanelView(kind, configuration, options, clock: clock)
        dark = driver.messages
        bus = try view.bus(panel, dark: dark)
        wiring = kind == .spi ? Wiring(configuration.withLEDLinesOnly, clock: clock) : nil
        limit = LightLimit(panel.heat)
        let (clock, readings) = (clock, ControlMailbox {})
        self.readings = readings
        let sensor = kind == .spi ? panel.heat.sensor : nil
        heat = sensor.map { HeatWatch(HeatSensor($0)) { readings.post($0, at: clock.now) } }
        stopper = Stopper(clock)
        frame = Frame(columns: panel.columns, rows: PanelConfiguration.rows)
        view.onQuit(stopper)
        signals = try StopSignals.stop(stopper)
    }

    /// The time `seconds` from now, at which the command ends; nil if only the user ends it.
    func end(after seconds: Int?) -> Instant? { seconds.map { clock.now + .milliseconds(Int64($0) * 1000) } }

    /// Why the wires do not take the messages, in one line; nil while they do.
    var problem: String? { wires?.status.compactMap(\.problem).first }

    /// Why heat or a fault limits the light, in one line; nil while they do not.
    var lightProblem: String? { limit.problem }

    /// Shows `frame`, limited to this part of the supply's power; darkness while the LEDs' supply rises or has failed.
    /// Returns whether it was sent.
    @discardableResult
    func show(power: Double = 1, at now: Instant) -> Bool {
        driver.powerLimit = power
        driver.drive(frame, at: now.microseconds)
        return show(driver.messages, at: now)
    }

    /// Sends `messages`, one for each chain; darkness while the LEDs' supply rises or has failed. Returns whether they
    /// were sent.
    @discardableResult
    func show(_ messages: [[UInt8]], at now: Instant) -> Bool {
        let phase = supplyPhase(at: now)
        let delivery = bus.send(phase == .lit ? messages : dark, at: now)
        if phase == .darkening, delivery.failures == 0 { darkFrames += 1 }
        if let wires { for line in watch.lines(wires.status) { Log.post(line) } }
        if let screen = view.screen { for line in watch.lines(screen.status) { Log.post(line) } }
        return phase == .lit && delivery.failures == 0
    }

    /// Sends with the clocks of `panel` from now on.
    func change(to panel: PanelConfiguration) throws { bus = try view.bus(panel, dark: dark) }

    /// Darkens the panel, switches its supply off and releases it.
    func stop() throws {
        defer { view.stop() }
        let delivery = bus.send(dark, at: clock.now)
        wiring?.stop(at: clock.now)
        if delivery.failures > 0 { throw CommandError(.unavailable, problem ?? "the panel did not go dark") }
    }

    /// Switches the LEDs' supply and limits the light as the box does; returns the supply's phase.
    private func supplyPhase(at now: Instant) -> SupplySequence.Phase {
        guard let wiring, let wires else { return .lit }
        events.removeAll(keepingCapacity: true)
        wiring.controls?.read(into: &events)
        readings.read(into: &events)
        for event in events {
            switch event.event {
            case .fault(let isThere): limit.update(isFault: isThere, at: now.microseconds)
            case .heat(let celsius): limit.update(celsius: celsius)
            default: break
            }
        }
        driver.lightLimit = limit.share(at: now.microseconds)
        let phase = wiring.switchLEDs(
            hasFrame: wires.hasSent, darkFrames: darkFrames, isGood: !limit.isFaulty, at: now)
        wiring.report(hasFault: false, at: now)
        let problem = wiring.supplyProblem ?? limit.problem
        if problem != limitProblem {
            limitProblem = problem
            Log.post(problem ?? "the panel has its full light again")
        }
        return phase
    }
}

extension Configuration {
    /// The configuration with only those GPIO lines that the LEDs need.
    fileprivate var withLEDLinesOnly: Configuration {
        var configuration = self
        let needed: [GPIOSettings.Role] = [.ledEnable, .outputEnable, .fault]
        for role in GPIOSettings.Role.allCases where !needed.contains(role) { configuration.gpio[role] = nil }
        configuration.gpio.tempo = nil
        configuration.gpio.volume = nil
        return configuration
    }
}
