import Formats
import Instrument
import Synth
import Testing

@testable import Runtime

@Suite("Numbers that the instrument and the sound engine share")
struct SharedNumberTests {
    @Test("the range of every control", arguments: SoundControl.allCases)
    func range(of control: SoundControl) {
        guard let (engineControl, _) = Engine.control(control) else {
            #expect(SoundControl.pads.contains(control))
            return
        }
        let range = synth_range(engineControl)
        // The rhythm track's model is a kit.
        let highest = control == .track(.rhythm, .model) ? Int(synth_kits.rawValue) - 1 : Int(range.highest)
        #expect(control.range == Int(range.lowest)...highest)
    }

    @Test("the engine's control of every control of a track")
    func trackControls() {
        let order: [SynthControl] = [
            SynthTrackVolume, SynthTrackPan, SynthTrackCutoff, SynthTrackResonance, SynthTrackAttack, SynthTrackDecay,
            SynthTrackSustain, SynthTrackRelease, SynthTrackDelay, SynthTrackReverb, SynthTrackModel, SynthTrackLevel,
            SynthTrackUnison, SynthTrackDrive, SynthTrackChorus, SynthTrackLfoRate, SynthTrackLfoShape,
            SynthTrackLfoDepth, SynthTrackLfoTarget, SynthTrackEnvelopeDepth, SynthTrackEnvelopeTarget,
            SynthTrackEnvelopeDecay, SynthTrackTimbre,
        ]
        let own = TrackControl.allCases.filter { $0 <= .timbre1 }
        #expect(own.map { Engine.control(.track(.bass, $0))?.0 } == order)
    }

    @Test("the range of the tempo, and the number of tracks, notes and steps")
    func pattern() {
        let tempos = (Tempo.range.lowerBound.hundredths, Tempo.range.upperBound.hundredths)
        #expect(tempos == (Int(synth_tempo_min), Int(synth_tempo_max)))
        #expect(Track.allCases.count == synth_tracks)
        #expect(Track.melody.notes == Int(synth_lowest_note)...Int(synth_highest_note))
        #expect(Track.rhythm.notes == 0...Int(synth_drums) - 1)
        #expect(Pattern.steps == synth_steps)
    }

    @Test("the numbers of models, kits, LFO shapes and targets")
    func models() {
        #expect(SoundModel.allCases.count == Int(synth_models.rawValue))
        #expect(SoundModel.wavetable.rawValue == Int(SynthWavetable.rawValue))
        #expect(SoundModel.organ.rawValue == Int(SynthOrgan.rawValue))
        #expect(SoundKit.allCases.count == Int(synth_kits.rawValue))
        #expect(SoundKit.lofi.rawValue == Int(SynthKitLofi.rawValue))
        #expect(LFOShape.allCases.count == Int(synth_lfo_shapes.rawValue))
        #expect(ModulationTarget.allCases.count == Int(SynthTargetTimbre.rawValue))
        #expect(ModulationTarget.reverb.rawValue == Int(SynthTargetReverb.rawValue))
        #expect(SoundModel.timbresMax == synth_timbres)
        #expect(LoadedSample.slots == Int(synth_samples))
        #expect(PadControl.groups == Int(synth_chokes))
    }

    @Test("the MIDI note of index 0", arguments: Track.allCases)
    func baseNote(of track: Track) {
        #expect(track.firstMIDINote ?? 0 == Int(synth_base_note(UInt8(track.rawValue))))
    }

    @Test("an engine sounds the same with its own defaults and with the instrument's", arguments: Track.allCases)
    func defaults(of track: Track) throws {
        func samples(settingDefaults: Bool) throws -> [Float] {
            let synth = try #require(synth_create(48_000))
            defer { synth_destroy(synth) }
            func post(_ kind: SynthCommandKind, _ payload: SynthCommandPayload) {
                var command = SynthCommand(frame: 0, payload: payload, kind: kind)
                #expect(synth_post(synth, &command, 1))
            }
            if settingDefaults {
                for control in SoundControl.allCases {
                    guard let command = SynthControlCommand(control, control.defaultValue) else { continue }
                    post(SynthSet, .init(control: command))
                }
                for pad in Track.rhythm.notes {
                    post(SynthPad, .init(pad: .init(pad, SoundSettings(), [])))
                }
            }
            post(SynthAudition, .init(audition: .init(steps: 4, track: UInt8(track.rawValue), note: 0, velocity: 2)))
            var samples = [Float](repeating: 0, count: 2 * 48_000)
            synth_render(synth, &samples, 48_000)
            return samples
        }
        let own = try samples(settingDefaults: false)
        #expect(own.contains { $0 != 0 })
        let set = try samples(settingDefaults: true)
        #expect(own == set)
    }
}
