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
            + "[--milliohms N]",
        help: """
            Shows how a panel is wired and how it is fed; stop it with Ctrl-C, and the panel goes dark.

            panel walk   lights what follows on each other in the chain and prints its number, chain, tile, column and row:
                         where it jumps, the configuration's tiles and the wires differ
            panel test   shows colours, ramps, steps of power and a moving bar, one after the other
            panel off    darkens the panel, for what comes after a box that was killed
            panel power  lights nothing; prints what each injection zone draws while dark, while a typical pattern plays and at
                         full white, its limit, its fuse and its feeds, and what the supply has to be

                --by LEDS        leds, rows, columns or chains; else leds
                --every MS       how long each is lit, 10-60000; else 50 for LEDs, 500 for the others
                --picture NAME   only this one: \(PanelPicture.allCases.map(\.rawValue).joined(separator: ", "))
                --seconds N      ends after so long, 1-86400
                --panel spi      the LEDs (else where they are to be had); web or terminal show a simulated panel
                --config FILE    read this configuration
                --milliohms N    of the strip's two rails together, from one LED to the next, 0.01-1000; else \(PanelPower.milliohms)
                --listen ADDRESS:PORT, --token-file FILE   as for run
            """,
        options: [
            "--by", "--every", "--picture", "--seconds", "--panel", "--config", "--milliohms", "--listen",
            "--token-file",
        ],
        operands: 1...1
    ) { arguments in
        if arguments.operands[0] == "power" {
            let configuration = try Configuration.load(arguments["--config"])
            return print(try PanelPower.table(configuration.panel, milliohms: try arguments.milliohms()))
        }
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
    /// What a maker has measured of the strip, or what a narrow one has.
    fileprivate func milliohms() throws -> Double {
        guard let text = self["--milliohms"] else { return PanelPower.milliohms }
        guard let value = Double(text), (0.01...1000).contains(value) else {
            throw CommandError(.usage, "--milliohms is \(text), should be a number from 0.01 to 1000")
        }
        return value
    }
}
