import CSystem
import Glibc
import Input
import InputEvents
import Runtime

/// MIDI sockets on a serial line of the board. They are read on the loop's thread; what leaves has a thread of its own.
/// A failure is reported and never stops the box: a lost line is opened again every second.
public final class MIDISockets: ControlSource {
    /// The line and its treatment.
    public struct Options: Hashable, Sendable {
        /// Path of the serial line.
        public var path: String
        /// Whether its clock may be followed.
        public var mayClock = true
        /// Messages to the instruments when the line opens.
        public var greeting: [[UInt8]] = []
        /// Channels of the tracks, from 0, which are silenced where notes may hang.
        public var channels: [Int] = []
        /// Delay of all that is sent; negative for earlier than the sound.
        public var outputDelay = Instant.Span.milliseconds(0)
        /// SCHED_FIFO priority of the thread that sends, 0 for none.
        public var priority = 0

        /// The line at `path`.
        public init(path: String) { self.path = path }
    }

    private let options: Options
    private let loop: InputLoop
    private let choice: ClockChoice
    private let sender: CableSender

    private var line: Int32?
    private var openings = 0
    private var nextOpen = Instant.zero
    private var cable = MIDICable()
    private var output = MIDIOutput()
    /// Keys that have to be released at the far end when the line is back.
    private var owed = HeldKeys()
    private var failure: DeviceFailure?
    private var lossEnd: Instant?
    private var isStopped = false

    /// The number of their clock, which no other port has.
    private static let clockNumber = -1
    private static let lossTime = Instant.Span.milliseconds(10_000)

    /// The sockets that `options` describe, and one choice of a clock for all inputs. Messages wake the loop of
    /// `clock`. Nil if the system cannot create a thread.
    public convenience init?(_ options: Options, choice: ClockChoice, clock: SystemClock) {
        self.init(options, choice: choice, InputLoop(clock))
    }

    init?(_ options: Options, choice: ClockChoice, _ loop: InputLoop) {
        self.options = options
        self.choice = choice
        self.loop = loop
        guard
            let sender = CableSender(
                silence: Self.silence(options.channels), priority: options.priority, clock: loop.clock)
        else { return nil }
        self.sender = sender
    }

    deinit { stop() }

    /// The open line, and why it is not open or messages were lost.
    public var status: InputStatus {
        let open = InputPresence(what: options.path, details: "in and out", number: -openings)
        return InputStatus(present: line == nil ? [] : [open], problem: failure)
    }

    /// Appends the messages since the last call, each with the time of the call: the kernel does not stamp serial
    /// lines.
    public func read(into events: inout [ControlEvent]) {
        guard !isStopped else { return }
        let now = loop.clock.now
        output.advance(to: now)
        if line == nil, now >= nextOpen { open(at: now) }
        note(loss: sender.readLoss(), at: now)
        guard let line else { return }
        defer { handle(cable.advance(to: now), at: now, into: &events) }
        withUnsafeTemporaryAllocation(byteCount: MIDIPorts.bytesMax, alignment: 1) { buffer in
            // One call a pass: a flood must not hold the loop, which the readable line wakes again.
            let count = Glibc.read(line, buffer.baseAddress, buffer.count)
            if count > 0 {
                for byte in buffer.prefix(count) { handle(cable.receive(byte, at: now), at: now, into: &events) }
            } else if count == 0 || ![EAGAIN, EINTR].contains(errno) {
                lose(SystemError(errno: count == 0 ? EIO : errno), at: now, into: &events)
            }
        }
    }

    private func handle(_ messages: [MIDIMessage], at now: Instant, into events: inout [ControlEvent]) {
        for message in messages {
            if message == .identityRequest {
                sender.send(MIDIPorts.identity, at: now)
                continue
            }
            if message.isOfClock {
                guard options.mayClock, choice.port.accepts(message, from: Self.clockNumber, at: now) else { continue }
            }
            events.append(ControlEvent(time: now, event: .midi(message)))
        }
    }

    /// Sends a message so that it leaves at `time`, or at once if that has passed.
    public func send(_ bytes: [UInt8], at time: Instant) {
        let due = output.due(time + options.outputDelay)
        output.append(bytes, due: due)
        if line != nil { sender.send(bytes, at: due) }
    }

    /// Stops a running transport, ends all notes and closes the line. Call it when the loop has ended.
    public func stop() {
        guard !isStopped else { return }
        isStopped = true
        var messages = output.isRunning ? [MIDIMessage.stop.bytes] : []
        var keys = output.keys
        keys.release { messages.append($0.bytes) }
        sender.stop(messages + Self.silence(options.channels))
        closeLine()
    }

    // MARK: The line

    /// Why the line at `path` does not open; nil if it does. Changes nothing of a line that is in use.
    public static func failure(of path: String) -> DeviceFailure? {
        system_serial_check(path) == 0 ? nil : DeviceFailure(opening: path, SystemError(errno: errno))
    }

    private func open(at now: Instant) {
        nextOpen = now + .retry
        let opened = system_serial_open(options.path, CableQueue.baud)
        guard opened >= 0 else {
            failure = DeviceFailure(opening: options.path, SystemError(errno: errno))
            return
        }
        line = opened
        openings += 1
        failure = nil
        cable = MIDICable()
        loop.watch(opened)
        sender.use(opened)
        // Messages that the far end missed while the line was lost.
        if openings > 1, !output.isRunning { sender.send(MIDIMessage.stop.bytes, at: now) }
        owed.release { sender.send($0.bytes, at: now) }
        for message in Self.silence(options.channels) + options.greeting { sender.send(message, at: now) }
    }

    private func lose(_ error: SystemError, at now: Instant, into events: inout [ControlEvent]) {
        closeLine()
        failure = DeviceFailure(opening: options.path, error)
        nextOpen = now + .retry
        choice.port.unplug(Self.clockNumber)
        owed.formUnion(output.keys)
        handle(cable.release(), at: now, into: &events)
    }

    private func closeLine() {
        guard let line else { return }
        sender.use(nil)
        loop.forget(line)
        close(line)
        self.line = nil
    }

    private func note(loss: Bool, at now: Instant) {
        if loss {
            lossEnd = now + Self.lossTime
            failure = DeviceFailure(
                "\(options.path): messages were lost", fix: "a MIDI cable takes 1000 notes a second")
        } else if let end = lossEnd, now >= end {
            lossEnd = nil
            if line != nil { failure = nil }
        }
    }

    private static func silence(_ channels: [Int]) -> [[UInt8]] { channels.map { MIDIMessage.allNotesOff($0).bytes } }
}

extension DeviceFailure {
    /// Why the serial line at `path` cannot carry MIDI.
    fileprivate init(opening path: String, _ error: SystemError) {
        let what = "no MIDI sockets: \(path): \(error)"
        if error.isForbidden {
            self.init(what, fix: DeviceFailure.fix(joining: "dialout"))
        } else if error.isAbsence {
            self.init(what, fix: "switch the line on (docs/sync.md), or correct midi.uart")
        } else if error.errno == EBUSY {
            self.init("no MIDI sockets: \(path) is in use", fix: "end the program that uses it (sudo fuser -v \(path))")
            isInUse = true
        } else if error.errno == ENOTTY {
            self.init("no MIDI sockets: \(path) is no serial line", fix: "correct midi.uart")
        } else if error.errno == ERANGE || error.errno == EINVAL {
            self.init("no MIDI sockets: \(path) cannot do 31250 baud", fix: "use another serial line")
        } else {
            self.init(what, fix: "it is tried again every second")
        }
    }
}
