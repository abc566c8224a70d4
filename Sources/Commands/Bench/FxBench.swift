import Synth

extension SoundBench {
    /// Blocks of `frames` in which every voice of the dearest sounds sounds and all performance effects are on: ten
    /// thousand after two seconds. Ten fingers move every 10 ms.
    static func fxBlocks(of frames: Int) throws -> Blocks {
        guard let synth = synth_create(UInt32(rate)) else { throw CommandError.noMemory }
        defer { synth_destroy(synth) }
        var commands = voices
        guard synth_post(synth, &commands, UInt32(commands.count)) else { throw CommandError.noMemory }
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
        defer { samples.deallocate() }
        var reports = [SynthReport](repeating: SynthReport(), count: 4096)
        func times(blocks: Int) -> [Int] {
            (0..<blocks).map { block in
                if block % max(1, rate / 100 / frames) == 0 {
                    var moves = moves(block)
                    _ = synth_post(synth, &moves, UInt32(moves.count))
                    _ = synth_read_reports(synth, &reports, UInt32(reports.count))
                }
                let start = threadTime()
                synth_render(synth, samples, UInt32(frames))
                return threadTime() - start
            }
        }
        _ = times(blocks: 2 * rate / frames)
        return Blocks(frames: frames, times: times(blocks: 10_000))
    }

    /// Every note on every step at 300 BPM, as in `BenchPattern.full`, with the sounds of its `withDearestSounds`.
    private static var voices: [SynthCommand] {
        let models = [SynthPluck.rawValue, SynthWavetable.rawValue, SynthFm.rawValue, SynthKitLofi.rawValue]
        let costly: [(SynthControl, Int32)] = [
            (SynthTrackUnison, 4), (SynthTrackDrive, 50), (SynthTrackChorus, 100), (SynthTrackLfoDepth, 30),
            (SynthTrackLfoTarget, 1), (SynthTrackEnvelopeDepth, 40), (SynthTrackDelay, 100), (SynthTrackReverb, 100),
            (SynthTrackRelease, 1000),
        ]
        var commands = [
            command(
                SynthTempo, .init(tempo: .init(tempo: UInt32(synth_tempo_max), pattern: .init())))
        ]
        func set(_ control: SynthControl, _ value: Int32, of track: UInt8 = 0) {
            let change = SynthControlCommand(value: value, control: control, track: track)
            commands.append(command(SynthSet, .init(control: change)))
        }
        for track in 0..<UInt8(synth_tracks) {
            set(SynthTrackModel, Int32(models[Int(track)]), of: track)
            for (control, value) in costly { set(control, value, of: track) }
            for note in 0..<Int8(12) {
                let accents: UInt64 = 0xaaaa_aaaa_aaaa_aaaa
                let row = SynthRowCommand(cells: accents, track: track, note: note, window: 0, pattern: .init())
                commands.append(command(SynthRow, .init(row: row)))
            }
        }
        set(SynthCompression, 100)
        set(SynthTone, 50)
        return commands + [command(SynthPlay, .init(play: .init(beats: 0)))]
    }

    /// All effects, moved. The tape only slows down: one that stands costs less.
    private static func moves(_ block: Int) -> [SynthCommand] {
        (0..<UInt8(synth_fx_kinds.rawValue)).map { kind in
            let fx = SynthFxCommand(
                fx: SynthFxKind(kind), is_on: true, waits: false, x: UInt16((block * 7 + Int(kind) * 130) % 1001),
                y: UInt16(500 + block % 300))
            return command(SynthFx, .init(fx: fx))
        }
    }

    private static func command(_ kind: SynthCommandKind, _ payload: SynthCommandPayload) -> SynthCommand {
        SynthCommand(frame: 0, payload: payload, kind: kind)
    }
}
