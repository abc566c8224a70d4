import InputEvents
import Testing

@testable import Instrument

@Suite("A finger that is still")
struct StillTests {
    /// A finger lands at the melody's (10, 5), which is E, visits places at times, and lifts.
    private func touch(_ way: [(at: Int64, column: Float, row: Float)], up: Int64) -> [String] {
        var player = Player()
        let start = player.now
        player.finger(.down, .step(6, .melody, row: 2))
        for place in way {
            player.wait(place.at - (player.now - start).microseconds / 1000)
            player.finger(.move, place.column, place.row)
        }
        player.wait(up - (player.now - start).microseconds / 1000)
        player.finger(.up, way.last?.column ?? 10, way.last?.row ?? 5)
        return player.cells(.melody)
    }

    private let tap = ["4@6=1"]
    private let run = ["4@6=1", "5@7=1"]

    @Test("it never left its first LED, however it trembles there")
    func trembles() { #expect(touch([(50, 10.4, 5.4), (100, 9.6, 4.6), (300, 10.4, 4.6)], up: 390) == tap) }

    @Test("it was one LED away and ends on the LED where it began")
    func returns() {
        #expect(touch([(50, 11, 6), (350, 9, 4), (700, 10, 5)], up: 900) == tap)
        #expect(touch([(50, 11, 5), (350, 10, 5)], up: 900) == tap)
    }

    @Test("it lifts one LED away within 180 ms of its landing")
    func lifts() {
        #expect(touch([(20, 11, 5)], up: 180) == tap)
        #expect(touch([(20, 11, 5)], up: 181) == run)
    }

    @Test("it left its first LED less than 80 ms before it lifts")
    func slips() {
        #expect(touch([(300, 11, 5)], up: 379) == tap)
        #expect(touch([(300, 11, 5)], up: 380) == run)
        // Only the first time counts.
        #expect(touch([(200, 11, 5), (250, 10, 5), (300, 11, 5)], up: 340) == run)
    }

    @Test("two LEDs away it is a drag, even if it returns")
    func wanders() {
        #expect(touch([(50, 12, 5)], up: 60) == ["4@6=1", "5@7=1"])
        #expect(touch([(50, 12, 5), (100, 13, 5)], up: 120) == ["4@6=1", "5@7=1", "7@8=1"])
    }

    @Test("a drag that ends where it began makes nothing: a gesture can be given up")
    func givesUp() {
        #expect(touch([(50, 14, 5), (400, 10, 5)], up: 500).isEmpty)
        #expect(touch([(50, 10, 2), (400, 10, 5)], up: 450).isEmpty)
    }

    @Test("it counts where it landed, and held for 400 ms before it leaves it is accented")
    func holds() {
        #expect(touch([(399, 11, 5)], up: 420) == tap)
        #expect(touch([(400, 11, 5)], up: 420) == ["4@6=2"])
        #expect(touch([(100, 11, 5), (200, 10, 5)], up: 1000) == tap)
    }

    @Test("a drag that strays above its track goes on along the steps, and is cut at the pattern's ends")
    func strays() {
        #expect(touch([(50, 10, 2), (100, 11, -4), (300, 14, -9)], up: 500) == ["4@6=1", "5@7=1", "7@8=1", "9@9=1"])
        #expect(touch([(50, 2, 6), (300, -9, 6)], up: 500).count == 7)
    }

    @Test("a finger that lands on a row without a note, or beyond the length, makes nothing")
    func nothing() {
        var player = Player()
        player.finger(.down, .page(.bass))
        player.finger(.move, 3, -20)
        player.finger(.up)
        player.tap(.step(0, .bass, row: 3))
        player.drag(from: .step(0, .bass, row: 3), to: .step(6, .bass))
        #expect(player.pattern.isEmpty && player.effects.isEmpty)
        player.tap(.step(0, .bass))
        #expect(player.cells(.bass) == ["23@0=1"])
        player.instrument.state.session.composition.pattern.length = 8
        player.tap(.step(9, .melody))
        player.drag(from: .step(9, .melody), to: .step(2, .melody))
        #expect(player.cells(.melody).isEmpty)
    }
}
