import CALSA
import Glibc

/// A client of the sequencer, with the translators between its events and bytes.
final class SequencerClient {
    let sequencer: OpaquePointer
    private let encoder: OpaquePointer
    private let decoder: OpaquePointer

    /// Events that wait in the kernel to be sent, and to be read; the kernel allows 2000.
    private static let poolMax = 2000
    /// Connections of a port that are listed.
    private static let connectionsMax: Int32 = 64
    /// Bytes of the longest message that is sent.
    private static let messageMax = 64

    private init(_ sequencer: OpaquePointer, encoder: OpaquePointer, decoder: OpaquePointer) {
        self.sequencer = sequencer
        self.encoder = encoder
        self.decoder = decoder
    }

    deinit {
        snd_seq_close(sequencer)
        snd_midi_event_free(encoder)
        snd_midi_event_free(decoder)
    }

    static func open(_ name: String) -> Result<SequencerClient, SystemError> {
        calsa_silence()
        var opened: OpaquePointer?
        let error = snd_seq_open(&opened, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK)
        guard error >= 0, let sequencer = opened else { return .failure(SystemError(errno: -min(error, -1))) }
        var encoder: OpaquePointer?
        var decoder: OpaquePointer?
        guard snd_midi_event_new(messageMax, &encoder) >= 0, snd_midi_event_new(messageMax, &decoder) >= 0,
            let encoder, let decoder
        else {
            snd_seq_close(sequencer)
            return .failure(SystemError(errno: ENOMEM))
        }
        // Each event has its status byte.
        snd_midi_event_no_status(decoder, 1)
        snd_seq_set_client_name(sequencer, name)
        snd_seq_set_client_pool_output(sequencer, poolMax)
        snd_seq_set_client_pool_input(sequencer, poolMax)
        return .success(SequencerClient(sequencer, encoder: encoder, decoder: decoder))
    }

    // MARK: Handles

    var handle: Int { Int(bitPattern: Unmanaged.passRetained(self).toOpaque()) }

    private static func unmanaged(_ handle: Int) -> Unmanaged<SequencerClient> {
        guard let pointer = UnsafeRawPointer(bitPattern: handle) else { preconditionFailure("not a handle") }
        return .fromOpaque(pointer)
    }

    static func at(_ handle: Int) -> SequencerClient { unmanaged(handle).takeUnretainedValue() }

    static func release(_ handle: Int) { unmanaged(handle).release() }

    // MARK: Set-up

    var descriptor: Int32 {
        var poll = pollfd()
        return snd_seq_poll_descriptors(sequencer, &poll, 1, Int16(POLLIN)) == 1 ? poll.fd : -1
    }

    func startQueue(hertz: UInt32) -> Result<Int32, SystemError> {
        alsaNumber(snd_seq_alloc_queue(sequencer)).flatMap { queue in
            setTimer(of: queue, hertz: hertz)
            let error = snd_seq_control_queue(sequencer, queue, Int32(SND_SEQ_EVENT_START.rawValue), 0, nil)
            return alsaNumber(error < 0 ? error : snd_seq_drain_output(sequencer)).map { _ in queue }
        }
    }

    /// Chooses the high-resolution timer. A failure leaves the kernel's default timer.
    private func setTimer(of queue: Int32, hertz: UInt32) {
        var allocated: OpaquePointer?
        var allocatedID: OpaquePointer?
        guard snd_seq_queue_timer_malloc(&allocated) >= 0, let timer = allocated else { return }
        defer { snd_seq_queue_timer_free(timer) }
        guard snd_timer_id_malloc(&allocatedID) >= 0, let id = allocatedID else { return }
        defer { snd_timer_id_free(id) }
        snd_timer_id_set_class(id, Int32(SND_TIMER_CLASS_GLOBAL.rawValue))
        snd_timer_id_set_sclass(id, Int32(SND_TIMER_SCLASS_NONE.rawValue))
        snd_timer_id_set_card(id, -1)
        snd_timer_id_set_device(id, SND_TIMER_GLOBAL_HRTIMER)
        snd_timer_id_set_subdevice(id, 0)
        snd_seq_queue_timer_set_type(timer, SND_SEQ_TIMER_ALSA)
        snd_seq_queue_timer_set_id(timer, id)
        snd_seq_queue_timer_set_resolution(timer, hertz)
        snd_seq_set_queue_timer(sequencer, queue, timer)
    }

    func time(of queue: Int32) -> Result<Int64, SystemError> {
        var allocated: OpaquePointer?
        guard snd_seq_queue_status_malloc(&allocated) >= 0, let status = allocated else {
            return .failure(SystemError(errno: ENOMEM))
        }
        defer { snd_seq_queue_status_free(status) }
        return alsaNumber(snd_seq_get_queue_status(sequencer, queue, status)).map { _ in
            snd_seq_queue_status_get_real_time(status).map { nanoseconds($0.pointee) } ?? 0
        }
    }

    func createPort(_ name: String, isInput: Bool, queue: Int32) -> Result<Int32, SystemError> {
        var allocated: OpaquePointer?
        guard snd_seq_port_info_malloc(&allocated) >= 0, let info = allocated else {
            return .failure(SystemError(errno: ENOMEM))
        }
        defer { snd_seq_port_info_free(info) }
        let input = SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE
        let output = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ
        snd_seq_port_info_set_name(info, name)
        snd_seq_port_info_set_capability(info, UInt32(isInput ? input : output))
        snd_seq_port_info_set_type(
            info, UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_SOFTWARE | SND_SEQ_PORT_TYPE_APPLICATION))
        snd_seq_port_info_set_midi_channels(info, 16)
        if isInput {
            snd_seq_port_info_set_timestamping(info, 1)
            snd_seq_port_info_set_timestamp_real(info, 1)
            snd_seq_port_info_set_timestamp_queue(info, queue)
        }
        return alsaNumber(snd_seq_create_port(sequencer, info)).map { _ in snd_seq_port_info_get_port(info) }
    }

    var ports: [MIDIPortDetails] {
        var allocatedClient: OpaquePointer?
        var allocatedPort: OpaquePointer?
        guard snd_seq_client_info_malloc(&allocatedClient) >= 0, let client = allocatedClient else { return [] }
        defer { snd_seq_client_info_free(client) }
        guard snd_seq_port_info_malloc(&allocatedPort) >= 0, let port = allocatedPort else { return [] }
        defer { snd_seq_port_info_free(port) }
        var ports: [MIDIPortDetails] = []
        snd_seq_client_info_set_client(client, -1)
        while snd_seq_query_next_client(sequencer, client) >= 0 {
            let number = snd_seq_client_info_get_client(client)
            let card = snd_seq_client_info_get_card(client)
            let name = snd_seq_client_info_get_name(client).map { String(cString: $0) } ?? ""
            snd_seq_port_info_set_client(port, number)
            snd_seq_port_info_set_port(port, -1)
            while snd_seq_query_next_port(sequencer, port) >= 0 {
                let capability = snd_seq_port_info_get_capability(port)
                func can(_ bits: Int32) -> Bool { capability & UInt32(bits) == UInt32(bits) }
                guard !can(SND_SEQ_PORT_CAP_NO_EXPORT) else { continue }
                ports.append(
                    MIDIPortDetails(
                        address: MIDIAddress(client: number, port: snd_seq_port_info_get_port(port)), client: name,
                        port: snd_seq_port_info_get_name(port).map { String(cString: $0) } ?? "",
                        isHardware: snd_seq_port_info_get_type(port) & UInt32(SND_SEQ_PORT_TYPE_HARDWARE) != 0,
                        isSource: can(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ),
                        isDestination: can(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE),
                        card: card < 0 ? nil : card))
            }
        }
        return ports
    }

    // MARK: Connections

    func receive(from source: MIDIAddress, at port: Int32) -> Result<Void, SystemError> {
        let error = snd_seq_connect_from(sequencer, port, source.client, source.port)
        return alsaDone(isThere(error, from: source, to: own(port)) ? 0 : error)
    }

    func feed(_ destination: MIDIAddress, from port: Int32) -> Result<Void, SystemError> {
        let error = snd_seq_connect_to(sequencer, port, destination.client, destination.port)
        return alsaDone(isThere(error, from: own(port), to: destination) ? 0 : error)
    }

    private func own(_ port: Int32) -> MIDIAddress { MIDIAddress(client: snd_seq_client_id(sequencer), port: port) }

    func connections(of port: MIDIAddress, isSender: Bool) -> [MIDIAddress] {
        var allocated: OpaquePointer?
        guard snd_seq_query_subscribe_malloc(&allocated) >= 0, let query = allocated else { return [] }
        defer { snd_seq_query_subscribe_free(query) }
        var root = snd_seq_addr_t(port)
        snd_seq_query_subscribe_set_root(query, &root)
        snd_seq_query_subscribe_set_type(query, isSender ? SND_SEQ_QUERY_SUBS_READ : SND_SEQ_QUERY_SUBS_WRITE)
        var found: [MIDIAddress] = []
        for index in 0..<Self.connectionsMax {
            snd_seq_query_subscribe_set_index(query, index)
            guard snd_seq_query_port_subscribers(sequencer, query) >= 0,
                let address = snd_seq_query_subscribe_get_addr(query)
            else { break }
            found.append(MIDIAddress(address.pointee))
        }
        return found
    }

    /// Whether `error` means that another program has made the connection already. EBUSY is also the error for a device
    /// in use.
    private func isThere(_ error: Int32, from source: MIDIAddress, to destination: MIDIAddress) -> Bool {
        var allocated: OpaquePointer?
        guard error == -EBUSY, snd_seq_port_subscribe_malloc(&allocated) >= 0, let connection = allocated else {
            return false
        }
        defer { snd_seq_port_subscribe_free(connection) }
        var (sender, taker) = (snd_seq_addr_t(source), snd_seq_addr_t(destination))
        snd_seq_port_subscribe_set_sender(connection, &sender)
        snd_seq_port_subscribe_set_dest(connection, &taker)
        return snd_seq_get_port_subscription(sequencer, connection) >= 0
    }

    // MARK: Events

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Result<SequencerEvent, SystemError> {
        var taken: UnsafeMutablePointer<snd_seq_event_t>?
        let error = snd_seq_event_input(sequencer, &taken)
        guard error >= 0, let event = taken else { return .failure(SystemError(errno: -min(error, -1))) }
        return .success(
            SequencerEvent(
                source: MIDIAddress(event.pointee.source), queueTime: nanoseconds(event.pointee.time.time),
                content: content(of: event, into: buffer)))
    }

    private func content(
        of event: UnsafeMutablePointer<snd_seq_event_t>, into buffer: UnsafeMutableRawBufferPointer
    ) -> SequencerEvent.Content {
        switch snd_seq_event_type(UInt32(event.pointee.type)) {
        case SND_SEQ_EVENT_PORT_START, SND_SEQ_EVENT_PORT_CHANGE, SND_SEQ_EVENT_CLIENT_START,
            SND_SEQ_EVENT_CLIENT_CHANGE:
            return .appeared
        case SND_SEQ_EVENT_PORT_EXIT: return .removed(MIDIAddress(event.pointee.data.addr))
        case SND_SEQ_EVENT_CLIENT_EXIT: return .removedClient(Int32(event.pointee.data.addr.client))
        default:
            snd_midi_event_reset_decode(decoder)
            // A system exclusive message that is longer than the buffer has no meaning to the box.
            let count = snd_midi_event_decode(
                decoder, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), buffer.count, event)
            return count > 0 ? .bytes(count) : .other
        }
    }

    func send(
        _ bytes: [UInt8], from port: Int32, to destination: MIDIAddress?, due: MIDICalls.QueueTime?
    ) -> Result<Void, SystemError> {
        var event = snd_seq_event_t()
        snd_midi_event_reset_encode(encoder)
        let taken = snd_midi_event_encode(encoder, bytes, bytes.count, &event)
        guard taken == bytes.count, event.type != UInt8(SND_SEQ_EVENT_NONE.rawValue) else {
            return .failure(SystemError(errno: EINVAL))
        }
        event.source.port = UInt8(truncatingIfNeeded: port)
        event.dest.client = UInt8(truncatingIfNeeded: destination?.client ?? Int32(SND_SEQ_ADDRESS_SUBSCRIBERS))
        event.dest.port = UInt8(truncatingIfNeeded: destination?.port ?? Int32(SND_SEQ_ADDRESS_UNKNOWN))
        if let due {
            event.queue = UInt8(truncatingIfNeeded: due.queue)
            event.flags |= UInt8(SND_SEQ_TIME_STAMP_REAL | SND_SEQ_TIME_MODE_ABS)
            event.time.time.tv_sec = UInt32(max(0, due.nanoseconds) / 1_000_000_000)
            event.time.time.tv_nsec = UInt32(max(0, due.nanoseconds) % 1_000_000_000)
        } else {
            event.queue = UInt8(SND_SEQ_QUEUE_DIRECT)
        }
        return alsaDone(snd_seq_event_output_direct(sequencer, &event))
    }
}

extension MIDIAddress {
    fileprivate init(_ address: snd_seq_addr_t) {
        self.init(client: Int32(address.client), port: Int32(address.port))
    }
}

extension snd_seq_addr_t {
    fileprivate init(_ address: MIDIAddress) {
        self.init(
            client: UInt8(truncatingIfNeeded: address.client), port: UInt8(truncatingIfNeeded: address.port))
    }
}

private func nanoseconds(_ time: snd_seq_real_time_t) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
