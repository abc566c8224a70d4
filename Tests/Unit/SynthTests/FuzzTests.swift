import Synth
import Testing
import TestSupport

@Suite("Random commands")
struct FuzzTests {
    private static let controls = (0...UInt8.max).map { SynthControl($0) }.filter { synth_range($0).highest != 0 }

    /// A command for `frame`, every field over its whole type. Existing kinds, tracks and notes are favoured, or little
    /// would happen; a source's are not among them, as a far jump before the first step begins each step between, which
    /// takes long.
    private func command(at frame: Int, using random: inout SplitMix) -> SynthCommand {
        let kinds: [UInt8] = Array(1...20) + [SynthNoteLane.rawValue, SynthSet.rawValue] + Array(48...58)
        let isKnown = Bool.random(using: &random)
        let kind = isKnown ? kinds[Int.random(in: 0..<kinds.count, using: &random)] : whole()
        func whole<Number: FixedWidthInteger>() -> Number { .random(in: .min ... .max, using: &random) }
        func number<Number: FixedWidthInteger>() -> Number {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: whole()
            case 1: Number(clamping: Int.random(in: 0...300, using: &random))
            default:
                switch Int.random(in: 0..<6, using: &random) {
                case 0: 0
                case 1: 1
                case 2: Number.max
                case 3: Number.max / 2 + 1
                case 4: Number.max - 1
                default: Number.min
                }
            }
        }
        func track() -> UInt8 { isKnown ? .random(in: 0..<4, using: &random) : whole() }
        func note() -> Int8 { isKnown ? .random(in: -12...23, using: &random) : whole() }
        func lane() -> SynthLaneKind { SynthLaneKind(isKnown ? .random(in: 0..<13, using: &random) : whole()) }
        func flag() -> Bool { .random(using: &random) }
        func expression() -> SynthExpression { .init(bend: number(), pressure: number(), brightness: number()) }
        func pattern() -> SynthPatternNumber { .init(number: whole(), waiting: flag()) }
        let payload: SynthCommandPayload =
            switch SynthCommandKind(kind) {
            case SynthPlay: .init(play: .init(beats: number()))
            case SynthPlayFrom: .init(play_from: .init(step: number()))
            case SynthMetronome, SynthFill, SynthTransmit, SynthAwaitSwitch: .init(toggle: .init(is_on: flag()))
            case SynthSilent: .init(silent: .init(tracks: number()))
            case SynthVolume: .init(volume: .init(volume: number()))
            case SynthSet: .init(control: control())
            case SynthSteer: .init(steer: .init(position: number(), tempo: number()))
            case SynthAudition:
                .init(audition: .init(steps: number(), track: track(), note: note(), velocity: whole()))
            case SynthNoteOn:
                .init(note_on: .init(expression: expression(), track: track(), note: note(), velocity: whole()))
            case SynthNoteOff: .init(note_off: .init(track: track(), note: note()))
            case SynthNoteExpression:
                .init(note_expression: .init(expression: expression(), track: track(), note: note()))
            case SynthHear: .init(hear: .init(from: number()))
            case SynthHearLoop: .init(hear_loop: .init(begin: number(), count: number()))
            case SynthPad: .init(pad: pad())
            case SynthUnload: .init(unload: .init(slot: number()))
            case SynthRow:
                .init(row: .init(cells: whole(), track: track(), note: note(), window: whole(), pattern: pattern()))
            case SynthTempo: .init(tempo: .init(tempo: number(), pattern: pattern()))
            case SynthLength: .init(length: .init(steps: number(), pattern: pattern()))
            case SynthMetre: .init(metre: .init(steps: whole(), beats: whole(), pattern: pattern()))
            case SynthLane: .init(lane: values())
            case SynthNoteLane:
                .init(
                    note_lane: .init(
                        values: values().values, lane: lane(), track: track(), note: note(), step: number(),
                        pattern: pattern()))
            case SynthNoLanes: .init(no_lanes: .init(pattern: pattern()))
            case SynthShape: .init(shape: shape())
            case SynthSeed: .init(seed: .init(seed: number(), pattern: pattern()))
            case SynthTuning:
                .init(tuning: .init(offsets: (number(), number()), pitch_class: number(), pattern: pattern()))
            case SynthReference: .init(reference: .init(a4: number(), pattern: pattern()))
            case SynthSwitchAtBar:
                .init(
                    switch_at_bar: .init(tag: whole(), steps: whole(), pattern: pattern(), ends_parts: flag()))
            case SynthSwitchAtEnd:
                .init(
                    switch_at_end: .init(passes: number(), tag: whole(), pattern: pattern(), ends_parts: flag()))
            case SynthSwitchTracks:
                .init(
                    switch_tracks: .init(
                        tag: number(), tracks: whole(), returning: whole(),
                        reports: isKnown ? .random(in: 0...3, using: &random) : whole()))
            case SynthFx: .init(fx: fx())
            default: .init()
            }
        func control() -> SynthControlCommand {
            let control = isKnown ? Self.controls.randomElement(using: &random) ?? SynthSwing : SynthControl(whole())
            let range = synth_range(control)
            let isInRange = isKnown && Bool.random(using: &random)
            let value = isInRange ? Int32.random(in: range.lowest...range.highest, using: &random) : number()
            return SynthControlCommand(value: value, control: control, track: track())
        }
        func pad() -> SynthPadCommand {
            SynthPadCommand(
                begin: .random(in: 0..<1 << 20, using: &random), end: .random(in: 0..<1 << 20, using: &random),
                drum: isKnown ? .random(in: 0..<12, using: &random) : whole(), slot: number(), volume: whole(),
                tune: whole(), choke: whole())
        }
        func values() -> SynthLaneCommand {
            SynthLaneCommand(
                values: (number(), number(), number(), number()), lane: lane(), track: track(), step: number(),
                pattern: pattern())
        }
        func fx() -> SynthFxCommand {
            SynthFxCommand(
                fx: SynthFxKind(isKnown ? .random(in: 0..<UInt8(synth_fx_kinds.rawValue), using: &random) : whole()),
                is_on: flag(), waits: flag(), x: number(), y: number())
        }
        func shape() -> SynthShapeCommand {
            SynthShapeCommand(
                length: number(), twelfths: [3, 6, 8, 12, 18, 24, 48].randomElement(using: &random) ?? whole(),
                direction: SynthDirection(whole()), track: track(), pattern: pattern(), seed: whole())
        }
        return SynthCommand(SynthCommandKind(kind), payload, at: frame)
    }

    @Test("every sample is a number within full scale, and none is subnormal", arguments: 0..<4 as Range<UInt64>)
    func batches(round: UInt64) throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed &+ round)
        let engine = try TestEngine(rate: [44100, 48000, 96000, 48000][Int(round)])
        for slot in 0..<3 {
            let count: Int = [1, 3000, 40_000][slot]
            let noise: [Int16] = (0..<count).map { _ in .random(in: -20_000...20_000, using: &random) }
            try #require(engine.load(noise, slot: slot, channels: slot == 1 ? 2 : 1, rate: 44_100))
        }
        var loudest: Float = 0
        var now: UInt64 = 0
        for batch in 0..<500 {
            let frames = Int.random(in: 1...600, using: &random)
            let count = Int.random(in: 1...20, using: &random)
            let commands: [SynthCommand] = (0..<count).map { _ in
                command(at: Int(now) + Int.random(in: 0..<600, using: &random), using: &random)
            }
            engine.post(commands.sorted { $0.frame < $1.frame })
            // In turn, with the parts of the mix: before the limiter, which hides what grows without end.
            let (sound, stems) =
                batch % 2 == 0
                ? (engine.renderInterleaved(frames, block: frames), []) : engine.renderStems(frames, block: frames)
            now += UInt64(frames)
            let wrong = sound.firstIndex { !(abs($0) <= 1) || $0.isSubnormal }
            try #require(wrong == nil, "PIXELBOOP_SEED=\(seed), batch \(batch): \(sound[wrong ?? 0])")
            try #require(stems.allSatisfy { abs($0) < 1e5 }, "PIXELBOOP_SEED=\(seed), batch \(batch)")
            loudest = max(loudest, peak(sound))
        }
        #expect(loudest > 0.1, "PIXELBOOP_SEED=\(seed)")

        // It still works: it plays a note, and becomes silent.
        let plain: [(SynthControl, Int)] = [
            (SynthTrackVolume, 100), (SynthTrackCutoff, 2000), (SynthTrackResonance, 0), (SynthTrackAttack, 0),
            (SynthTrackSustain, 50), (SynthTrackRelease, 100), (SynthTrackModel, 0), (SynthTrackLevel, 0),
            (SynthTrackDrive, 0), (SynthTrackChorus, 0), (SynthTrackLfoDepth, 0), (SynthTrackEnvelopeDepth, 0),
        ]
        engine.post(
            [
                .stop(), SynthCommand(SynthAwaitSwitch, .init(toggle: .init(is_on: false))), .silent([]), .volume(1),
                .set(SynthDelayFeedback, 0), .set(SynthReverbTime, 3), .set(SynthCompression, 0),
                .set(SynthPulseOutput, 0),
            ] + (0..<UInt8(synth_fx_kinds.rawValue)).map { .fxEnd(SynthFxKind($0), at: 0) }
                + Track.allCases.flatMap { track in plain.map { .set($0, $1, of: track) } } + [
                    .audition(.melody, 9, velocity: 2, at: Int(now) + 1000)
                ])
        #expect(peak(engine.renderInterleaved(4000)) > 0.01, "PIXELBOOP_SEED=\(seed)")
        engine.post(.stop())
        engine.skip(70 * Int(engine.rate))
        #expect(peak(engine.renderInterleaved(9600, block: 4800)) == 0, "PIXELBOOP_SEED=\(seed)")
    }
}
