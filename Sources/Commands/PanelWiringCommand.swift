import Box
import Panel

extension Main {
    /// `panel wiring`: the search for the panel's wiring.
    static func findWiring(_ arguments: Arguments, seconds: Int?) throws {
        let (across, down) = try arguments.tiles()
        let chains = try arguments.integer("--chains", in: 1...8) ?? 1
        let wiring = try PanelWiring(try BoxOptions(arguments), across: across, down: down, chains: chains)
        let isService = arguments.has("--service")
        let found = try wiring.search(
            seconds: seconds,
            ask: { post(isService ? serviceLines($0) : question($0)) },
            explain: { post(isService ? "unclear\n" : "answer with \($0.form); or with back") })
        guard let found else {
            throw CommandError(.noInput, "the wiring is not known: panel wiring reads its answers from standard input")
        }
        let lines = found.wiringText.split(separator: "\n")
        if isService { return print(lines.map { "wiring \($0)\n" }.joined()) }
        print("the wiring is known; the configuration's panel needs these lines, and no origin:")
        print(lines.joined(separator: "\n"))
    }

    private static func question(_ known: PanelWiring.Knowledge) -> String {
        guard known.order != nil else {
            return "most of tile 0 lights in one colour, its first LEDs in another: which two? It can be "
                + colours.joined(separator: ", ")
        }
        let search = known.search
        guard let question = search.question else { return "" }
        let light = question.leds.count == 1 ? "LED \(question.leds.lowerBound) of" : "all of"
        let places = question.places.map { "\($0.column) \($0.row)" }.joined(separator: ", ")
        return "\(light) tile \(search.known.count) lights: at which column and row? It can be at \(places)"
    }

    /// A question for the setup service: the panel's size, the number of lit LEDs, the tile, the number of tiles,
    /// the colours or the places, and an empty line.
    private static func serviceLines(_ known: PanelWiring.Knowledge) -> String {
        let search = known.search
        let isOrderKnown = known.order != nil
        guard let leds = isOrderKnown ? search.question?.leds : search.firstTile else { return "" }
        let lines = [
            "panel \(search.columns) \(PanelConfiguration.rows)", "leds \(leds.count)",
            "tile \(search.known.count)", "tiles \(search.count)",
        ]
        let places = (search.question?.places ?? []).map { "place \($0.column) \($0.row)" }
        return (lines + (isOrderKnown ? places : colours.map { "colours \($0)" }) + [""]).joined(separator: "\n")
    }

    /// The first two colours of each order.
    private static let colours = ColourOrder.allCases.map { "\($0.colours[0]) \($0.colours[1])" }
}

extension PanelWiring.Knowledge {
    /// The form of an answer to its question.
    fileprivate var form: String {
        order == nil ? "two colours, such as red green" : "a column and a row, such as 21 0"
    }
}

extension Arguments {
    /// The number of tiles across and down.
    fileprivate func tiles() throws -> (across: Int, down: Int) {
        guard let text = self["--tiles"] else { return (1, 1) }
        let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let across = numbers[0], let down = numbers[1] else {
            throw CommandError(.usage, "--tiles is \(text), should be the number of tiles across and down, such as 2x2")
        }
        return (across, down)
    }
}
