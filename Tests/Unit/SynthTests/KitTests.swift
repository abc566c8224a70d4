import Glibc
import SignalAnalysis
import Synth
import Testing

@Suite("Drum kits")
struct KitTests {
    static let all = [SynthKitPlain, SynthKitAnalogue, SynthKitPunchy, SynthKitAcoustic, SynthKitLofi]
    static let new = Array(all.dropFirst())

    /// The character of a drum: the time until its level has fallen by 20 dB in milliseconds, and its mean frequency in
    /// hertz.
    struct Character: Sendable {
        let decay: ClosedRange<Int>
        let centroid: ClosedRange<Int>

        init(_ decay: ClosedRange<Int>, _ centroid: ClosedRange<Int>) {
            self.decay = decay
            self.centroid = centroid
        }
    }

    /// By kit, in the order of the drums: kick, kick 2, low tom, snare, snare 2, rimshot, clap, closed hat, open hat,
    /// crash, ride, cowbell. Kicks and toms are low, snares have their middle from 1.8 to 4.4 kHz, hats from 7 to 14
    /// kHz.
    static let characters: [[Character]] = [
        // Analogue
        [
            Character(240...340, 67...88), Character(110...170, 95...130), Character(140...210, 100...140),
            Character(66...92, 2700...3600), Character(71...100, 3300...4400), Character(14...21, 1400...1900),
            Character(96...140, 2200...3000), Character(21...30, 7800...11000), Character(170...250, 7700...11000),
            Character(600...840, 6000...7800), Character(270...390, 4700...6200), Character(110...160, 1700...2300),
        ],
        // Punchy
        [
            Character(100...150, 150...200), Character(67...94, 210...280), Character(110...160, 140...200),
            Character(46...65, 2000...2700), Character(40...57, 2300...3100), Character(11...17, 1300...1800),
            Character(80...120, 2500...3400), Character(22...31, 10000...14000), Character(150...220, 9600...13000),
            Character(560...790, 7200...9400), Character(390...560, 5700...7500), Character(94...140, 1200...1600),
        ],
        // Acoustic
        [
            Character(100...160, 76...99), Character(87...130, 93...130), Character(140...210, 110...150),
            Character(52...74, 2600...3500), Character(46...64, 2800...3700), Character(22...32, 950...1300),
            Character(53...75, 3100...4100), Character(24...34, 8100...11000), Character(240...340, 7100...9300),
            Character(750...1100, 5400...7100), Character(660...930, 4500...5900), Character(100...150, 1000...1400),
        ],
        // Lo-fi
        [
            Character(100...150, 150...210), Character(110...170, 99...130), Character(140...210, 110...150),
            Character(52...74, 2400...3200), Character(40...57, 1800...2500), Character(22...32, 1000...1400),
            Character(96...140, 2500...3400), Character(21...31, 8600...12000), Character(150...220, 8800...12000),
            Character(740...1100, 4700...6200), Character(660...930, 5100...6700), Character(100...150, 2000...2700),
        ],
    ]

    private func engine(_ kit: SynthKit, rate: Int = 48_000) throws -> TestEngine {
        let engine = try TestEngine(rate: UInt32(rate))
        engine.post(.kit(kit))
        return engine
    }

    /// The sound of a drum, after the limiter's delay.
    private func hit(_ drum: Int, of kit: SynthKit, velocity: UInt8 = 1, seconds: Int = 2) throws -> [Float] {
        let engine = try engine(kit)
        engine.post(.audition(.rhythm, drum, velocity: velocity))
        return engine.render(seconds * 48_000)
    }

    @Test("every drum has its decay and its mean frequency, and ends in silence", arguments: new, 0..<12)
    func character(kit: SynthKit, drum: Int) throws {
        let sound = try hit(drum, of: kit)
        let expected = Self.characters[Int(kit.rawValue) - 1][drum]
        #expect(peak(sound) > 0.05)
        #expect(peak(sound.suffix(9600)) == 0)

        // Levels of 5 ms.
        let levels = stride(from: 0, to: sound.count - 240, by: 48).map { rms(sound[$0..<$0 + 240]) }
        let loudest = levels.reduce(0, max)
        let decay = try #require(levels.lastIndex { $0 > loudest / 10 })
        #expect(expected.decay.contains(decay))
        let centroid = Int(Spectrum(whole: sound, rate: 48_000).centroid)
        #expect(expected.centroid.contains(centroid), "\(centroid) Hz")
    }

    @Test("an accent is twice as loud", arguments: [SynthKitAnalogue, SynthKitPunchy, SynthKitAcoustic], 0..<12)
    func accent(kit: SynthKit, drum: Int) throws {
        let (normal, accent) = (try hit(drum, of: kit), try hit(drum, of: kit, velocity: 2))
        let start = 0..<960
        #expect(abs(decibels(rms(accent[start]) / rms(normal[start])) - 6) < 0.7)
    }

    @Test("a kick has an attack that a small speaker reproduces: 1 % of its energy above 250 Hz", arguments: new)
    func attack(kit: SynthKit) throws {
        for kick in 0...1 {
            let share = Spectrum(whole: try hit(kick, of: kit), rate: 48_000).share(above: 250)
            #expect(share > 0.01)
        }
    }

    @Test("a clap is at most 6 LU softer than a snare", arguments: new)
    func clap(kit: SynthKit) throws {
        func loudness(_ drum: Int) throws -> Double {
            let engine = try engine(kit)
            engine.post([.row(.rhythm, drum, .normal, on: stride(from: 0, to: 32, by: 4)), .play()])
            return Self.loudness(engine, seconds: 8)
        }
        #expect(try loudness(6) > loudness(3) - 6)
    }

    private static func loudness(_ engine: TestEngine, seconds: Int) -> Double {
        let (left, right) = engine.renderStereo(seconds * Int(engine.rate))
        return integratedLoudness(left: left, right: right, rate: Int(engine.rate))
    }

    @Test("a beat is as loud as with the plain kit, within 1.5 LU", arguments: new, [44_100, 48_000, 96_000])
    func beat(kit: SynthKit, rate: Int) throws {
        func loudness(_ kit: SynthKit) throws -> Double {
            let engine = try engine(kit, rate: rate)
            engine.post([
                .row(.rhythm, 0, .normal, on: stride(from: 0, to: 32, by: 8)),
                .row(.rhythm, 3, .normal, on: stride(from: 4, to: 32, by: 8)),
                .row(.rhythm, 6, .normal, on: [12, 28]),
                .row(.rhythm, 7, .normal, on: stride(from: 0, to: 32, by: 2)),
                .row(.rhythm, 8, .normal, on: [14, 30]), .play(),
            ])
            return Self.loudness(engine, seconds: 16)
        }
        let difference = try loudness(kit) - loudness(SynthKitPlain)
        #expect(abs(difference) < 1.5, "\(difference) LU")
    }

    @Test("a change of the kit fades the old drums within 5 ms and without a click", arguments: all, all)
    func change(from old: SynthKit, to new: SynthKit) throws {
        guard old != new else { return }
        let change = 4800
        let engine = try engine(old)
        // The kick and the tom, which have no noise after their attack; in the plain kit they last 300 ms.
        engine.post([
            .audition(.rhythm, 0, velocity: 2), .audition(.rhythm, 2, velocity: 2), .kit(new, at: change),
            .audition(.rhythm, 0, at: 9600),
        ])
        let sound = engine.render(14_400)
        let before = roughness(sound[2400..<change])
        #expect(roughness(sound[(change - 2)..<9600]) <= 1.1 * before)
        #expect(peak(sound[(change + engine.latency)..<(change + engine.latency + 60)]) > 0.01)
        // The lo-fi kit holds a sample for up to 2 frames.
        #expect(peak(sound[(change + engine.latency + 242)..<9600]) == 0)
        #expect(peak(sound[9600...]) > 0.05)
    }

    @Test("a hit ends the same drum's hit before it without a click", arguments: [0, 2, 11])
    func retrigger(drum: Int) throws {
        for kit in [SynthKitAnalogue, SynthKitPunchy, SynthKitAcoustic] {
            func hits(every frames: Int) throws -> [Float] {
                let engine = try engine(kit)
                engine.post((0..<6).map { .audition(.rhythm, drum, at: frames * $0) })
                let sound = engine.render(6 * 48_000)
                #expect(engine.counters.voices_stolen == 0)
                return sound
            }
            // After 50 ms the hit before is still half as loud.
            let (fast, slow) = (try hits(every: 2403), try hits(every: 40_000))
            #expect(roughness(fast) <= 1.5 * roughness(slow))
        }
    }

    @Test("a closed hat ends an open one", arguments: new)
    func choke(kit: SynthKit) throws {
        let engine = try engine(kit)
        engine.post([.audition(.rhythm, 8), .audition(.rhythm, 7, at: 4800)])
        let sound = engine.render(24_000)
        #expect(peak(sound[4000..<4800]) > 0.005)
        #expect(peak(sound[(4800 + 70 * 48 + engine.latency)...]) == 0)
        #expect(peak(try hit(8, of: kit)[(4800 + 70 * 48)...]) > 0.005)
    }

    @Test("the lo-fi kit has 12 bits at 26.04 kHz")
    func lofi() throws {
        let sound = try hit(3, of: SynthKitLofi)
        // A step is 1/2048 of full scale before the master's gain.
        for sample in sound {
            let steps = Double(sample) / makeUp * 2048
            #expect(abs(steps - steps.rounded()) < 0.01)
        }
        let start = 200..<1400
        let changes = start.filter { sound[$0] != sound[$0 - 1] }.count
        #expect((0.9...1).contains(Double(changes) / (26_040.0 / 48_000 * Double(start.count) + 1)))
    }

    @Test("every drum on every step at 200 BPM: no voice is lost", arguments: all)
    func dense(kit: SynthKit) throws {
        let engine = try engine(kit)
        engine.post((0..<12).map { .row(.rhythm, $0, .accent, on: 0..<32) })
        engine.post([.tempo(200), .play()])
        let sound = engine.render(10 * 48_000)
        #expect(engine.counters.voices_stolen == 0)
        #expect(peak(sound) <= 1)
    }

    @Test("more hits than voices and lanes: no click, and silence after", arguments: all)
    func manyMore(kit: SynthKit) throws {
        // The tom, which has no loud noise: its sum is as rough as the sum of all the hits together.
        let engine = try engine(kit)
        engine.post([.volume(0.02)])
        engine.render(2000)
        for start in [0, 6000] {
            engine.post([SynthCommand](repeating: .audition(.rhythm, 2, at: start), count: 100))
        }
        let sound = engine.render(72_000)
        #expect(engine.counters.voices_stolen > 50)
        let other = try hit(2, of: kit)
        #expect(roughness(sound) <= 0.02 * 100 * roughness(other))
        #expect(peak(sound.suffix(100)) == 0)
    }

    /// All drums of every kit in turn, with changes while they sound and the track's level.
    private func tour(rate: Int, block: Int) throws -> [Float] {
        let engine = try TestEngine(rate: UInt32(rate))
        engine.post(
            (0..<12).map { drum in
                let cell = drum % 2 == 0 ? Cell.normal : .accent
                return .row(.rhythm, drum, cell, on: stride(from: drum % 3, to: 32, by: 3))
            })
        engine.post(Self.all.map { .kit($0, at: Int($0.rawValue) * rate * 4 / 5 + 3) })
        engine.post([.set(SynthTrackLevel, -35, of: .rhythm, at: 2 * rate), .play()])
        return engine.renderInterleaved(5 * rate, block: block)
    }

    @Test("the same samples in any block size", arguments: [1, 64, 333])
    func blockSizes(block: Int) throws {
        #expect(try tour(rate: 48_000, block: block) == tour(rate: 48_000, block: 256))
    }

    /// As in DeterminismTests: the same on every machine and in every build. `Tests/run SynthTests --filter KitTests`
    /// prints new hashes.
    @Test(
        "the sound of each kit",
        arguments: [
            (SynthKitAnalogue, [0x4cbc_d615_31f0_745b, 0xf03b_ede5_10e6_93b5, 0x1a56_7fc9_1759_58eb]),
            (SynthKitPunchy, [0xc13c_3081_23ac_ee27, 0xd180_c9b7_67f2_5dd9, 0xf31c_4e76_8028_5ef5]),
            (SynthKitAcoustic, [0x91b9_82eb_6ea7_5a1f, 0x69d6_98c8_7746_a02f, 0x9427_fe1c_fd94_bc3d]),
            (SynthKitLofi, [0x4cd6_d630_8a6a_a3d3, 0xf4be_ada6_d3d8_faa3, 0x8ceb_2c6a_9a2f_bca1]),
        ] as [(SynthKit, [UInt64])])
    func golden(kit: SynthKit, expected: [UInt64]) throws {
        let hashes = try [44_100, 48_000, 96_000].map { rate in
            let engine = try engine(kit, rate: rate)
            engine.post((0..<12).map { .row(.rhythm, $0, [$0: .normal, $0 + 12: .accent, 31 - $0: .normal]) })
            engine.post(.play())
            return hash(of: engine.renderInterleaved(5 * rate))
        }
        #expect(hashes == expected, "\(hashes.map { "0x" + String($0, radix: 16) })")
    }

    @Test("the level of a track scales it in tenths of a decibel", arguments: Track.allCases, [-240, -35, 10, 200])
    func level(track: Track, tenths: Int) throws {
        func sound(_ tenths: Int) throws -> [Float] {
            let engine = try TestEngine()
            engine.post([.volume(0.02), .set(SynthTrackLevel, tenths, of: track)])
            engine.render(4800)
            engine.post(.audition(track, 0, steps: 2))
            return engine.render(9600)
        }
        #expect(abs(decibels(rms(try sound(tenths)) / rms(try sound(0))) - Double(tenths) / 10) < 0.001)
    }
}

extension SynthCommand {
    /// The kit of the rhythm track.
    fileprivate static func kit(_ kit: SynthKit, at frame: Int = 0) -> Self {
        set(SynthTrackModel, Int(kit.rawValue), of: .rhythm, at: frame)
    }
}
