import Synth
import TestSupport
import Testing

@Suite("Metre, length and tempo")
struct MetreTests {
    /// What decides when steps and switches come.
    private struct Music {
        /// In hundredths of a beat per minute.
        let tempo: Int
        let length: Int
        let beats: Int
        let stepsOfBeat: Int

        init(using random: inout SplitMix) {
            // Slow patterns take the time of many fast ones.
            tempo = Bool.random(using: &random) ? .random(in: 2000...30000, using: &random) : 30000
            length = .random(in: 1...128, using: &random)
            beats = .random(in: 1...16, using: &random)
            stepsOfBeat = [2, 3, 4, 6].randomElement(using: &random) ?? 4
        }

        func commands(_ number: Int, isWaiting: Bool, at frame: Int) -> [SynthCommand] {
            let commands: [SynthCommand] = [
                .tempo(hundredths: tempo, at: frame), .length(UInt32(length), at: frame),
                .metre(beats: beats, steps: stepsOfBeat, at: frame),
            ]
            return commands.map { $0.of(number, isWaiting: isWaiting) }
        }
    }

    /// Whole steps from Play in exact integers: a step is 1500 units a frame's rate, and a frame adds the tempo.
    private struct Reference {
        let rate: Int
        private(set) var music: Music
        private(set) var step = -1
        /// The frame on which the next step begins, and the units by which it is due earlier.
        private(set) var next = 0
        private var late = 0

        init(_ music: Music, rate: Int) { (self.music, self.rate) = (music, rate) }

        /// The step that comes next.
        var following: Int { (step + 1) % music.length }

        /// Begins the next step, the first of `other` if given.
        mutating func advance(to other: Music? = nil) {
            if let other {
                late = late * other.tempo / music.tempo
                (music, step) = (other, 0)
            } else {
                step = following
            }
            let units = 1500 * rate - late
            let frames = (units + music.tempo - 1) / music.tempo
            late = frames * music.tempo - units
            next += frames
        }
    }

    @Test(
        "500 random patterns after each other, each from a bar, a beat or an end of the last: every step on its frame",
        arguments: 1...20 as ClosedRange<UInt64>)
    func patterns(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let rate = [44100, 48000, 96000][Int(seed % 3)]
        let engine = try TestEngine(rate: UInt32(rate))
        var reference = Reference(Music(using: &random), rate: rate)
        var (playing, rendered) = (0, 0)
        var (expected, switches): ([[Int]], [[Int]]) = ([], [])
        engine.post(reference.music.commands(0, isWaiting: false, at: 0) + [.play(at: 0)])
        for number in 1...500 {
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                expected.append([reference.next, reference.following])
                reference.advance()
            }
            let frame = (expected.last?[0] ?? 0) + 1
            let (last, other) = (reference.music, Music(using: &random))
            let atEnd = Bool.random(using: &random)
            let isBeat = Bool.random(using: &random)
            let unit = isBeat ? last.stepsOfBeat : last.stepsOfBeat * last.beats
            let waiting = other.commands(1 - playing, isWaiting: true, at: frame)
            engine.post(
                waiting + [.change(to: 1 - playing, tag: number, atEnd: atEnd, bar: unit, isWaiting: true, at: frame)])
            while reference.following % (atEnd ? last.length : unit) != 0 {
                expected.append([reference.next, reference.following])
                reference.advance()
            }
            switches.append([reference.next, number])
            expected.append([reference.next, 0])
            reference.advance(to: other)
            playing = 1 - playing
            engine.skip(reference.next - rendered)
            rendered = reference.next
            engine.readReports()
        }
        expected.append([reference.next, reference.following])
        engine.skip(1)
        engine.readReports()
        let found = engine.steps.map { [Int($0.frame), Int($0.step)] }
        let wrong = zip(found, expected).first { $0 != $1 }
        #expect(wrong == nil && found.count == expected.count, "seed \(seed)")
        #expect(engine.switches.map { [Int($0.frame), Int($0.tag)] } == switches, "seed \(seed)")
    }
}
