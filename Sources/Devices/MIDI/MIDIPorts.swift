import Glibc
import Input
import InputEvents
import Instrument
import Runtime

/// The box's MIDI ports: a client of ALSA's sequencer called PixelBoop, which connects itself to the devices that the
/// options allow, whenever they are plugged in. Messages that arrive wake the loop's thread, which reads them; messages
/// that leave wait in the kernel until their time. A failure is reported and never stops the box: a lost port is tried
/// again every second.
public final class MIDIPorts: ControlSource {
    /// Choice of the ports and their treatment.
    public struct Options: Hashable, Sendable {
        /// Whether inputs of devices are read raw, with the kernel's time stamps; else through the sequencer, which
        /// shares them with other programs.
        public var isRaw = true
        /// Names of the ports to connect to; nil for the ports of all devices.
        public var ports: [String]?
        /// Name of the only port whose clock is followed; nil for the port that ticks first.
        public var clock: String?
        /// Messages to a device that was plugged in.
        public var greeting: [[UInt8]] = []
        /// Channels of the tracks, from 0, which are silenced where notes may hang.
        public var channels = TrackChannels().used
        /// Delay of all that is sent; negative for earlier than the sound.
        public var outputDelay = Instant.Span.milliseconds(0)

        /// All devices.
        public init() {}

        /// Whether the settings choose a port of another client. Excluded: the System client, and Midi Through, which
        /// would echo the box's own output.
        func choose(_ port: MIDIPortDetails) -> Bool {
            guard !port.isOfSystem, port.isSource || port.isDestination else { return false }
            return ports.map { $0.contains(where: port.isCalled) } ?? port.isHardware
        }
    }

    private let options: Options
    private let loop: InputLoop
    private let calls: MIDICalls
    /// The Launchpads, whose ports play no track; nil if theirs are like others.
    private let launchpads: Launchpads?

    private var client: Client?
    private var ports: [MIDIPort] = []
    private var connections = 0
    private let choice: ClockChoice
    private var output = MIDIOutput()
    /// Keys that have to be released at a port that was unplugged, once it is back.
    private var owed: [String: HeldKeys] = [:]
    /// Releases that the full pool refused.
    private var refused = HeldKeys()
    /// The cable of all programs that connected themselves.
    private var strangers = MIDICable()
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 8)

    private var nextOpen = Instant.zero
    private var nextLook = Instant.zero
    private var nextCheck = Instant.zero
    private var isStopped = false
    private var absence: DeviceFailure?
    private var refusal: DeviceFailure?
    private var loss: (failure: DeviceFailure, until: Instant)?

    /// The open client.
    private struct Client {
        var handle: Int
        var number: Int32
        var input: Int32
        var output: Int32
        var queue: Int32
        var clock = QueueClock()
    }

    /// The client's name.
    public static let name = "PixelBoop"
    /// Ticks a second of the queue that sends, and so the accuracy of what leaves: 0.25 ms, less than a byte on a DIN
    /// cable takes. The kernel's default is 1000, its maximum 6250 (sound/core/seq/seq_timer.c).
    static let queueHertz: UInt32 = 4000
    /// Bytes and events that are read in one pass, so that a flood cannot hold the loop.
    static let bytesMax = 512
    static let eventsMax = 256
    /// Time for which udev may still set the permissions of a new device.
    private static let patience = Instant.Span.milliseconds(500)
    /// Interval at which overruns of quiet devices are looked for.
    private static let checkInterval = Instant.Span.milliseconds(1000)
    /// Time for which a loss counts as a problem.
    private static let lossTime = Instant.Span.milliseconds(10_000)
    /// Unplugged ports whose keys are remembered.
    private static let owedMax = 32

    /// The ports that `options` choose, one choice of a clock for all inputs, and the windows of Launchpads. `clock` is
    /// the loop's; messages wake it.
    public convenience init(
        _ options: Options = Options(), choice: ClockChoice = ClockChoice(), launchpads: Launchpads? = nil,
        clock: SystemClock
    ) {
        self.init(options, choice: choice, launchpads: launchpads, InputLoop(clock), .alsa)
    }

    init(
        _ options: Options, choice: ClockChoice = ClockChoice(), launchpads: Launchpads? = nil, _ loop: InputLoop,
        _ calls: MIDICalls
    ) {
        self.options = options
        self.launchpads = launchpads
        self.choice = choice
        self.loop = loop
        self.calls = calls
        // Before the loop runs: the first call reads ALSA's configuration.
        var events: [ControlEvent] = []
        look(at: loop.clock.now, into: &events)
    }

    deinit {
        closeAll()
        buffer.deallocate()
    }

    /// The ports that the box is connected to, and the first problem.
    public var status: InputStatus {
        InputStatus(present: ports.map(\.presence), problem: absence ?? loss?.failure ?? refusal)
    }

    /// One line that says why MIDI does not work and what to do; nil while it does.
    public var problem: String? { status.problem?.description }

    /// Whether the machine has a sequencer.
    public var isOpen: Bool { client != nil }

    /// Whether the machine has no sequencer, which is no fault.
    public private(set) var isMissing = false

    /// Name of the port whose clock is followed; nil for none.
    public var clockPort: String? { ports.first { $0.number == choice.port.chosen }?.details.name }

    // MARK: Input

    /// Appends the messages since the last call, each with the time at which it arrived.
    public func read(into events: inout [ControlEvent]) {
        guard !isStopped else { return }
        let now = loop.clock.now
        output.advance(to: now)
        if let loss, now >= loss.until { self.loss = nil }
        look(at: now, into: &events)
        sendRefused()
        readSequencer(at: now, into: &events)
        for index in ports.indices.reversed() {
            if case .raw(let device) = ports[index].input { readRaw(device, of: index, at: now, into: &events) }
        }
        releaseSilent(at: now, into: &events)
        if now >= nextCheck { check(at: now, into: &events) }
        for (bytes, address) in launchpads?.lights(at: now) ?? [] { sendNow(bytes, to: address) }
        // A port that was announced is connected in the same pass.
        if now >= nextLook { look(at: now, into: &events) }
    }

    private func readSequencer(at now: Instant, into events: inout [ControlEvent]) {
        for _ in 0..<Self.eventsMax {
            guard let client else { return }
            switch calls.read(client.handle, buffer) {
            case .success(let event): handle(event, of: client, at: now, into: &events)
            case .failure(let error) where error.errno == EAGAIN: return
            case .failure(let error) where error.errno == EINTR: continue
            case .failure(let error) where error.errno == ENOSPC:
                lose("MIDI input of the sequencer", at: now)
                releaseKeys(at: now, into: &events) { $0.input == .sequencer }
                Self.post(strangers.release(), at: now, into: &events)
                // Announcements of ports may be lost too.
                nextLook = now
            case .failure(let error): return close(error, at: now, into: &events)
            }
        }
        // Events in alsa-lib's buffer do not end the loop's wait.
        loop.clock.wake()
    }

    private func handle(_ event: SequencerEvent, of client: Client, at now: Instant, into events: inout [ControlEvent])
    {
        switch event.content {
        case .bytes(let count):
            // A long system exclusive message comes in pieces. Pieces without a status byte are no data of another
            // port's message.
            guard buffer.first.map({ $0 >= 0x80 }) ?? false else { return }
            let time = min(now, client.clock.instant(ofQueue: event.queueTime))
            let index = ports.firstIndex { $0.details.address == event.source }
            for byte in buffer.prefix(count) {
                let messages =
                    index.map { ports[$0].cable.receive(byte, at: time) } ?? strangers.receive(byte, at: time)
                handle(messages, of: index, source: event.source, at: time, into: &events)
            }
        case .appeared: nextLook = now
        case .removed(let address):
            unplug(at: now, into: &events) { $0.details.address == address }
            nextLook = now
        case .removedClient(let number):
            unplug(at: now, into: &events) { $0.details.address.client == number }
            Self.post(strangers.release(), at: now, into: &events)
            nextLook = now
        case .other: break
        }
    }

    private func readRaw(_ device: Int, of index: Int, at now: Instant, into events: inout [ControlEvent]) {
        var count = 0
        while count < Self.bytesMax {
            switch calls.readRaw(device, buffer) {
            case .success(let reading) where reading.count == 0: return
            case .success(let reading):
                count += reading.count
                let time = min(now, Instant(microseconds: reading.nanoseconds / 1000))
                for byte in buffer.prefix(reading.count) {
                    let messages = ports[index].cable.receive(byte, at: time)
                    handle(messages, of: index, source: ports[index].details.address, at: time, into: &events)
                }
            case .failure(let error) where error.errno == EAGAIN: return
            case .failure(let error) where error.errno == EINTR: count += 1
            case .failure:
                let address = ports[index].details.address
                unplug(at: now, into: &events) { $0.details.address == address }
                return
            }
        }
        // Bytes in alsa-lib's buffer do not end the loop's wait.
        loop.clock.wake()
    }

    private func handle(
        _ messages: [MIDIMessage], of index: Int?, source: MIDIAddress, at time: Instant,
        into events: inout [ControlEvent]
    ) {
        for message in messages { handle(message, of: index, source: source, at: time, into: &events) }
    }

    private func handle(
        _ message: MIDIMessage, of index: Int?, source: MIDIAddress, at time: Instant, into events: inout [ControlEvent]
    ) {
        if message == .identityRequest { return identify(to: source) }
        if let index, let launchpads, Launchpads.isOwn(ports[index].details) {
            let event = launchpads.handle(message, from: ports[index].number, at: time)
            if let event { events.append(ControlEvent(time: time, event: event)) }
            return
        }
        if message.isOfClock {
            let mayClock = index.map { ports[$0].mayClock } ?? (options.clock == nil)
            guard mayClock, choice.port.accepts(message, from: index.map { ports[$0].number } ?? 0, at: time) else {
                return
            }
        }
        events.append(ControlEvent(time: time, event: .midi(message)))
    }

    /// Looks for bytes that the kernel lost.
    private func check(at now: Instant, into events: inout [ControlEvent]) {
        nextCheck = now + Self.checkInterval
        for index in ports.indices {
            guard case .raw(let device) = ports[index].input, calls.rawOverruns(device) > 0 else { continue }
            lose("MIDI input of \(ports[index].details.name)", at: now)
            handle(
                ports[index].cable.release(), of: index, source: ports[index].details.address, at: now, into: &events)
        }
    }

    private func lose(_ what: String, at now: Instant) {
        loss = (
            DeviceFailure("\(what): messages were lost", fix: "send fewer, such as no active sensing or aftertouch"),
            now + Self.lossTime
        )
    }

    private func releaseKeys(
        at now: Instant, into events: inout [ControlEvent], where isMeant: (MIDIPort) -> Bool
    ) {
        for index in ports.indices where isMeant(ports[index]) {
            handle(
                ports[index].cable.release(), of: index, source: ports[index].details.address, at: now, into: &events)
        }
    }

    private static func post(_ messages: [MIDIMessage], at now: Instant, into events: inout [ControlEvent]) {
        for message in messages { events.append(ControlEvent(time: now, event: .midi(message))) }
    }

    /// Releases the held keys on cables that have been silent for too long.
    private func releaseSilent(at now: Instant, into events: inout [ControlEvent]) {
        Self.post(strangers.advance(to: now), at: now, into: &events)
        for index in ports.indices {
            let messages = ports[index].cable.advance(to: now)
            handle(messages, of: index, source: ports[index].details.address, at: now, into: &events)
        }
    }

    // MARK: Output

    /// Sends a message so that it leaves at `time`, or at once if that has passed. Never waits; a message that the
    /// kernel has no room for is lost, but no key hangs.
    public func send(_ bytes: [UInt8], at time: Instant) {
        let due = output.due(time + options.outputDelay)
        output.append(bytes, due: due)
        guard let client else { return }
        let queueTime = MIDICalls.QueueTime(queue: client.queue, nanoseconds: client.clock.queueTime(at: due))
        guard case .failure = calls.send(client.handle, client.output, nil, bytes, queueTime) else { return }
        loss = (
            DeviceFailure("MIDI output: messages were lost", fix: "unplug the device that takes none"),
            loop.clock.now + Self.lossTime
        )
        var parser = MIDIParser()
        for byte in bytes {
            guard case .noteOff(let channel, let key)? = parser.parse(byte) else { continue }
            refused.apply(.noteOn(channel: channel, key: key, velocity: 1))
        }
    }

    /// Sends the releases again that found no room.
    private func sendRefused() {
        guard client != nil, !refused.isEmpty else { return }
        release(&refused, to: nil)
    }

    /// Releases `keys` at `destination`, nil for all, now.
    private func release(_ keys: inout HeldKeys, to destination: MIDIAddress?) {
        keys.release { sendNow($0.bytes, to: destination) }
    }

    private func silence(_ destination: MIDIAddress?) {
        for channel in options.channels { sendNow(MIDIMessage.allNotesOff(channel).bytes, to: destination) }
    }

    private func sendNow(_ bytes: [UInt8], to destination: MIDIAddress?) {
        guard let client else { return }
        _ = calls.send(client.handle, client.output, destination, bytes, nil)
    }

    /// Answers an identity request: a device for education and development, without a family (MIDI 1.0 Detailed
    /// Specification, "Device Inquiry").
    private func identify(to destination: MIDIAddress) {
        sendNow(Self.identity, to: destination)
    }

    static let identity: [UInt8] = [0xf0, 0x7e, 0x7f, 0x06, 0x02, 0x7d, 0, 0, 0, 0, 0, 0, 0, 0, 0xf7]

    /// Stops a running transport, releases all keys and closes the ports. Call it when the loop has ended.
    public func stop() {
        guard !isStopped else { return }
        isStopped = true
        if let client {
            calls.discard(client.handle)
            if output.isRunning { sendNow(MIDIMessage.stop.bytes, to: nil) }
            var keys = output.keys
            release(&keys, to: nil)
            silence(nil)
            for (bytes, address) in launchpads?.farewell ?? [] { sendNow(bytes, to: address) }
        }
        closeAll()
    }

    // MARK: Connections

    /// Opens the client, and connects it to new ports.
    private func look(at now: Instant, into events: inout [ControlEvent]) {
        if client == nil {
            guard now >= nextOpen else { return }
            nextOpen = now + .retry
            open(at: now)
        }
        guard var client else { return }
        do throws(SystemError) {
            try client.clock.check(
                clock: { loop.clock.now }, queue: { calls.queueTime(client.handle, client.queue) })
            self.client = client
        } catch {
            return close(error, at: now, into: &events)
        }
        let isDue = now >= nextLook
        if isDue { refusal = nil }
        for index in ports.indices where isDue || ports[index].isPending && now < ports[index].patience {
            complete(&ports[index], at: now)
        }
        guard isDue else { return }
        nextLook = now + .retry
        guard case .success(let all) = calls.ports(client.handle) else { return }
        for details in all where isWanted(details, by: client) {
            if ports.contains(where: { $0.details.address == details.address }) { continue }
            connections += 1
            var port = MIDIPort(
                details: details, number: connections, mayClock: options.clock.map(details.isCalled) ?? true,
                patience: now + Self.patience)
            complete(&port, at: now)
            ports.append(port)
        }
    }

    private func isWanted(_ details: MIDIPortDetails, by client: Client) -> Bool {
        guard details.address.client != client.number, options.choose(details) else { return false }
        return launchpads == nil || !Launchpads.isOwn(details) || Launchpads.isPads(details)
    }

    /// The port of the system on which ports announce themselves.
    private static let announcements = MIDIAddress(client: MIDIPortDetails.systemClient, port: 1)

    private func open(at now: Instant) {
        let handle: Int
        switch calls.openClient(Self.name) {
        case .success(let opened): handle = opened
        case .failure(let error):
            absence = DeviceFailure(openingSequencer: error)
            isMissing = error.isAbsence
            return
        }
        do throws(SystemError) {
            let queue = try calls.startQueue(handle, Self.queueHertz).get()
            let input = try calls.createPort(handle, "in", true, queue).get()
            let output = try calls.createPort(handle, "out", false, queue).get()
            try calls.receive(handle, input, Self.announcements).get()
            client = Client(
                handle: handle, number: calls.number(handle), input: input, output: output, queue: queue)
        } catch {
            calls.closeClient(handle)
            absence = DeviceFailure(openingSequencer: error)
            return
        }
        absence = nil
        isMissing = false
        nextLook = now
        loop.watch(calls.descriptor(handle))
    }

    /// Makes the connections of `port` that are missing.
    private func complete(_ port: inout MIDIPort, at now: Instant) {
        guard let client else { return }
        if let launchpads, !port.isFed, Launchpads.isPads(port.details) {
            // No connection: the notes of all tracks would light its pads.
            port.isFed = true
            sendNow(launchpads.connect(port.details, port.number), to: port.details.address)
        }
        if port.details.isDestination, !port.isFed {
            switch calls.feed(client.handle, client.output, port.details.address) {
            case .success:
                port.isFed = true
                silence(port.details.address)
                for message in options.greeting { sendNow(message, to: port.details.address) }
                if var keys = owed.removeValue(forKey: port.details.name) { release(&keys, to: port.details.address) }
            case .failure(let error): refuse(port, error)
            }
        }
        guard port.details.isSource, port.input == .none else { return }
        guard options.isRaw, let device = port.details.rawDevice else { return subscribe(&port, of: client) }
        switch calls.openRaw(device) {
        case .success(let handle):
            port.input = .raw(handle)
            loop.watch(calls.rawDescriptor(handle))
        case .failure(let error) where now < port.patience && (error.isAbsence || error.isForbidden): break
        case .failure: subscribe(&port, of: client)
        }
    }

    private func subscribe(_ port: inout MIDIPort, of client: Client) {
        switch calls.receive(client.handle, client.input, port.details.address) {
        case .success: port.input = .sequencer
        case .failure(let error): refuse(port, error)
        }
    }

    private func refuse(_ port: MIDIPort, _ error: SystemError) {
        refusal = DeviceFailure(
            "\(port.details.name) does not connect: \(error)",
            fix: error.errno == EBUSY
                ? "end the program that uses it (fuser -v /dev/snd/midi*)" : "unplug it and plug it in again")
    }

    /// Disconnects ports. Their keys are released here, and there when they are back.
    private func unplug(at now: Instant, into events: inout [ControlEvent], where isMeant: (MIDIPort) -> Bool) {
        for index in ports.indices.reversed() where isMeant(ports[index]) {
            var port = ports.remove(at: index)
            closeRaw(of: port)
            if launchpads == nil || !Launchpads.isOwn(port.details) {
                Self.post(port.cable.release(), at: now, into: &events)
            }
            choice.port.unplug(port.number)
            launchpads?.disconnect(port.number, at: now)
            guard port.isFed, owed.count < Self.owedMax else { continue }
            owed[port.details.name, default: HeldKeys()].formUnion(output.keys)
        }
    }

    private func closeRaw(of port: MIDIPort) {
        guard case .raw(let device) = port.input else { return }
        loop.forget(calls.rawDescriptor(device))
        calls.closeRaw(device)
    }

    /// Closes the client after a failure; it is opened again in a second.
    private func close(_ error: SystemError, at now: Instant, into events: inout [ControlEvent]) {
        unplug(at: now, into: &events) { _ in true }
        Self.post(strangers.release(), at: now, into: &events)
        closeAll()
        absence = DeviceFailure(openingSequencer: error)
        nextOpen = now + .retry
    }

    private func closeAll() {
        for port in ports { closeRaw(of: port) }
        ports.removeAll()
        guard let client else { return }
        loop.forget(calls.descriptor(client.handle))
        calls.closeClient(client.handle)
        self.client = nil
    }
}

extension DeviceFailure {
    /// Why the sequencer does not open.
    init(openingSequencer error: SystemError) {
        let what = "no MIDI: the kernel's sequencer (/dev/snd/seq): \(error)"
        if error.isForbidden {
            self.init(what, fix: DeviceFailure.fix(joining: "audio"))
        } else if error.isAbsence {
            self.init(what, fix: "load it for MIDI (sudo modprobe snd-seq)")
        } else {
            self.init(what, fix: "it is tried again every second")
        }
    }
}
