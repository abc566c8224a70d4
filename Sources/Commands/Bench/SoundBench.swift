import Box
import InputEvents
import Documents
import FoundationEssentials
import Glibc
import Instrument
import Replay
import Runtime

/// CPU time of this thread, in nanoseconds. It leaves out the time of other programs, so that figures of a busy machine
/// are comparable, but not their side effects (a cold cache, an interrupt).
func threadTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Cost of the sound.
enum SoundBench {
    static let rate = 48_000

    /// Seconds of `document` rendered per second of CPU time, over thirty seconds.
    static func timesRealTime(_ document: PatternDocument) throws -> Int {
        let seconds = 30
        let engine = try playing(document)
        let audio = VirtualAudio(engine, block: 128) { _ in }
        let start = threadTime()
        for second in 1...seconds {
            audio.advance(to: Instant(milliseconds: Int64(second) * 1000))
            engine.takeReports { _, _ in }
        }
        return seconds * 1_000_000_000 / max(1, threadTime() - start)
    }

    /// CPU time of blocks of one size, in nanoseconds.
    struct Blocks {
        /// Frames in a block.
        let frames: Int
        /// Playing time of a block.
        var deadline: Int { frames * 1_000_000_000 / rate }
        let median: Int
        /// The 99.9th percentile.
        let p999: Int
        let worst: Int

        fileprivate init(frames: Int, times: [Int]) {
            let sorted = times.sorted()
            self.frames = frames
            median = sorted[sorted.count / 2]
            p999 = sorted[(sorted.count - 1) * 999 / 1000]
            worst = sorted[sorted.count - 1]
        }
    }

    /// Blocks of `frames` of `document`, in which every voice sounds: ten thousand after two seconds.
    static func loudBlocks(of frames: Int, _ document: PatternDocument = BenchPattern.full.document) throws -> Blocks {
        let engine = try playing(document)
        _ = times(engine, blocks: 2 * rate / frames, of: frames)
        return Blocks(frames: frames, times: times(engine, blocks: 10_000, of: frames))
    }

    /// The same while eight fingers play all effects, and move every 10 ms.
    static func fxBlocks(of frames: Int, _ document: PatternDocument) throws -> Blocks {
        let engine = try playing(document)
        var player = Instrument()
        player.load(document)
        _ = player.update(.key(.playStop), at: .zero)
        var fx = PanelFX()
        fx.isOpen = true
        player.show(PanelKeys(), fx)
        func move(_ phase: Touch.Phase, _ block: Int) {
            for finger in 0..<8 {
                let place = Float((block * 7 + finger * 13) % 70) / 10
                let touch = Touch(
                    contact: finger, phase: phase, column: Float(4 + finger % 4 * 9) + place,
                    // The tape only slows down: one that stands costs less.
                    row: Float(2 + finger / 4 * 10) + place / 2)
                _ = player.update(.touch(touch), at: .zero)
            }
            engine.synchronise(with: player.state, [], at: 0)
        }
        move(.down, 0)
        let interval = max(1, rate / 100 / frames)
        func times(_ blocks: Int) -> [Int] {
            Self.times(engine, blocks: blocks, of: frames) { if $0 % interval == 0 { move(.move, $0) } }
        }
        _ = times(2 * rate / frames)
        return Blocks(frames: frames, times: times(10_000))
    }

    /// Four seconds of blocks of 64 frames from its last step on, in which both effects decay at their default
    /// settings: denormal numbers would show here.
    static func tailBlocks() throws -> Blocks {
        let frames = 64
        let document = BenchPattern.full.document
        let engine = try playing(document)
        _ = times(engine, blocks: 2 * rate / frames, of: frames)
        var silent = Instrument()
        var session = Session(document)
        session.composition.pattern = Pattern()
        silent.load(session)
        engine.synchronise(with: silent.state, [], at: UInt64(2 * rate))
        return Blocks(frames: frames, times: times(engine, blocks: 4 * rate / frames, of: frames))
    }

    /// CPU times of blocks; `prepare` is called before each.
    private static func times(
        _ engine: Engine, blocks: Int, of frames: Int, prepare: (Int) -> Void = { _ in }
    ) -> [Int] {
        let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * frames)
        defer { samples.deallocate() }
        return (0..<blocks).map { block in
            prepare(block)
            let start = threadTime()
            engine.render(into: samples)
            let time = threadTime() - start
            if block % 64 == 0 { engine.takeReports { _, _ in } }
            return time
        }
    }

    /// An engine that plays `document` from its frame 0, and remembers its sound as the box's does.
    private static func playing(_ document: PatternDocument) throws -> Engine {
        guard let engine = Engine(rate: rate), engine.remember(inRealTime: true) else {
            throw CommandError.noMemory
        }
        var instrument = Instrument()
        instrument.load(document)
        if let name = BenchPattern.sample, document.sound[sampleOf: 0] == name {
            // A minute of a tone that fills every bit: of stereo at the rate that needs the most work.
            let tone = (0..<2 * 44_100 * 60).map { Int16(truncatingIfNeeded: $0 &* $0 &* 40_503) }
            guard let slot = engine.load(tone, channels: 2, rate: 44_100) else { throw CommandError.noMemory }
            _ = instrument.update(.sample(LoadedSample(name: name, slot: slot, peaks: [])), at: .zero)
        }
        _ = instrument.update(.key(.playStop), at: .zero)
        engine.synchronise(with: instrument.state, [], at: 0)
        return engine
    }
}
