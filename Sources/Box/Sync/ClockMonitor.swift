import Devices
import Formats
import Input
import InputEvents
import Instrument
import Runtime

/// Follows a clock of this machine without playing, for a command that shows how good it is.
package final class ClockMonitor {
    /// What a monitor follows.
    package enum Signal: String {
        /// A source of the box's clock.
        case midi, clock, link
        /// The MIDI clock of the box that runs on this machine, as it leaves its port.
        case out

        fileprivate var source: SyncSource {
            switch self {
            case .midi, .out: .midi
            case .clock: .clock
            case .link: .link
            }
        }
    }

    /// The clock in the last seconds.
    package struct Reading {
        /// CLOCK_MONOTONIC in microseconds.
        package var time: Instant
        /// The signal.
        package var status: SyncStatus
        /// Change of the tempo since it was first known, in millionths.
        package var drift: Double?
        /// Position in steps, four a quarter note; nil without a tempo.
        package var steps: Double?
    }

    private let clock: SystemClock
    private let stopper: Stopper
    private let signals: StopSignals.Watch
    private let sources: [any ControlSource]
    private let problem: () -> String?
    private var synchroniser: Synchroniser
    private var events: [ControlEvent] = []
    private var firstTempo: Double?

    private static let interval = Instant.Span.milliseconds(1000)

    /// A monitor of `signal`, as `configuration` has it. Make it after `StopSignals.hold`.
    package init(_ signal: Signal, _ configuration: Configuration) throws {
        let clock = try SystemClock()
        self.clock = clock
        synchroniser = Synchroniser(source: signal.source, clockPerQuarter: configuration.sync.clockPerQuarter)
        stopper = Stopper(clock)
        signals = try StopSignals.stop(stopper)
        switch signal {
        case .out:
            // Nothing is sent to the box.
            var options = MIDIPorts.Options()
            (options.ports, options.isRaw, options.channels) = ([MIDIPorts.name], false, [])
            let ports = MIDIPorts(options, clock: clock)
            sources = [ports]
            problem = { ports.problem }
        case .midi:
            let ports = MIDIPorts(MIDIPorts.Options(configuration.midi), clock: clock)
            sources = [ports]
            problem = { ports.problem }
        case .clock:
            let wiring = GPIOControls.Wiring(configuration.gpio)
            guard wiring.clockIn != nil else {
                throw CommandError(.badConfiguration, "gpio.clockIn is not set: name the line of the clock jack")
            }
            var jacks = GPIOControls.Wiring()
            jacks.chip = wiring.chip
            jacks.clockIn = wiring.clockIn
            let controls = GPIOControls(jacks, clock: clock)
            sources = [controls]
            problem = { controls.problem }
        case .link:
            let link = LinkSession(clock: clock, sharesTransport: false)
            link.join(tempo: Pattern().tempo.bpm)
            sources = [link]
            problem = { link.problem }
        }
    }

    /// Passes a reading to `show` once a second, for `seconds`, or until the user ends it or `show` throws.
    package func run(seconds: Int?, _ show: (Reading) throws -> Void) throws {
        let begin = clock.now
        let end = seconds.map { begin + .milliseconds(Int64($0) * 1000) }
        var next = begin + Self.interval
        var told: String?
        while !stopper.isStopping {
            read()
            if problem() != told {
                told = problem()
                if let told { Log.post(told) }
            }
            let now = clock.now
            if now >= next {
                try show(reading(at: now))
                next = max(next + Self.interval, now)
            }
            if let end, now >= end { break }
            // A Link session has to be asked.
            clock.wait(until: synchroniser.source == .link ? min(next, now + Instrument.frameInterval) : next)
        }
    }

    private func read() {
        events.removeAll(keepingCapacity: true)
        for source in sources { source.read(into: &events) }
        for arrival in events {
            switch arrival.event {
            case .midi(let message): _ = synchroniser.receive(message, at: arrival.time)
            case .edge(let edge): _ = synchroniser.receive(edge, at: arrival.time)
            case .link(let state): _ = synchroniser.receive(state, at: arrival.time)
            default: break
            }
        }
    }

    private func reading(at now: Instant) -> Reading {
        let status = synchroniser.status(at: now)
        if firstTempo == nil, status.lock == .locked { firstTempo = status.tempo }
        let drift = firstTempo.flatMap { first in status.tempo.map { ($0 / first - 1) * 1_000_000 } }
        return Reading(
            time: now, status: status, drift: drift,
            steps: synchroniser.steering(at: Double(now.microseconds))?.steps)
    }
}
