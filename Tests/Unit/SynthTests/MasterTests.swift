import Glibc
import Synth
import Testing

@Suite("The master")
struct MasterTests {
    private let everything = Track.allCases.flatMap { track in
        (0..<12).map { SynthCommand.row(track, $0, .accent, on: 0..<32) }
    }

    @Test("everything at once stays within full scale, also between the samples")
    func limits() throws {
        let engine = try TestEngine()
        engine.post(everything + [.tempo(200), .play()])
        let sound = engine.render(36000)
        #expect(peak(sound) <= 0.8913)
        #expect(peak(sound) > 0.85)
        // Four times oversampled, with 16 taps each side of the point.
        let taps = (1...3).map { quarter in
            (-15...16).map { tap -> Float in
                let x = Double(tap) - Double(quarter) / 4
                return Float(sin(.pi * x) / (.pi * x) * pow(cos(.pi * x / 34), 2))
            }
        }
        var truePeak: Float = 0
        for frame in 15..<(sound.count - 16) where abs(sound[frame]) > 0.6 {
            for phase in taps {
                var sum: Float = 0
                for tap in 0..<32 {
                    sum += phase[tap] * sound[frame - 15 + tap]
                }
                truePeak = max(truePeak, abs(sum))
            }
        }
        #expect(truePeak < 1)
    }

    @Test("the limiter releases: the sound after a loud passage is the same as without it")
    func recovers() throws {
        let loud = try TestEngine()
        loud.post([SynthCommand](repeating: .audition(.rhythm, 0, velocity: 2), count: 12))
        loud.post(.audition(.melody, 0, at: 96000))
        let plain = try TestEngine()
        plain.post(.audition(.melody, 0, at: 96000))
        let sound = loud.render(110_000)
        #expect(peak(sound) > 0.85)
        #expect(Array(sound[96000...]) == Array(plain.render(110_000)[96000...]))
    }

    @Test("below the ceiling the master only scales", arguments: [0.5, 0.25])
    func transparent(volume: Double) throws {
        func session(_ volume: Double) throws -> [Float] {
            let engine = try TestEngine()
            engine.post([
                .volume(volume), .row(.melody, 0, .accent, on: [0, 4]), .row(.rhythm, 0, .normal, on: [0, 8]),
                .row(.rhythm, 7, .normal, on: [2, 6]), .play(at: 2000),
            ])
            return engine.render(48000)
        }
        let full = try session(1)
        #expect(peak(full) > 0.4)
        #expect(try session(volume) == full.map { $0 * Float(volume) })
    }

    @Test("a typical pattern peaks near -6 dB at volume 1")
    func makeUpGain() throws {
        let engine = try TestEngine()
        engine.post(Session.typical + [.play()])
        let level = decibels(Double(peak(engine.render(32 * 6000))))
        #expect(level > -7 && level < -5)
    }

    @Test("silence is exactly zero")
    func silence() throws {
        let engine = try TestEngine()
        engine.post([.play()])
        #expect(engine.renderInterleaved(48000).allSatisfy { $0 == 0 })
    }

    @Test("left and right are the same")
    func mono() throws {
        let engine = try TestEngine()
        engine.post(Session.typical + [.play()])
        let sound = engine.renderInterleaved(24000)
        #expect(stride(from: 0, to: sound.count, by: 2).allSatisfy { sound[$0] == sound[$0 + 1] })
    }

    @Test("the latency is the delay of a sound's start", arguments: [44100, 48000, 96000] as [UInt32])
    func latency(rate: UInt32) throws {
        let engine = try TestEngine(rate: rate)
        engine.post(.audition(.rhythm, 5, at: 100))
        let sound = engine.render(1000)
        // The rimshot's first sample is the zero of its triangle.
        #expect(sound.firstIndex { $0 != 0 } == 100 + engine.latency + 1)
    }
}
