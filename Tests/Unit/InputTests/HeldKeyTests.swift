import Input
import InputEvents
import Testing

@Suite("Keys that are down on a cable")
struct HeldKeyTests {
    private func releases(after messages: [MIDIMessage]) -> [MIDIMessage] {
        var keys = HeldKeys()
        for message in messages { keys.apply(message) }
        var releases: [MIDIMessage] = []
        keys.release { releases.append($0) }
        return keys.isEmpty ? releases : []
    }

    @Test("the keys that are down are released, by channel and key, and the pedals after them")
    func release() {
        let released = releases(after: [
            .noteOn(channel: 15, key: 127, velocity: 1), .control(channel: 3, number: 64, value: 127),
            .noteOn(channel: 0, key: 64, velocity: 1), .noteOn(channel: 0, key: 0, velocity: 1),
            .noteOn(channel: 0, key: 1, velocity: 1), .noteOff(channel: 0, key: 1),
        ])
        #expect(
            released == [
                .noteOff(channel: 0, key: 0), .noteOff(channel: 0, key: 64), .noteOff(channel: 15, key: 127),
                .control(channel: 3, number: 64, value: 0),
            ])
    }

    @Test(
        "All Sound Off, All Notes Off and the changes of mode release a channel's keys",
        arguments: [120] + Array(123...127))
    func silence(controller: Int) {
        let released = releases(after: [
            .noteOn(channel: 0, key: 64, velocity: 1), .noteOn(channel: 1, key: 100, velocity: 1),
            .control(channel: 0, number: controller, value: 0),
        ])
        #expect(released == [.noteOff(channel: 1, key: 100)])
    }

    @Test("a pedal that is up is not released again")
    func pedal() {
        let released = releases(after: [
            .control(channel: 0, number: 64, value: 64), .control(channel: 0, number: 64, value: 63),
        ])
        #expect(released == [])
    }

    @Test("two sets together are the keys of both")
    func union() {
        var (one, other) = (HeldKeys(), HeldKeys())
        one.apply(.noteOn(channel: 0, key: 60, velocity: 1))
        other.apply(.noteOn(channel: 2, key: 70, velocity: 1))
        one.formUnion(other)
        var releases: [MIDIMessage] = []
        one.release { releases.append($0) }
        #expect(releases == [.noteOff(channel: 0, key: 60), .noteOff(channel: 2, key: 70)])
    }
}
