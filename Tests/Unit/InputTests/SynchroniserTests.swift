import Input
import InputEvents
import Testing

@Suite("Synchroniser")
struct SynchroniserTests {
    @Test(
        "a source within the tempos is followed at its own, whatever it was before",
        arguments: [240.0, 800, 40, 20, 61, 199], [62.0, 90, 120, 190])
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
}
