import Glibc
import SignalAnalysis
import Synth
import Testing

@Suite("The compressor, the tone and the delay's width")
struct MixTests {
    /// A long note of the melody, a sine, at the given gain of the track.
    private func note(_ volume: Int, _ commands: [SynthCommand]) throws -> [Float] {
        let engine = try TestEngine()
        engine.post(
            commands + [
                .set(SynthTrackVolume, volume, of: .melody), .audition(.melody, 9, velocity: 2, steps: 16),
            ])
        return engine.renderStereo(48_000).left
    }

    @Test("the compressor brings loud and soft nearer together, and 0 changes no bit")
    func compression() throws {
        func distance(_ amount: Int) throws -> Double {
            let commands: [SynthCommand] = [.set(SynthCompression, amount)]
            return decibels(
                rms(try note(200, commands)[24_000..<40_000]) / rms(try note(20, commands)[24_000..<40_000]))
        }
        #expect(abs(try distance(0) - 20) < 0.1)
        // Above -24 dB, 0.55 of what is over is taken away.
        let compressed = try distance(100)
        #expect(compressed > 13 && compressed < 17, "\(compressed) dB")
        #expect(try note(200, [.set(SynthCompression, 0)]) == note(200, []))
    }

    @Test("the compressor follows a change without a click and comes to rest")
    func rest() throws {
        let engine = try TestEngine()
        engine.post([.set(SynthCompression, 100), .audition(.melody, 0, velocity: 2, steps: 8)])
        engine.post([.set(SynthCompression, 0, at: 20_000), .set(SynthCompression, 80, at: 30_000)])
        let sound = engine.renderStereo(120_000).left
        let engineWithout = try TestEngine()
        engineWithout.post(.audition(.melody, 0, velocity: 2, steps: 8))
        let steady = engineWithout.renderStereo(40_000).left
        #expect(roughness(sound) <= 2 * roughness(steady) + 0.001)
        #expect(sound[60_000...].allSatisfy { $0 == 0 })
    }

    @Test("the tone tilts about 700 Hz by up to 6 dB a side", arguments: [-100, -50, 50, 100])
    func tone(tilt: Int) throws {
        // 110 Hz on the bass, 880 Hz on the melody, without their low-passes.
        func level(_ track: Track, _ note: Int, _ tilt: Int) throws -> Double {
            let engine = try TestEngine()
            engine.post([
                .set(SynthTone, tilt), .set(SynthTrackModel, Int(SynthOrgan.rawValue), of: track),
                .set(SynthTrackTimbre, 0, of: track), .set(SynthTrackCutoff, 20_000, of: track),
            ])
            engine.post([.timbre(2, 8, of: track), .audition(track, note, steps: 16)])
            return decibels(rms(engine.renderStereo(48_000).left[24_000..<40_000]))
        }
        let low = try level(.bass, -12, tilt) - level(.bass, -12, 0)
        let high = try level(.melody, 23, tilt) - level(.melody, 23, 0)
        // 988 Hz is half an octave over the pivot: at g = 2, (g s + w) / (s + g w) is 1.7 dB there.
        let expected = Double(tilt) / 100 * 6
        #expect(abs(low + expected) < 0.3, "\(low) dB at 33 Hz")
        #expect(high * expected > 0 && abs(abs(high) - 1.75 * abs(expected) / 6) < 0.6, "\(high) dB at 988 Hz")
    }

    @Test("at width 100 the repeats alternate between the sides, at 0 they are in the middle")
    func width() throws {
        func sides(_ width: Int) throws -> [Double] {
            let sound = try drum(
                5,
                [
                    .set(SynthTrackVolume, 100, of: .rhythm), .set(SynthTrackDelay, 100, of: .rhythm),
                    .set(SynthDelaySteps, 2), .set(SynthDelayFeedback, 80), .set(SynthDelayWidth, width),
                ], frames: 48_000)
            // Two steps at 120 BPM are 12000 frames.
            return [1, 2].map { repetition in
                let span = (repetition * 12_000 + 10)..<(repetition * 12_000 + 2_000)
                return decibels((rms(sound[0][span]) + 1e-9) / (rms(sound[1][span]) + 1e-9))
            }
        }
        let wide = try sides(100)
        #expect(wide[0] > 60 && wide[1] < -60, "\(wide)")
        let narrow = try sides(0)
        #expect(abs(narrow[0]) < 0.01 && abs(narrow[1]) < 0.01, "\(narrow)")
        let half = try sides(50)
        #expect(abs(half[0] - 7.66) < 0.1 && abs(half[1] + 7.66) < 0.1, "\(half)")
    }
}
