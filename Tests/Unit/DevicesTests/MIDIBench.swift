import Glibc
import Instrument
import InputEvents
import Runtime
import Synchronization

@testable import Devices

/// A sequencer and raw devices, which the test plugs in and plays; selected calls fail.
final class FakeMIDI: Sendable {
    struct Sent: Hashable {
        var bytes: [UInt8]
        /// nil for all connected ports.
        var destination: MIDIAddress?
        /// The loop's time in microseconds; nil for at once.
        var due: Int64?
    }

    struct State {
        var ports: [MIDIPortDetails] = []
        var events: [(event: SequencerEvent, bytes: [UInt8])] = []
        /// Bytes of each raw device that was opened, with their times in nanoseconds.
        var raw: [Int: [(bytes: [UInt8], nanoseconds: Int64)]] = [:]
        var devices: [String: Int] = [:]
        var sent: [Sent] = []
        var log: [String] = []
        /// Results of the next calls of each kind, in place of the real ones; the last one stays.
        var errors: [Call: [Int32]] = [:]
        var overruns = 0
        /// The ports to which a port sends (true), and from which it receives.
        var links: [MIDIAddress: [Bool: [MIDIAddress]]] = [:]
        var next = 100
    }

    enum Call: Hashable, Sendable {
        case open, queue, queueTime, port, ports, receive, feed, read, send, openRaw, readRaw
    }

    let state = Mutex(State())
    /// Microseconds of the loop's clock at the queue's start.
    static let begin: Int64 = 1_000_000

    var sent: [Sent] { state.withLock { $0.sent } }
    var log: [String] { state.withLock { $0.log } }

    func fail(_ call: Call, _ errors: Int32...) { state.withLock { $0.errors[call] = errors } }

    func forgetSent() { state.withLock { $0.sent = [] } }

    /// Plugs a device in, and announces it.
    func plug(_ port: MIDIPortDetails) {
        state.withLock { $0.ports.append(port) }
        announce(.appeared)
    }

    /// Unplugs a device, and announces that.
    func unplug(_ port: MIDIPortDetails) {
        state.withLock { state in state.ports.removeAll { $0.address == port.address } }
        announce(.removed(port.address))
    }

    func announce(_ content: SequencerEvent.Content) {
        let event = SequencerEvent(source: MIDIAddress(client: 0, port: 1), queueTime: 0, content: content)
        state.withLock { $0.events.append((event, [])) }
    }

    /// A message that arrives through the sequencer at `microseconds` of the loop's clock.
    func play(_ bytes: [UInt8], from address: MIDIAddress, at microseconds: Int64) {
        let event = SequencerEvent(
            source: address, queueTime: (microseconds - Self.begin) * 1000, content: .bytes(bytes.count))
        state.withLock { $0.events.append((event, bytes)) }
    }

    /// Bytes that arrive at a raw device at `microseconds`.
    func play(_ bytes: [UInt8], raw device: String, at microseconds: Int64) {
        state.withLock { state in
            guard let handle = state.devices[device] else { return }
            state.raw[handle, default: []].append((bytes, microseconds * 1000 + 999))
        }
    }

    private func answer<Value>(
        _ call: Call, _ entry: String? = nil, _ body: (inout State) -> Value
    ) -> Result<Value, SystemError> {
        state.withLock { state in
            if let entry { state.log.append(entry) }
            if var errors = state.errors[call], let first = errors.first {
                errors.removeFirst()
                state.errors[call] = errors
                if first != 0 { return .failure(SystemError(errno: first)) }
            }
            return .success(body(&state))
        }
    }

    private func handle(_ call: Call, _ entry: String) -> Result<Int, SystemError> {
        answer(call, entry) { state in
            state.next += 1
            return state.next
        }
    }

    func calls(_ clock: any LoopClock) -> MIDICalls {
        MIDICalls(
            openClient: { self.handle(.open, "open \($0)") },
            closeClient: { _ in self.state.withLock { $0.log.append("close") } },
            number: { _ in 128 },
            descriptor: { Int32($0) },
            startQueue: { _, _ in self.answer(.queue) { _ in 3 } },
            queueTime: { _, _ in self.answer(.queueTime) { _ in (clock.now.microseconds - Self.begin) * 1000 } },
            createPort: { _, name, isInput, _ in self.answer(.port, "port \(name)") { _ in isInput ? 0 : 1 } },
            ports: { _ in self.answer(.ports) { $0.ports } },
            connections: { _, port, isSender in self.state.withLock { $0.links[port]?[isSender] ?? [] } },
            receive: { _, _, source in self.answer(.receive, "receive \(source.client):\(source.port)") { _ in } },
            feed: { _, _, target in self.answer(.feed, "feed \(target.client):\(target.port)") { _ in } },
            read: { _, buffer in
                self.answer(.read) { state -> SequencerEvent? in
                    guard !state.events.isEmpty else { return nil }
                    let (event, bytes) = state.events.removeFirst()
                    buffer.copyBytes(from: bytes)
                    return event
                }.flatMap { event in event.map { .success($0) } ?? .failure(SystemError(errno: EAGAIN)) }
            },
            send: { _, _, destination, bytes, due in
                self.answer(.send) { state in
                    let time = due.map { $0.nanoseconds / 1000 + Self.begin }
                    state.sent.append(Sent(bytes: bytes, destination: destination, due: time))
                }
            },
            discard: { _ in self.state.withLock { $0.log.append("discard") } },
            openRaw: { name in
                let opened = self.handle(.openRaw, "open \(name)")
                if case .success(let handle) = opened { self.state.withLock { $0.devices[name] = handle } }
                return opened
            },
            closeRaw: { device in
                self.state.withLock { state in
                    state.log.append("close raw")
                    state.devices = state.devices.filter { $0.value != device }
                }
            },
            rawDescriptor: { Int32($0) },
            readRaw: { device, buffer in
                self.answer(.readRaw) { state in
                    guard let chunks = state.raw[device], let first = chunks.first else {
                        return MIDICalls.RawReading(count: 0, nanoseconds: 0)
                    }
                    let count = min(buffer.count, first.bytes.count)
                    buffer.copyBytes(from: first.bytes.prefix(count))
                    state.raw[device]?[0].bytes.removeFirst(count)
                    if count == first.bytes.count { state.raw[device]?.removeFirst() }
                    return MIDICalls.RawReading(count: count, nanoseconds: first.nanoseconds)
                }
            },
            rawOverruns: { _ in
                self.state.withLock { state in
                    defer { state.overruns = 0 }
                    return state.overruns
                }
            })
    }
}

extension MIDIPortDetails {
    /// A USB device of a card: an input and an output.
    static func device(_ name: String, card: Int32, client: Int32? = nil) -> MIDIPortDetails {
        MIDIPortDetails(
            address: MIDIAddress(client: client ?? 16 + card, port: 0), client: name, port: "\(name) MIDI 1",
            isHardware: true, isSource: true, isDestination: true, card: card)
    }

    /// A port of a program.
    static func program(_ name: String, client: Int32) -> MIDIPortDetails {
        MIDIPortDetails(
            address: MIDIAddress(client: client, port: 0), client: name, port: "out", isHardware: false,
            isSource: true, isDestination: true, card: nil)
    }
}

/// A loop's clock that the test sets, and that counts its wake-ups.
final class WokenClock: LoopClock {
    private let state = Mutex((time: Instant.zero, wakes: 0))
    var now: Instant { state.withLock { $0.time } }
    var wakes: Int { state.withLock { $0.wakes } }
    func set(_ now: Instant) { state.withLock { $0.time = now } }
    func wait(until deadline: Instant) {}
    func wake() { state.withLock { $0.wakes += 1 } }
}

/// MIDI ports on a fake kernel, from 1 s of the loop's clock on.
final class MIDIBench {
    let midi = FakeMIDI()
    let clock = WokenClock()
    private let watch = Watched()
    var watched: [String] { watch.log }
    let ports: MIDIPorts

    init(
        _ devices: MIDIPortDetails..., launchpads: Launchpads? = nil,
        options: (inout MIDIPorts.Options) -> Void = { _ in },
        prepare: (FakeMIDI) -> Void = { _ in }
    ) {
        var chosen = MIDIPorts.Options()
        options(&chosen)
        midi.state.withLock { $0.ports = devices }
        prepare(midi)
        clock.set(Instant(microseconds: FakeMIDI.begin))
        ports = MIDIPorts(
            chosen, launchpads: launchpads,
            InputLoop(
                clock: clock, watch: { [watch] in watch.log.append("+\($0)") },
                forget: { [watch] in watch.log.append("-\($0)") }), midi.calls(clock))
    }

    /// The messages read at `milliseconds` of the clock.
    @discardableResult
    func read(at milliseconds: Int64) -> [ControlEvent] {
        clock.set(Instant(milliseconds: milliseconds))
        var events: [ControlEvent] = []
        ports.read(into: &events)
        return events
    }

    /// The titles of the connected ports.
    var connected: [String] { ports.status.present.map { "\($0.what), \($0.details)" } }
}
