import InputEvents
import Glibc
import Instrument
import Replay
import Runtime
import Synchronization
import Threads

/// The simulated panel in a terminal with 24-bit colours and a mouse, which is one finger. In a cell with two LEDs the
/// left button touches the upper one and the right button the lower. A larger terminal has several cells for each LED.
///
/// A separate thread reads the keys and the mouse and draws the newest frame; the box never waits for it.
public final class TerminalPanel: Sendable {
    /// The finger's identifier at the overlay; other sources use no negative ones.
    static let contact = -1

    private let screen: Mutex<Screen>
    /// A pipe that wakes the drawing thread.
    private let wakeReader: Int32
    private let wakeWriter: Int32
    private let thread: Mutex<OwnThread?>

    /// Input of the drawing thread.
    private struct Screen {
        var picture: TerminalPicture
        var isStopping = false
        var isWakePending = false
    }

    /// Opens the panel in the terminal. Contacts go to `overlay` and keys to `keyboard`, stamped with `now`. A thread
    /// of the panel's calls `onQuit` when the user presses q or Ctrl-C, or the terminal disappears. `terminal` is the
    /// terminal's name, TERM of the environment.
    ///
    /// Throws if there is no terminal, or it has no colours or is too small.
    public init(
        columns: Int, rows: Int, overlay: SimulatedOverlay, keyboard: ControlMailbox, terminal: String?,
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO,
        now: @escaping @Sendable () -> Instant, onQuit: @escaping @Sendable () -> Void
    ) throws(TerminalPanelError) {
        // The names of terminals without control sequences: term(7).
        if ["", "dumb", "unknown"].contains(terminal ?? "") { throw .noColours(terminal: terminal ?? "not set") }
        let settings = try Self.settings(of: input, output, columns: columns, rows: rows)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .unavailable(reason: String(cString: strerror(errno))) }

        screen = Mutex(Screen(picture: TerminalPicture(pixels: Array(repeating: 0, count: columns * rows * 3))))
        (wakeReader, wakeWriter) = (ends[0], ends[1])
        thread = Mutex(nil)
        let places = TerminalSession.Descriptors(input: input, output: output, wake: ends[0])
        let started = OwnThread { [self] in
            var session = TerminalSession(
                columns: columns, rows: rows, descriptors: places, settings: settings, overlay: overlay,
                keyboard: keyboard, now: now)
            session.run(
                newest: {
                    screen.withLock { screen in
                        screen.isWakePending = false
                        return screen.isStopping ? nil : screen.picture
                    }
                }, onQuit: onQuit)
        }
        guard let started else {
            for end in ends { close(end) }
            throw .unavailable(reason: "no thread available")
        }
        thread.withLock { $0 = started }
    }

    /// The settings of the terminal at `input` and `output`, if it is a terminal that fits `columns` × `rows` LEDs.
    private static func settings(
        of input: Int32, _ output: Int32, columns: Int, rows: Int
    ) throws(TerminalPanelError) -> termios {
        guard isatty(input) == 1, isatty(output) == 1 else { throw .notATerminal }
        let size = TerminalSize(of: output)
        guard TerminalLayout(columns: columns, rows: rows, in: size) != nil else {
            let sizeMin = TerminalLayout.sizeMin(columns: columns, rows: rows)
            throw .tooSmall(
                columns: size.columns, rows: size.rows, columnsNeeded: sizeMin.columns, rowsNeeded: sizeMin.rows)
        }
        var settings = termios()
        guard tcgetattr(input, &settings) == 0 else {
            throw .unavailable(reason: String(cString: strerror(errno)))
        }
        return settings
    }

    /// Shows `pixels`: R, G, B of each LED, row by row. The newest frame replaces one not yet drawn.
    public func show(_ pixels: [UInt8]) {
        change { screen in
            precondition(pixels.count == screen.picture.pixels.count)
            screen.picture.pixels = pixels
        }
    }

    /// Sets whether the panel asks for a name, so that letter keys type it.
    public func setNaming(_ isNaming: Bool) {
        change { $0.picture.isNaming = isNaming }
    }

    /// Reports the panel's current and its frame rate, for the status line.
    public func report(amps: Double, framesPerSecond: Double) {
        let amps = String(Int((100 * amps).rounded()), places: 2)
        let status = "\(Int(framesPerSecond.rounded())) fps   \(amps) A"
        change { $0.picture.status = status }
    }

    /// Restores the terminal. Returns when this is done; later calls do nothing.
    public func stop() {
        thread.withLock { thread in
            guard let running = thread else { return }
            change { $0.isStopping = true }
            running.join()
            close(wakeReader)
            close(wakeWriter)
            thread = nil
        }
    }

    private func change(_ body: (inout Screen) -> Void) {
        screen.withLock { screen in
            guard !screen.isStopping else { return }
            body(&screen)
            guard !screen.isWakePending else { return }
            screen.isWakePending = true
            var byte: UInt8 = 0
            write(wakeWriter, &byte, 1)
        }
    }
}
