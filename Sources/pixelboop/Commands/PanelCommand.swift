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
            let configuration = try Configuration.load(arguments)
            return print(try PanelPower.table(configuration.panel, milliohms: try arguments.milliohms()))
        }
        Ending.hold()
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
        try PanelShow(arguments, seconds: seconds).run(show)
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

/// Shows something on the panel until it is told to end.
private final class PanelShow {
    enum Content {
        case walk(PanelWalk.Path, milliseconds: Int)
        /// These pictures for as long as it goes, or all in turn.
        case pictures([PanelPicture]?)
        case nothing
    }

    private let lights: Lights
    private let end: Instant?

    /// How long each of the pictures is shown where they take turns.
    private static let pictureMilliseconds = 3000

    init(_ arguments: Arguments, seconds: Int?) throws {
        let configuration = try Configuration.load(arguments)
        let kind = try View.Kind(arguments, configuration.panel)
        let lights = try Lights(kind, configuration, arguments)
        self.lights = lights
        end = seconds.map { lights.clock.now + .milliseconds(Int64($0) * 1000) }
    }

    func run(_ content: Content) throws {
        let start = lights.clock.now
        var told: String?
        if case .nothing = content {
        } else {
            while !lights.stopper.isStopping, end.map({ lights.clock.now < $0 }) ?? true {
                let now = lights.clock.now
                let (words, power) = draw(content, at: Int((now - start).microseconds / 1000))
                lights.show(power: power, at: now)
                if let words, words != told {
                    print(words)
                    fflush(nil)
                    told = words
                }
                lights.clock.wait(until: now + Instrument.frameInterval)
            }
        }
        try lights.stop()
    }

    /// Draws what is shown `milliseconds` after the start; says what that is, and what part of the power it may take.
    private func draw(_ content: Content, at milliseconds: Int) -> (words: String?, power: Double) {
        switch content {
        case .walk(let path, let every):
            let walk = PanelWalk(path, of: lights.driver.geometry, stopMilliseconds: every)
            walk.draw(into: &lights.frame, at: milliseconds)
            return ("\(walk[walk.index(at: milliseconds)])", 1)
        case .pictures(let chosen):
            let pictures = chosen ?? PanelPicture.allCases
            // The steps of power take longer than a turn: alone they go on, among others they begin anew.
            let picture = pictures[milliseconds / Self.pictureMilliseconds % pictures.count]
            let time = pictures.count == 1 ? milliseconds : milliseconds % Self.pictureMilliseconds
            picture.draw(into: &lights.frame, at: time)
            return (picture.rawValue, picture.powerLimit(at: time))
        case .nothing: return (nil, 1)
        }
    }
}
