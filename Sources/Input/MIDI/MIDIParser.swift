import InputEvents

/// Splits the bytes of one MIDI port into messages, as its cable delivers them: with running status, and with real-time
/// bytes anywhere, also inside another message. Holds at most a few bytes, however long a system exclusive message is.
public struct MIDIParser: Sendable {
    /// Status of the message in progress, and of following messages without a status byte; 0 for none.
    private var status: UInt8 = 0
    private var data: [UInt8] = []
    /// The beginning of a system exclusive message, after its status; nil outside one.
    private var exclusive: [UInt8]?

    /// A parser before a port's first byte.
    public init() { data.reserveCapacity(2) }

    /// Parses the next byte; returns the message that it completes.
    public mutating func parse(_ byte: UInt8) -> MIDIMessage? {
        switch byte {
        case 0xff:
            // It ends the running status, and any message.
            self = MIDIParser()
            return .reset
        case 0xf8...0xfe: return Self.realTime(byte)
        case 0xf7: return endExclusive()
        case 0x80...0xf6: return begin(byte)
        default: return parseData(byte)
        }
    }

    private static func realTime(_ byte: UInt8) -> MIDIMessage? {
        switch byte {
        case 0xf8: .clock
        case 0xfa: .start
        case 0xfb: .resume
        case 0xfc: .stop
        case 0xfe: .activeSensing
        default: nil
        }
    }

    private mutating func begin(_ byte: UInt8) -> MIDIMessage? {
        data.removeAll(keepingCapacity: true)
        exclusive = nil
        // System common messages end the running status.
        status = byte < 0xf0 || byte == Self.songPosition ? byte : 0
        if byte == 0xf0 { exclusive = [] }
        return nil
    }

    private mutating func parseData(_ byte: UInt8) -> MIDIMessage? {
        if let begun = exclusive {
            if begun.count < Self.exclusiveMax { exclusive?.append(byte) }
            return nil
        }
        guard status != 0 else { return nil }
        data.append(byte)
        guard data.count == Self.length(of: status) else { return nil }
        defer {
            data.removeAll(keepingCapacity: true)
            if status >= 0xf0 { status = 0 }
        }
        return message
    }

    /// Number of data bytes of a message.
    private static func length(of status: UInt8) -> Int { status & 0xe0 == 0xc0 ? 1 : 2 }

    /// The message of `status` and `data`, which is complete.
    private var message: MIDIMessage? {
        let channel = Int(status & 0x0f)
        let first = Int(data[0])
        let second = Int(data.count > 1 ? data[1] : 0)
        switch status & 0xf0 {
        case 0x80: return .noteOff(channel: channel, key: first)
        case 0x90 where second == 0: return .noteOff(channel: channel, key: first)
        case 0x90: return .noteOn(channel: channel, key: first, velocity: second)
        case 0xa0: return .keyPressure(channel: channel, key: first, value: second)
        case 0xb0: return .control(channel: channel, number: first, value: second)
        case 0xc0: return .program(channel: channel, number: first)
        case 0xd0: return .channelPressure(channel: channel, value: first)
        case 0xe0: return .bend(channel: channel, value: second << 7 + first - 8192)
        default: return .songPosition(second << 7 + first)
        }
    }

    /// Ends a system exclusive message. Only the universal identity request, F0 7E <device> 06 01 F7, has a meaning
    /// here.
    private mutating func endExclusive() -> MIDIMessage? {
        defer {
            exclusive = nil
            status = 0
        }
        guard let bytes = exclusive, bytes.count == 4 else { return nil }
        return bytes[0] == 0x7e && bytes[2] == 0x06 && bytes[3] == 0x01 ? .identityRequest : nil
    }

    private static let songPosition: UInt8 = 0xf2
    /// More bytes than an identity request has.
    private static let exclusiveMax = 5
}
