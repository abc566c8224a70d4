import Box
import InputEvents
import Formats
import Glibc
import Instrument
import Panel

extension Main {
    static let panel = Command(
        "panel",
        usage:
            "walk|test|off|power [--by LEDS] [--every MS] [--picture NAME] [--seconds N] [--panel spi|web|terminal] "
            + "[--milliohms N] [--json]",
        help: """
            Checks a panel's wiring and power. Ctrl-C stops it, and the panel goes dark.

            panel walk   lights the chain's LEDs in order and prints number, chain, tile, column and row: where the light
                         jumps, the configuration's tiles differ from the wiring
            panel test   shows colours, ramps, steps of power and a moving bar, in turn
            panel off    darkens the panel, after a box that was killed
            panel power  lights nothing; prints the current of each injection zone dark, with a typical pattern and at full
                         white, its limit, its fuse and its feeds, and the supply needed

                --by leds|rows|columns|chains
                                 unit of the walk (default leds)
                --every MS       time of each step, 10-60000 (default 50 for LEDs, else 500)
                --picture NAME   show only this one: \(PanelPicture.allCases.map(\.rawValue).joined(separator: ", "))
                --seconds N      end after this time, 1-86400
                --panel spi|web|terminal
                                 use the LEDs (default where available) or a simulated panel
                --config FILE    read this configuration
                --milliohms N    resistance of both rails from one LED to the next, 0.01-1000 (default \(PanelPower.milliohms))
                --json           power as one JSON object instead of a table
                --listen ADDRESS:PORT, --token-file FILE   as for run
            """,
        options: [
            "--by", "--every", "--picture", "--seconds", "--panel", "--config", "--milliohms", "--listen",
            "--token-file",
        ],
        flags: ["--json"], operands: 1...1
    ) { arguments in
        if arguments.operands[0] == "power" {
            let configuration = try Configuration.load(arguments["--config"])
            let milliohms = try arguments.milliohms()
            if arguments.has("--json") {
                return print(try PanelPower.json(configuration.panel, milliohms: milliohms).text(pretty: true))
            }
            return print(try PanelPower.table(configuration.panel, milliohms: milliohms))
        }
        if arguments.has("--json") { throw CommandError(.usage, "--json is for panel power") }
        StopSignals.hold()
        let show: PanelShow.Content
        switch arguments.operands[0] {
        case "walk":
            let path = try arguments.choice("--by") ?? PanelWalk.Path.leds
            let every = try arguments.integer("--every", in: 10...60_000) ?? (path == .leds ? 50 : 500)
            show = .walk(path, milliseconds: every)
        case "test": show = .pictures(try arguments.choice("--picture").map { [$0] })
        case "off": show = .nothing
        case let word:
            throw CommandError(.usage, "panel \(word): should be panel walk, panel test, panel off or panel power")
        }
        let seconds = try arguments.integer("--seconds", in: 1...86_400)
        try PanelShow(try BoxOptions(arguments), seconds: seconds).run(show) { words in
            print(words)
            fflush(nil)
        }
    }
}

extension Arguments {
    /// The strip's measured resistance, or the default.
    fileprivate func milliohms() throws -> Double {
        guard let text = self["--milliohms"] else { return PanelPower.milliohms }
        guard let value = Double(text), (0.01...1000).contains(value) else {
            throw CommandError(.usage, "--milliohms is \(text), should be a number from 0.01 to 1000")
        }
        return value
    }
}
