import Foundation
import Formats
import Instrument
import Replay
import SignalAnalysis
import Testing

@testable import Commands

@Suite("Factory sounds")
struct FactorySoundTests {
    /// With PIXELBOOP_LEVELS=1 the loudness test prints the levels that the table should have.
    private static let printsLevels = ProcessInfo.processInfo.environment["PIXELBOOP_LEVELS"] != nil
    private static let melodic: [Track] = [.melody, .chords, .bass]

    @Test("each sound and kit is as loud as the plain one within 0.5 LU, and does not clip", arguments: Track.allCases)
    func loudness(track: Track) throws {
        let sounds = FactorySounds.list(for: track)
        let plain = PhraseSound(track, sounds[0]).loudness
        for sound in sounds {
            let phrase = PhraseSound(track, sound)
            let excess = phrase.loudness - plain
            #expect(
                abs(excess) < 0.5, "\(sound.name.text) on \(track.name): \(excess) LU; see FactorySounds+Table.swift")
            var settings = SoundSettings()
            settings.choose(sound, for: track)
            let level = settings[.track(track, .level)]
            #expect(abs(level) < 240)
            if Self.printsLevels {
                print("\(sound.name.text) \(track.name): \(level - Int((10 * excess).rounded()))")
            }
            // The limiter holds peaks at −1 dB.
            let peak = max(phrase.left.map(abs).max() ?? 0, phrase.right.map(abs).max() ?? 0)
            #expect(peak < 0.9, "\(sound.name.text) on \(track.name): \(peak)")
            #expect(phrase.left.allSatisfy(\.isFinite) && phrase.right.allSatisfy(\.isFinite), "\(sound.name.text)")
            #expect(phrase.tail < 4, "\(sound.name.text) on \(track.name) ends after \(phrase.tail) s")
        }
    }

    /// Basses that are low by their nature: a sub-bass, and the pedals of an organ.
    private static let low: [String] = ["SUBBY", "PEDAL"]

    @Test("the home sounds of bass are audible on a small loudspeaker: behind 250 Hz they lose at most 3 LU")
    func bass() {
        for sound in FactorySounds.home(.bass) {
            let phrase = PhraseSound(.bass, sound)
            let rate = Double(PhraseSound.rate)
            let loss =
                phrase.loudness
                - integratedLoudness(
                    left: highPassed(phrase.left, at: 250, rate: rate),
                    right: highPassed(phrase.right, at: 250, rate: rate), rate: PhraseSound.rate)
            #expect((loss < 3) != Self.low.contains(sound.name.text), "\(sound.name.text): \(loss) LU")
        }
    }
}

/// The sound of a phrase.
private struct PhraseSound {
    /// Sample rate, in frames per second.
    static let rate = 48_000

    /// Both channels, without the ends of the last notes.
    let left: [Float]
    let right: [Float]
    /// Seconds until silence, from the phrase's end on.
    let tail: Double

    /// Renders the phrase of `track` with `sound`.
    init(_ track: Track, _ sound: SoundPreset) {
        let document = SoundPhrase.document(track, sound)
        let pattern = document.pattern
        let frames = Int(pattern.duration(ofSteps: pattern.length).microseconds) * Self.rate / 1_000_000
        var samples: [Float] = []
        samples.reserveCapacity(4 * frames)
        Bounce.render(document, loops: 1, rate: Self.rate) { block, _ in samples += block }
        (left, right) = channels(samples, frames: frames)
        tail = Double(samples.count / 2 - frames) / Double(Self.rate)
    }

    /// Integrated loudness in LUFS.
    var loudness: Double { integratedLoudness(left: left, right: right, rate: Self.rate) }
}
