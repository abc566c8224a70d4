import Devices
import Formats
import InputEvents
import Instrument
import Panel

/// Shows the clock test's picture at one SPI clock, or finds the highest clock that is right by asking for each.
package final class PanelClock {
    /// The search's result.
    package enum Finding: Hashable {
        /// The highest right clock in Hz; `isFull`: the chip allows no higher one.
        case right(Int, isFull: Bool)
        /// The first clock, in Hz, was wrong.
        case wrong(Int)
        /// No clock was judged.
        case nothing
    }

    private let lights: CommandPanel
    private let configuration: PanelConfiguration
    private let chain: Int?
    private let picture: ClockPicture
    private let answers = AnswerLines()

    /// A test of `chain`, or of all chains together, of the panel that `options` describe.
    package init(_ options: BoxOptions, chain: Int?) throws {
        let configuration = try Configuration.load(options.configuration)
        let panel = configuration.panel
        let kind = PanelView.Kind(options.panel, panel)
        guard panel.chip.wire.isClocked else {
            throw CommandError(
                .usage,
                "panel clock is for LEDs with a clock line; the clock of \(panel.chip) is fixed by its data sheet")
        }
        guard kind != .terminal else {
            throw CommandError(.usage, "panel clock asks in the terminal: use --panel spi or --panel web")
        }
        if let chain, !panel.chains.indices.contains(chain) {
            throw CommandError(
                .usage, "--chain is \(chain), should be 0 to \(panel.chains.count - 1), a chain of the configuration")
        }
        do throws(PanelError) {
            picture = try ClockPicture(panel, chain: chain)
        } catch {
            throw CommandError(.badConfiguration, "panel.\(error.place) \(error.problem)")
        }
        self.configuration = panel
        self.chain = chain
        lights = try CommandPanel(kind, configuration, options)
    }

    /// Shows the picture at `hertz` until `seconds` or the user end it; calls `announce` once it is lit.
    package func show(hertz: Int, seconds: Int?, announce: () -> Void) throws {
        let range = configuration.chip.wire.hertz
        guard range.contains(hertz) else {
            throw CommandError(
                .usage,
                "--hertz is \(hertz), should be a whole number from \(range.lowerBound) to \(range.upperBound) for \(configuration.chip)"
            )
        }
        let end = lights.end(after: seconds)
        try hold(hertz, until: end, announce) { false }
        try lights.stop()
    }

    /// Raises the clock until an answer on standard input is "n"; calls `ask` for each clock, and `explain` for an
    /// answer that is neither. The end of the input ends the search.
    package func search(ask: (_ hertz: Int) -> Void, explain: () -> Void) throws -> Finding {
        var search = ClockSearch(configuration, chain: chain)
        let first = search.hertz
        var isEnded = false
        while !search.isOver, !isEnded, !lights.stopper.isStopping {
            try hold(search.hertz, until: nil, { ask(search.hertz) }) {
                switch answers.next() {
                case .line(let line):
                    guard let answer = Answer(line) else {
                        explain()
                        return false
                    }
                    search.judge(isRight: answer == .right)
                case .end: isEnded = true
                case nil: return false
                }
                return true
            }
        }
        try lights.stop()
        if let right = search.right { return .right(right, isFull: search.isFull) }
        return search.isOver ? .wrong(first) : .nothing
    }

    /// Shows the picture at `hertz` until `end`, the user's stop, or `isDone`, which is asked once the picture is lit.
    private func hold(
        _ hertz: Int, until end: Instant?, _ announce: () -> Void, isDone: () -> Bool
    ) throws {
        var clocked = configuration
        for number in clocked.chains.indices where chain == nil || number == chain {
            clocked.chains[number].hertz = hertz
        }
        try lights.change(to: clocked)
        let start = lights.clock.now
        var isAnnounced = false
        while !lights.stopper.isStopping, end.map({ lights.clock.now < $0 }) ?? true {
            let now = lights.clock.now
            let isLit = lights.show(picture.messages(at: Int((now - start).microseconds / 1000)), at: now)
            // The picture's words are fixed: it cannot be dimmed.
            if let problem = lights.problem ?? lights.lightProblem {
                try? lights.stop()
                throw CommandError(.unavailable, problem)
            }
            if isLit, !isAnnounced {
                announce()
                isAnnounced = true
            }
            if isAnnounced, isDone() { return }
            lights.clock.wait(until: now + Instrument.frameInterval)
        }
    }
}

/// A judgement of a clock.
private enum Answer {
    case right, wrong

    /// The judgement in a line; nil for another line.
    init?(_ line: String) {
        switch line {
        case "", "y", "yes", "right": self = .right
        case "n", "no", "wrong": self = .wrong
        default: return nil
        }
    }
}
