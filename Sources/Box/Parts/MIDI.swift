import Devices
import Input
import Formats
import InputEvents
import Runtime

/// The MIDI ports of a running box.
final class MIDI {
    /// The ports as a source of events; empty without MIDI.
    var controls: [any ControlSource] { (ports.map { [$0] } ?? []) + (sockets.map { [$0] } ?? []) }
    /// Whether anything can be sent.
    var isThere: Bool { ports != nil }

    /// The Launchpads that are windows of the panel; nil if none may be.
    let launchpads: Launchpads?

    private let ports: MIDIPorts?
    private let sockets: MIDISockets?
    private var watch = InputWatch("midi")

    /// The ports that `settings` choose, and the sockets, beside a panel of `columns`. `clock` is the loop's.
    /// `priority` is the SCHED_FIFO priority of the thread that sends to the sockets, 0 for none.
    init(_ settings: Configuration.MIDISettings, columns: Int, priority: Int, clock: SystemClock) {
        let choice = ClockChoice()
        let launchpads =
            settings.isEnabled && settings.hasLaunchpads ? Launchpads(columns: columns, clock: clock) : nil
        self.launchpads = launchpads
        ports =
            settings.isEnabled
            ? MIDIPorts(MIDIPorts.Options(settings), choice: choice, launchpads: launchpads, clock: clock) : nil
        sockets = MIDISockets.Options(settings, priority: priority).flatMap {
            MIDISockets($0, choice: choice, clock: clock)
        }
    }

    /// Sends a message at `time`.
    func send(_ bytes: [UInt8], at time: Instant) {
        ports?.send(bytes, at: time)
        sockets?.send(bytes, at: time)
    }

    /// Logs ports that came and went, and problems. A machine without a sequencer is no problem: `doctor` tells of it.
    func report(at now: Instant) {
        guard let ports else { return }
        var status = ports.status
        if ports.isMissing { status.problem = nil }
        if let sockets = sockets?.status {
            status.present += sockets.present
            status.problem = sockets.problem ?? status.problem
        }
        for line in watch.lines(status, at: now) { Log.post(line) }
    }

    /// Silences the connected devices and closes the ports.
    func stop() {
        ports?.stop()
        sockets?.stop()
    }
}

extension MIDISockets.Options {
    /// The options of a configuration; nil without sockets.
    fileprivate init?(_ settings: Configuration.MIDISettings, priority: Int) {
        guard settings.isEnabled, let path = settings.uart else { return nil }
        self.init(path: path)
        mayClock = settings.clock.map { $0 == path } ?? true
        channels = settings.channels.used
        greeting = MIDIPorts.Options(settings).greeting
        outputDelay = MIDIPorts.Options(settings).outputDelay
        self.priority = priority
    }
}

extension MIDIPorts.Options {
    /// The options of a configuration.
    package init(_ settings: Configuration.MIDISettings) {
        self.init()
        isRaw = settings.isRaw
        ports = settings.ports
        clock = settings.clock
        channels = settings.channels.used
        greeting = MIDISender.greeting(of: settings.channels)
        outputDelay = Instant.Span(milliseconds: settings.outputDelay)
    }
}
