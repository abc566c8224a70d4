/// Address of a port of ALSA's sequencer.
struct MIDIAddress: Hashable, Sendable {
    var client: Int32
    var port: Int32
}

/// A port of ALSA's sequencer.
struct MIDIPortDetails: Hashable, Sendable {
    var address: MIDIAddress
    /// Name of its client: the device or program.
    var client: String
    /// Name of the port.
    var port: String
    /// Whether it is a port of a device, not of a program.
    var isHardware: Bool
    /// Whether programs may receive from it.
    var isSource: Bool
    /// Whether programs may send to it.
    var isDestination: Bool
    /// The sound card of the device; nil for none.
    var card: Int32?

    /// The name for messages: both names, or the port's if it begins with the client's.
    var name: String { port.hasPrefix(client) ? port : "\(client) \(port)" }

    /// ALSA's name of the raw device behind the port; nil for none. The kernel gives each device of a card 32 port
    /// numbers (sound/core/seq/seq_midi.c: 256 / SNDRV_RAWMIDI_DEVICES).
    var rawDevice: String? {
        guard isHardware, let card else { return nil }
        return "hw:\(card),\(address.port / 32),\(address.port % 32)"
    }

    /// The number of the system's client.
    static let systemClient: Int32 = 0

    /// Whether it belongs to the kernel itself.
    var isOfSystem: Bool { address.client == Self.systemClient || client == "Midi Through" }

    /// Whether `name` is the client's name, the port's, or both.
    func isCalled(_ name: String) -> Bool { [client, port, self.name].contains(name) }
}

/// An event that the sequencer delivered.
struct SequencerEvent: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        /// MIDI messages: this number of bytes in the buffer.
        case bytes(Int)
        /// A port appeared or changed.
        case appeared
        /// A port was removed.
        case removed(MIDIAddress)
        /// A client was removed, with all of its ports.
        case removedClient(Int32)
        /// Nothing that matters here.
        case other
    }

    var source: MIDIAddress
    /// The queue's time when the event arrived, in nanoseconds.
    var queueTime: Int64
    var content: Content
}

/// The ALSA calls of the MIDI ports, one closure each so that a test can make any of them fail. Clients and raw devices
/// are handles above 0.
struct MIDICalls: Sendable {
    /// Opens a client of the sequencer.
    var openClient: @Sendable (_ name: String) -> Result<Int, SystemError>
    /// Closes a client, and with it its ports, connections and queue.
    var closeClient: @Sendable (_ client: Int) -> Void
    /// The client's own number.
    var number: @Sendable (_ client: Int) -> Int32
    /// The descriptor that is readable while events wait.
    var descriptor: @Sendable (_ client: Int) -> Int32
    /// Creates a queue whose clock ticks at `hertz`, as far as the kernel allows, and starts it at time 0.
    var startQueue: @Sendable (_ client: Int, _ hertz: UInt32) -> Result<Int32, SystemError>
    /// The queue's time, in nanoseconds.
    var queueTime: @Sendable (_ client: Int, _ queue: Int32) -> Result<Int64, SystemError>
    /// Creates a port, into or out of the client; events into it get the real time of `queue`.
    var createPort:
        @Sendable (_ client: Int, _ name: String, _ isInput: Bool, _ queue: Int32) -> Result<Int32, SystemError>
    /// All ports of all clients.
    var ports: @Sendable (_ client: Int) -> Result<[MIDIPortDetails], SystemError>
    /// The ports that a port sends to, or the ports it receives from.
    var connections: @Sendable (_ client: Int, _ port: MIDIAddress, _ isSender: Bool) -> [MIDIAddress]
    /// Connects another port to the client's `port`.
    var receive: @Sendable (_ client: Int, _ port: Int32, _ source: MIDIAddress) -> Result<Void, SystemError>
    /// Connects the client's `port` to another one.
    var feed: @Sendable (_ client: Int, _ port: Int32, _ destination: MIDIAddress) -> Result<Void, SystemError>
    /// Reads the next event, whose bytes it writes to `buffer`. EAGAIN: there is none; ENOSPC: events were lost.
    var read: @Sendable (_ client: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Result<SequencerEvent, SystemError>
    /// Sends a message from `port` to `destination`, nil for all connected ports: at a time of `queue` in nanoseconds,
    /// or at once. EAGAIN: the client's pool of waiting events is full.
    var send:
        @Sendable (_ client: Int, _ port: Int32, _ destination: MIDIAddress?, _ bytes: [UInt8], _ due: QueueTime?) ->
            Result<Void, SystemError>
    /// Removes all of the client's events that wait in its queue.
    var discard: @Sendable (_ client: Int) -> Void
    /// Opens a raw device for input with the kernel's time stamps. ENOTSUP: the kernel or the device has none.
    var openRaw: @Sendable (_ name: String) -> Result<Int, SystemError>
    /// Closes a raw device.
    var closeRaw: @Sendable (_ device: Int) -> Void
    /// The descriptor that is readable while a raw device has bytes.
    var rawDescriptor: @Sendable (_ device: Int) -> Int32
    /// Reads bytes that arrived together; returns their number, 0 if there are none, and their time.
    var readRaw: @Sendable (_ device: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Result<RawReading, SystemError>
    /// Number of times that a raw device lost bytes, since the last call.
    var rawOverruns: @Sendable (_ device: Int) -> Int

    /// A time of a queue.
    struct QueueTime: Hashable, Sendable {
        var queue: Int32
        var nanoseconds: Int64
    }

    /// Bytes of a raw device.
    struct RawReading: Hashable, Sendable {
        var count: Int
        /// Nanoseconds of CLOCK_MONOTONIC at which they arrived.
        var nanoseconds: Int64
    }
}
