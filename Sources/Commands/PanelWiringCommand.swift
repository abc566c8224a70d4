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
            explain: { post(isService ? "unclear\n" : "answer with a column and a row, such as 21 0; or with back") })
        guard let found else {
            throw CommandError(.noInput, "the wiring is not known: panel wiring reads its answers from standard input")
        }
        let lines = found.chainsText.split(separator: "\n")
        if isService { return print(lines.map { "wiring \($0)\n" }.joined()) }
        print("the wiring is known; the configuration's panel needs these chains, and no origin:")
        print(lines.joined(separator: "\n"))
    }

    private static func question(_ search: WiringSearch) -> String {
        guard let question = search.question else { return "" }
        let light = question.leds.count == 1 ? "LED \(question.leds.lowerBound) of" : "all of"
        let places = question.places.map { "\($0.column) \($0.row)" }.joined(separator: ", ")
        return "\(light) tile \(search.known.count) lights: at which column and row? It can be at \(places)"
    }

    /// A question for the setup service: the panel's size, the number of lit LEDs, the tile, the number of tiles,
    /// the places, and an empty line.
    private static func serviceLines(_ search: WiringSearch) -> String {
        guard let question = search.question else { return "" }
        let lines = [
            "panel \(search.columns) \(PanelConfiguration.rows)", "leds \(question.leds.count)",
            "tile \(search.known.count)", "tiles \(search.count)",
        ]
        return (lines + question.places.map { "place \($0.column) \($0.row)" } + [""]).joined(separator: "\n")
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
