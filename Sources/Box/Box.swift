import InputEvents
import Devices
import Documents
import Formats
import Glibc
import Instrument
import Library
import Pages
import Panel
import Runtime

/// The parts of a running box, wired together.
package final class Box {
    /// The command that switches the machine off; empty without an LED panel or a screen, unless it is configured.
    package let shutdownCommand: [String]
    /// Whether it ended because it was switched off.
    package var isSwitchedOff: Bool { loop.isSwitchedOff }

    private let clock: SystemClock
    private let parts: BoxParts
    private let link: LinkSession
    private let recorder: SessionRecorder?
    private let heat: HeatWatch?
    private let loop: Loop
    private let signals: StopSignals.Watch
    private let control: ControlPort?

    /// The box for `options` and the configuration; its guide shows `listings`, if any. `version` is the software's
    /// version.
    package init(_ options: BoxOptions, version: String, _ listings: Librarian.Listings? = nil) throws {
        ProcessMemory.returnLargeBlocks()
        try Self.checkFiles()
        let configured = try Configuration.load(options.configuration)
        let calibration = CalibrationFile(configuration: options.configuration)
        let configuration = calibration.calibrated(configured)
        let clock = try SystemClock()
        self.clock = clock
        let library = try Libraries.player(options.library, configuration)
        let kind = PanelView.Kind(options.panel, configuration.panel)
        shutdownCommand = configuration.gpio.shutdown.words(isBox: kind == .spi || kind == .screen)
        let outlet = try Sound.Outlet(options.audio, configuration.audio, hasPage: kind == .web)
        let path = options.library ?? Libraries.path(configuration)
        let (takes, samples) = (TakeFolder(ofLibrary: path), SampleFolder(ofLibrary: path))
        // Apart from the keys, which a page may send by the hundred.
        let messages = ControlMailbox(onPost: { clock.wake() })
        let post: @Sendable (Instrument.Event) -> Void = { messages.post($0, at: clock.now) }
        let view = try PanelView(
            kind, configuration, options, takes: takes, files: VisitorFiles(library, samples, post: post), clock: clock,
            soundRate: outlet == .page ? configuration.audio.rate : 0)
        let panel = try PanelParts(view, configuration, version: version, clock: clock)
        var isMade = false
        defer {
            if !isMade {
                panel.writer.stop()
                panel.wiring.stop(at: clock.now)
            }
        }
        FirstLight.show(panel, columns: configuration.panel.columns, clock: clock, events: messages)
        // The engine's tables and the music of a first start take longest: they come after the light.
        guard let engine = Engine(rate: configuration.audio.rate) else { throw CommandError.noMemory }
        if !engine.remember(inRealTime: true) { Log.post("there is not enough memory for takes") }
        let sound = try Sound(
            outlet, engine, configuration.audio, pulse: configuration.sync.pulse, page: view.page, clock: clock)
        let instrument = Self.instrument(configuration, library)
        let inputs = Inputs(configuration, beside: view, clock: clock)
        parts = BoxParts(library: library, panel: panel, sound: sound, inputs: inputs)
        link = LinkSession(clock: clock, sharesTransport: configuration.linkTransport)
        loop = parts.loop(instrument, engine, messages, link, heat: configuration.panel.heat, clock: clock)
        recorder = try options.record.map { file in
            library.keep(instrument.state, at: clock.now)
            return try SessionRecorder(file, Self.recordedStart(configuration, rate: engine.rate), library)
        }
        if let recorder {
            loop.onUpdate = { recorder.record($0) }
            // The sound thread may fill the whole buffer of its device at once.
            loop.commandMargin = UInt64(configuration.audio.period * (configuration.audio.periods + 1))
        }
        signals = try StopSignals.stop(loop.stopper)
        view.onQuit(loop.stopper)
        let sticks = StickExchange(library, takes, samples, post: post)
        Self.connect(
            loop, to: EngineJobs(takes, samples, engine), sticks, Librarian(library, listings: listings), post: post)
        let sensor = panel.wires == nil ? nil : configuration.panel.heat.sensor
        heat = sensor.map { HeatWatch(HeatSensor($0), post: post) }
        let calibrations = CalibrationKeeper(calibration, configured, post: post)
        loop.onCalibration = { matrix in calibrations.keep(matrix) }
        if listings != nil { post(.listings) }
        let board = BoardWatch(library: Files.parts(of: path).folder, now: { clock.now })
        let reporter = Reporter(version: version, parts, sticks, board, post: post, at: clock.now)
        control = try options.control.map {
            try ControlPort($0, version: version, clock: clock, overlay: view.overlay, events: messages)
        }
        isMade = true
        Self.connect(loop, to: reporter, panel, link, control)
        if let control { parts.connect(loop, to: control, rate: engine.rate) }
        control?.start()
    }

    /// Runs the jobs of `loop`, in the queues of the library and of the stick.
    private static func connect(
        _ loop: Loop, to engineJobs: EngineJobs, _ sticks: StickExchange, _ librarian: Librarian,
        post: @escaping @Sendable (Instrument.Event) -> Void
    ) {
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
    }

    /// Connects the parts that follow each pass of `loop`.
    private static func connect(
        _ loop: Loop, to reporter: Reporter, _ panel: PanelParts, _ link: LinkSession, _ control: ControlPort?
    ) {
        let (view, network, launchpads) = (panel.view, panel.network, panel.midi.launchpads)
        loop.onPass = { [unowned loop] now in
            reporter.pass(loop.lightLimit, at: now)
            link.follow(loop.instrument.state)
            if let launchpads, launchpads.isThere {
                let lights = loop.instrument.buttonLights
                launchpads.follow(Launchpad.Buttons(scenes: lights.scenes, tracks: lights.tracks))
            }
            network.pass(loop.instrument.state)
            if view.wantsWords { view.tell(loop.instrument.words) }
            control?.pass(loop, at: now)
        }
    }

    /// The settings of a box that a recording begins with.
    private static func recordedStart(_ configuration: Configuration, rate: Int) -> RecordedStart {
        RecordedStart(
            rate: rate, volume: volume(configuration), rules: configuration.rules, sync: configuration.sync,
            trackChannels: configuration.midi.channels,
            trackControllers: configuration.midi.controllers, stops: configuration.stops)
    }

    /// The instrument as the last session left it.
    private static func instrument(_ configuration: Configuration, _ library: Library) -> Instrument {
        var instrument = Instrument(
            columns: configuration.panel.columns, volume: volume(configuration), rules: configuration.rules,
            sync: configuration.sync, trackChannels: configuration.midi.channels,
            trackControllers: configuration.midi.controllers, stops: configuration.stops)
        instrument.load(Demos.session(of: library))
        return instrument
    }

    /// Master volume in per cent until the player sets one.
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
        control?.stop()
        parts.library.flush()
        parts.panel.stop()
        let recorded = Result { try recorder?.finish() }
        try parts.sound.stop()
        try recorded.get()
        if let failure = parts.library.lastFailure { throw CommandError(.ioError, "\(failure)") }
    }
}
