import Glibc
import Synth

/// The engine's fixed master gain at volume 1 (Sources/Synth/engine.h).
let makeUp = 1.4

enum Track: UInt8, CaseIterable {
    case melody, chords, bass, rhythm
}

/// One cell of a row, as SynthCommand packs it.
enum Cell: UInt64 {
    case none, normal, accent, sustain
}

/// An engine whose clock is driven by the test: commands in, mono samples and reports out.
final class TestEngine {
    let rate: UInt32
    private let synth: OpaquePointer

    /// Reports read so far, oldest first.
    private(set) var reports: [SynthReport] = []

    init(rate: UInt32 = 48000) throws {
        guard let synth = synth_create(rate) else {
            throw NoEngine()
        }
        self.synth = synth
        self.rate = rate
    }

    deinit {
        synth_destroy(synth)
    }

    var counters: SynthCounters { synth_counters(synth) }

    var latency: Int { Int(synth_latency(synth)) }

    @discardableResult
    func post(_ commands: [SynthCommand]) -> Bool {
        synth_post(synth, commands, UInt32(commands.count))
    }

    @discardableResult
    func post(_ command: SynthCommand) -> Bool {
        post([command])
    }

    /// Renders `frames` frames in blocks of `block`; both channels must be equal. Reads the reports.
    @discardableResult
    func render(_ frames: Int, block: Int = 256) -> [Float] {
        let interleaved = renderInterleaved(frames, block: block)
        return (0..<frames).map { interleaved[2 * $0] }
    }

    /// Renders both channels.
    func renderStereo(_ frames: Int, block: Int = 256) -> (left: [Float], right: [Float]) {
        let interleaved = renderInterleaved(frames, block: block)
        return ((0..<frames).map { interleaved[2 * $0] }, (0..<frames).map { interleaved[2 * $0 + 1] })
    }

    func renderInterleaved(_ frames: Int, block: Int = 256) -> [Float] {
        var out = [Float](repeating: .nan, count: 2 * frames)
        out.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else {
                return
            }
            var done = 0
            while done < frames {
                let count = min(block, frames - done)
                synth_render(synth, start + 2 * done, UInt32(count))
                done += count
                takeReports()
            }
        }
        return out
    }

    func remember(_ frames: Int, touch: Bool = false) -> Bool { synth_remember(synth, UInt32(frames), touch) }

    /// `count` frames of the remembered output, interleaved; nil if they are not all kept.
    func recall(from frame: Int, _ count: Int) -> [Int16]? {
        var out = [Int16](repeating: 0, count: 2 * count)
        return synth_recall(synth, UInt64(frame), &out, UInt32(count)) ? out : nil
    }

    /// Fills an empty slot with interleaved frames.
    func load(_ samples: [Int16], slot: Int = 0, channels: Int = 1, rate: UInt32? = nil) -> Bool {
        synth_load_sample(
            synth, UInt32(slot), samples, UInt32(samples.count / max(1, channels)), UInt32(channels), rate ?? self.rate)
    }

    /// Frees an empty slot; whether it is empty.
    func freeSample(_ slot: Int) -> Bool { synth_free_sample(synth, UInt32(slot)) }

    /// Renders and discards frames, in large blocks and without reading the reports.
    func skip(_ frames: Int) {
        var out = [Float](repeating: 0, count: 2 * 4800)
        var left = frames
        while left > 0 {
            let count = min(4800, left)
            synth_render(synth, &out, UInt32(count))
            left -= count
        }
    }

    /// Renders and discards `frames` frames in one block: nothing but rendering, for a test's second thread.
    func renderOnly(_ frames: Int) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * frames) { buffer in
            guard let start = buffer.baseAddress else { return }
            synth_render(synth, start, UInt32(frames))
        }
    }

    func takeReports() {
        var batch = [SynthReport](repeating: SynthReport(), count: 64)
        while true {
            let count = synth_take_reports(synth, &batch, UInt32(batch.count))
            if count == 0 {
                return
            }
            reports += batch[..<Int(count)]
        }
    }

    var steps: [SynthReport] { reports.filter { $0.kind == UInt8(SynthReportStep.rawValue) } }
    var notes: [SynthReport] { reports.filter { $0.kind == UInt8(SynthReportNote.rawValue) } }
}

struct NoEngine: Error {}

extension SynthCommand {
    private init(_ kind: SynthCommandKind, at frame: Int, value: UInt32 = 0) {
        self.init(
            frame: UInt64(frame), cells: 0, value: value, kind: UInt8(kind.rawValue), track: 0, note: 0, velocity: 0,
            pattern: 0, waiting: 0)
    }

    /// Play after `beats` of count-in.
    static func play(after beats: UInt32 = 0, at frame: Int = 0) -> Self { Self(SynthPlay, at: frame, value: beats) }

    static func metronome(_ isOn: Bool, at frame: Int = 0) -> Self {
        Self(SynthMetronome, at: frame, value: isOn ? 1 : 0)
    }

    /// A control common to all tracks.
    static func set(_ control: SynthCommandKind, _ value: Int, at frame: Int = 0) -> Self {
        Self(control, at: frame, value: UInt32(bitPattern: Int32(value)))
    }

    /// A control of `track`.
    static func set(_ control: SynthCommandKind, _ value: Int, of track: Track, at frame: Int = 0) -> Self {
        var command = set(control, value, at: frame)
        command.track = track.rawValue
        return command
    }

    static func stop(at frame: Int = 0) -> Self { Self(SynthStop, at: frame) }

    /// The settings of the pad of `drum`, which plays its drum if `slot` is nil; `start` and `end` in millionths.
    static func pad(
        _ drum: Int, slot: Int? = nil, start: Int = 0, end: Int = 1_000_000, volume: Int = 100, tune: Int = 0,
        choke: Int = 0, at frame: Int = 0
    ) -> Self {
        var command = Self(SynthPad, at: frame, value: UInt32((slot ?? -1) + 1))
        command.note = Int8(drum)
        command.cells =
            UInt64(start) | UInt64(end) << 20 | UInt64(volume) << 40 | UInt64(UInt8(bitPattern: Int8(tune))) << 48
            | UInt64(choke) << 56
        return command
    }

    static func unload(_ slot: Int, at frame: Int = 0) -> Self { Self(SynthUnload, at: frame, value: UInt32(slot)) }

    static func hear(from place: Int, at frame: Int) -> Self {
        var command = Self(SynthHear, at: frame, value: 1)
        command.cells = UInt64(place)
        return command
    }

    static func hearMusic(at frame: Int) -> Self { Self(SynthHear, at: frame) }

    static func hearLoop(_ place: Int, frames: UInt32, at frame: Int) -> Self {
        var command = Self(SynthHearLoop, at: frame, value: frames)
        command.cells = UInt64(place)
        return command
    }

    static func fade(at frame: Int = 0) -> Self { Self(SynthFade, at: frame) }

    static func tempo(_ bpm: UInt32, at frame: Int = 0) -> Self { Self(SynthTempo, at: frame, value: bpm) }

    static func length(_ steps: UInt32, at frame: Int = 0) -> Self { Self(SynthLength, at: frame, value: steps) }

    static func silent(_ tracks: Set<Track>, at frame: Int = 0) -> Self {
        Self(SynthSilent, at: frame, value: tracks.reduce(0) { $0 | 1 << UInt32($1.rawValue) })
    }

    static func volume(_ volume: Double, at frame: Int = 0) -> Self {
        Self(SynthVolume, at: frame, value: UInt32(volume * 65536))
    }

    static func audition(
        _ track: Track, _ note: Int, velocity: UInt8 = 1, steps: UInt32 = 1, at frame: Int = 0
    ) -> Self {
        var command = Self(SynthAudition, at: frame, value: steps)
        command.track = track.rawValue
        command.note = Int8(note)
        command.velocity = velocity
        return command
    }

    static func row(_ track: Track, _ note: Int, _ cells: [Int: Cell], at frame: Int = 0) -> Self {
        var command = Self(SynthRow, at: frame)
        command.track = track.rawValue
        command.note = Int8(note)
        command.cells = cells.reduce(0) { $0 | $1.value.rawValue << UInt64(2 * $1.key) }
        return command
    }

    /// The same cell at each of `steps`.
    static func row<Steps: Sequence>(
        _ track: Track, _ note: Int, _ cell: Cell, on steps: Steps, at frame: Int = 0
    ) -> Self where Steps.Element == Int {
        row(track, note, Dictionary(uniqueKeysWithValues: steps.map { ($0, cell) }), at: frame)
    }
}

/// The largest magnitude of a sample.
func peak<Samples: Sequence>(_ samples: Samples) -> Float where Samples.Element == Float {
    samples.reduce(0) { max($0, abs($1)) }
}

/// The 64-bit FNV-1a hash of the bits of `samples`.
func hash(of samples: [Float]) -> UInt64 {
    samples.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1.bitPattern)) &* 0x100_0000_01b3 }
}

func rms<Samples: Collection>(_ samples: Samples) -> Double where Samples.Element == Float {
    (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
}

func decibels(_ ratio: Double) -> Double {
    20 * log10(ratio)
}

/// The stereo sound of a drum with the effects. The controls were set long before. The rimshot, drum 5, is 50 ms long; the
/// snare, drum 3, has all frequencies.
func drum(
    _ drum: Int, _ commands: [SynthCommand], frames: Int, rate: UInt32 = 48_000
) throws -> [[Float]] {
    let engine = try TestEngine(rate: rate)
    engine.post(commands)
    engine.skip(Int(rate) / 10)
    engine.post(.audition(.rhythm, drum, velocity: 2))
    let (left, right) = engine.renderStereo(frames + engine.latency)
    return [Array(left[engine.latency...]), Array(right[engine.latency...])]
}
