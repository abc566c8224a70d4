import Documents
import Formats
import Testing
import TestSupport

@Suite("Sample files")
struct SampleFileTests {
    /// A WAV file of `samples`.
    private func wave(_ samples: [Int16], rate: Int = 48_000, channels: Int = 1) -> [UInt8] {
        WaveFile.header(frames: samples.count / channels, rate: rate, channels: channels, of: .integer)
            + samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    /// A WAV file of 32-bit floats.
    private func wave(_ samples: [Float]) -> [UInt8] {
        WaveFile.header(frames: samples.count, rate: 48_000, channels: 1)
            + samples.flatMap { sample in
                (0..<4).map { UInt8(truncatingIfNeeded: sample.bitPattern >> (8 * UInt32($0))) }
            }
    }

    private func refusal(_ bytes: [UInt8]) -> String? {
        do throws(FormatError) {
            _ = try SampleFile.sound(in: bytes)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("a file of 16 bits is read to the bit", arguments: [1, 2], [8000, 44_100, 192_000])
    func exact(channels: Int, rate: Int) throws {
        var random = SplitMix(seed: UInt64(rate + channels))
        let samples = (0..<2000).map { _ in Int16.random(in: .min...(.max), using: &random) }
        let sound = try SampleFile.sound(in: wave(samples, rate: rate, channels: channels))
        #expect(sound == SampleSound(rate: rate, channels: channels, samples: samples))
    }

    @Test("floats are rounded, and scaled down by their peak above full scale")
    func floats() throws {
        #expect(try SampleFile.sound(in: wave([0, 0.5, -0.25])).samples == [0, 16_384, -8192])
        let loud = try SampleFile.sound(in: wave([4, -2, 1])).samples
        #expect(loud[0] >= 32_766 && abs(Int(loud[1]) + 16_384) <= 1 && abs(Int(loud[2]) - 8192) <= 1)
    }

    static let kinds = [
        "tone.flac", "tone.aiff", "tone.aifc", "tone.au", "tone.caf", "tone.w64", "tone-rifx.wav", "tone-24.wav",
        "tone-float.wav",
        "tone-8.wav", "tone.oga", "tone.ogg", "tone.opus", "tone-rifx24.wav", "tone-float32.w64", "tone-float64.w64",
    ]
    /// Written to a pipe: their size is unknown.
    static let pipes = [
        "pipe-sox.wav", "pipe-ffmpeg.wav", "pipe-ffmpeg-rf64.wav", "pipe-ffmpeg.w64", "pipe-ffmpeg.caf",
        "pipe-ffmpeg.au",
        "pipe-ffmpeg.aiff", "pipe-ffmpeg.flac", "pipe-sox.aiff", "pipe-sox.au", "pipe-sox.flac",
    ]

    @Test("other encoders' files are read: to the bit, to eight bits, or nearly", arguments: kinds + pipes)
    func encoded(file: String) throws {
        let original = try SampleFile.sound(in: Fixtures.bytes("sounds/tone.wav"))
        let sound = try SampleFile.sound(in: Fixtures.bytes("sounds/\(file)"))
        #expect(sound.rate == 48_000 && sound.channels == 2 && sound.frames == original.frames)
        let isLossy = file.hasSuffix(".ogg") || file.hasSuffix(".opus")
        // The original's amplitude is 16000, and half of that on average.
        let most = isLossy ? 400 : file == "tone-8.wav" ? 256 : 0
        let differences = zip(sound.samples, original.samples).map { abs(Int($0) - Int($1)) }
        let squares = differences.reduce(0) { $0 + $1 * $1 }
        #expect(squares <= most * most * differences.count, "\(differences.max() ?? 0)")
        if !isLossy { #expect(differences.max() ?? 0 <= most) }
    }

    @Test("every cut of other encoders' files is refused, or has frames fewer", arguments: kinds)
    func encodedCuts(file: String) throws {
        let whole = try Fixtures.bytes("sounds/\(file)")
        for count in stride(from: 0, to: whole.count, by: max(1, whole.count / 200)) {
            #expect(refusal(Array(whole.prefix(count))) != nil, "\(count) of \(whole.count)")
        }
    }

    @Test("the samples of unknown size are those to the end of the file, whatever stands for the size")
    func unknownSizes() throws {
        let good = wave((0..<300).map { Int16($0 * 50) })
        let samples = try SampleFile.sound(in: good).samples
        for size in [0x7f00_0000, 0x7fff_f000, 0x7fff_ffdb, 0x7fff_ffff, 0x8000_0000, 0xffff_ff00, 0xffff_ffff]
            as [UInt32]
        {
            var file = good
            withUnsafeBytes(of: size.littleEndian) { file.replaceSubrange(40..<44, with: $0) }
            #expect(try SampleFile.sound(in: file).samples == samples, "\(size)")
            #expect(try SampleFile.sound(in: Array(file.dropLast())).samples == samples.dropLast(), "\(size)")
        }
    }

    @Test("tags of ID3 before a sound are skipped", arguments: kinds)
    func wrapped(file: String) throws {
        let bytes = try Fixtures.bytes("sounds/\(file)")
        let sound = try SampleFile.sound(in: bytes)
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 1] + [UInt8](repeating: 0xff, count: 257)
        #expect(try SampleFile.sound(in: tag + bytes) == sound)
        #expect(try SampleFile.sound(in: tag + tag + bytes) == sound)
        let footed = Array("ID3".utf8) + [4, 0, 0x10, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 13)
        #expect(try SampleFile.sound(in: footed + bytes) == sound)
        #expect(refusal(tag)?.contains("is not a WAV") == true)
    }

    @Test("BW64 is read as RF64")
    func bw64() throws {
        let bytes = try Fixtures.bytes("sounds/pipe-ffmpeg-rf64.wav")
        // The size of the samples, in the chunk ds64.
        let size = bytes.count - (try #require(bytes.indices.first { bytes[$0...].starts(with: "data".utf8) })) - 8
        for size in [0, size] {
            var file = bytes
            file.replaceSubrange(0..<4, with: "BW64".utf8)
            withUnsafeBytes(of: UInt64(size).littleEndian) { file.replaceSubrange(28..<36, with: $0) }
            #expect(try SampleFile.sound(in: file) == SampleFile.sound(in: bytes))
            if size > 0 { #expect(refusal(file.dropLast(4))?.contains("ends after 1199 of 1200 frames") == true) }
        }
    }

    @Test("every stream of a chain of Ogg is read, and none is left out without a word")
    func chains() throws {
        let files = try ["tone.ogg", "tone.opus", "tone.oga"].map { try Fixtures.bytes("sounds/\($0)") }
        for first in files {
            for second in files {
                let parts = try [first, second].map { try SampleFile.sound(in: $0).samples }
                #expect(try SampleFile.sound(in: first + second).samples == parts[0] + parts[1])
                // A stream without its last page; pages of two streams at once; a page without a stream.
                let pages = second.indices.filter { second[$0...].starts(with: "OggS".utf8) }
                let begin = pages[1]
                #expect(refusal(second[..<(pages.last ?? 0)] + first)?.contains("ends in the middle") == true)
                var other = Array(second[..<begin])
                other[14] ^= 1
                Self.seal(&other)
                #expect(refusal(other + second)?.contains("several streams at once") == true)
                #expect(refusal(first + second[begin...])?.contains("is a page of Ogg without a stream") == true)
            }
        }
        let many = [[UInt8]](repeating: files[1], count: 61)
        #expect(try SampleFile.sound(in: Array(many.dropLast().joined())).frames == 60 * 1200)
        #expect(refusal(Array(many.joined()))?.contains("more than 60 streams") == true)
    }

    /// Writes the checksum of the page of Ogg, bit by bit as RFC 3533 has it.
    private static func seal(_ page: inout [UInt8]) {
        page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        var sum: UInt32 = 0
        for byte in page {
            for bit in (0..<8).reversed() {
                let isSet = (sum >> 31 == 1) != (byte >> UInt8(bit) & 1 == 1)
                sum = sum << 1 ^ (isSet ? 0x04c1_1db7 : 0)
            }
        }
        page.replaceSubrange(22..<26, with: withUnsafeBytes(of: sum.littleEndian, Array.init))
    }

    @Test(
        "a lost page and a flipped bit of Ogg are refused, wherever they are",
        arguments: ["tone.ogg", "tone.opus", "tone.oga"])
    func damagedPages(file: String) throws {
        let bytes = try Fixtures.bytes("sounds/\(file)")
        let begins = bytes.indices.filter { bytes[$0...].starts(with: "OggS".utf8) } + [bytes.count]
        // A page more between the others, so that one of sound can be lost: without a packet, it is allowed anywhere.
        let last = begins[begins.count - 2]
        var empty = Array(bytes[last..<last + 27])
        (empty[5], empty[26]) = (0, 0)
        empty.replaceSubrange(6..<14, with: [UInt8](repeating: 0xff, count: 8))
        Self.seal(&empty)
        var end = Array(bytes[last...])
        end[18] += 1
        Self.seal(&end)
        #expect(try SampleFile.sound(in: bytes[..<last] + empty + end) == SampleFile.sound(in: bytes))
        #expect(refusal(bytes[..<last] + end)?.contains("lacks the page of Ogg before this one") == true)
        for (begin, next) in zip(begins, begins.dropFirst()) {
            for place in [begin + 5, begin + 22, begin + 27, next - 1] {
                var flipped = bytes
                flipped[place] ^= 0x10
                #expect(refusal(flipped) != nil, "byte \(place)")
            }
        }
    }

    @Test("a stream of Ogg behind something else is not left out without a word")
    func behindOthers() throws {
        let bytes = try Fixtures.bytes("sounds/tone.ogg")
        #expect(try SampleFile.sound(in: bytes + Array("APETAGEX".utf8)) == SampleFile.sound(in: bytes))
        #expect(
            refusal(bytes + Array("ID3 and more".utf8) + bytes)?.contains("something else between its streams") == true)
    }

    @Test("an AIFF file that promises more frames than it has is refused; a size of 0 in RF64 counts for none")
    func promises() throws {
        var aiff = try Fixtures.bytes("sounds/tone.aiff")
        let common = try #require(aiff.indices.first { aiff[$0...].starts(with: "COMM".utf8) })
        aiff.replaceSubrange(common + 10..<common + 14, with: [0, 0, 5, 20])
        #expect(refusal(aiff)?.contains("ends after 1200 of 1300 frames") == true)
        let original = try SampleFile.sound(in: Fixtures.bytes("sounds/tone.wav"))
        var wave = try Fixtures.bytes("sounds/pipe-ffmpeg-rf64.wav")
        let data = try #require(wave.indices.first { wave[$0...].starts(with: "data".utf8) })
        withUnsafeBytes(of: UInt32(4800).littleEndian) { wave.replaceSubrange(data + 4..<data + 8, with: $0) }
        wave.replaceSubrange(28..<36, with: [UInt8](repeating: 0, count: 8))
        #expect(try SampleFile.sound(in: wave) == original)
    }

    @Test("a sound that is hardly too long is refused with its length")
    func hardlyTooLong() {
        let frames = 60 * 8000
        for (more, words) in [(1, "60 s and 1 frame"), (799, "60 s and 799 frames"), (800, "60.1 s")] {
            let file = wave([Int16](repeating: 0, count: frames + more), rate: 8000)
            #expect(refusal(file)?.contains("is \(words) long; cut it to 60 s or less") == true)
        }
        #expect(refusal(wave([Int16](repeating: 0, count: frames), rate: 8000)) == nil)
    }

    @Test("what is no sample is refused in one line, with what to do")
    func refused() {
        let good = wave([Int16](repeating: 7, count: 4000))
        var manyChannels = good
        manyChannels[22...23] = [0xe8, 3]
        var noRate = good
        noRate.replaceSubrange(24..<28, with: [0, 0, 0, 0])
        var fast = good
        fast.replaceSubrange(24..<28, with: [0, 0xca, 0x9a, 0x3b])
        var huge = good
        huge.replaceSubrange(4..<8, with: [0xff, 0xff, 0xff, 0xff])
        huge.replaceSubrange(40..<44, with: [0xff, 0xff, 0xff, 0x3f])
        let long =
            WaveFile.header(frames: 61 * 8000, rate: 8000, channels: 1, of: .integer)
            + [UInt8](repeating: 0, count: 2 * 61 * 8000)
        let files: [(String, [UInt8])] = [
            ("empty", []), ("text", Array("no sound at all\n".utf8)), ("a head alone", Array(good.prefix(44))),
            ("cut in its head", Array(good.prefix(30))), ("cut", Array(good.prefix(good.count - 1001))),
            ("a thousand channels", manyChannels), ("no rate", noRate), ("a rate of 1e9", fast),
            ("1 GB promised", huge),
            ("too long", long), ("not a number", wave([0, .nan, 0])), ("infinite", wave([0, .infinity])),
            ("a noise of bytes", (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }),
        ]
        for (name, bytes) in files {
            let refusal = refusal(bytes)
            #expect(refusal != nil && refusal?.contains("\n") == false, "\(name)")
        }
        #expect(refusal(Array(good.prefix(good.count - 1001)))?.contains("of 4000 frames") == true)
    }

    @Test("every cut of a good file is read or refused, and no reading takes more than the file can have")
    func cuts() {
        let good = wave((0..<300).map { Int16($0 * 50) })
        for count in 0..<good.count { #expect(refusal(Array(good.prefix(count))) != nil, "\(count)") }
    }
}

@Suite("Slices")
struct SliceTests {
    /// Decaying noise at each of `hits`, quiet ones among them.
    private func loop(_ hits: [(frame: Int, level: Double)], frames: Int, seed: UInt64) -> SampleSound {
        var random = SplitMix(seed: seed)
        var samples = [Double](repeating: 0, count: frames)
        for hit in hits {
            var level = 30_000 * hit.level
            for frame in hit.frame..<min(frames, hit.frame + 9000) {
                samples[frame] += level * Double.random(in: -0.5...0.5, using: &random)
                level *= 0.9995
            }
        }
        return SampleSound(rate: 48_000, channels: 1, samples: samples.map { Int16($0.rounded()) })
    }

    private func expectWhole(_ slices: [Range<Int>], _ sound: SampleSound) {
        #expect(slices.first?.lowerBound == 0 && slices.last?.upperBound == sound.frames)
        #expect(zip(slices, slices.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(slices.allSatisfy { !$0.isEmpty } && (1...12).contains(slices.count))
    }

    @Test("begin where sounds do, within 5 ms, also quiet ones", arguments: 1...5 as ClosedRange<UInt64>)
    func onsets(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var hits: [(frame: Int, level: Double)] = [(0, 0.8)]
        for number in 1..<8 {
            hits.append((number * 12_000 + Int.random(in: -2000...2000, using: &random), number % 3 == 1 ? 0.25 : 0.9))
        }
        let sound = loop(hits, frames: 96_000, seed: seed)
        let slices = Slices.byOnset(sound)
        expectWhole(slices, sound)
        for hit in hits {
            let nearest = slices.map { abs($0.lowerBound - hit.frame) }.min() ?? .max
            #expect(nearest <= 240, "seed \(seed): \(hit.frame) in \(slices.map(\.lowerBound))")
        }
        #expect(slices.count == hits.count, "seed \(seed): \(slices.map(\.lowerBound))")
    }

    @Test("by steps they begin exactly at steps, all of up to twelve, and else at the clearest")
    func steps() {
        let hits = [0, 2, 3, 6, 8, 9, 10, 12, 14, 15].map { (frame: $0 * 6000, level: 0.8) }
        let sound = loop(hits, frames: 96_000, seed: 3)
        let slices = Slices.byStep(sound, steps: 16)
        expectWhole(slices, sound)
        #expect(slices.allSatisfy { $0.lowerBound % 6000 == 0 })
        let begins = Set(slices.map { $0.lowerBound / 6000 })
        #expect(begins.count == 12 && begins.isSuperset(of: [0, 2, 3, 6, 8, 9, 10, 12, 14, 15]))
        let few = Slices.byStep(sound, steps: 5)
        expectWhole(few, sound)
        #expect(few.map(\.lowerBound) == [0, 19_200, 38_400, 57_600, 76_800])
    }

    @Test("silence, one frame and a single sound are one slice or few, and whole")
    func edges() {
        for frames in [1, 7, 48_000] {
            let sound = SampleSound(rate: 48_000, channels: 1, samples: [Int16](repeating: 0, count: frames))
            expectWhole(Slices.byOnset(sound), sound)
            expectWhole(Slices.byStep(sound, steps: 16), sound)
        }
        let one = loop([(0, 0.9)], frames: 24_000, seed: 9)
        #expect(Slices.byOnset(one).count == 1)
    }
}
