import InputEvents
import Testing

@testable import Input

@Suite("The bytes of a MIDI port")
struct MIDIParserTests {
    /// Bytes, and the messages they make.
    static let streams: [([UInt8], [MIDIMessage])] = [
        ([0x90, 60, 100], [.noteOn(channel: 0, key: 60, velocity: 100)]),
        ([0x90, 60, 0], [.noteOff(channel: 0, key: 60)]),
        ([0x85, 60, 64], [.noteOff(channel: 5, key: 60)]),
        // Running status.
        (
            [0x91, 60, 100, 62, 90, 62, 0],
            [
                .noteOn(channel: 1, key: 60, velocity: 100), .noteOn(channel: 1, key: 62, velocity: 90),
                .noteOff(channel: 1, key: 62),
            ]
        ),
        // Running status without a status.
        ([60, 100, 62, 90], []),
        // Real-time bytes inside a message.
        ([0x90, 0xf8, 60, 0xfa, 100], [.clock, .start, .noteOn(channel: 0, key: 60, velocity: 100)]),
        ([0xfb, 0xfc, 0xfe, 0xff], [.resume, .stop, .activeSensing, .reset]),
        // A reset ends the running status and a message.
        ([0x90, 60, 0xff, 100, 62, 90], [.reset]),
        ([0xb3, 7, 127], [.control(channel: 3, number: 7, value: 127)]),
        ([0xc2, 5, 6], [.program(channel: 2, number: 5), .program(channel: 2, number: 6)]),
        ([0xd0, 99], [.channelPressure(channel: 0, value: 99)]),
        ([0xa0, 60, 9], [.keyPressure(channel: 0, key: 60, value: 9)]),
        (
            [0xe0, 0, 64, 0x7f, 0x7f, 0, 0],
            [.bend(channel: 0, value: 0), .bend(channel: 0, value: 8191), .bend(channel: 0, value: -8192)]
        ),
        ([0xf2, 4, 1], [.songPosition(132)]),
        // A system common message ends the running status.
        ([0x90, 60, 100, 0xf2, 0, 0, 60, 100], [.noteOn(channel: 0, key: 60, velocity: 100), .songPosition(0)]),
        // An interrupted message is dropped.
        ([0x90, 60, 0x80, 61, 0], [.noteOff(channel: 0, key: 61)]),
        // System exclusive: only the identity request means something, with real-time bytes in it or not.
        ([0xf0, 0x7e, 0x7f, 0x06, 0x01, 0xf7], [.identityRequest]),
        ([0xf0, 0x7e, 0xf8, 0x7f, 0x06, 0x01, 0xf7], [.clock, .identityRequest]),
        ([0xf0, 0x41, 1, 2, 3, 4, 5, 6, 0xf7, 0x90, 60, 1], [.noteOn(channel: 0, key: 60, velocity: 1)]),
        // An interrupted one ends with the next status; its data is no message.
        ([0xf0, 0x7e, 0x7f, 0x90, 60, 1], [.noteOn(channel: 0, key: 60, velocity: 1)]),
        ([0xf0, 0x7e, 0x7f, 0x06, 0x01, 0xf0, 0xf7], []),
        ([0xf7, 0xf4, 0xf5, 0xf1, 3, 0xf3, 4], []),
    ]

    @Test("streams make their messages", arguments: streams)
    func messages(_ bytes: [UInt8], _ messages: [MIDIMessage]) {
        var parser = MIDIParser()
        let made = bytes.compactMap { parser.parse($0) }
        #expect(made == messages)
    }

    @Test("an endless system exclusive message holds no tick up")
    func endlessExclusive() {
        var parser = MIDIParser()
        _ = parser.parse(0xf0)
        var ticks = 0
        for number in 0..<1_000_000 {
            let byte: UInt8 = number % 100 == 0 ? 0xf8 : UInt8(number % 128)
            if parser.parse(byte) == .clock { ticks += 1 }
        }
        #expect(ticks == 10_000)
        let made = [0xf7, 0x90, 60, 1].compactMap { parser.parse($0) }
        #expect(made == [.noteOn(channel: 0, key: 60, velocity: 1)])
    }
}
