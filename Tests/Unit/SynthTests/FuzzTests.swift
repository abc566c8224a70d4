import Synth
import Testing
import TestSupport

@Suite("Random commands")
struct FuzzTests {
    /// Every field over its whole type. Existing kinds are favoured, or little would happen; frames are near, or the ring would
    /// fill behind the first.
    private func command(at frame: UInt64, using random: inout SplitMix) -> SynthCommand {
        let kinds: [UInt8] = Array(1...25) + Array(32...35) + Array(48...54)
        let extremes: [UInt32] = [0, 1, 0x7fff_ffff, 0x8000_0000, .max]
        let isKnown = Bool.random(using: &random)
        let known = kinds[Int.random(in: 0..<kinds.count, using: &random)]
        let value: UInt32 =
            switch Int.random(in: 0..<3, using: &random) {
            case 0: .random(in: 0...(.max), using: &random)
            case 1: .random(in: 0...300, using: &random)
            default: extremes[Int.random(in: 0..<extremes.count, using: &random)]
            }
        return SynthCommand(
            frame: frame, cells: random.next(), value: value,
            kind: isKnown ? known : .random(in: 0...255, using: &random),
            track: isKnown ? .random(in: 0..<4, using: &random) : .random(in: 0...255, using: &random),
            note: isKnown ? .random(in: -12...23, using: &random) : .random(in: -128...127, using: &random),
            velocity: .random(in: 0...255, using: &random), pattern: .random(in: 0...255, using: &random),
            waiting: .random(in: 0...3, using: &random))
    }

    @Test("every sample is a number within full scale, and none is subnormal", arguments: [1, 2, 3, 4] as [UInt64])
    func batches(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let engine = try TestEngine(rate: [44100, 48000, 96000, 48000][Int(seed - 1)])
        for slot in 0..<3 {
            let noise = (0..<[1, 3000, 40_000][slot]).map { _ in Int16.random(in: -20_000...20_000, using: &random) }
            try #require(engine.load(noise, slot: slot, channels: slot == 1 ? 2 : 1, rate: 44_100))
        }
        var loudest: Float = 0
        var now: UInt64 = 0
        for batch in 0..<500 {
            let frames = Int.random(in: 1...600, using: &random)
            let commands = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                command(at: now + .random(in: 0..<600, using: &random), using: &random)
            }
            engine.post(commands.sorted { $0.frame < $1.frame })
            let sound = engine.renderInterleaved(frames, block: frames)
            now += UInt64(frames)
            let wrong = sound.firstIndex { !(abs($0) <= 1) || $0.isSubnormal }
            try #require(wrong == nil, "seed \(seed), batch \(batch): \(sound[wrong ?? 0])")
            loudest = max(loudest, peak(sound))
        }
        #expect(loudest > 0.1, "the fuzz makes sound")

        // It still works: it plays a note, and becomes silent.
        engine.post([
            .stop(), .silent([]), .volume(1), .setting(SynthDelayFeedback, 0), .setting(SynthReverbTime, 3),
            .setting(SynthTrackVolume, 100), .setting(SynthTrackCutoff, 2000), .setting(SynthTrackAttack, 0),
            .audition(.melody, 9, velocity: 2, at: Int(now) + 1000),
        ])
        #expect(peak(engine.renderInterleaved(4000)) > 0.05)
        engine.post(.stop())
        engine.skip(4 * Int(engine.rate))
        #expect(peak(engine.renderInterleaved(9600, block: 4800)) == 0)
    }
}
