import Foundation
import Documents
import Instrument
import Replay
import SignalAnalysis
import TestSupport
import Testing

@testable import Commands

@Suite("Mix of the factory set")
struct FactoryMixTests {
    private static let rate = 48_000
    private static let loops = 2
    private static let docs = Checkout.url("docs")

    /// The patterns of the documentation, and a typical one.
    enum Music: String, CaseIterable {
        case demo, loop, typical
    }

    /// The pattern that `music` draws, with the factory set.
    private func document(_ music: Music) throws -> PatternDocument {
        guard music != .typical else { return PatternDocument(pattern: BenchPattern.typical.document.pattern) }
        let script = try Data(contentsOf: Self.docs.appendingPathComponent("\(music.rawValue).jsonl"))
        return try Replay.run(Replay.Plan(try TouchScript(parsing: Array(script)))).document
    }

    /// Two loops with the factory set, of `track` alone if there is one.
    private func sound(_ music: Music, of track: Track? = nil) throws -> (left: [Float], right: [Float]) {
        var document = try document(music)
        document.sound = .factory
        if let track {
            for other in Track.allCases where other != track {
                for note in other.notes {
                    for step in 0..<Pattern.steps { document.pattern[other, note: note, step: step] = .empty }
                }
            }
        }
        var samples: [Float] = []
        Bounce.render(document, loops: Self.loops, rate: Self.rate) { block, _ in samples += block }
        let length = document.pattern.duration(ofSteps: Self.loops * document.pattern.length)
        return channels(samples, frames: Int(length.microseconds) * Self.rate / 1_000_000)
    }

    private func loudness(_ sound: (left: [Float], right: [Float])) -> Double {
        integratedLoudness(left: sound.left, right: sound.right, rate: Self.rate)
    }

    @Test("it is as loud as −16 LUFS within 1 LU, with true peaks of −1 dB and some width", arguments: Music.allCases)
    func mix(_ music: Music) throws {
        let sound = try sound(music)
        let loudness = loudness(sound)
        #expect(abs(loudness + 16) < 1, "\(loudness) LUFS")
        // The limiter's ceiling is −1.1 dB for a compressed mix, exact to 0.1 dB between samples.
        let peak = 20 * log10(max(truePeak(sound.left, factor: 4), truePeak(sound.right, factor: 4)))
        #expect(peak <= -1, "\(peak) dB")
        let width = stereoWidth(left: sound.left, right: sound.right)
        #expect((-20 ... -10).contains(width), "\(width) dB")
    }

    @Test("much of it is where the ear and small loudspeakers are best: from 1 to 2 kHz", arguments: Music.allCases)
    func presence(_ music: Music) throws {
        let left = try sound(music).left
        let shares = stride(from: 0, to: left.count - Spectrum.count, by: Spectrum.count).map { start in
            let spectrum = Spectrum(whole: Array(left[start..<start + Spectrum.count]), rate: Double(Self.rate))
            return spectrum.share(above: 1000) - spectrum.share(above: 2000)
        }
        let level = 10 * log10(shares.reduce(0, +) / Double(shares.count))
        #expect(level > -16, "\(level) dB")
    }

    @Test("behind 250 Hz its bass loses at most 3 LU", arguments: Music.allCases)
    func bass(_ music: Music) throws {
        let sound = try sound(music, of: .bass)
        let rate = Double(Self.rate)
        let rest = (
            left: highPassed(sound.left, at: 250, rate: rate), right: highPassed(sound.right, at: 250, rate: rate)
        )
        let loss = loudness(sound) - loudness(rest)
        #expect(loss < 3, "\(loss) LU")
    }
}
