import Foundation
import Instrument
import Input
import Runtime
import TestSupport
import Testing

@testable import Replay
@testable import Simulator

private typealias Event = TerminalInput.Event

private func events(_ text: String) -> [Event] {
    var parser = TerminalInput()
    return text.utf8.compactMap { parser.take($0) }
}

private let inputs: [(String, [Event])] = [
    (" ", [.key(.playStop)]),
    ("\u{1a}", [.key(.undo)]),
    ("\u{19}", [.key(.redo)]),
    ("\u{7f}\u{08}\u{1b}[3~", [.key(.clear), .key(.clear), .key(.clear)]),
    ("\u{1b}[A\u{1b}[B\u{1b}OA\u{1b}OB", [.key(.faster), .key(.slower), .key(.faster), .key(.slower)]),
    ("\u{1b}[1;1A\u{1b}[1;5C", [.key(.faster)]),
    ("\u{1b}[122;5u\u{1b}[122;6u\u{1b}[90;6u\u{1b}[121;5u", [.key(.undo), .key(.redo), .key(.redo), .key(.redo)]),
    ("\u{1b}[122;133u", [.key(.undo)]),
    ("\u{1b}[122:90;6u", [.key(.redo)]),
    ("\u{1b}[99;5uq\u{03}", [.quit, .quit, .quit]),
    ("z\u{1b}[122u\u{1b}[122;7u", []),
    ("\u{1b}[<0;1;1M", [.pointer(.press, isRight: false, column: 0, row: 0)]),
    ("\u{1b}[<32;44;12M", [.pointer(.drag, isRight: false, column: 43, row: 11)]),
    ("\u{1b}[<0;300;7m", [.pointer(.release, isRight: false, column: 299, row: 6)]),
    (
        "\u{1b}[<2;5;6M\u{1b}[<34;5;7M\u{1b}[<2;5;7m",
        [
            .pointer(.press, isRight: true, column: 4, row: 5), .pointer(.drag, isRight: true, column: 4, row: 6),
            .pointer(.release, isRight: true, column: 4, row: 6),
        ]
    ),
    ("\u{1b}[<64;5;6M\u{1b}[<1;5;6M\u{1b}[<35;5;6M\u{1b}[<0;0;6M\u{1b}[<0;6M\u{1b}[<;;M", []),
    ("\u{1b}x \u{1b}\u{1b}[A", [.key(.playStop), .key(.faster)]),
    ("\u{1b}[" + String(repeating: "1", count: 500) + "A ", [.key(.playStop)]),
    ("\u{1b}[99999999999999999999;5u ", [.key(.playStop)]),
    ("é☃ ", [.key(.playStop)]),
]

@Suite("The terminal's input")
struct TerminalInputTests {
    @Test("parses a terminal's input into keys and the finger", arguments: inputs)
    fileprivate func table(text: String, expected: [Event]) {
        #expect(events(text) == expected)
    }

    @Test("waits for the rest of a sequence, and can drop it")
    func pieces() {
        var parser = TerminalInput()
        #expect(parser.take(0x1b) == nil)
        #expect(parser.isInSequence)
        parser.forgetSequence()
        #expect(!parser.isInSequence)
        #expect(parser.take(UInt8(ascii: "q")) == .quit)
    }

    @Test("accepts any bytes")
    func noise() {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        var parser = TerminalInput()
        for _ in 0..<100_000 {
            let byte = [0x1b, 0x5b, 0x3c, 0x3b, 0x4d, 0x30, UInt8.random(in: 0...255, using: &random)]
                .randomElement(using: &random)
            if let event = parser.take(byte ?? 0), case .pointer(_, _, let column, let row) = event {
                #expect(column >= 0 && row >= 0, "seed \(seed)")
            }
        }
    }
}

@Suite("The terminal's cells")
struct TerminalCellsTests {
    private func text(_ cells: inout TerminalCells, _ pixels: [UInt8]) -> String {
        var bytes: [UInt8] = []
        cells.encode(pixels, into: &bytes)
        return String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\u{1b}", with: "^")
    }

    @Test(
        "selects the largest layout that fits above a status line",
        arguments: [
            (200, 60, .pair), (88, 25, .pair), (87, 60, .half), (88, 24, .half), (44, 13, .half), (44, 12, nil),
            (43, 60, nil),
        ] as [(Int, Int, TerminalLayout.Shape?)])
    func layouts(columns: Int, rows: Int, shape: TerminalLayout.Shape?) {
        let layout = TerminalLayout(columns: 44, rows: 24, in: TerminalSize(columns: columns, rows: rows))
        #expect(layout?.shape == shape)
    }

    @Test("the LED of a cell is the one under the finger")
    func places() throws {
        let half = try #require(TerminalLayout(columns: 4, rows: 4, in: TerminalSize(columns: 4, rows: 3)))
        #expect(half.led(cellColumn: 3, cellRow: 1, isLower: false) == (3, 2))
        #expect(half.led(cellColumn: 3, cellRow: 1, isLower: true) == (3, 3))
        #expect(half.led(cellColumn: 99, cellRow: -2, isLower: false) == (3, 0))
        #expect(!half.contains(cellColumn: 4, cellRow: 0))
        let pair = try #require(TerminalLayout(columns: 4, rows: 4, in: TerminalSize(columns: 8, rows: 5)))
        #expect(pair.led(cellColumn: 7, cellRow: 3, isLower: true) == (3, 3))
    }

    @Test("draws half blocks, and then only changed cells")
    func halves() throws {
        let layout = try #require(TerminalLayout(columns: 2, rows: 2, in: TerminalSize(columns: 2, rows: 2)))
        #expect(layout.shape == .half)
        var cells = TerminalCells(layout)
        #expect(
            text(&cells, [255, 0, 0, 1, 2, 3, 0, 0, 255, 1, 2, 3])
                == "^[1;1H^[48;2;0;0;255m^[38;2;255;0;0m▀^[48;2;1;2;3m ^[0m")
        #expect(text(&cells, [255, 0, 0, 1, 2, 3, 0, 0, 255, 1, 2, 3]) == "")
        #expect(
            text(&cells, [255, 0, 0, 9, 2, 3, 0, 0, 255, 1, 2, 3]) == "^[1;2H^[48;2;1;2;3m^[38;2;9;2;3m▀^[0m")
    }

    @Test("draws each LED as two cells if there is room")
    func pairs() throws {
        let layout = try #require(TerminalLayout(columns: 2, rows: 1, in: TerminalSize(columns: 4, rows: 2)))
        #expect(layout.shape == .pair)
        var cells = TerminalCells(layout)
        #expect(text(&cells, [1, 1, 1, 2, 2, 2]) == "^[1;1H^[48;2;1;1;1m  ^[48;2;2;2;2m  ^[0m")
        #expect(text(&cells, [1, 1, 1, 3, 3, 3]) == "^[1;3H^[48;2;3;3;3m  ^[0m")
    }
}

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

    private func panel(_ terminal: PseudoTerminal, onQuit: @escaping @Sendable () -> Void = {}) throws -> TerminalPanel
    {
        try TerminalPanel(
            columns: 44, rows: 24, overlay: overlay, keyboard: keyboard, input: terminal.slave,
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
                return events.map(\.event) == [.key(.playStop), .key(.undo)]
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
        let file = open("/dev/null", O_RDWR)
        defer { close(file) }
        let error = thrown(TerminalPanelError.self) {
            _ = try TerminalPanel(
                columns: 44, rows: 24, overlay: overlay, keyboard: keyboard, input: file, output: file,
                now: monotonicNow, onQuit: {})
        }
        #expect(error == .notATerminal)
        #expect(error?.description.contains("\n") == false)
    }
}
