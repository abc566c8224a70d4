import Documents
import Glibc
import Instrument
import Replay
import Runtime
import SignalAnalysis
import Synth
import Testing

@Suite("A pattern's tuning in the sound")
struct TuningSoundTests {
    /// A meantone of quarter commas, with A4 at 442.5 Hz.
    static let tuning = Tuning(
        cents: [
            0, 76_049, 193_157, 310_265, 386_314, 503_422, 579_471, 696_578, 772_627, 889_735, 1_006_843, 1_082_892,
        ],
        name: SoundName("MEANTONE"), a4: 442_500)

    private func sound(of pattern: Pattern) throws -> [Float] {
        var plan = Replay.Plan(TouchScript([]))
        plan.start = PatternDocument(pattern: pattern)
        plan.until = .zero
        plan.loops = 1
        var left: [Float] = []
        var observers = Replay.Observers()
        observers.sound = { samples in left += stride(from: 0, to: samples.count, by: 2).map { samples[$0] } }
        _ = try Replay.run(plan, observers)
        return left
    }

    @Test("notes are heard as its cents say, relative to A4")
    func pitch() throws {
        for (note, cents) in [(0, 0), (4, 386.314), (9, 889.735), (-1, 1082.892 - 1200), (12, 1200)] as [(Int, Double)]
        {
            var pattern = Pattern()
            pattern.tuning = Self.tuning
            pattern[.melody, note: note, step: 0] = .accent
            for step in 1..<16 { pattern[.melody, note: note, step: step] = .sustain }
            let sound = try sound(of: pattern)
            let hertz = 442.5 * exp2((cents - 889.735) / 1200)
            let start = try #require(sound.firstIndex { $0 != 0 })
            let wrong = detuning(of: sound[(start + 4800)..<(start + 76_800)], from: hertz, rate: 48_000)
            #expect(abs(wrong) <= 0.01, "note \(note): \(wrong)")
        }
    }

    @Test("A4 and offsets have the same ranges as in the sound engine")
    func ranges() {
        #expect(Tuning.references == Int(synth_reference_min)...Int(synth_reference_max))
        #expect(Tuning.offsets == -Int(synth_offset_max)...Int(synth_offset_max))
    }

    @Test("the engine follows a change of the tuning, and its way back, to the bit")
    func changes() throws {
        func samples(_ tunings: [Tuning]) throws -> [Float] {
            let engine = try #require(Engine(rate: 48_000))
            var instrument = Instrument()
            var samples = [Float](repeating: 0, count: 9600)
            for tuning in tunings {
                var pattern = Pattern()
                pattern.tuning = tuning
                instrument.load(PatternDocument(pattern: pattern))
                engine.synchronise(with: instrument.state, [], at: engine.frames)
            }
            let note = Instrument.Effect.Note(track: .melody, note: 4, velocity: 1, steps: 2)
            engine.synchronise(with: instrument.state, [.audition([note])], at: engine.frames)
            samples.withUnsafeMutableBufferPointer { engine.render(into: $0) }
            return samples
        }
        let plain = try samples([Tuning()])
        #expect(plain.contains { $0 != 0 })
        #expect(try samples([Self.tuning]) != plain)
        #expect(try samples([Self.tuning, Tuning()]) == plain)
    }
}
