import Glibc
import Input
import InputEvents
import Instrument
import Runtime
import TestSupport
import Testing

@testable import Replay
@testable import Pages

/// A pseudo-terminal; the test holds the other end.
private final class PseudoTerminal {
    let master: Int32
    let slave: Int32

    // TIOCSPTLCK and TIOCGPTN, used by unlockpt and ptsname; Swift imports neither.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    init(columns: UInt16, rows: UInt16) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(master >= 0)
        var (lock, number): (Int32, UInt32) = (0, 0)
        try #require(ioctl(master, Self.setLock, &lock) == 0 && ioctl(master, Self.getNumber, &number) == 0)
        slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(slave >= 0)
        resize(columns: columns, rows: rows)
    }

    deinit {
        close(master)
        close(slave)
    }

    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Whether `part` arrives within five seconds; earlier output is dropped.
    func shows(_ part: String) -> Bool {
        eventually {
            var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            if poll(&polled, 1, 0) > 0 {
                var bytes = [UInt8](repeating: 0, count: 65_536)
                let count = read(master, &bytes, bytes.count)
                if count > 0 { seen += String(decoding: bytes.prefix(count), as: UTF8.self) }
            }
            guard let range = seen.range(of: part) else { return false }
            seen = String(seen[range.upperBound...])
            return true
        }
    }

    var settings: tcflag_t {
        var settings = termios()
        tcgetattr(slave, &settings)
        return settings.c_lflag
    }

    private var seen = ""
}

@Suite("The panel in a terminal", .serialized)
struct TerminalPanelTests {
    private let overlay = SimulatedOverlay(columns: 44, rows: 24, onPost: {})
    private let keyboard = ControlMailbox {}

    private func panel(
        _ terminal: PseudoTerminal, name: String? = "xterm-256color", onQuit: @escaping @Sendable () -> Void = {}
    ) throws -> TerminalPanel {
        try TerminalPanel(
            columns: 44, rows: 24, overlay: overlay, keyboard: keyboard, terminal: name, input: terminal.slave,
            output: terminal.slave, now: monotonicNow, onQuit: onQuit)
    }

    @Test("shows frames, reads keys and the finger, and restores the terminal")
    func session() throws {
        let terminal = try PseudoTerminal(columns: 100, rows: 40)
        let settings = terminal.settings
        let quits = Counter()
        let panel = try panel(terminal) { quits.add() }
        defer { panel.stop() }
        #expect(terminal.shows("\u{1b}[?1002h"))
        #expect(terminal.shows("q quits"))
        var pixels = [UInt8](repeating: 0, count: 44 * 24 * 3)
        pixels[(2 * 44 + 3) * 3] = 200
        panel.show(pixels)
        #expect(terminal.shows("\u{1b}[3;7H\u{1b}[48;2;200;0;0m"))
        panel.report(amps: 1.25, framesPerSecond: 60)
        #expect(terminal.shows("60 fps   1.25 A"))

        terminal.type(" \u{1a}")
        var events: [ControlEvent] = []
        #expect(
            eventually {
                keyboard.read(into: &events)
                return events.map(\.event) == [.key(.spaceBar), .keyUp(.spaceBar), .key(.undo)]
            })
        terminal.type("\u{1b}[<0;9;8M\u{1b}[<32;11;8M\u{1b}[<0;11;8m")
        var reports: [InputReport] = []
        #expect(
            eventually {
                overlay.read(into: &reports)
                return reports.contains { $0.code == InputCode.trackingID && $0.value == -1 }
            })
        #expect(reports.filter { $0.code == InputCode.positionX }.map { $0.value / 1024 } == [4, 5])
        #expect(reports.filter { $0.code == InputCode.positionY }.map { $0.value / 1024 } == [7])

        // On the letters q is a letter. The status shows that the session has taken the change.
        panel.setNaming(true)
        panel.report(amps: 1.5, framesPerSecond: 60)
        #expect(terminal.shows("1.50 A"))
        events = []
        terminal.type("q")
        #expect(
            eventually {
                keyboard.read(into: &events)
                return events.map(\.event) == [.type("q")]
            })
        panel.setNaming(false)
        panel.report(amps: 1.75, framesPerSecond: 60)
        #expect(terminal.shows("1.75 A"))
        #expect(quits.value == 0)
        terminal.type("q")
        #expect(eventually { quits.value == 1 })
        panel.stop()
        panel.stop()
        #expect(terminal.shows("\u{1b}[?1049l"))
        #expect(terminal.settings == settings)
    }

    @Test("redraws when the terminal changes size, and reports when it is too small")
    func resizing() throws {
        let terminal = try PseudoTerminal(columns: 100, rows: 40)
        let panel = try panel(terminal)
        defer { panel.stop() }
        #expect(terminal.shows("q quits"))
        terminal.resize(columns: 60, rows: 20)
        panel.report(amps: 0, framesPerSecond: 60)
        #expect(terminal.shows("right button"))
        terminal.resize(columns: 40, rows: 20)
        panel.report(amps: 0, framesPerSecond: 59)
        #expect(terminal.shows("make the terminal at lea"))
    }

    @Test("cancels a finger that is down when it stops")
    func stopping() throws {
        let terminal = try PseudoTerminal(columns: 100, rows: 40)
        let panel = try panel(terminal)
        #expect(terminal.shows("q quits"))
        terminal.type("\u{1b}[<0;9;8M")
        var reports: [InputReport] = []
        #expect(
            eventually {
                overlay.read(into: &reports)
                return !reports.isEmpty
            })
        panel.stop()
        overlay.read(into: &reports)
        #expect(reports.contains { $0.code == InputCode.toolType && $0.value == InputCode.toolPalm })
    }

    @Test("reports in one line what it lacks")
    func errors() throws {
        let small = try PseudoTerminal(columns: 43, rows: 40)
        #expect(throws: TerminalPanelError.tooSmall(columns: 43, rows: 40, columnsNeeded: 44, rowsNeeded: 13)) {
            _ = try panel(small)
        }
        let large = try PseudoTerminal(columns: 100, rows: 40)
        for (name, words) in [("dumb", "dumb"), (nil, "not set")] as [(String?, String)] {
            #expect(throws: TerminalPanelError.noColours(terminal: words)) { _ = try panel(large, name: name) }
        }
        let file = open("/dev/null", O_RDWR)
        defer { close(file) }
        let error = thrown(TerminalPanelError.self) {
            _ = try TerminalPanel(
                columns: 44, rows: 24, overlay: overlay, keyboard: keyboard, terminal: "xterm", input: file,
                output: file,
                now: monotonicNow, onQuit: {})
        }
        #expect(error == .notATerminal)
        #expect(error?.description.contains("\n") == false)
    }
}
