import Devices
import InputEvents
import Panel
import Runtime

/// Reports the state of the panel: to the view and the service manager, and to the log. It also switches the LEDs'
/// supply.
struct PanelReporter {
    private let parts: PanelParts
    private var last: (time: Instant, counters: PanelCounters) = (.zero, PanelCounters())
    private var manager = ServiceManager()
    private var watch = ProblemWatch()
    private var limitProblem: String?

    private static let interval = Instant.Span.milliseconds(1000)

    init(_ parts: PanelParts) { self.parts = parts }

    /// Follows the supply and the watchdog. Call it in every pass of the loop. Returns whether a report is due.
    mutating func pass(_ limit: LightLimit, at now: Instant) -> Bool {
        parts.wiring.pass(at: now)
        if let wires = parts.wires {
            let phase = parts.wiring.switchLEDs(
                hasFrame: wires.hasSent, darkFrames: parts.writer.darkFrames, isGood: !limit.isFaulty, at: now)
            parts.writer.follow(phase)
        }
        manager.beat(at: now)
        return now - last.time >= Self.interval
    }

    /// Reports the frames, the current and the wires since the last report.
    mutating func report(at now: Instant) {
        let counters = parts.writer.counters
        let seconds = Double((now - last.time).microseconds) / 1_000_000
        let framesPerSecond = Double(counters.frames - last.counters.frames) / seconds
        parts.view.report(
            amps: counters.amps, framesPerSecond: framesPerSecond,
            wireBytesPerSecond: Double(counters.bytes - last.counters.bytes) / seconds)
        let clocks = parts.wires?.status.map(\.hertz)
        manager.setStatus(Self.status(counters, framesPerSecond: framesPerSecond, clocks: clocks))
        if let wires = parts.wires { for line in watch.lines(wires.status) { Log.post(line) } }
        if let screen = parts.view.screen { for line in watch.lines(screen.status) { Log.post(line) } }
        last = (now, counters)
    }

    /// Reports why the light is limited, if that has changed; returns it.
    mutating func report(_ limit: LightLimit) -> String? {
        let problem = parts.wiring.supplyProblem ?? limit.problem
        if problem != limitProblem { Log.post(problem ?? "the panel has its full light again") }
        limitProblem = problem
        return problem
    }

    /// Status line of the panel: frame rate, current, and of LEDs the SPI clock of each chain in hertz and the lost
    /// messages.
    static func status(_ counters: PanelCounters, framesPerSecond: Double, clocks: [Int]?) -> String {
        let tenths = Int((10 * counters.amps).rounded())
        let light = "\(Int(framesPerSecond.rounded())) frames a second, \(tenths / 10).\(tenths % 10) A"
        guard let clocks else { return light }
        let megahertz = clocks.map { "\(($0 + 50_000) / 1_000_000).\(($0 + 50_000) / 100_000 % 10)" }
        return light + ", SPI at \(megahertz.joined(separator: " and ")) MHz, \(counters.failures) messages lost"
    }
}
