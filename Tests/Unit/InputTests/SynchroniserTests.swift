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
        synchroniser.stepsOfBar = steps
        let now = Instant(milliseconds: 1000)
        _ = synchroniser.receive(LinkState(tempo: 120, beat: 10.2, peers: 1), at: now)
        #expect(synchroniser.begin(at: now) == .begin(step: 0))
        let bar = 1_000_000 + (beat - 10.2) * 500_000
        let there = try #require(synchroniser.steering(at: bar)).steps
        #expect(abs(there) < 1e-6)
    }
}
