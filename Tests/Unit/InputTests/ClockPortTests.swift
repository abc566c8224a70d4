import Input
import InputEvents
import Testing

@Suite("The port whose clock is followed")
struct ClockPortTests {
    private func milliseconds(_ count: Int64) -> Instant { Instant(milliseconds: count) }

    @Test("the port that ticks first is followed; the clock of another is dropped, its notes are not")
    func first() {
        var clock = ClockPort()
        let messages: [MIDIMessage] = [.clock, .start, .resume, .stop, .songPosition(3)]
        let isFollowed = messages.map { clock.accepts($0, from: 7, at: milliseconds(0)) }
        let others = messages.map { clock.accepts($0, from: 8, at: milliseconds(1)) }
        let plays = clock.accepts(.noteOn(channel: 0, key: 60, velocity: 1), from: 8, at: milliseconds(2))
        #expect(isFollowed == Array(repeating: true, count: 5))
        #expect(others == Array(repeating: false, count: 5))
        #expect(plays)
        #expect(clock.chosen == 7)
    }

    @Test("another port is followed after two seconds of silence")
    func silence() {
        var clock = ClockPort()
        _ = clock.accepts(.clock, from: 1, at: milliseconds(0))
        let early = clock.accepts(.clock, from: 2, at: milliseconds(1999))
        let late = clock.accepts(.clock, from: 2, at: milliseconds(2000))
        let former = clock.accepts(.clock, from: 1, at: milliseconds(2001))
        #expect(!early)
        #expect(late)
        #expect(!former)
        #expect(clock.chosen == 2)
    }

    @Test("a clock that goes on after a silence is still the one, if no other ticked")
    func pause() {
        var clock = ClockPort()
        _ = clock.accepts(.clock, from: 1, at: milliseconds(0))
        let later = clock.accepts(.clock, from: 1, at: milliseconds(9000))
        let other = clock.accepts(.clock, from: 2, at: milliseconds(9001))
        #expect(later)
        #expect(!other)
    }

    @Test("another port is followed as soon as the first is unplugged")
    func unplugged() {
        var clock = ClockPort()
        _ = clock.accepts(.clock, from: 1, at: milliseconds(0))
        clock.unplug(2)
        let other = clock.accepts(.clock, from: 2, at: milliseconds(1))
        clock.unplug(1)
        let next = clock.accepts(.clock, from: 2, at: milliseconds(2))
        #expect(!other)
        #expect(next)
    }

    @Test("a start before the first tick goes through, from any port")
    func start() {
        var clock = ClockPort()
        let isStarted = clock.accepts(.start, from: 1, at: milliseconds(0))
        let isFollowed = clock.accepts(.clock, from: 2, at: milliseconds(1))
        #expect(isStarted)
        #expect(isFollowed)
        #expect(clock.chosen == 2)
    }
}
