import Devices
import Formats
import FoundationEssentials
import Glibc
import Instrument
import Panel
import Runtime
import Simulator
import Synchronization

/// What shows the panel: LEDs; or a page or a terminal, which take fingers and keys besides; or nothing.
final class View: Sendable {
    enum Kind: String, CaseIterable {
        case spi, web, terminal, none

        /// It is touched, and typed on, where it is shown.
        var isSimulated: Bool { self == .web || self == .terminal }

        /// What the command line asks for; else the LEDs that the configuration describes, or the page where there is no
        /// such device.
        init(_ word: String?, _ configuration: PanelConfiguration) throws {
            guard let word else {
                let isThere = configuration.chains.contains { FileManager.default.fileExists(atPath: $0.device) }
                self = isThere ? .spi : .web
                return
            }
            guard let kind = Kind(rawValue: word) else {
                let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandError(.usage, "--panel is \(word), should be one of \(kinds)")
            }
            self = kind
        }
    }

    /// The page, if there is one.
    let page: PageServer?
    private let terminal: TerminalPanel?
    /// Who is told when the user quits in the terminal.
    private let stopper: Quitting

    private final class Quitting: Sendable {
        let state = Mutex<(stopper: Stopper?, hasQuit: Bool)>((nil, false))
    }

    init(
        _ kind: Kind, _ configuration: Configuration, listen: String?, token: String?, overlay: SimulatedOverlay,
        keyboard: ControlMailbox, clock: SystemClock, soundRate: Int
    ) throws {
        let stopper = Quitting()
        self.stopper = stopper
        let columns = configuration.panel.columns
        switch kind {
        case .web:
            let (address, port) = try Self.address(listen, configuration)
            let served = PageServer.Configuration(
                address: address, port: port, token: token, columns: columns, rows: Instrument.rows,
                soundRate: soundRate)
            do throws(PageServerError) {
                let page = try PageServer(served, overlay: overlay, keyboard: keyboard, now: { clock.now })
                Main.tell("the panel is at \(page.url)")
                self.page = page
            } catch {
                throw CommandError(error.status, "\(error)")
            }
            terminal = nil
        case .terminal:
            page = nil
            do throws(TerminalPanelError) {
                terminal = try TerminalPanel(
                    columns: columns, rows: Instrument.rows, overlay: overlay, keyboard: keyboard, now: { clock.now },
                    onQuit: {
                        let waiting = stopper.state.withLock { state in
                            state.hasQuit = true
                            return state.stopper
                        }
                        waiting?.stop()
                    })
            } catch {
                throw CommandError(.unavailable, "\(error)")
            }
        case .spi, .none:
            page = nil
            terminal = nil
        }
    }

    private static func address(_ listen: String?, _ configuration: Configuration) throws -> (String, Int) {
        let text = listen ?? configuration.listen
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let port = Int(parts[1]) else {
            let place = listen == nil ? "listen" : "--listen"
            throw CommandError(
                listen == nil ? .badConfiguration : .usage,
                "\(place) is \(text), should be ADDRESS:PORT such as 127.0.0.1:4424")
        }
        return (String(parts[0]), port)
    }

    /// Lets the user's wish to quit stop the box, even if it came before there was one to stop.
    func onQuit(_ stopper: Stopper) {
        let hasQuit = self.stopper.state.withLock { state in
            state.stopper = stopper
            return state.hasQuit
        }
        if hasQuit { stopper.stop() }
    }

    /// Shows the panel's picture, three bytes an LED, row by row.
    func show(_ pixels: [UInt8]) {
        page?.show(pixels)
        terminal?.show(pixels)
    }

    func report(amps: Double, framesPerSecond: Double, wireBytesPerSecond: Double) {
        page?.report(amps: amps, framesPerSecond: framesPerSecond, wireBytesPerSecond: wireBytesPerSecond)
        terminal?.report(amps: amps, framesPerSecond: framesPerSecond)
    }

    func stop() {
        page?.stop()
        terminal?.stop()
    }
}

extension PageServerError {
    fileprivate var status: ExitStatus {
        switch self {
        case .badAddress, .badPort, .tokenNeeded, .badToken: .usage
        case .notPermitted: .noPermission
        case .inUse, .noSuchAddress, .unavailable: .unavailable
        }
    }
}
