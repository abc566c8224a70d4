import Display
import Formats
import InputEvents
import Instrument
import Panel

/// Finds a panel's wiring: lights a tile or an LED after another, and takes the place of each on standard input.
package final class PanelWiring {
    private let lights: CommandPanel
    private let configuration: PanelConfiguration
    /// The search before each answer, and now.
    private var searches: [WiringSearch]
    private let answers = AnswerLines()

    private static let back = "back"

    /// A search on the panel that `options` describe, which has `across` tiles side by side and `down` below one
    /// another, on the first `chains` chains of the configuration.
    package init(_ options: BoxOptions, across: Int, down: Int, chains: Int) throws {
        var configuration = try Configuration.load(options.configuration)
        let panel = configuration.panel
        let kind = PanelView.Kind(options.panel, panel)
        guard kind != .terminal else {
            throw CommandError(.usage, "panel wiring asks in the terminal: use --panel spi or --panel web")
        }
        guard let search = WiringSearch(columns: panel.columns, across: across, down: down, chains: chains) else {
            throw CommandError(
                .usage,
                "--tiles is \(across)x\(down) and --chains is \(chains): \(panel.columns) columns, \(PanelConfiguration.rows) rows and "
                    + "the tiles should divide evenly")
        }
        guard let provisional = search.provisional(panel) else {
            throw CommandError(
                .usage,
                "--chains is \(chains), but the configuration has \(panel.chains.count): add the device of each to panel.chains"
            )
        }
        configuration.panel = provisional
        self.configuration = panel
        searches = [search]
        lights = try CommandPanel(kind, configuration, options)
    }

    /// The panel with the wiring that was found; nil if `seconds`, the user or the end of the input ended the search.
    /// Calls `ask` once a question's light is lit, and `explain` for an answer that is none of its places.
    package func search(
        seconds: Int?, ask: (WiringSearch) -> Void, explain: () -> Void
    ) throws -> PanelConfiguration? {
        let end = lights.end(after: seconds)
        var isAsked = false
        var isOver = false
        while !isOver, !lights.stopper.isStopping, end.map({ lights.clock.now < $0 }) ?? true {
            let now = lights.clock.now
            let search = searches[searches.count - 1]
            guard let question = search.question else { break }
            lights.frame.fill(.black)
            for number in question.leds {
                let led = lights.driver.geometry.location(of: number)
                // All of a tile would dazzle.
                lights.frame[led.column, led.row] = question.leds.count == 1 ? .white : RGB(0x303030)
            }
            let isLit = lights.show(at: now)
            if let problem = lights.problem {
                try? lights.stop()
                throw CommandError(.unavailable, problem)
            }
            if isLit, !isAsked {
                ask(search)
                isAsked = true
            }
            if isAsked {
                switch answers.next() {
                case .line(let line):
                    if answer(line) { isAsked = false } else { explain() }
                case .end: isOver = true
                case nil: break
                }
            }
            lights.clock.wait(until: now + Instrument.frameInterval)
        }
        try lights.stop()
        return searches[searches.count - 1].result(configuration)
    }

    /// Handles an answer: a column and a row, or a word that cancels the last answer. False if it is neither.
    private func answer(_ line: String) -> Bool {
        if line == Self.back {
            if searches.count > 1 { searches.removeLast() }
            return true
        }
        var search = searches[searches.count - 1]
        let numbers = line.split { " ,".contains($0) }.map { Int($0) }
        guard numbers.count == 2, let column = numbers[0], let row = numbers[1],
            (0..<configuration.columns).contains(column), (0..<PanelConfiguration.rows).contains(row),
            let place = search.question?.place(near: .init(column: column, row: row)), search.answer(place)
        else { return false }
        searches.append(search)
        return true
    }
}
