import Glibc
import Synth

/// The engine's fixed master gain at volume 1 (Sources/Synth/engine.h).
let makeUp = 1.4

enum Track: UInt8, CaseIterable {
    case melody, chords, bass, rhythm
}

/// One cell of a row, as SynthRowCommand packs it.
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
                readReports()
            }
        }
        return out
    }

    /// Renders both channels, interleaved, and the stems.
    func renderStems(_ frames: Int, block: Int = 256) -> (sound: [Float], stems: [Float]) {
        let size = Int(synth_stem_samples)
        var sound = [Float](repeating: .nan, count: 2 * frames)
        var stems = [Float](repeating: .nan, count: size * frames)
        for done in stride(from: 0, to: frames, by: block) {
            sound.withUnsafeMutableBufferPointer { sound in
                stems.withUnsafeMutableBufferPointer { stems in
                    guard let sound = sound.baseAddress, let stems = stems.baseAddress else { return }
                    let count = UInt32(min(block, frames - done))
                    synth_render_stems(synth, sound + 2 * done, stems + size * done, count)
                }
            }
            readReports()
        }
        return (sound, stems)
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

    /// Lets frames pass without their sound, in blocks of `block`. Reads the reports.
    func pass(_ frames: Int, block: Int = 256) {
        var done = 0
        while done < frames {
            let count = min(block, frames - done)
            synth_pass(synth, UInt32(count))
            done += count
            readReports()
        }
    }

    /// Renders and discards `frames` frames in one block: nothing but rendering, for a test's second thread.
    func renderOnly(_ frames: Int) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * frames) { buffer in
            guard let start = buffer.baseAddress else { return }
            synth_render(synth, start, UInt32(frames))
        }
    }

    func readReports() {
        var batch = [SynthReport](repeating: SynthReport(), count: 64)
        while true {
            let count = synth_read_reports(synth, &batch, UInt32(batch.count))
            if count == 0 {
                return
            }
            reports += batch[..<Int(count)]
        }
    }

    var steps: [Step] {
        reports.filter { $0.kind == SynthReportStep }.map { Step(frame: $0.frame, step: $0.payload.step.step) }
    }
    var notes: [Note] {
        reports.filter { $0.kind == SynthReportNote }.map { Note(frame: $0.frame, report: $0.payload.note) }
    }

    struct Step {
        let frame: UInt64
        let step: UInt8
    }

    @dynamicMemberLookup
    struct Note {
        let frame: UInt64
        let report: SynthNoteReport
        /// Whole steps of its length; 0 if its end is reported.
        var steps: UInt8 { report.reports_end ? 0 : UInt8(report.length / UInt32(synth_step_parts)) }

        subscript<Value>(dynamicMember path: KeyPath<SynthNoteReport, Value>) -> Value { report[keyPath: path] }
    }
}

struct NoEngine: Error {}

extension SynthCommand {
    init(_ kind: SynthCommandKind, _ payload: SynthCommandPayload = SynthCommandPayload(), at frame: Int = 0) {
        self.init(frame: UInt64(frame), payload: payload, kind: kind)
    }

    /// Play after `beats` of count-in.
    static func play(after beats: UInt32 = 0, at frame: Int = 0) -> Self {
        Self(SynthPlay, .init(play: .init(beats: beats)), at: frame)
    }

    static func metronome(_ isOn: Bool, at frame: Int = 0) -> Self {
        Self(SynthMetronome, .init(toggle: .init(is_on: isOn)), at: frame)
    }

    /// A control; of `track` if it is a track's.
    static func set(_ control: SynthControl, _ value: Int, of track: Track = .melody, at frame: Int = 0) -> Self {
        let command = SynthControlCommand(value: Int32(value), control: control, track: track.rawValue)
        return Self(SynthSet, .init(control: command), at: frame)
    }

    /// The model's own control `number` of `track`, from 0 on.
    static func timbre(_ number: Int, _ value: Int, of track: Track, at frame: Int = 0) -> Self {
        set(SynthControl(SynthTrackTimbre.rawValue + UInt8(number)), value, of: track, at: frame)
    }

    static func stop(at frame: Int = 0) -> Self { Self(SynthStop, at: frame) }

    /// The settings of the pad of `drum`, which plays its drum if `slot` is nil; `start` and `end` in millionths.
    static func pad(
        _ drum: Int, slot: Int? = nil, start: Int = 0, end: Int = 1_000_000, volume: Int = 100, tune: Int = 0,
        choke: Int = 0, at frame: Int = 0
    ) -> Self {
        let pad = SynthPadCommand(
            begin: UInt32(start), end: UInt32(end), drum: UInt8(drum), slot: UInt8(slot ?? Int(synth_samples)),
            volume: UInt8(volume), tune: Int8(tune), choke: UInt8(choke))
        return Self(SynthPad, .init(pad: pad), at: frame)
    }

    static func unload(_ slot: Int, at frame: Int = 0) -> Self {
        Self(SynthUnload, .init(unload: .init(slot: UInt8(slot))), at: frame)
    }

    static func hear(from place: Int, at frame: Int) -> Self {
        Self(SynthHear, .init(hear: .init(from: UInt64(place))), at: frame)
    }

    static func hearMusic(at frame: Int) -> Self { Self(SynthHearMusic, at: frame) }

    static func hearLoop(_ place: Int, frames: UInt32, at frame: Int) -> Self {
        Self(SynthHearLoop, .init(hear_loop: .init(begin: UInt64(place), count: frames)), at: frame)
    }

    static func fade(at frame: Int = 0) -> Self { Self(SynthFade, at: frame) }

    static func tempo(_ bpm: UInt32, at frame: Int = 0) -> Self { tempo(hundredths: Int(100 * bpm), at: frame) }

    static func tempo(hundredths: Int, at frame: Int = 0) -> Self {
        Self(SynthTempo, .init(tempo: .init(tempo: UInt32(hundredths), pattern: .init())), at: frame)
    }

    static func length(_ steps: UInt32, at frame: Int = 0) -> Self {
        Self(SynthLength, .init(length: .init(steps: steps, pattern: .init())), at: frame)
    }

    static func metre(beats: Int, steps: Int, at frame: Int = 0) -> Self {
        let metre = SynthMetreCommand(steps: UInt8(steps), beats: UInt8(beats), pattern: .init())
        return Self(SynthMetre, .init(metre: metre), at: frame)
    }

    static func silent(_ tracks: Set<Track>, at frame: Int = 0) -> Self {
        let mask = tracks.reduce(UInt32(0)) { $0 | 1 << UInt32($1.rawValue) }
        return Self(SynthSilent, .init(silent: .init(tracks: mask)), at: frame)
    }

    static func volume(_ volume: Double, at frame: Int = 0) -> Self {
        Self(SynthVolume, .init(volume: .init(volume: UInt32(volume * 65536))), at: frame)
    }

    static func audition(
        _ track: Track, _ note: Int, velocity: UInt8 = 1, steps: UInt32 = 1, at frame: Int = 0
    ) -> Self {
        let audition = SynthAuditionCommand(
            steps: steps, track: track.rawValue, note: Int8(note), velocity: velocity)
        return Self(SynthAudition, .init(audition: audition), at: frame)
    }

    /// A row of cells as the engine has them.
    static func row(_ track: Track, _ note: Int, window: Int = 0, cells: UInt64, at frame: Int = 0) -> Self {
        let row = SynthRowCommand(
            cells: cells, track: track.rawValue, note: Int8(note), window: UInt8(window), pattern: .init())
        return Self(SynthRow, .init(row: row), at: frame)
    }

    static func row(_ track: Track, _ note: Int, _ cells: [Int: Cell], at frame: Int = 0) -> Self {
        row(track, note, cells: cells.reduce(0) { $0 | $1.value.rawValue << UInt64(2 * $1.key) }, at: frame)
    }

    /// The same cell at each of `steps`.
    static func row<Steps: Sequence>(
        _ track: Track, _ note: Int, _ cell: Cell, on steps: Steps, at frame: Int = 0
    ) -> Self where Steps.Element == Int {
        row(track, note, Dictionary(uniqueKeysWithValues: steps.map { ($0, cell) }), at: frame)
    }

    /// The same command for pattern `number`, if it is one for a pattern.
    func of(_ number: Int, isWaiting: Bool = false) -> Self {
        let pattern = SynthPatternNumber(number: UInt8(number), waiting: isWaiting)
        var command = self
        switch kind {
        case SynthRow: command.payload.row.pattern = pattern
        case SynthTempo: command.payload.tempo.pattern = pattern
        case SynthLength: command.payload.length.pattern = pattern
        case SynthMetre: command.payload.metre.pattern = pattern
        case SynthLane: command.payload.lane.pattern = pattern
        case SynthNoLanes: command.payload.no_lanes.pattern = pattern
        case SynthShape: command.payload.shape.pattern = pattern
        case SynthSeed: command.payload.seed.pattern = pattern
        case SynthTuning: command.payload.tuning.pattern = pattern
        case SynthReference: command.payload.reference.pattern = pattern
        case SynthSwitchAtBar: command.payload.switch_at_bar.pattern = pattern
        case SynthSwitchAtEnd: command.payload.switch_at_end.pattern = pattern
        default: break
        }
        return command
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

/// The stereo sound of a drum with the effects. The controls were set long before. The rimshot, drum 5, is 50 ms long;
/// the snare, drum 3, has all frequencies.
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
