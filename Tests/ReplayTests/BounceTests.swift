import Formats
import Instrument
import Replay
import Testing

@Suite("A pattern rendered for a file")
struct BounceTests {
    private static let rate = 44_100

    /// A rimshot, the shortest drum, on the first of 8 steps.
    private func document(_ change: (inout PatternDocument) -> Void = { _ in }) -> PatternDocument {
        var pattern = Pattern()
        pattern.length = 8
        pattern[.rhythm, note: 5, step: 0] = .normal
        var document = PatternDocument(pattern: pattern)
        change(&document)
        return document
    }

    private func samples(_ document: PatternDocument, loops: Int = 1) -> [Float] {
        var samples: [Float] = []
        Bounce.render(document, loops: loops, rate: Self.rate) { block, _ in samples += block }
        return samples
    }

    @Test("it ends a tenth of a second after the last loop if nothing decays", arguments: [1, 3])
    func end(loops: Int) {
        let samples = samples(document(), loops: loops)
        #expect(samples.contains { $0 != 0 })
        #expect(samples.count / 2 == Self.rate * loops + Self.rate / 10)
    }

    @Test(
        "with a send to the delay it does not end between two repeats",
        arguments: [(60, 8, 2000), (200, 8, 600), (120, 1, 125)])
    func repeats(bpm: Int, steps: Int, milliseconds: Int) {
        let document = document {
            $0.pattern.bpm = bpm
            $0.sound[.track(.rhythm, .delay)] = 1
            $0.sound[.delaySteps] = steps
            $0.sound[.delayFeedback] = 0
        }
        let loop = Self.rate * 8 * 15 / bpm
        #expect(samples(document).count / 2 >= loop + Self.rate * (milliseconds + 100) / 1000)
    }
}
