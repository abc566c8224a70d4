import Foundation
import Synth
import TestSupport
import TestTags
import Testing

@Suite("The remembered sound", .tags(.live))
struct SoundMemoryTests {
    /// `sound` in 16 bits, rounded half away from zero.
    private func quantised(_ sound: some Sequence<Float>) -> [Int16] {
        sound.map { Int16(($0 * 32_767).rounded(.toNearestOrAwayFromZero)) }
    }

    /// An engine that plays the busy session and remembers `frames`.
    private func busy(remembering frames: Int, rate: UInt32 = 48_000) throws -> TestEngine {
        let engine = try TestEngine(rate: rate)
        try #require(engine.remember(frames, touch: frames % 2 == 1))
        engine.post(Session.busy(rate: Int(rate)))
        return engine
    }

    @Test("it is what was rendered, in blocks of any size, whatever its own length", arguments: [48_000, 96_000])
    func bits(rate: Int) throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let kept = 3 * rate + 12_345
        let engine = try busy(remembering: kept, rate: UInt32(rate))
        var sound: [Float] = []
        while sound.count < 2 * 8 * rate {
            let frames = Int.random(in: 1...3000, using: &random)
            sound += engine.renderInterleaved(frames, block: Int.random(in: 1...700, using: &random))
            let end = sound.count / 2
            let first = max(0, end - kept)
            let begin = Int.random(in: first..<end, using: &random)
            let count = Int.random(in: 0...min(5000, end - begin), using: &random)
            let expected = quantised(sound[(2 * begin)..<(2 * (begin + count))])
            let isSame = engine.recall(from: begin, count) == expected
            try #require(isSame, "PIXELBOOP_SEED=\(seed), frames \(begin) to \(begin + count) of \(end)")
        }
        let end = sound.count / 2
        let all = engine.recall(from: end - kept, kept)
        let isSame = all == quantised(sound[(2 * (end - kept))...])
        #expect(isSame)
        #expect(engine.recall(from: end - kept - 1, 10) == nil)
        #expect(engine.recall(from: end - 9, 10) == nil)
        #expect(engine.recall(from: end, 1) == nil)
        #expect(engine.recall(from: .max / 2, 1) == nil)
        #expect(engine.recall(from: 0, kept + 1) == nil)
    }

    @Test("memory is taken once, and before the first frame")
    func begins() throws {
        let engine = try TestEngine()
        #expect(engine.recall(from: 0, 1) == nil)
        #expect(!engine.remember(0))
        #expect(engine.remember(100))
        #expect(!engine.remember(100))
        let late = try TestEngine()
        late.render(1)
        #expect(!late.remember(100))
        #expect(late.recall(from: 0, 1) == nil)
    }

    @Test("remembering changes no sample")
    func unchanged() throws {
        let plain = try TestEngine()
        plain.post(Session.busy(rate: 48_000))
        let isSame = try busy(remembering: 48_000).renderInterleaved(7 * 48_000) == plain.renderInterleaved(7 * 48_000)
        #expect(isSame)
    }

    /// Frames of a fade.
    private static let fade = 240

    @Test("it is heard from any frame on, repeats, and the music goes on unheard")
    func heard() throws {
        let (engine, other) = (try TestEngine(), try TestEngine())
        try #require(engine.remember(10 * 48_000))
        for engine in [engine, other] { engine.post(Session.typical + [.play()]) }
        let before = engine.renderInterleaved(96_000)
        var music = other.renderInterleaved(96_000)
        engine.post([.hearLoop(30_000, frames: 20_000, at: 96_000), .hear(from: 40_000, at: 96_000)])
        let heard = engine.renderInterleaved(60_000, block: 333)
        music += other.renderInterleaved(60_000)
        let memory = quantised(before)
        for frame in Self.fade..<60_000 {
            // 10,000 frames to the loop's end, then 20,000 again and again.
            let place = frame < 10_000 ? 40_000 + frame : 30_000 + (frame - 10_000) % 20_000
            for side in 0..<2 {
                try #require(heard[2 * frame + side] == Float(memory[2 * place + side]) / 32_767, "frame \(frame)")
            }
        }
        engine.post(.hearMusic(at: 156_000))
        let after = engine.renderInterleaved(48_000)
        music += other.renderInterleaved(48_000)
        let isMusic = after[(2 * Self.fade)...] == music[(2 * (156_000 + Self.fade))...]
        #expect(isMusic)
        // The memory keeps the music, also while the memory is heard.
        let isRemembered = engine.recall(from: 0, 204_000) == quantised(music)
        #expect(isRemembered)
    }

    @Test("a change between music and memory, or to another place, is no click")
    func smooth() throws {
        let engine = try TestEngine()
        try #require(engine.remember(48_000))
        engine.post([.set(SynthTrackVolume, 100, of: .melody), .audition(.melody, 0, steps: 32)])
        var sound = engine.renderInterleaved(24_000)
        for place in [1000, 20_000, 5000] {
            engine.post(.hear(from: place, at: sound.count / 2))
            sound += engine.renderInterleaved(3000)
        }
        // A new place while the last one fades.
        engine.post(.hear(from: 9000, at: sound.count / 2))
        sound += engine.renderInterleaved(100)
        engine.post(.hear(from: 17_000, at: sound.count / 2))
        sound += engine.renderInterleaved(3000)
        engine.post(.hearMusic(at: sound.count / 2))
        sound += engine.renderInterleaved(3000)
        let steps = stride(from: 2, to: sound.count, by: 2).map { abs(sound[$0] - sound[$0 - 2]) }
        let music = steps[4000..<23_000].max() ?? 0
        #expect(music > 0)
        #expect((steps[23_000...].max() ?? 1) < 2 * music)
    }

    @Test("a reader in another thread gets the frames that were written, or none")
    func threads() throws {
        let engine = try busy(remembering: 4096)
        let total = 64 * 6250
        let expected = quantised(try busy(remembering: 4096).renderInterleaved(total))
        let shared = Shared(engine)
        let writer = Thread {
            for _ in 0..<(total / 64) { shared.engine.renderOnly(64) }
        }
        writer.start()
        var (wrong, right) = (0, 0)
        while right == 0 || shared.engine.counters.frames < total {
            let end = Int(shared.engine.counters.frames)
            // The newest frames, or those that are about to be overwritten.
            let begin = max(0, end - Int.random(in: 100...4096))
            let count = min(100, end - begin)
            guard count > 0, let found = shared.engine.recall(from: begin, count) else { continue }
            if found == Array(expected[(2 * begin)..<(2 * (begin + count))]) { right += 1 } else { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    /// An engine that one thread renders and another recalls.
    private final class Shared: @unchecked Sendable {
        let engine: TestEngine
        init(_ engine: TestEngine) { self.engine = engine }
    }
}
