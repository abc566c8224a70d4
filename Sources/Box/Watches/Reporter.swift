import Devices
import InputEvents
import Instrument
import Library
import Panel
import Runtime

/// Reports the state of the parts: to the view and the service manager, to the log, and to the panel as events. Most of it once a
/// second.
final class Reporter {
    private let library: Library
    private let view: PanelView
    private let writer: PanelWriter
    private let network: Network
    private let board: BoardWatch
    private let wires: SPIBus?
    private let sound: Sound
    private let inputs: Inputs
    private let midi: MIDI
    private let wiring: Wiring
    private let exchange: StickExchange
    private let post: (Instrument.Event) -> Void

    private var last: (time: Instant, counters: PanelCounters)
    private var manager = ServiceManager()
    private var panelWatch = ProblemWatch()
    private var boardWatch = ProblemWatch()
    private var memory = MemoryWatch()
    private var sticks = Sticks()
    private var facts: FactFinder
    private var limitProblem: String?

    /// The line when each kind of problem of the board is over.
    private static let boardIsWell = [
        "the board's supply is strong enough again", "the board has cooled down", "the disk has room again",
        "the disk has life left",
    ]
    private static let interval = Instant.Span.milliseconds(1000)

    /// A reporter of these parts, whose events go to `post`. Reports the first facts.
    init(
        version: String, _ library: Library, _ view: PanelView, _ writer: PanelWriter, _ network: Network,
        _ wires: SPIBus?, _ sound: Sound,
        _ inputs: Inputs, _ midi: MIDI, _ wiring: Wiring, _ exchange: StickExchange, _ board: BoardWatch,
        post: @escaping (Instrument.Event) -> Void,
        at now: Instant
    ) {
        self.library = library
        self.view = view
        self.writer = writer
        self.network = network
        self.board = board
        self.wires = wires
        self.sound = sound
        self.inputs = inputs
        self.midi = midi
        self.wiring = wiring
        self.exchange = exchange
        self.post = post
        last = (.zero, PanelCounters())
        facts = FactFinder(version: version, hasWalls: network.walls != nil)
        reportFacts(nil, at: now)
        memory.report(library, post)
    }

    /// Reports what is due. Call it in every pass of the loop.
    func pass(_ limit: LightLimit, at now: Instant) {
        wiring.pass(at: now)
        if let wires {
            let phase = wiring.switchLEDs(
                hasFrame: wires.hasSent, darkFrames: writer.darkFrames, isGood: !limit.isFaulty, at: now)
            writer.follow(phase)
        }
        manager.beat(at: now)
        guard now - last.time >= Self.interval else { return }
        reportPanel(at: now)
        for line in boardWatch.lines(board.problems, { $1 ?? Self.boardIsWell[$0] }) { Log.post(line) }
        network.report()
        sound.report(at: now)
        inputs.report(at: now)
        midi.report(at: now)
        memory.report(library, post)
        let newSticks = sticks.look()
        exchange.report(new: newSticks, present: sticks.present)
        let problem = wiring.supplyProblem ?? limit.problem
        reportLimit(problem)
        reportFacts(problem, at: now)
        wiring.report(hasFault: !facts.current.faults.isEmpty, at: now)
    }

    private func reportPanel(at now: Instant) {
        let counters = writer.counters
        let seconds = Double((now - last.time).microseconds) / 1_000_000
        let framesPerSecond = Double(counters.frames - last.counters.frames) / seconds
        view.report(
            amps: counters.amps, framesPerSecond: framesPerSecond,
            wireBytesPerSecond: Double(counters.bytes - last.counters.bytes) / seconds)
        manager.setStatus(Self.status(counters, framesPerSecond: framesPerSecond, clocks: wires?.status.map(\.hertz)))
        if let wires { for line in panelWatch.lines(wires.status) { Log.post(line) } }
        last = (now, counters)
    }

    private func reportLimit(_ problem: String?) {
        guard problem != limitProblem else { return }
        limitProblem = problem
        Log.post(problem ?? "the panel has its full light again")
    }

    private func reportFacts(_ limitProblem: String?, at now: Instant) {
        let problems: [(problem: String?, part: Facts.Faults)] =
            [
                (library.lastFailure?.description, .library),
                (sound.hasFault ? "the sound device is gone" : nil, .sound),
                (wires?.status.lazy.compactMap(\.problem).first, .hardware), (limitProblem, .hardware),
                (inputs.problem, .hardware),
            ] + board.problems.map { ($0, .hardware) }
        if facts.update(problems, at: now) { post(.facts(facts.current)) }
    }

    /// Status line of the panel: frame rate, current, and of LEDs the SPI clock of each chain in hertz and the lost messages.
    static func status(_ counters: PanelCounters, framesPerSecond: Double, clocks: [Int]?) -> String {
        let tenths = Int((10 * counters.amps).rounded())
        let light = "\(Int(framesPerSecond.rounded())) frames a second, \(tenths / 10).\(tenths % 10) A"
        guard let clocks else { return light }
        let megahertz = clocks.map { "\(($0 + 50_000) / 1_000_000).\(($0 + 50_000) / 100_000 % 10)" }
        return light + ", SPI at \(megahertz.joined(separator: " and ")) MHz, \(counters.failures) messages lost"
    }
}
