import Synth
import SignalAnalysis
import Testing

@Suite("The limiter in the engine")
struct LimitedEngineTests {
    /// All drums, or the whole instrument, at twice the level, hard panned or centred.
    @Test(
        "full scale is not exceeded between the samples either", arguments: [[Track.rhythm], Track.allCases],
        [-100, 0])
    func truePeaks(tracks: [Track], pan: Int) throws {
        let engine = try TestEngine()
        for track in tracks {
            engine.post((0..<12).map { .row(track, $0, .accent, on: 0..<32) })
            engine.post([
                .set(SynthTrackVolume, 200, of: track), .set(SynthTrackPan, pan, of: track),
                .set(SynthTrackCutoff, 20000, of: track),
            ])
        }
        engine.post([.tempo(200), .play()])
        let sound = engine.render(24000, block: 4800)
        #expect(peak(sound) > 0.8)
        let between = truePeak(sound)
        #expect(between <= 1, "\(decibels(between)) dB")
    }
}
