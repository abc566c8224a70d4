import Formats
import InputEvents
import Instrument
import Runtime
import Testing

@Suite("The master volume")
struct VolumeTests {
    /// The peak of a kick played with `volume`.
    private func peak(volume: Int, turned: Int? = nil) throws -> Float {
        let engine = try #require(Engine(rate: 48_000))
        var instrument = Instrument(volume: volume)
        if let turned { _ = instrument.update(.turn(.volume, by: turned), at: .zero) }
        engine.synchronise(with: instrument.state, [], at: 0)
        var samples = [Float](repeating: 0, count: 48_000)
        // The volume glides: it arrives before the kick.
        samples.withUnsafeMutableBufferPointer { engine.render(into: $0) }
        let kick = Instrument.Effect.audition([Instrument.Effect.Note(track: .rhythm, note: 0, velocity: 2, steps: 1)])
        engine.synchronise(with: instrument.state, [kick], at: 0)
        samples.withUnsafeMutableBufferPointer { engine.render(into: $0) }
        return samples.reduce(0) { max($0, abs($1)) }
    }

    @Test("the sound follows the state's volume, from the start and when it changes")
    func followed() throws {
        let full = try peak(volume: 100)
        let half = try peak(volume: 50)
        let turned = try peak(volume: 100, turned: -50)
        let silent = try peak(volume: 30, turned: -30)
        #expect(full > 0.01)
        #expect(half > 0.2 * full && half < 0.8 * full)
        #expect(turned == half)
        #expect(silent < 1e-4)
    }
}
