import Input
import InputEvents
import Testing

@Suite("Synchroniser")
struct SynchroniserTests {
    @Test(
        "a source within the tempos is followed at its own, whatever it was before",
        arguments: [350.0, 800, 20, 61, 299], [25.0, 62, 120, 190, 280])
    func octave(before: Double, tempo: Double) throws {
        var synchroniser = Synchroniser(source: .link)
        func steering(_ tempo: Double, at milliseconds: Int64) -> Double? {
            _ = synchroniser.receive(
                LinkState(tempo: tempo, beat: 0, peers: 1), at: Instant(milliseconds: milliseconds))
            return synchroniser.steering(at: Double(milliseconds) * 1000)?.tempo
        }
        let first = try #require(steering(before, at: 1000))
        #expect(Synchroniser.tempos.contains(first))
        #expect(steering(tempo, at: 2000) == tempo)
    }

    @Test(
        "Play begins with the next bar of the metre",
        arguments: [(16, 12.0), (12, 12), (14, 10.5), (24, 12), (3, 10.5)])
    func bars(steps: Int, beat: Double) throws {
        var synchroniser = Synchroniser(source: .link)
        let now = Instant(milliseconds: 1000)
        let state = LinkState(tempo: 120, beat: 10.2, peers: 1, quantum: Double(steps) / 4)
        _ = synchroniser.receive(state, at: now)
        #expect(synchroniser.begin(at: now) == .begin(step: 0))
        let bar = 1_000_000 + (beat - 10.2) * 500_000
        let there = try #require(synchroniser.steering(at: bar)).steps
        #expect(abs(there) < 1e-6)
    }

    @Test("another metre in a Link session neither moves the music nor begins it again")
    func quantum() throws {
        var synchroniser = Synchroniser(source: .link)
        func receive(_ beat: Double, _ quantum: Double, at milliseconds: Int64) -> TransportCommand? {
            let state = LinkState(tempo: 120, beat: beat, peers: 1, quantum: quantum)
            return synchroniser.receive(state, at: Instant(milliseconds: milliseconds))
        }
        _ = receive(8, 4, at: 1000)
        #expect(synchroniser.begin(at: Instant(milliseconds: 1000)) == .begin(step: 0))
        #expect(receive(10, 4, at: 2000) == nil)
        let before = try #require(synchroniser.steering(at: 2_500_000)).steps
        #expect(receive(101.5, 3, at: 2500) == nil)
        let after = try #require(synchroniser.steering(at: 2_500_000)).steps
        #expect(abs(after - before) < 1e-6 && abs(after - 12) < 1e-6)
    }
}
