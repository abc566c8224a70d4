import Devices
import Formats
import FoundationEssentials
import Glibc
import Instrument
import Pages
import Panel
import Replay
import Runtime
import Synchronization

/// The output of the panel: LEDs; a screen; a page or a terminal, which also take touches and keys; or nothing.
package final class PanelView: Sendable {
    /// A kind of output.
    package enum Kind: String, CaseIterable, Sendable {
        case spi, screen, web, terminal, none

        /// The name for messages.
        package var name: String {
            switch self {
            case .spi: "LEDs"
            case .screen: "the screen"
            case .web: "the page"
            case .terminal: "the terminal"
            case .none: "none"
            }
        }

        /// Whether the view also takes touches and keys.
        var isSimulated: Bool { self == .web || self == .terminal }

        /// The chosen view; else the configured LEDs. If their device is missing, the screen that `look` finds, where
        /// the configuration allows it and nothing else shows on it, or else the page. `isRunning`: whether a box runs
        /// on this machine, which may show on the screen.
        package init(
            _ chosen: Kind?, _ configuration: PanelConfiguration, besideBox isRunning: Bool = false,
            look: (PanelConfiguration) -> Result<ScreenFit, DeviceFailure> = {
                ScreenSurvey.look($0.screen, columns: $0.columns)
            }
        ) {
            if let chosen {
                self = chosen
            } else if configuration.chains.contains(where: { FileManager.default.fileExists(atPath: $0.device) }) {
                self = .spi
            } else if configuration.screen.isAutomatic {
                switch look(configuration) {
                case .success: self = .screen
                case .failure(let failure): self = isRunning && failure.isInUse ? .screen : .web
                }
            } else {
                self = .web
            }
        }
    }

    /// Touches on a simulated panel.
    let overlay: SimulatedOverlay
    /// Keys typed at it, and other events for the loop.
    let keyboard: ControlMailbox
    /// The page; nil for another view.
    let page: PageServer?
    /// The screen; nil for another view.
    let screen: ScreenPanel?
    let kind: Kind
    private let terminal: TerminalPanel?
    private let clock: SystemClock
    /// The newest words.
    private let told = Mutex(PanelWords())
    /// Stops the box when the user quits in the terminal.
    private let stopper = Quitting()

    private final class Quitting: Sendable {
        let state = Mutex<(stopper: Stopper?, hasQuit: Bool)>((nil, false))

        func quit() {
            let waiting = state.withLock { state in
                state.hasQuit = true
                return state.stopper
            }
            waiting?.stop()
        }
    }

    /// The view of `kind` for `configuration` and `options`; a page offers `takes` and keeps `files`. Its input wakes
    /// the loop's `clock`. A page plays sound at `soundRate`, 0 for none.
    init(
        _ kind: Kind, _ configuration: Configuration, _ options: BoxOptions, takes: TakeFolder? = nil,
        files: (any PageFiles)? = nil, clock: SystemClock, soundRate: Int = 0
    ) throws {
        self.kind = kind
        self.clock = clock
        let columns = configuration.panel.columns
        overlay = SimulatedOverlay(columns: columns, rows: Instrument.rows, onPost: { clock.wake() })
        keyboard = ControlMailbox(onPost: { clock.wake() })
        page =
            try kind == .web
            ? Self.page(configuration, options, takes, files, overlay, keyboard, clock, soundRate: soundRate) : nil
        screen = kind == .screen ? try Self.screen(configuration.panel, clock) : nil
        do throws(TerminalPanelError) {
            terminal =
                try kind == .terminal
                ? TerminalPanel(
                    columns: columns, rows: Instrument.rows, overlay: overlay, keyboard: keyboard,
                    terminal: ProcessInfo.processInfo.environment["TERM"], now: { clock.now },
                    onQuit: { [stopper] in stopper.quit() }) : nil
        } catch {
            throw CommandError(.unavailable, "\(error)")
        }
    }

    private static func screen(_ configuration: PanelConfiguration, _ clock: SystemClock) throws -> ScreenPanel {
        guard let screen = ScreenPanel(configuration.screen, columns: configuration.columns, clock: clock) else {
            throw CommandError(.unavailable, "the system has no thread to give for the screen")
        }
        return screen
    }

    private static func page(
        _ configuration: Configuration, _ options: BoxOptions, _ takes: TakeFolder?, _ files: (any PageFiles)?,
        _ overlay: SimulatedOverlay, _ keyboard: ControlMailbox, _ clock: SystemClock, soundRate: Int
    ) throws -> PageServer {
        var served = try served(configuration, options, soundRate: soundRate)
        let file = TokenFile(options.tokenFile)
        do {
            if try file.isNamed || served.isForOthers() { served.token = try file.token() }
            let page = try PageServer(
                served, downloads: takes, files: files, overlay: overlay, keyboard: keyboard, now: { clock.now })
            // A journal is read by more people than play the box.
            let isSecret = served.token != nil && isatty(STDERR_FILENO) == 0
            Log.post(
                "the panel is at " + (isSecret ? "\(page.url), with the token in \(file.path)" : page.urlWithToken))
            return page
        } catch let error as PageServerError {
            throw CommandError(error.status, "\(error)")
        }
    }

    /// The page that `configuration` and `options` describe, without its token.
    package static func served(
        _ configuration: Configuration, _ options: BoxOptions, soundRate: Int = 0
    ) throws -> PageServer.Configuration {
        let (address, port) = try address(options.listen, configuration)
        return PageServer.Configuration(
            address: address, port: port,
            proxy: configuration.pageAddress.map { PageProxy(scheme: $0.scheme, host: $0.host, path: $0.path) },
            columns: configuration.panel.columns, rows: Instrument.rows, soundRate: soundRate,
            site: configuration.siteAddress?.text)
    }

    /// The bus for a panel of `configuration`: its LEDs, which `dark` darkens, or a simulated panel.
    func bus(_ configuration: PanelConfiguration, dark: [[UInt8]]) throws -> any PanelBus & Sendable {
        if kind == .spi { return SPIBus(configuration, dark: dark, clock: clock) }
        return try SimulatedPanel(configuration) { [self] in show($0) }
    }

    private static func address(_ listen: String?, _ configuration: Configuration) throws -> (String, Int) {
        try listen.map { try address($0, from: "--listen", .usage) }
            ?? address(configuration.listen, from: "listen", .badConfiguration)
    }

    /// Parses an address and a port of the option or key `place`. Throws a `CommandError` with `status` if they are
    /// invalid.
    static func address(_ text: String, from place: String, _ status: ExitStatus) throws -> (String, Int) {
        guard let address = ListenAddress(text) else {
            throw CommandError(status, "\(place) \(ListenAddress.problem(text))")
        }
        return (address.host, address.port)
    }

    /// Sets the stopper that a quit in the terminal calls, also for a quit that came before.
    func onQuit(_ stopper: Stopper) {
        let hasQuit = self.stopper.state.withLock { state in
            state.stopper = stopper
            return state.hasQuit
        }
        if hasQuit { stopper.stop() }
    }

    /// Shows the panel's picture: three bytes per LED, row by row.
    private func show(_ pixels: [UInt8]) {
        page?.show(pixels)
        screen?.show(pixels)
        terminal?.show(pixels)
    }

    func report(amps: Double, framesPerSecond: Double, wireBytesPerSecond: Double) {
        page?.report(amps: amps, framesPerSecond: framesPerSecond, wireBytesPerSecond: wireBytesPerSecond)
        terminal?.report(amps: amps, framesPerSecond: framesPerSecond)
    }

    /// Passes on the panel's words, if they have changed.
    func tell(_ words: PanelWords) {
        let isNew = told.withLock { told in
            defer { told = words }
            return told != words
        }
        guard isNew else { return }
        page?.tell(words)
        terminal?.setNaming(words.isNaming)
    }

    /// Whether somebody wants the panel's words.
    var wantsWords: Bool { kind.isSimulated }

    func stop() {
        page?.stop()
        screen?.stop()
        terminal?.stop()
    }
}

extension PageServerError {
    /// The exit status of a command that ends with it.
    var status: ExitStatus {
        switch self {
        case .badAddress, .badPort, .tokenNeeded, .badToken: .usage
        case .notPermitted: .noPermission
        case .inUse, .noSuchAddress, .unavailable: .unavailable
        }
    }
}
