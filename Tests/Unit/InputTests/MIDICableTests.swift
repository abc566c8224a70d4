import Input
import InputEvents
import Testing

@Suite("A MIDI cable")
struct MIDICableTests {
    private func time(_ milliseconds: Int64) -> Instant { Instant(microseconds: 1000 * milliseconds) }

    private let held: [UInt8] = [0x90, 60, 100, 0xb1, 64, 127, 0xe2, 0, 0, 0xd3, 9]
    private let releases: [MIDIMessage] = [
        .noteOff(channel: 0, key: 60), .control(channel: 1, number: 64, value: 0), .bend(channel: 2, value: 0),
        .channelPressure(channel: 3, value: 0),
    ]

    private func receive(_ bytes: [UInt8], _ cable: inout MIDICable, at milliseconds: Int64) -> [MIDIMessage] {
        bytes.flatMap { cable.receive($0, at: time(milliseconds)) }
    }

    @Test("without active sensing, keys are held as long as they are")
    func noSensing() {
        var cable = MIDICable()
        #expect(receive(held, &cable, at: 0).count == 4)
        #expect(cable.silence == nil && cable.advance(to: time(1_000_000)) == [])
    }

    @Test("with active sensing, what is held is released once no byte has come for the time that a sender may take")
    func sensing() {
        var cable = MIDICable()
        _ = receive(held, &cable, at: 0)
        // Any byte counts, also a clock's or half a message's.
        for (number, byte) in ([0xfe, 0xfe, 0xf8, 0x90, 0xfe] as [UInt8]).enumerated() {
            let now = Int64(300 * number)
            #expect(cable.advance(to: time(now)) == [])
            _ = receive([byte], &cable, at: now)
        }
        #expect(cable.silence == time(1200) + MIDICable.sensingTime)
        #expect(cable.advance(to: time(1500)) == [])
        #expect(cable.advance(to: time(1530)) == releases)
        // Back to a cable without active sensing, until the next.
        #expect(cable.advance(to: time(9000)) == [])
        _ = receive(held, &cable, at: 10_000)
        #expect(cable.advance(to: time(20_000)) == [])
        _ = receive([0xfe], &cable, at: 20_001)
        #expect(cable.advance(to: time(21_000)) == releases)
    }

    @Test("a system reset releases what is held, ends running status and sensing, and stops a clock at its begin")
    func reset() {
        var cable = MIDICable()
        _ = receive(held + [0xfe, 0x90, 61], &cable, at: 0)
        #expect(receive([0xff], &cable, at: 1) == releases + [.stop, .songPosition(0)])
        #expect(cable.silence == nil)
        #expect(receive([100, 62, 100], &cable, at: 2) == [])
        #expect(receive([0x90, 62, 100], &cable, at: 2) == [.noteOn(channel: 0, key: 62, velocity: 100)])
    }
}
