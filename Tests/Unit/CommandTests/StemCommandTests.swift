import Box
import Documents
import Foundation
import Instrument
import Replay
import TestSupport
import TestTags
import Testing

@Suite("pixelboop render --stems", .tags(.live))
struct StemCommandTests {
    private static let names = ["melody", "chords", "bass", "rhythm", "sends"]

    /// A pattern of random notes, with mutes and random sounds; `isQuiet` enough for 24 bits.
    private func pattern(using random: inout SplitMix, isQuiet: Bool = true) -> PatternDocument {
        var pattern = Pattern()
        pattern.tempo = Tempo(Int.random(in: 100...240, using: &random))
        pattern.length = 8
        for track in Track.allCases {
            for _ in 0..<9 {
                let note = Int.random(in: 0..<12, using: &random)
                let step = Int.random(in: 0..<8, using: &random)
                pattern[track, note: note, step: step] = Bool.random(using: &random) ? .normal : .accent
            }
        }
        var document = PatternDocument(pattern: pattern)
        for control in SoundControl.allCases where Int.random(in: 0..<3, using: &random) == 0 {
            switch control {
            // Nothing that rings for seconds.
            case .delayFeedback, .reverbTime, .track(_, .release), .pad: continue
            case .track(_, .volume) where isQuiet, .track(_, .level) where isQuiet: continue
            case .track(_, .resonance) where isQuiet, .track(_, .lfoDepth) where isQuiet: continue
            case .track(_, .envelopeDepth) where isQuiet: continue
            default: document.sound[control] = Int.random(in: control.range, using: &random)
            }
        }
        for track in Track.allCases {
            document.sound[.track(track, .delay)] = Int.random(in: 0...60, using: &random)
            if isQuiet { document.sound[.track(track, .level)] = -120 }
        }
        document.sound[.reverbTime] = 5
        document.muted = TrackSet([Track.allCases.randomElement(using: &random) ?? .bass])
        return document
    }

    /// The 24-bit samples of a stereo file.
    private func samples(_ path: String, rate: Int = 48_000) throws -> [Int] {
        let bytes = try bytes(path)
        let header = WaveFile.Sample.integer24.headerSize
        let frames = (bytes.count - header) / 6
        #expect(bytes.starts(with: WaveFile.header(frames: frames, rate: rate, of: .integer24)))
        #expect((bytes.count - header) % 6 == 0)
        return stride(from: header, to: bytes.count, by: 3).map { place in
            let value = Int(bytes[place]) | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2]) << 16
            return value < 1 << 23 ? value : value - 1 << 24
        }
    }

    private func sum(_ folder: String, rate: Int = 48_000) throws -> [Int] {
        let files = try Self.names.map { try samples("\(folder)/\($0).wav", rate: rate) }
        #expect(Set(files.map(\.count)).count == 1)
        return (files.first ?? []).indices.map { index in files.reduce(0) { $0 + $1[index] } }
    }

    /// The samples of the mix before the master, with `full` as full scale, rounded.
    private func mix(_ document: PatternDocument, song: Bool = false, rate: Int = 48_000, full: Double = 0x1p23)
        -> [Int]
    {
        var mix: [Int] = []
        func stems(_ block: UnsafeMutableBufferPointer<Float>) {
            for start in stride(from: 0, to: block.count, by: 10) {
                for sample in block[(start + 8)..<(start + 10)] {
                    mix.append(Int((Double(sample) * full).rounded(.toNearestOrEven)))
                }
            }
        }
        if song {
            Bounce.renderSong(document, rate: rate, stems: stems) { _, _ in }
        } else {
            Bounce.render(document, loops: 1, rate: rate, stems: stems) { _, _ in }
        }
        return mix
    }

    @Test("their sum is the mix before the master to the bit, and the mix beside them is the one without")
    func sumIsMix() throws {
        let box = try Executable()
        defer { box.remove() }
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for round in 0..<4 {
            let document = pattern(using: &random)
            let file = try box.file("p.json", document.text())
            let rate = [44_100, 48_000, 96_000, 48_000][round]
            let (stems, mixed, plain) = try (box.file("stems"), box.file("mixed.wav"), box.file("plain.wav"))
            let result = try box.run("render", file, "--stems", stems, "-o", mixed, "--rate", "\(rate)")
            #expect(result.status == 0 && result.complaint.isEmpty, "\(result.complaint) PIXELBOOP_SEED=\(seed)")
            #expect(try box.run("render", file, "-o", plain, "--rate", "\(rate)").status == 0)
            #expect(try bytes(mixed) == bytes(plain))
            let sum = try sum(stems, rate: rate)
            #expect(sum == mix(document, rate: rate), "PIXELBOOP_SEED=\(seed) round \(round)")
            #expect(try sum.count * 4 == bytes(plain).count - WaveFile.Sample.float.headerSize)
            for track in Track.allCases where document.muted.contains(track) {
                #expect(try samples("\(stems)/\(track.name).wav", rate: rate).allSatisfy { $0 == 0 })
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: box.folder + "/stems").count == 5)
    }

    @Test("the stems of a song")
    func song() throws {
        let box = try Executable()
        defer { box.remove() }
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        var document = pattern(using: &random)
        document.scenes = Scenes([document.pattern, pattern(using: &random).pattern], current: 0)
        document.song = Song([(1, 2), (0, 1)].map { Song.Entry(scene: $0.0, repeats: $0.1) })
        let file = try box.file("p.json", document.text())
        let stems = try box.file("new/stems")
        let result = try box.run("render", file, "--stems", stems, "--song")
        #expect(result.status == 0 && result.complaint.isEmpty, "\(result.complaint) PIXELBOOP_SEED=\(seed)")
        #expect(try sum(stems) == mix(document, song: true), "PIXELBOOP_SEED=\(seed)")
    }

    @Test("stems beyond full scale are halved together, not clipped, which one line reports")
    func loud() throws {
        let box = try Executable()
        defer { box.remove() }
        var pattern = Pattern()
        pattern.length = 8
        for note in 0..<12 { pattern[.bass, note: note, step: 0] = .accent }
        var document = PatternDocument(pattern: pattern)
        document.sound[.track(.bass, .volume)] = 200
        document.sound[.track(.bass, .cutoff)] = 20_000
        let file = try box.file("p.json", document.text())
        let stems = try box.file("stems")
        _ = try box.run("render", file, "--stems", stems)
        let result = try box.run("render", file, "--stems", stems, "-o", box.file("mix.wav"))
        let peak = mix(document).map(abs).max() ?? 0
        var halvings = 0
        while peak >> halvings >= 1 << 23 { halvings += 1 }
        #expect(result.status == 0 && halvings > 0)
        let lower = "every file is \(Double(602 * halvings) / 100) dB lower"
        #expect(result.complaint == "pixelboop: \(stems): \(lower); at its own level a sample exceeds full scale\n")
        #expect(try sum(stems) == mix(document, full: 0x1p23 / Double(1 << halvings)))
        #expect(try samples("\(stems)/bass.wav").map(abs).max() ?? 0 > 1 << 22)
    }

    @Test("existing files are replaced when all are written, and a full disk leaves them as they are")
    func replaced() throws {
        let box = try Executable()
        defer { box.remove() }
        var pattern = Pattern()
        pattern[.melody, note: 0, step: 0] = .normal
        let file = try box.file("p.json", PatternDocument(pattern: pattern).text())
        let stems = try box.file("stems")
        #expect(try box.run("render", file, "--stems", stems).status == 0)
        let old = try bytes("\(stems)/melody.wav")
        let full = try box.run(
            ["render", file, "--stems", stems, "--loops", "9"], after: "trap '' XFSZ; ulimit -f 2000")
        #expect(full.status == 73 && full.complaint.contains("cannot be written"), "\(full.complaint)")
        #expect(try bytes("\(stems)/melody.wav") == old)
        #expect(try FileManager.default.contentsOfDirectory(atPath: stems).count == 5)
        #expect(try box.run("render", file, "--stems", stems, "--loops", "2").status == 0)
        #expect(try bytes("\(stems)/melody.wav").count > old.count)
    }

    static let mistakes: [Mistake] = [
        .init(arguments: "render p.json", status: 64, message: "-o is missing; name the output file, or a folder"),
        .init(arguments: "render p.json --stems", status: 64, message: "--stems needs a value"),
        .init(arguments: "render p.json --stems s -o x.mid", status: 64, message: "for sound, and -o is x.mid"),
        .init(arguments: "render p.json --stems s -o x.png", status: 64, message: "for sound, and -o is x.png"),
        .init(arguments: "render p.json --stems s --song", status: 65, message: "p.json: has no song"),
        .init(arguments: "render p.json --stems p.json", status: 73, message: "p.json: the folder cannot be made"),
        .init(arguments: "render p.json --stems /proc/none", status: 73, message: "/proc/none: the folder cannot"),
        .init(arguments: "render p.json --stems /proc", status: 73, message: "/proc/melody.wav: cannot be made"),
        .init(
            arguments: "render p.json --stems odd", status: 73, message: "odd/sends.wav: cannot be made: Is a directory"
        ),
        .init(
            arguments: "render p.json --stems . -o bass.wav", status: 64,
            message: "-o is bass.wav, which --stems writes"),
        .init(arguments: "render p.json --stems . -o no/x.wav", status: 73, message: "no/x.wav: cannot be made"),
    ]

    @Test("a mistake is reported in one line, with its status, and leaves no file", arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        let box = try Executable()
        defer { box.remove() }
        _ = try box.file("p.json", PatternDocument(pattern: .init()).text())
        try FileManager.default.createDirectory(
            atPath: box.folder + "/odd/sends.wav", withIntermediateDirectories: true)
        try mistake.expect(in: box, except: "state")
    }
}
