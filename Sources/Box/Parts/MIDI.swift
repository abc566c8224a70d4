import Devices
import Formats
import InputEvents
import Runtime

/// The MIDI ports of a running box.
final class MIDI {
    /// The ports as a source of events; empty without MIDI.
    var controls: [any ControlSource] { ports.map { [$0] } ?? [] }
    /// Whether anything can be sent.
    var isThere: Bool { ports != nil }

    private let ports: MIDIPorts?
    private var watch = InputWatch("midi")

    /// The ports that `settings` choose. `clock` is the loop's.
    init(_ settings: Configuration.MIDISettings, clock: SystemClock) {
        ports = settings.isEnabled ? MIDIPorts(MIDIPorts.Options(settings), clock: clock) : nil
    }

    /// Sends a message at `time`.
    func send(_ bytes: [UInt8], at time: Instant) { ports?.send(bytes, at: time) }

    /// Logs ports that came and went, and problems. A machine without a sequencer is no problem: `doctor` tells of it.
    func report(at now: Instant) {
        guard let ports else { return }
        var status = ports.status
        if ports.isMissing { status.problem = nil }
        for line in watch.lines(status, at: now) { Log.post(line) }
    }

    /// Silences the connected devices and closes the ports.
    func stop() { ports?.stop() }
}

extension MIDIPorts.Options {
    /// The options of a configuration.
    package init(_ settings: Configuration.MIDISettings) {
        self.init()
        isRaw = settings.isRaw
        ports = settings.ports
        clock = settings.clock
        channels = settings.channels.used
        outputDelay = Instant.Span(microseconds: Int64((settings.outputDelay * 1000).rounded()))
    }
}
