import Devices
import InputEvents
import Testing

@testable import Box

@Suite("The watch of the board")
struct BoardWatchTests {
    @Test("a problem that comes and goes is one problem, until it has been away for a minute")
    func hold() {
        var (problems, health, seconds) = (BoardProblems(), BoardHealth(), Int64(0))
        func look(after pause: Int64, _ change: (inout BoardHealth) -> Void) -> [String?] {
            seconds += pause
            change(&health)
            problems.update(health, at: Instant(milliseconds: 1000 * seconds))
            return problems.messages
        }
        let none: [String?] = [nil, nil, nil, nil]
        let weak = ["the board's supply is below 4.63 V; use a supply of 5.1 V and a short cable", nil, nil, nil]
        #expect(look(after: 5) { _ in } == none)
        #expect(look(after: 5) { $0.isUndervolted = true } == weak)
        #expect(look(after: 5) { $0.isUndervolted = false } == weak)
        #expect(look(after: 50) { $0.isUndervolted = true } == weak)
        #expect(look(after: 59) { $0.isUndervolted = false } == weak)
        #expect(look(after: 1) { _ in } == none)
        let hot = [nil, "the board has 81 °C and slows down; give it air, or a fan", nil, nil]
        #expect(look(after: 5) { $0.celsius = 81 } == hot)
        #expect(look(after: 5) { $0.celsius = 82 } == hot)
    }
}
