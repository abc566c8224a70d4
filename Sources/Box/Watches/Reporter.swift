import Devices
import InputEvents
import Instrument
import Library
import Panel
import Runtime

/// Reports the state of the parts: to the view and the service manager, to the log, and to the panel as events. Most of
/// it once a second.
final class Reporter {
    private let panel: PanelParts
    private let library: Library
    private let sound: Sound
    private let inputs: Inputs
    private let exchange: StickExchange
    private let board: BoardWatch
    private let post: (Instrument.Event) -> Void

    private var panelReporter: PanelReporter
    private var boardWatch = ProblemWatch()
    private var memory = MemoryWatch()
    private var sticks = Sticks()
    private var facts: FactFinder

    /// The line when each kind of problem of the board is over.
    private static let boardIsWell = [
        "the board's supply is strong enough again", "the board has cooled down", "the disk has room again",
        "the disk has life left",
    ]

    /// A reporter of these parts, whose events go to `post`. Reports the first facts. `version` is that of the
    /// software.
    init(
        version: String, _ panel: PanelParts, _ library: Library, _ sound: Sound, _ inputs: Inputs,
        _ exchange: StickExchange, _ board: BoardWatch, post: @escaping (Instrument.Event) -> Void, at now: Instant
    ) {
        self.panel = panel
        self.library = library
        self.sound = sound
        self.inputs = inputs
        self.exchange = exchange
        self.board = board
        self.post = post
        panelReporter = PanelReporter(panel)
        facts = FactFinder(version: version, hasWalls: panel.network.walls != nil)
        reportFacts(nil, at: now)
        memory.report(library, post)
    }

    /// Reports what is due. Call it in every pass of the loop.
    func pass(_ limit: LightLimit, at now: Instant) {
        guard panelReporter.pass(limit, at: now) else { return }
        panelReporter.report(at: now)
        for line in boardWatch.lines(board.problems, { $1 ?? Self.boardIsWell[$0] }) { Log.post(line) }
        panel.network.report()
        sound.report(at: now)
        inputs.report(at: now)
        panel.midi.report(at: now)
        memory.report(library, post)
        let newSticks = sticks.look()
        exchange.report(new: newSticks, present: sticks.present)
        reportFacts(panelReporter.report(limit), at: now)
        panel.wiring.report(hasFault: !facts.current.faults.isEmpty, at: now)
    }

    private func reportFacts(_ limitProblem: String?, at now: Instant) {
        let problems: [(problem: String?, part: Facts.Faults)] =
            [
                (library.lastFailure?.description, .library),
                (sound.hasFault ? "the sound device is gone" : nil, .sound),
                (panel.wires?.status.lazy.compactMap(\.problem).first, .hardware), (limitProblem, .hardware),
                (inputs.problem, .hardware),
            ] + board.problems.map { ($0, .hardware) }
        if facts.update(problems, at: now) { post(.facts(facts.current)) }
    }
}
