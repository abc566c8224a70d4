import InputEvents
import Devices
import Formats
import Glibc
import Instrument
import Library
import Pages
import Panel
import Runtime

/// The parts of a running box, wired together.
package final class Box {
    /// The command that switches the machine off; empty without an LED panel, unless it is configured.
    package let shutdownCommand: [String]
    /// Whether it ended because it was switched off.
    package var isSwitchedOff: Bool { loop.isSwitchedOff }

    private let clock: SystemClock
    private let wiring: Wiring
    private let writer: PanelWriter
    private let network: Network
    private let wires: SPIBus?
    private let view: PanelView
    private let sound: Sound
    private let inputs: Inputs
    private let link: LinkSession
    private let recorder: SessionRecorder?
    private let heat: HeatWatch?
    private let midi: MIDI
    private let library: Library
    private let loop: Loop
    private let signals: StopSignals.Watch

    /// The box for `options` and the configuration; its guide shows `listings`, if any. `version` is that of the software.
    package init(_ options: BoxOptions, version: String, _ listings: Librarian.Listings? = nil) throws {
        try Self.checkFiles()
        let configured = try Configuration.load(options.configuration)
        let calibration = CalibrationFile(configuration: options.configuration)
        let configuration = calibration.calibrated(configured)
        let panel = configuration.panel
        let clock = try SystemClock()
        self.clock = clock
        library = try Libraries.player(options.library, configuration)
        let kind = PanelView.Kind(options.panel, panel)
        shutdownCommand = configuration.gpio.shutdown.words(hasLEDs: kind == .spi)
        let outlet = try Sound.Outlet(options.audio, configuration.audio, hasPage: kind == .web)
        let path = options.library ?? Libraries.path(configuration)
        let (takes, samples) = (TakeFolder(ofLibrary: path), SampleFolder(ofLibrary: path))
        // Apart from the keys, which a page may send by the hundred.
        let messages = ControlMailbox(onPost: { clock.wake() })
        let post: @Sendable (Instrument.Event) -> Void = { messages.post($0, at: clock.now) }
        view = try PanelView(
            kind, configuration, options, takes: takes, files: DroppedFiles(library, samples, post: post), clock: clock,
            soundRate: outlet == .page ? configuration.audio.rate : 0)
        let driver = try PanelDriver(panel)
        let bus = try view.bus(panel, dark: driver.messages)
        wires = bus as? SPIBus
        if wires != nil {
            Log.post("the panel is \(panel.chip.rawValue) on \(panel.chains.map(\.device).joined(separator: ", "))")
        }
        _ = wires?.send(driver.messages, at: clock.now)
        let wiring = Wiring(configuration, clock: clock)
        self.wiring = wiring
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
        var isMade = false
        defer {
            if !isMade {
                writer.stop()
                wiring.stop(at: clock.now)
            }
        }
        if let wires {
            FirstLight.show(writer, wires, wiring, columns: panel.columns, clock: clock, events: messages)
        }
        // The engine's tables and the music of a first start take longest: they come after the light.
        guard let engine = Engine(rate: configuration.audio.rate) else { throw CommandError.noMemory }
        if !engine.remember(inRealTime: true) { Log.post("there is not enough memory for takes") }
        sound = try Sound(outlet, engine, configuration.audio, pulse: configuration.sync.pulse, page: view.page)
        let instrument = Self.instrument(configuration, library)
        inputs = Inputs(configuration, beside: kind, clock: clock)
        link = LinkSession(clock: clock, sharesTransport: configuration.linkTransport)
        loop = Loop(
            instrument: instrument, engine: engine, audio: sound.output, panel: writer, clock: clock,
            touch: [view.overlay] + inputs.touch + (midi.launchpads.map { [$0] } ?? []),
            controls: [messages, view.keyboard, link] + inputs.keys + midi.controls
                + (wiring.controls.map { [$0] } ?? []) + network.controls,
            pictures: network.pictures, store: library, heat: panel.heat)
        if let pulses = wiring.pulses { loop.onPulse = { pulses.pulse(at: $0) } }
        if let path = options.record {
            library.keep(instrument.state, at: clock.now)
            let start = RecordedStart(
                rate: engine.rate, volume: Self.volume(configuration), rules: configuration.rules,
                sync: configuration.sync, trackChannels: configuration.midi.channels)
            let recorder = try SessionRecorder(path, start, library)
            loop.onUpdate = { recorder.take($0) }
            // The sound thread may fill the whole buffer of its device at once.
            loop.commandMargin = UInt64(configuration.audio.period * (configuration.audio.periods + 1))
            self.recorder = recorder
        } else {
            recorder = nil
        }
        signals = try StopSignals.stop(loop.stopper)
        view.onQuit(loop.stopper)
        let (midi, output) = (midi, sound.output)
        if midi.isThere { loop.onMIDI = { midi.send($0.bytes, at: output.time(of: $0.frame)) } }
        let sticks = StickExchange(library, takes, samples, post: post)
        let librarian = Librarian(library, listings: listings)
        let engineJobs = EngineJobs(takes, samples, engine)
        let jobs = JobQueues(post: post) { job in
            if job == .importPatterns || job == .exportPatterns { return [.notice(sticks.exchange(job))] }
            if let events = engineJobs.run(job) { return events }
            do {
                return try librarian.run(job)
            } catch {
                Log.post("\(error)")
                return [.notice(.libraryFailed)]
            }
        }
        loop.onJob = { [unowned loop] job in
            if case .keepTake(let span) = job { engineJobs.add(loop.input(of: span), of: span) }
            jobs.run(job)
        }
        let sensor = wires == nil ? nil : panel.heat.sensor
        heat = sensor.map { HeatWatch(HeatSensor($0), post: post) }
        let calibrations = CalibrationKeeper(calibration, configured, post: post)
        loop.onCalibration = { matrix in calibrations.keep(matrix) }
        if listings != nil { post(.listings) }
        let reporter = Reporter(
            version: version, library, view, writer, network, wires, sound, inputs, midi, wiring, sticks,
            BoardWatch(library: Files.parts(of: path).folder, now: { clock.now }), post: post,
            at: clock.now)
        isMade = true
        let view = view
        let (link, network, launchpads) = (link, network, midi.launchpads)
        loop.onPass = { [unowned loop] now in
            reporter.pass(loop.lightLimit, at: now)
            link.follow(loop.instrument.state)
            if let launchpads, launchpads.isThere {
                let lights = loop.instrument.buttonLights
                launchpads.follow(Launchpad.Buttons(scenes: lights.scenes, tracks: lights.tracks))
            }
            network.pass(loop.instrument.state)
            if view.wantsWords { view.tell(loop.instrument.words) }
        }
    }

    /// The instrument as the last session left it.
    private static func instrument(_ configuration: Configuration, _ library: Library) -> Instrument {
        var instrument = Instrument(
            columns: configuration.panel.columns, volume: volume(configuration), rules: configuration.rules,
            sync: configuration.sync, trackChannels: configuration.midi.channels)
        instrument.load(Demos.session(of: library))
        return instrument
    }

    /// Master volume in percent until the player sets one.
    private static func volume(_ configuration: Configuration) -> Int {
        Int((configuration.audio.volume * 100).rounded())
    }

    /// Open files that a box needs. With less than fifteen libdispatch traps.
    private static let filesMin: rlim_t = 20

    /// Throws if the process may not open the files that a box needs.
    private static func checkFiles() throws {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < filesMin else {
            return
        }
        throw CommandError(
            .unavailable,
            "at most \(limit.rlim_cur) files may be open, a box needs \(filesMin); run ulimit -n 1024 before")
    }

    package func run() {
        ServiceManager().isReady()
        loop.run()
    }

    /// Saves the session, darkens the panel, switches its supply off, fades the sound out and releases the devices.
    package func stop() throws {
        ServiceManager().isStopping()
        library.flush()
        writer.stop()
        // After the panel's last picture.
        network.stop()
        wiring.stop(at: clock.now)
        // After the panel is dark: the kernel waits for a device that takes no bytes, for up to ten seconds.
        midi.stop()
        view.stop()
        let recorded = Result { try recorder?.finish() }
        try sound.stop()
        try recorded.get()
        if let failure = library.lastFailure { throw CommandError(.ioError, "\(failure)") }
    }
}
