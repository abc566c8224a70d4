import InputEvents
import Devices
import Dispatch
import Formats
import Instrument
import Library
import Panel
import Runtime
import Simulator

/// The parts of a running box, wired together.
final class Box {
    /// The command that switches the machine off; empty without an LED panel, unless it is configured.
    let shutdownCommand: [String]
    /// Whether it ended because it was switched off.
    var isSwitchedOff: Bool { loop.isSwitchedOff }

    private let clock: SystemClock
    private let wiring: Wiring
    private let writer: PanelWriter
    private let wires: SPIBus?
    private let view: View
    private let sound: Sound
    private let inputs: Inputs
    private let library: Library
    private let sticks: StickExchange
    private let loop: Loop
    private var signals: [any DispatchSourceSignal] = []

    /// The box for `arguments` and the configuration; its guide shows `listings`, if any.
    init(_ arguments: Arguments, _ listings: Librarian.Listings?) throws {
        let configured = try Configuration.load(arguments)
        let calibration = CalibrationFile(arguments)
        let configuration = calibration.calibrated(configured)
        let panel = configuration.panel
        let clock = try SystemClock()
        self.clock = clock
        guard let engine = Engine(rate: configuration.audio.rate) else {
            throw CommandError(.unavailable, "there is not enough memory for the sound engine")
        }
        library = try Libraries.player(arguments["--library"], configuration)
        let instrument = Self.instrument(configuration, library)
        let kind = try View.Kind(arguments, panel)
        shutdownCommand = configuration.gpio.shutdown.words(hasLEDs: kind == .spi)
        let outlet = try Sound.Outlet(arguments["--audio"], configuration.audio, hasPage: kind == .web)
        view = try View(kind, configuration, arguments, clock: clock, soundRate: outlet == .page ? engine.rate : 0)
        sound = try Sound(outlet, engine, configuration.audio, page: view.page)
        let driver = try PanelDriver(panel)
        let bus = try view.bus(panel, dark: driver.messages)
        wires = bus as? SPIBus
        if wires != nil {
            Main.tell("the panel is \(panel.chip.rawValue) on \(panel.chains.map(\.device).joined(separator: ", "))")
        }
        _ = wires?.send(driver.messages, at: clock.now)
        wiring = Wiring(configuration.gpio, panel: wires, clock: clock)
        guard let writer = PanelWriter(driver, bus: bus, clock: clock, care: wires == nil ? .init() : .leds) else {
            throw CommandError(.unavailable, "the system has no thread to give for the panel")
        }
        self.writer = writer
        inputs = Inputs(configuration, beside: kind, clock: clock)
        loop = Loop(
            instrument: instrument, engine: engine, audio: sound.output, panel: writer, clock: clock,
            touch: [view.overlay] + inputs.touch,
            controls: [view.keyboard] + inputs.keys + (wiring.controls.map { [$0] } ?? []), store: library)
        view.onQuit(loop.stopper)
        let say: @Sendable (Event) -> Void = { [keyboard = view.keyboard] in keyboard.post($0, at: clock.now) }
        sticks = StickExchange(library, say: say)
        let librarian = Librarian(library, listings: listings)
        let jobs = JobQueues(say: say) { [sticks] job in
            switch job {
            case .importPatterns, .exportPatterns: return [.notice(sticks.exchange(job))]
            default:
                do {
                    return try librarian.run(job)
                } catch {
                    Main.tell("\(error)")
                    return [.notice(.libraryFailed)]
                }
            }
        }
        loop.onJob = { job in jobs.run(job) }
        let keeper = CalibrationKeeper(calibration, configured, say: say)
        loop.onCalibration = { matrix in keeper.keep(matrix) }
        if listings != nil { say(.listings) }
        report(say)
    }

    /// The instrument as the last session left it.
    private static func instrument(_ configuration: Configuration, _ library: Library) -> Instrument {
        let volume = Int((configuration.audio.volume * 100).rounded())
        var instrument = Instrument(columns: configuration.panel.columns, volume: volume)
        instrument.load(library.sessionToPlay())
        return instrument
    }

    func run() {
        signals = Ending.stop(loop.stopper)
        ServiceManager().isReady()
        loop.run()
    }

    /// Saves the session, darkens the panel, switches its supply off, fades the sound out and releases the devices.
    func stop() throws {
        ServiceManager().isStopping()
        library.flush()
        writer.stop()
        wiring.stop(at: clock.now)
        view.stop()
        try sound.stop()
        if let failure = library.lastFailure { throw CommandError(.ioError, "\(failure)") }
    }

    /// Once a second: sends the panel's figures to the view and the service manager, and logs changes of the panel and the sound.
    private func report(_ say: @escaping (Event) -> Void) {
        var last = (time: Instant.zero, counters: PanelCounters())
        var manager = ServiceManager()
        var watch = PanelWatch()
        var memory = MemoryWatch()
        var stick = Sticks()
        var finder = FactFinder()
        var told = finder.facts(library, wires, sound, inputs, at: clock.now)
        say(.facts(told))
        memory.report(library, say)
        loop.onPass = { [view, writer, wires, sound, inputs, library, sticks, wiring] now in
            wiring.pass(at: now)
            manager.beat(at: now)
            guard now - last.time >= .milliseconds(1000) else { return }
            let counters = writer.counters
            let seconds = Double((now - last.time).microseconds) / 1_000_000
            let framesPerSecond = Double(counters.frames - last.counters.frames) / seconds
            view.report(
                amps: counters.amps, framesPerSecond: framesPerSecond,
                wireBytesPerSecond: Double(counters.bytes - last.counters.bytes) / seconds)
            manager.setStatus(Self.status(counters, framesPerSecond: framesPerSecond, wires: wires))
            if let wires { for line in watch.lines(wires.status) { Main.tell(line) } }
            sound.report(at: now)
            inputs.report(at: now)
            memory.report(library, say)
            sticks.report(&stick)
            let facts = finder.facts(library, wires, sound, inputs, at: now)
            if facts != told { say(.facts(facts)) }
            told = facts
            wiring.report(hasFault: !facts.faults.isEmpty, at: now)
            last = (now, counters)
        }
    }

    /// Status line of the panel: frame rate, bit rate, current and failures.
    private static func status(_ counters: PanelCounters, framesPerSecond: Double, wires: SPIBus?) -> String {
        let tenths = Int((10 * counters.amps).rounded())
        let light = "\(Int(framesPerSecond.rounded())) frames a second, \(tenths / 10).\(tenths % 10) A"
        guard let wires else { return light }
        let clocks = wires.status.map { "\(($0.hertz + 50_000) / 1_000_000).\(($0.hertz + 50_000) / 100_000 % 10)" }
        return light + ", SPI at \(clocks.joined(separator: " and ")) MHz, \(counters.failures) messages lost"
    }
}
