import Display
import Formats
import InputEvents
import Instrument
import Panel

/// Finds a panel's wiring: lights a tile in two colours, and then a tile or an LED after another, and takes the colours
/// and the place of each on standard input.
package final class PanelWiring {
    /// The known part of the wiring.
    package struct Knowledge {
        /// The order of the LEDs' colours; nil while it is asked.
        package var order: ColourOrder?
        /// The search for the places.
        package var search: WiringSearch
    }

    private let lights: CommandPanel
    private let configuration: PanelConfiguration
    /// The knowledge before each answer, and now.
    private var knowledge: [Knowledge]
    private let answers = AnswerLines()

    private static let back = "back"
    /// The share of a tile's LEDs, the first ones, that show the second colour of their data.
    private static let share = 8

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
        configuration.panel.order = nil
        self.configuration = panel
        knowledge = [Knowledge(order: nil, search: search)]
        lights = try CommandPanel(kind, configuration, options)
    }

    /// The panel with the wiring that was found; nil if `seconds`, the user or the end of the input ended the search.
    /// Calls `ask` once a question's light is lit, and `explain` for an answer that is none of those it can have.
    package func search(
        seconds: Int?, ask: (Knowledge) -> Void, explain: (Knowledge) -> Void
    ) throws -> PanelConfiguration? {
        let end = lights.end(after: seconds)
        var isAsked = false
        var isOver = false
        while !isOver, !lights.stopper.isStopping, end.map({ lights.clock.now < $0 }) ?? true {
            let now = lights.clock.now
            let known = knowledge[knowledge.count - 1]
            guard light(known) else { break }
            let isLit = lights.show(at: now)
            if let problem = lights.problem {
                try? lights.stop()
                throw CommandError(.unavailable, problem)
            }
            if isLit, !isAsked {
                ask(known)
                isAsked = true
            }
            if isAsked {
                switch answers.next() {
                case .line(let line):
                    if answer(line) { isAsked = false } else { explain(known) }
                case .end: isOver = true
                case nil: break
                }
            }
            lights.clock.wait(until: now + Instrument.frameInterval)
        }
        try lights.stop()
        let known = knowledge[knowledge.count - 1]
        var found = known.search.result(configuration)
        found?.order = known.order == configuration.chip.order ? nil : known.order
        return found
    }

    /// Draws the light of the question; false once all is known.
    private func light(_ known: Knowledge) -> Bool {
        lights.frame.fill(.black)
        guard known.order != nil else {
            let leds = known.search.firstTile
            let data = configuration.chip.order.colours.map { RGB($0) }
            draw(leds, data[0])
            draw(leds.prefix(max(1, leds.count / Self.share)), data[1])
            return true
        }
        guard let leds = known.search.question?.leds else { return false }
        // All of a tile would dazzle.
        draw(leds, leds.count == 1 ? .white : RGB(0x303030))
        return true
    }

    private func draw(_ leds: Range<Int>, _ colour: RGB) {
        for number in leds {
            let led = lights.driver.geometry.location(of: number)
            lights.frame[led.column, led.row] = colour
        }
    }

    /// Handles an answer: the colours, or a column and a row, or a word that cancels the last answer. False if it is
    /// none of these.
    private func answer(_ line: String) -> Bool {
        if line == Self.back {
            if knowledge.count > 1 { knowledge.removeLast() }
            return true
        }
        var known = knowledge[knowledge.count - 1]
        let words = line.split { " ,".contains($0) }
        guard words.count == 2 else { return false }
        if known.order == nil {
            let colours = words.compactMap { ColourOrder.Colour(rawValue: String($0)) }
            guard colours.count == 2, let order = ColourOrder(colours[0], colours[1]) else { return false }
            known.order = order
        } else {
            guard let column = Int(words[0]), let row = Int(words[1]), (0..<configuration.columns).contains(column),
                (0..<PanelConfiguration.rows).contains(row),
                let place = known.search.question?.place(near: .init(column: column, row: row)),
                known.search.answer(place)
            else { return false }
        }
        knowledge.append(known)
        return true
    }
}

extension RGB {
    /// A tile in one colour does not dazzle.
    fileprivate init(_ colour: ColourOrder.Colour) {
        switch colour {
        case .red: self.init(0x800000)
        case .green: self.init(0x008000)
        case .blue: self.init(0x000080)
        }
    }
}
