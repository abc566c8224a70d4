import InputEvents
import Glibc
import Instrument
import Replay
import Runtime

/// The terminal while it shows the panel: its settings, and the loop that reads and draws.
struct TerminalSession {
    /// The file descriptors; `wake` becomes readable when there is something to draw.
    struct Descriptors: Sendable {
        let input: Int32
        let output: Int32
        let wake: Int32
    }

    private let columns: Int
    private let rows: Int
    private let descriptors: Descriptors
    private let settings: termios
    private let overlay: SimulatedOverlay
    private let now: @Sendable () -> Instant

    private var size = TerminalSize(columns: 0, rows: 0)
    private var layout: TerminalLayout?
    private var cells: TerminalCells?
    private var status = ""
    private var text: [UInt8] = []
    private var parser = TerminalInput()
    /// Whether the finger is on a cell's lower LED; nil while it is up.
    private var isFingerLower: Bool?
    private var keys: TerminalKeys

    /// Time in milliseconds after which an incomplete sequence was the Escape key.
    private static let sequenceTimeout: Int32 = 50

    // The alternate screen without a cursor, the mouse's buttons and drags (1002) in SGR form (1006), and keys with
    // modifiers and releases if the terminal reports them (kitty's protocol: 1 + 2 + 8 + 16, and a query for it).
    private static let enter = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?1002h\u{1b}[?1006h\u{1b}[>27u\u{1b}[?u"
    private static let leave = "\u{1b}[<u\u{1b}[?1006l\u{1b}[?1002l\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"
    // Synchronised output: the terminal shows the text between these at once.
    private static let beginUpdate = "\u{1b}[?2026h"
    private static let endUpdate = "\u{1b}[?2026l"

    init(
        columns: Int, rows: Int, descriptors: Descriptors, settings: termios, overlay: SimulatedOverlay,
        keyboard: ControlMailbox, now: @escaping @Sendable () -> Instant
    ) {
        self.columns = columns
        self.rows = rows
        self.descriptors = descriptors
        self.settings = settings
        self.overlay = overlay
        self.now = now
        keys = TerminalKeys { keyboard.post($0, at: $1) }
    }

    /// Reads and draws until `newest` returns nil, then restores the terminal.
    mutating func run(newest: () -> TerminalPicture?, onQuit: () -> Void) {
        var raw = settings
        cfmakeraw(&raw)
        tcsetattr(descriptors.input, TCSANOW, &raw)
        send(Array(Self.enter.utf8))
        defer {
            lift()
            keys.cancelAll(at: now())
            send(Array(Self.leave.utf8))
            var settings = settings
            tcsetattr(descriptors.input, TCSAFLUSH, &settings)
        }

        var isInputOpen = true
        while let picture = newest() {
            parser.isNaming = picture.isNaming
            draw(picture.pixels, picture.status)
            var polled = [
                pollfd(fd: descriptors.wake, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isInputOpen ? descriptors.input : -1, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&polled, nfds_t(polled.count), timeout)
            keys.endHold(at: now())
            if ready == 0, case .key(let stroke)? = parser.endSequence() { keys.handle(stroke, at: now()) }
            guard ready > 0 else { continue }
            if polled[0].revents != 0 { drainWake() }
            if polled[1].revents != 0 {
                switch readInput() {
                case .open: break
                case .quit: onQuit()
                case .gone:
                    isInputOpen = false
                    onQuit()
                }
            }
        }
    }

    /// Maximum time to wait for input, in milliseconds; -1 for no limit.
    private var timeout: Int32 {
        let hold = keys.holdTimeout(at: now())
        guard parser.isInSequence else { return hold ?? -1 }
        return min(Self.sequenceTimeout, hold ?? Self.sequenceTimeout)
    }

    private enum InputState {
        case open, quit, gone
    }

    private mutating func readInput() -> InputState {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptors.input, &bytes, bytes.count)
        guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) ? .open : .gone }
        var state = InputState.open
        for byte in bytes.prefix(count) {
            switch parser.parse(byte) {
            case .key(let stroke): keys.handle(stroke, at: now())
            case .reportsReleases: keys.reportsReleases = true
            case .quit: state = .quit
            case .pointer(let phase, let isRight, let column, let row):
                point(phase, isRight: isRight, column: column, row: row)
            case nil: break
            }
        }
        return state
    }

    private mutating func point(_ phase: TerminalInput.PointerPhase, isRight: Bool, column: Int, row: Int) {
        guard let layout else { return }
        switch (phase, isFingerLower) {
        case (.press, nil):
            guard layout.contains(cellColumn: column, cellRow: row) else { return }
            isFingerLower = isRight
            post(.down, layout.place(cellColumn: column, cellRow: row, isLower: isRight))
        case (.drag, let isLower?) where isLower == isRight:
            post(.move, layout.place(cellColumn: column, cellRow: row, isLower: isLower))
        case (.release, let isLower?) where isLower == isRight:
            isFingerLower = nil
            post(.up, layout.place(cellColumn: column, cellRow: row, isLower: isLower))
        default:
            break
        }
    }

    private mutating func lift() {
        guard isFingerLower != nil else { return }
        isFingerLower = nil
        post(.cancel, (0, 0))
    }

    private func post(_ phase: Touch.Phase, _ place: (x: Double, y: Double)) {
        overlay.post(
            ContactChange(time: now(), contact: TerminalPanel.contact, phase: phase, x: place.x, y: place.y))
    }

    private mutating func draw(_ pixels: [UInt8], _ newStatus: String) {
        text.removeAll(keepingCapacity: true)
        text += Self.beginUpdate.utf8
        let overhead = text.count
        let newSize = TerminalSize(of: descriptors.output)
        let isResized = newSize != size
        if isResized {
            lift()
            size = newSize
            layout = TerminalLayout(columns: columns, rows: rows, in: size)
            cells = layout.map(TerminalCells.init)
            text += "\u{1b}[0m\u{1b}[2J".utf8
        }
        cells?.encode(pixels, into: &text)
        if isResized || newStatus != status {
            status = newStatus
            writeStatus()
        }
        guard text.count > overhead else { return }
        text += Self.endUpdate.utf8
        send(text)
    }

    private mutating func writeStatus() {
        guard let layout else {
            let sizeMin = TerminalLayout.sizeMin(columns: columns, rows: rows)
            let needed = "make the terminal at least \(sizeMin.columns) by \(sizeMin.rows)"
            text += "\u{1b}[1;1H\(needed.prefix(size.columns))".utf8
            return
        }
        let hint =
            layout.sharesCells ? "q quits   Enter: cursor   right button: lower LED" : "q quits   Enter: cursor"
        let line = status.isEmpty ? hint : "\(status)   \(hint)"
        // Grey, and cut before the last column so that no terminal wraps or scrolls.
        text += "\u{1b}[\(layout.cellRows + 1);1H\u{1b}[2m\(line.prefix(size.columns - 1))\u{1b}[0m\u{1b}[K".utf8
    }

    private func drainWake() {
        var bytes = [UInt8](repeating: 0, count: 16)
        _ = read(descriptors.wake, &bytes, bytes.count)
    }

    /// Writes all of `bytes`; if the terminal is gone, they are lost.
    private func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptors.output, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var polled = pollfd(fd: descriptors.output, events: Int16(POLLOUT), revents: 0)
                poll(&polled, 1, -1)
            } else if errno != EINTR {
                return
            }
        }
    }
}
