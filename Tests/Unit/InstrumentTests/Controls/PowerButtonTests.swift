import InputEvents
import Testing

@testable import Instrument

@Suite("The power button")
struct PowerButtonTests {
    @Test("the power button asks, and pressed again within 5 s switches off", arguments: [(4999, true), (5000, false)])
    func power(milliseconds: Int64, isOff: Bool) {
        var player = Player()
        player.send(.power)
        #expect(player.tooltip == "OFF?")
        #expect(player.effects.isEmpty)
        player.wait(milliseconds)
        #expect(player.tooltip == (isOff ? "OFF?" : nil))
        player.send(.power)
        #expect(player.effects.contains(.powerOff) == isOff)
        #expect(player.tooltip == (isOff ? nil : "OFF?"))
    }

    static let answers: [(event: Instrument.Event, cancels: Bool)] = [
        (.touch(Touch(contact: 0, phase: .down, column: 10, row: 23)), true), (.key(.playStop), true),
        (.key(.faster), true),
        (.turn(.volume, by: 2), true), (.turn(.tempo, by: 1), true), (.lock(true), true), (.sound(.swing, 60), true),
        (.touch(Touch(contact: 0, phase: .move, column: 10, row: 10)), false), (.step(3, number: 3), false),
        (.tick, false),
        (.touch(Touch(contact: 0, phase: .up, column: 10, row: 10)), false),
    ]

    @Test("any other input cancels the question; fingers and music in progress do not", arguments: answers)
    func powerCancelled(answer: (event: Instrument.Event, cancels: Bool)) {
        var player = Player()
        player.send(.power)
        player.wait(100)
        player.send(answer.event)
        #expect((player.tooltip != "OFF?") == answer.cancels)
        player.wait(100)
        player.send(.power)
        #expect(player.effects.contains(.powerOff) != answer.cancels)
    }

    @Test("held for ten seconds it switches off without asking")
    func powerHeld() {
        var player = Player()
        player.send(.powerOff)
        #expect(player.effects == [.powerOff])
    }
}
