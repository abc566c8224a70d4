import Box
import InputEvents
import Documents
import Formats
import Instrument
import Panel

extension Main {
    static let panel = Command(
        "panel",
        usage:
            "walk|wiring|test|clock|off|power [--by LEDS] [--every MS] [--picture NAME] [--hertz N] [--chain N] [--seconds N] "
            + "[--panel spi|screen|web|terminal] [--milliohms N] [--supply AMPS] [--json] [--tiles AxD] [--chains N] [--service]",
        help: """
            Checks a panel's wiring and power. Ctrl-C stops it, and the panel goes dark.

            panel walk   lights the chain's LEDs in order and prints number, chain, tile, column and row: where the light
                         jumps, the configuration's tiles differ from the wiring
            panel wiring finds how the tiles of a panel are wired: lights a tile or an LED after another, asks where it is,
                         and prints the chains to configure
            panel test   shows colours, ramps, steps of power and a moving bar, in turn
            panel clock  finds the highest SPI clock that the chains take: shows an even grey, begins at half of the configured
                         clock, and asks whether it is right. Enter raises the clock by a tenth; n and Enter end the test, which
                         prints the highest right clock, and the clock to configure
            panel off    darkens the panel, after a box that was killed
            panel power  lights nothing; prints the current of each injection zone dark, with a typical pattern and at full
                         white, its limit, its fuse and its feeds, and the supply needed

                --by leds|rows|columns|chains
                                 unit of the walk (default leds)
                --every MS       time of each step at least, 10-60000 (default 50 for LEDs, else 500)
                --picture NAME   show only this one: \(PanelPicture.allCases.map(\.rawValue).joined(separator: ", "))
                --hertz N        clock: show this one, without asking; the range is the chip's
                --chain N        clock: test this chain only, from 0; the others stay dark
                --seconds N      end after this time, 1-86400
                --tiles AxD      wiring: number of tiles across and down, all of one size (default 1x1)
                --chains N       wiring: number of chains with the same number of tiles, 1-8 (default 1)
                --service        wiring: ask in lines for the setup service
                --panel spi|screen|web|terminal
                                 use the LEDs (default where available), a screen or a simulated panel
                --config FILE    read this configuration
                --milliohms N    resistance of both rails from one LED to the next, 0.01-1000 (default \(PanelPower.milliohms))
                --supply AMPS    power: rating of your supply, 0.1-1000: prints what the zones may draw from it
                --json           power as one JSON object instead of a table
                --listen ADDRESS:PORT, --token-file FILE   as for run
            """,
        options: [
            "--by", "--every", "--picture", "--hertz", "--chain", "--seconds", "--panel", "--config", "--milliohms",
            "--supply", "--tiles", "--chains", "--listen",
            "--token-file",
        ],
        flags: ["--json", "--service"], operands: 1...1
    ) { arguments in
        if arguments.operands[0] == "power" {
            let configuration = try Configuration.load(arguments["--config"])
            let milliohms = try arguments.number("--milliohms", in: 0.01...1000) ?? PanelPower.milliohms
            let supply = try arguments.number("--supply", in: 0.1...1000)
            if arguments.has("--json") {
                let plan = try PanelPower.json(configuration.panel, milliohms: milliohms, supply: supply)
                return print(plan.text(pretty: true))
            }
            return print(try PanelPower.table(configuration.panel, milliohms: milliohms, supply: supply))
        }
        if arguments.has("--json") { throw CommandError(.usage, "--json is for panel power") }
        let seconds = try arguments.integer("--seconds", in: 1...86_400)
        StopSignals.hold()
        if arguments.operands[0] == "wiring" { return try findWiring(arguments, seconds: seconds) }
        if arguments.operands[0] == "clock" { return try testClock(arguments, seconds: seconds) }
        let show: PanelShow.Content
        switch arguments.operands[0] {
        case "walk":
            let path = try arguments.choice("--by") ?? PanelWalk.Path.leds
            let every = try arguments.integer("--every", in: 10...60_000) ?? (path == .leds ? 50 : 500)
            show = .walk(path, milliseconds: every)
        case "test": show = .pictures(try arguments.choice("--picture").map { [$0] })
        case "off": show = .nothing
        case let word:
            throw CommandError(
                .usage,
                "panel \(word): should be panel walk, panel wiring, panel test, panel clock, panel off or panel power")
        }
        try PanelShow(try BoxOptions(arguments), seconds: seconds).run(show) { post($0) }
    }

    /// `panel clock`: one clock, or the search for the highest one.
    private static func testClock(_ arguments: Arguments, seconds: Int?) throws {
        let hertz = try arguments.integer("--hertz", in: 1...1_000_000_000)
        let chain = try arguments.integer("--chain", in: 0...7)
        guard hertz != nil || seconds == nil else {
            throw CommandError(.usage, "--seconds needs --hertz: the search ends with an answer")
        }
        let test = try PanelClock(try BoxOptions(arguments), chain: chain)
        if let hertz {
            return try test.show(hertz: hertz, seconds: seconds) {
                post("\(megahertz(hertz)): every LED should be the same grey, without flicker or colour")
            }
        }
        let finding = try test.search(
            ask: { post("\(megahertz($0)): is every LED the same grey, without flicker or colour? Enter: yes; n: no") },
            explain: { post("answer with Enter for yes, or n and Enter for no") })
        switch finding {
        case .right(let hertz, let isFull):
            let highest =
                isFull ? "the highest clock of the chip, \(megahertz(hertz)), is right" : "\(megahertz(hertz)) is right"
            print(
                "\(highest): set hertz: \(ClockSearch.recommended(for: hertz)) in panel.chains, a fifth less for heat, for a "
                    + "supply that sags, and for errors too rare to see")
        case .wrong(let hertz):
            throw CommandError(
                .unavailable,
                "\(megahertz(hertz)) is wrong already: check the wires of data, clock and ground, and the level shifter; "
                    + "--hertz 500000 shows a slower clock")
        case .nothing:
            throw CommandError(
                .noInput,
                "no clock was judged: panel clock reads answers from standard input; --hertz N shows one without asking"
            )
        }
    }

    /// A clock in MHz, with two decimals.
    private static func megahertz(_ hertz: Int) -> String { "\(String(hertz / 10_000, places: 2)) MHz" }
}

extension Arguments {
    /// The number of `option`, if given.
    fileprivate func number(_ option: String, in range: ClosedRange<Double>) throws -> Double? {
        guard let text = self[option] else { return nil }
        guard let value = Double(text), range.contains(value) else {
            let (least, most) = (range.lowerBound, Int(range.upperBound))
            throw CommandError(.usage, "\(option) is \(text), should be a number from \(least) to \(most)")
        }
        return value
    }
}
