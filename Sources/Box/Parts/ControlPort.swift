import Devices
import Display
import Documents
import Drive
import Glibc
import Input
import InputEvents
import Instrument
import Replay
import Runtime
import Synchronization
import Threads

/// The socket at which a program asks and plays the running box (docs/drive.md, "A running box"). It has a thread of its
/// own.
final class ControlPort: LiveBox, Sendable {
    private let listener: SocketListener
    private let version: String
    private let clock: SystemClock
    private let overlay: SimulatedOverlay
    private let events: ControlMailbox
    /// Signals: something has happened; the loop has looked.
    private let (arrived, looked) = (MonotonicSemaphore(), MonotonicSemaphore())
    private let state = Mutex(State())
    private let thread = Mutex<OwnThread?>(nil)

    private struct State {
        /// The program's connection; nil without one.
        var connection: Int32?
        var happened: [Happening] = []
        /// Whether the program waits for a look, and the look.
        var isAsked = false
        var view: (instrument: Instrument, picture: Frame)?
        /// What the program knows.
        var words = PanelWords()
        var playhead: Instrument.Transport.Playhead?
        var cables: [String: MIDICable] = [:]
        /// Keys that the program holds.
        var keys: Set<Key> = []
        var isEnding = false

        mutating func add(_ happening: Happening) {
            if happened.count < ControlPort.happeningsMax { happened.append(happening) }
        }
    }

    /// Maximum happenings that wait for a program: minutes of the densest pattern. Later ones are lost.
    private static let happeningsMax = 65_536
    /// Maximum time of a pass of the loop.
    private static let passMax = Instant.Span.milliseconds(2000)
    /// Time after which a program that waits is looked for.
    private static let lookInterval = Instant.Span.milliseconds(50)

    /// Listens at `path`. Touches go to `overlay`, all else to `events`.
    init(
        _ path: String, version: String, clock: SystemClock, overlay: SimulatedOverlay, events: ControlMailbox
    ) throws {
        listener = try SocketListener(path)
        (self.version, self.clock, self.overlay, self.events) = (version, clock, overlay, events)
    }

    /// Begins to serve one program after the other.
    func start() { thread.withLock { $0 = OwnThread { [self] in serve() } } }

    /// Ends the connection and the thread.
    func stop() {
        state.withLock { state in
            state.isEnding = true
            if let connection = state.connection { shutdown(connection, Int32(SHUT_RDWR)) }
        }
        listener.stop()
        arrived.signal()
        looked.signal()
        thread.join()
    }

    private func serve() {
        while let connection = listener.accept() {
            state.withLock { state in
                state.connection = connection
                if state.isEnding { shutdown(connection, Int32(SHUT_RDWR)) }
            }
            do {
                try serve(connection)
            } catch {
                Log.post("\(error)")
            }
            let left = state.withLock { state in
                defer { state = State(isEnding: state.isEnding) }
                return state
            }
            close(connection)
            // What the program held is withdrawn, as its fingers are.
            for (_, var cable) in left.cables {
                for message in cable.release() { events.post(.midi(message), at: now) }
            }
            for key in left.keys { events.post(.keyCancel(key), at: now) }
            overlay.cancelAll(at: now)
        }
    }

    private func serve(_ connection: Int32) throws {
        let (requests, answers) = (InputLines(connection), OutputLines(connection))
        let bench = LiveBench(version: version, self)
        try answers.write(bench.greeting)
        while let line = try requests.next() { try answers.write(bench.answer(to: line)) }
    }

    // MARK: For the program

    var now: Instant { clock.now }

    var isThere: Bool {
        let (connection, isEnding) = state.withLock { ($0.connection, $0.isEnding) }
        guard let connection, !isEnding else { return false }
        var byte: UInt8 = 0
        let count = recv(connection, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
    }

    func look() -> (instrument: Instrument, picture: Frame)? {
        let isEnding = state.withLock { state in
            state.isAsked = true
            return state.isEnding
        }
        if isEnding { return nil }
        clock.wake()
        looked.wait(timeout: Self.passMax)
        return state.withLock { state in
            defer { (state.view, state.isAsked) = (nil, false) }
            return state.view
        }
    }

    func perform(_ act: TouchScript.Act) {
        switch act {
        case .touch(let contact, let phase, let column, let row, let delay):
            overlay.post(
                ContactChange(time: now, contact: contact, phase: phase, x: column, y: row, delay: delay))
        case .control(let event):
            state.withLock { state in
                switch event {
                case .key(let key): state.keys.insert(key)
                case .keyUp(let key), .keyCancel(let key): state.keys.remove(key)
                default: break
                }
            }
            events.post(event, at: now)
        case .midi(let bytes, let port):
            let messages = state.withLock { state in
                bytes.flatMap { state.cables[port ?? "", default: MIDICable()].receive($0, at: clock.now) }
            }
            for message in messages { events.post(.midi(message), at: now) }
        case .device, .result, .sceneTaken: break
        }
    }

    func wait(until time: Instant) -> [Happening] {
        while true {
            let (happened, isEnding) = state.withLock { state in
                defer { state.happened = [] }
                return (state.happened, state.isEnding)
            }
            let rest = time - now
            if !happened.isEmpty || isEnding || rest <= .milliseconds(0) || !isThere { return happened }
            arrived.wait(timeout: min(rest, Self.lookInterval))
        }
    }

    // MARK: For the loop

    /// Tells a program what has changed by a pass of `loop`, and lets it look.
    func pass(_ loop: Loop, at now: Instant) {
        let (news, isAsked) = state.withLock { state -> (Bool, Bool) in
            guard state.connection != nil else { return (false, false) }
            let words = loop.instrument.words
            let before = state.happened.count
            if words != state.words {
                state.words = words
                state.add(Happening(words, at: now))
            }
            let playhead = loop.instrument.state.transport.playhead
            if playhead != state.playhead {
                state.playhead = playhead
                if let playhead { state.add(Happening(playhead)) }
            }
            return (state.happened.count > before, state.isAsked && state.view == nil)
        }
        if news { arrived.signal() }
        guard isAsked else { return }
        let view = (loop.instrument, loop.picture(at: now))
        state.withLock { $0.view = view }
        looked.signal()
    }

    /// Tells a program what left or began at `time`.
    func add(_ happening: @autoclosure () -> Happening) {
        let isHeard = state.withLock { state in
            guard state.connection != nil else { return false }
            state.add(happening())
            return true
        }
        if isHeard { arrived.signal() }
    }
}
