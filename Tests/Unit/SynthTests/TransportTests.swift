import Glibc
import Synth
import Testing

@Suite("Count-in and metronome")
struct TransportTests {
    private let rate = 48_000

    /// Frames of the starts of clicks: the first sample above silence after 20 ms of silence.
    private func clicks(_ sound: [Float], latency: Int) -> [Int] {
        var frames: [Int] = []
        var silent = 960
        for (index, sample) in sound.enumerated() {
            if abs(sample) > 1e-4 {
                if silent >= 960 { frames.append(index - latency) }
                silent = 0
            } else {
                silent += 1
            }
        }
        return frames
    }

    /// Zero crossings per second around the 10 ms after `frame`.
    private func hertz(_ sound: [Float], at frame: Int) -> Double {
        let part = sound[(frame + 96)..<(frame + 96 + 960)]
        let crossings = zip(part, part.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        return Double(crossings) / 2 / 0.02
    }

    @Test(
        "a count-in clicks on its beats and reports the remaining beats; then step 0 begins", arguments: [60, 120, 187])
    func countIn(bpm: Int) throws {
        let engine = try TestEngine()
        engine.post([.tempo(UInt32(bpm)), .row(.melody, 0, .normal, on: [0]), .play(after: 8, at: 100)])
        let beat = Double(rate) * 60 / Double(bpm)
        let sound = engine.render(Int(9.5 * beat))
        let counts = engine.reports.filter { $0.kind == SynthReportCount }
        let expected = (0..<8).map { 100 + Int((Double($0) * beat).rounded(.up)) }
        #expect(counts.map { Int($0.frame) } == expected)
        #expect(counts.map { Int($0.payload.count.beats) } == [8, 7, 6, 5, 4, 3, 2, 1])
        let found = clicks(Array(sound[..<(expected[7] + Int(beat / 2))]), latency: engine.latency)
        #expect(found.count == 8)
        #expect(zip(found, expected).allSatisfy { (0...8).contains($0 - $1) }, "\(found)")
        for (index, frame) in expected.enumerated() {
            let wanted = index % 4 == 0 ? 1500.0 : 1000
            #expect(abs(hertz(sound, at: frame + engine.latency) - wanted) < 60)
        }
        #expect(engine.steps.first.map { Int($0.frame) } == 100 + Int((8 * beat).rounded(.up)))
        #expect(engine.steps.first?.step == .some(0))
        #expect(engine.notes.count == 1)
    }

    @Test("the metronome clicks on every beat from Play, at any length, even if tracks are muted")
    func metronome() throws {
        let engine = try TestEngine()
        // 12 steps: the click's bars continue across the pattern's end.
        engine.post([.metronome(true), .length(12), .silent(Set(Track.allCases)), .play()])
        let sound = engine.render(24_000 * 9)
        let found = clicks(sound, latency: engine.latency)
        #expect(found.count == 9)
        for (index, frame) in found.enumerated() {
            #expect((0...8).contains(frame - 24_000 * index))
            #expect(abs(hertz(sound, at: frame + engine.latency) - (index % 4 == 0 ? 1500 : 1000)) < 60)
        }
    }

    @Test(
        "clicks and bars follow the metre, and so does the count-in",
        arguments: [(3, 4), (7, 2), (2, 6), (5, 3), (1, 4)])
    func metre(beats: Int, steps: Int) throws {
        let engine = try TestEngine()
        engine.post([.metre(beats: beats, steps: steps), .metronome(true), .play(after: UInt32(beats))])
        let beat = 6000 * steps
        let sound = engine.render(beat * (2 * beats + 3))
        let found = clicks(sound, latency: engine.latency)
        #expect(found.count >= 2 * beats + 2)
        for (index, frame) in found.enumerated() {
            #expect((0...8).contains(frame - beat * index))
            #expect(abs(hertz(sound, at: frame + engine.latency) - (index % beats == 0 ? 1500 : 1000)) < 60)
        }
        let counts = engine.reports.filter { $0.kind == SynthReportCount }
        #expect(counts.map { Int($0.frame) } == (0..<beats).map { beat * $0 })
        #expect(counts.map { Int($0.payload.count.beats) } == (1...beats).reversed())
        #expect(engine.steps.first.map { Int($0.frame) } == beat * beats)
    }

    @Test("switched off, it is silent from the next beat on, and Stop ends a count-in")
    func off() throws {
        let engine = try TestEngine()
        engine.post([.metronome(true), .play(), .metronome(false, at: 30_000), .stop(at: 80_000)])
        #expect(clicks(engine.render(100_000), latency: engine.latency).count == 2)
        engine.post([.play(after: 4, at: 100_000), .stop(at: 130_000), .play(at: 200_000)])
        let sound = engine.render(148_000)
        #expect(clicks(sound, latency: engine.latency).count == 2)
        #expect(engine.steps.last.map { Int($0.frame) } == 200_000 + 7 * 6000)
        #expect(engine.reports.count { $0.kind == SynthReportCount } == 2)
    }

    @Test("the count-in follows the tempo, and has up to 32 beats")
    func clamped() throws {
        let engine = try TestEngine()
        engine.post([.tempo(200), .play(after: .max), .tempo(60, at: 14_400)])
        engine.render(48_000 * 33)
        let counts = engine.reports.filter { $0.kind == SynthReportCount }.map { Int($0.frame) }
        #expect(counts == [0] + (0..<31).map { 14_400 + 48_000 * $0 })
    }
}
