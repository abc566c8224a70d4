import Formats
import Instrument
import Synth
import Testing

@testable import Runtime

@Suite("Numbers that the instrument and the sound engine share")
struct SharedNumberTests {
    @Test("the range of every control", arguments: SoundControl.allCases)
    func range(of control: SoundControl) {
        guard let (kind, _) = Engine.command(for: control) else {
            #expect(SoundControl.pads.contains(control))
            return
        }
        let range = synth_range(UInt8(kind.rawValue))
        // The rhythm track's model is a kit.
        let highest = control == .track(.rhythm, .model) ? Int(synth_kits.rawValue) - 1 : Int(range.highest)
        #expect(control.range == Int(range.lowest)...highest)
    }

    @Test("the range of the tempo, and the number of tracks, notes and steps")
    func pattern() {
        let tempos = synth_range(UInt8(SynthTempo.rawValue))
        #expect(Pattern.tempos == Int(tempos.lowest)...Int(tempos.highest))
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
            func post(_ kind: SynthCommandKind, _ track: Track, _ value: Int) {
                var command = SynthCommand()
                command.kind = UInt8(kind.rawValue)
                command.track = UInt8(track.rawValue)
                command.velocity = 2
                command.value = UInt32(truncatingIfNeeded: value)
                #expect(synth_post(synth, &command, 1))
            }
            if settingDefaults {
                for control in SoundControl.allCases {
                    guard let (kind, track) = Engine.command(for: control) else { continue }
                    post(kind, track, control.defaultValue)
                }
                for pad in Track.rhythm.notes {
                    var command = SynthCommand()
                    command.kind = UInt8(SynthPad.rawValue)
                    command.note = Int8(pad)
                    (command.value, command.cells) = Engine.pad(pad, SoundSettings(), [])
                    #expect(synth_post(synth, &command, 1))
                }
            }
            post(SynthAudition, track, 4)
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
