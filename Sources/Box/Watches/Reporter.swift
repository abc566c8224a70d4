import Devices
import InputEvents
import Instrument
import Library
import Panel
import Runtime

/// Reports the state of the parts: to the view and the service manager, to the log, and to the panel as events. Most of
/// it once a second.
final class Reporter {
    private let parts: BoxParts
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

    /// A reporter of `parts`, `exchange` and `board`, whose events go to `post`. Reports the first facts. `version` is
    /// the software's version.
    init(
        version: String, _ parts: BoxParts, _ exchange: StickExchange, _ board: BoardWatch,
        post: @escaping (Instrument.Event) -> Void, at now: Instant
    ) {
        self.parts = parts
        self.exchange = exchange
        self.board = board
        self.post = post
        panelReporter = PanelReporter(parts.panel)
        facts = FactFinder(version: version, hasWalls: parts.panel.network.walls != nil)
        reportFacts(nil, at: now)
        memory.report(parts.library, post)
    }

    /// Makes the reports that are due. Call it in every pass of the loop.
    func pass(_ limit: LightLimit, at now: Instant) {
        guard panelReporter.pass(limit, at: now) else { return }
        panelReporter.report(at: now)
        for line in boardWatch.lines(board.problems, { $1 ?? Self.boardIsWell[$0] }) { Log.post(line) }
        parts.panel.network.report()
        parts.sound.report(at: now)
        parts.inputs.report(at: now)
        parts.panel.midi.report(at: now)
        memory.report(parts.library, post)
        let newSticks = sticks.look()
        exchange.report(new: newSticks, present: sticks.present)
        reportFacts(panelReporter.report(limit), at: now)
        parts.panel.wiring.report(hasFault: !facts.current.faults.isEmpty, at: now)
    }

    private func reportFacts(_ limitProblem: String?, at now: Instant) {
        let problems: [(problem: String?, part: Facts.Faults)] =
            [
                (parts.library.lastFailure?.description, .library),
                (parts.sound.hasFault ? "the sound device is gone" : nil, .sound),
                (parts.panel.wires?.status.lazy.compactMap(\.problem).first, .hardware), (limitProblem, .hardware),
                (parts.inputs.problem, .hardware),
            ] + board.problems.map { ($0, .hardware) }
        if facts.update(problems, at: now) { post(.facts(facts.current)) }
    }
}
