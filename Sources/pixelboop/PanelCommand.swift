import Devices
import Dispatch
import Display
import Formats
import Glibc
import Instrument
import Panel
import Runtime
import Simulator

extension Main {
    static let panel = Command(
        "panel",
        usage: "walk|test|off [--by LEDS] [--every MS] [--picture NAME] [--seconds N] [--panel spi|web|terminal]",
        help: """
            Shows how a panel is wired and how it is fed; stop it with Ctrl-C, and the panel goes dark.

            panel walk   lights what follows on each other in the chain and prints its number, chain, tile, column and row:
                         where it jumps, the configuration's tiles and the wires differ
            panel test   shows colours, ramps, steps of power and a moving bar, one after the other
            panel off    darkens the panel, for what comes after a box that was killed

                --by LEDS        leds, rows, columns or chains; else leds
                --every MS       how long each is lit, 10-60000; else 50 for LEDs, 500 for the others
                --picture NAME   only this one: \(PanelPicture.allCases.map(\.rawValue).joined(separator: ", "))
                --seconds N      ends after so long, 1-86400
                --panel spi      the LEDs (else where they are to be had); web or terminal show a simulated panel
                --config FILE    read this configuration
                --listen ADDRESS:PORT, --token TOKEN   as for run
            """,
        options: ["--by", "--every", "--picture", "--seconds", "--panel", "--config", "--listen", "--token"],
        operands: 1...1
    ) { arguments in
        Ending.hold()
        let show: PanelShow.Content
        switch arguments.operands[0] {
        case "walk":
            let path = try arguments.choice("--by", PanelWalk.Path.allCases) ?? .leds
            let every = try arguments.integer("--every", in: 10...60_000) ?? (path == .leds ? 50 : 500)
            show = .walk(path, milliseconds: every)
        case "test": show = .pictures(try arguments.choice("--picture", PanelPicture.allCases).map { [$0] })
        case "off": show = .nothing
        case let word: throw CommandError(.usage, "panel \(word): should be panel walk, panel test or panel off")
        }
        let seconds = try arguments.integer("--seconds", in: 1...86_400)
        try PanelShow(arguments, seconds: seconds).run(show)
    }
}

extension Arguments {
    /// The option's value as one of `choices`, by its word.
    fileprivate func choice<Choice: RawRepresentable<String>>(_ option: String, _ choices: [Choice]) throws -> Choice? {
        guard let word = self[option] else { return nil }
        guard let choice = choices.first(where: { $0.rawValue == word }) else {
            let words = choices.map(\.rawValue).joined(separator: ", ")
            throw CommandError(.usage, "\(option) is \(word), should be one of \(words)")
        }
        return choice
    }
}

/// A panel, simulated or not, that shows what it is handed until it is told to end.
private final class PanelShow {
    enum Content {
        case walk(PanelWalk.Path, milliseconds: Int)
        /// These pictures for as long as it goes, or all in turn.
        case pictures([PanelPicture]?)
        case nothing
    }

    private let clock: SystemClock
    private let view: View
    private let bus: any PanelBus
    private let wires: SPIBus?
    private let stopper: Stopper
    private let end: Instant?
    private let signals: [any DispatchSourceSignal]
    private var driver: PanelDriver
    private var frame: Frame

    /// How long each of the pictures is shown where they take turns.
    private static let pictureMilliseconds = 3000

    init(_ arguments: Arguments, seconds: Int?) throws {
        let configuration = try Configuration.load(arguments)
        let panel = configuration.panel
        let clock = try SystemClock()
        self.clock = clock
        let kind = try View.Kind(arguments["--panel"], panel)
        driver = try PanelDriver(panel)
        let view = try View(
            kind, configuration, listen: arguments["--listen"], token: arguments["--token"],
            overlay: SimulatedOverlay(columns: panel.columns, rows: Instrument.rows, onPost: {}),
            keyboard: SimulatedKeyboard(onPost: {}), clock: clock, soundRate: 0)
        self.view = view
        wires = kind == .spi ? SPIBus(panel, dark: driver.messages, clock: clock) : nil
        bus = try wires ?? SimulatedPanel(panel) { view.show($0) }
        stopper = Stopper(clock)
        frame = Frame(columns: panel.columns, rows: PanelConfiguration.rows)
        end = seconds.map { clock.now + .milliseconds(Int64($0) * 1000) }
        view.onQuit(stopper)
        signals = Ending.stop(stopper)
    }

    func run(_ content: Content) throws {
        defer { view.stop() }
        let start = clock.now
        var told: String?
        var watch = PanelWatch()
        if case .nothing = content {
        } else {
            while !stopper.isStopping, end.map({ clock.now < $0 }) ?? true {
                let now = clock.now
                let words = draw(content, at: Int((now - start).microseconds / 1000))
                send(at: now)
                if let words, words != told {
                    print(words)
                    fflush(nil)
                    told = words
                }
                if let wires { for line in watch.lines(wires.status) { Main.tell(line) } }
                clock.wait(until: now + Instrument.frameInterval)
            }
        }
        frame.fill(.black)
        driver.powerLimit = 1
        if send(at: clock.now).failures > 0 {
            throw CommandError(.unavailable, wires?.status.compactMap(\.problem).first ?? "the panel did not go dark")
        }
    }

    /// Draws what is shown `milliseconds` after the start, and says what that is.
    private func draw(_ content: Content, at milliseconds: Int) -> String? {
        switch content {
        case .walk(let path, let every):
            let walk = PanelWalk(path, of: driver.geometry, stopMilliseconds: every)
            walk.draw(into: &frame, at: milliseconds)
            return "\(walk[walk.index(at: milliseconds)])"
        case .pictures(let chosen):
            let pictures = chosen ?? PanelPicture.allCases
            // The steps of power take longer than a turn: alone they go on, among others they begin anew.
            let picture = pictures[milliseconds / Self.pictureMilliseconds % pictures.count]
            let time = pictures.count == 1 ? milliseconds : milliseconds % Self.pictureMilliseconds
            picture.draw(into: &frame, at: time)
            driver.powerLimit = picture.powerLimit(at: time)
            return picture.rawValue
        case .nothing: return nil
        }
    }

    @discardableResult
    private func send(at now: Instant) -> PanelDelivery {
        driver.drive(frame)
        return bus.send(driver.messages, at: now)
    }
}
