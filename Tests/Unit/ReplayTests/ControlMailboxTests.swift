import InputEvents
import Instrument
import Runtime
import TestSupport
import Testing

@testable import Replay

@Suite("The simulated keyboard")
struct ControlMailboxTests {
    @Test("returns the keys and settings, once and in order, and wakes the reader")
    func events() {
        let counter = Counter()
        let keyboard = ControlMailbox { counter.add() }
        keyboard.post(.playStop, at: Instant(milliseconds: 1))
        keyboard.post(.undo, at: Instant(milliseconds: 2))
        keyboard.post(.sound(.swing, 60), at: Instant(milliseconds: 3))
        var events: [ControlEvent] = []
        keyboard.read(into: &events)
        keyboard.read(into: &events)
        #expect(
            events == [
                ControlEvent(time: Instant(milliseconds: 1), event: .key(.playStop)),
                ControlEvent(time: Instant(milliseconds: 2), event: .key(.undo)),
                ControlEvent(time: Instant(milliseconds: 3), event: .sound(.swing, 60)),
            ])
        #expect(counter.value == 3)
    }

    @Test("keeps a bounded number")
    func bound() {
        let keyboard = ControlMailbox {}
        for _ in 0..<1000 { keyboard.post(.faster, at: .zero) }
        var events: [ControlEvent] = []
        keyboard.read(into: &events)
        #expect(events.count == ControlMailbox.eventsMax)
    }
}
