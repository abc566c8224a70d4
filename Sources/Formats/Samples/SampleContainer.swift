/// The container of a sound file, recognised by its first bytes, and what it promises of its content.
///
/// libsndfile repairs the header of a file that ends too early, and never says so. Samples that would be lost are
/// therefore found here.
enum SampleContainer: String {
    case wave = "WAV"
    /// A WAV file with its numbers in the other order.
    case bigEndianWave = "RIFX"
    case wave64 = "W64"
    case aiff = "AIFF"
    case au = "AU"
    case caf = "CAF"
    case flac = "FLAC"
    case ogg = "Ogg"

    /// The container of a file; nil if it is none of these.
    init?(_ file: SampleBytes) {
        let begin = file.bytes(at: 0, 12)
        let isWave = begin.dropFirst(8).elementsEqual("WAVE".utf8)
        switch String(decoding: begin.prefix(4), as: UTF8.self) {
        case "RIFF" where isWave, "RF64" where isWave, "BW64" where isWave: self = .wave
        case "RIFX" where isWave: self = .bigEndianWave
        case "riff" where file.bytes(at: 24, 16) == Self.wave64Name("wave"): self = .wave64
        case "FORM" where ["AIFF", "AIFC"].contains(String(decoding: begin.dropFirst(8), as: UTF8.self)): self = .aiff
        case ".snd": self = .au
        case "caff": self = .caf
        case "fLaC": self = .flac
        case "OggS": self = .ogg
        default: return nil
        }
    }

    /// A chunk's name in Sony's Wave64: a GUID, whose end is the same for all.
    private static func wave64Name(_ word: String) -> [UInt8] {
        word.utf8 + [0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0x00, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a]
    }

    /// Maximum number of tags before a sound. Taggers write one, and some add theirs to another's.
    private static let tagsMax = 16

    /// The file without the ID3v2 tags before it (id3.org, ID3v2.4.0, 3.1), which some taggers write in front of any
    /// sound.
    static func untagged(_ file: SampleBytes) -> SampleBytes {
        var begin = 0
        for _ in 0..<tagsMax {
            let head = file.bytes(at: begin, 10)
            guard head.count == 10, head.starts(with: "ID3".utf8) else { break }
            // Sizes have seven bits a byte; a footer is as long as the header.
            let size = head[6...].reduce(0) { $0 << 7 | Int($1 & 0x7f) }
            begin += 10 + size + (head[5] & 0x10 == 0 ? 0 : 10)
        }
        return begin == 0 ? file : SampleBytes([min(begin, file.size)..<file.size], of: file)
    }

    // MARK: Chunks

    /// The parts of a file with chunks, or with a header of its own, that a reader must know.
    struct Chunks {
        /// Facts about the samples before libsndfile reads the file; nil for AIFF.
        var format: (isPlain: Bool, channels: Int, rate: Int)?
        /// Where the format says that its kind is named further on, and that kind; nil if it is there.
        var extensible: (place: Int, tag: Int)?
        /// The number of frames that is promised beside the samples' bytes; nil but of AIFF.
        var frames: Int?
        /// Whether the size of the samples is in a number of 64 bits.
        var hasLongSize = false
        /// The place of the samples, and the bytes that they should have; nil for as many as there are, if their number
        /// was unknown when the header was written.
        var data: (place: Int, size: Int?)?
    }

    /// How a container writes its chunks.
    private struct Layout {
        /// Place of the first chunk.
        var first = 12
        /// Bytes of a name and of a size.
        var name = 4
        var number = 4
        /// Chunks begin at multiples of it, from their size on.
        var alignment = 2
        /// Whether a size counts the name and itself.
        var isInclusive = false
    }

    private var layout: Layout {
        switch self {
        case .wave64: Layout(first: 40, name: 16, number: 8, alignment: 8, isInclusive: true)
        // Apple's Core Audio Format specification.
        case .caf: Layout(first: 8, number: 8, alignment: 1)
        default: Layout()
        }
    }

    /// Maximum number of chunks before the samples. Editors write a dozen.
    private static let chunksMax = 1000
    /// The chunks of a file in one of the containers that libsndfile repairs; nil of the others.
    func chunks(of file: SampleBytes) -> Chunks? {
        switch self {
        case .flac, .ogg: return nil
        case .au: return header(of: file)
        default: break
        }
        var chunks = Chunks()
        var longSize: Int?
        let layout = layout
        let headSize = layout.name + layout.number
        var place = layout.first
        for _ in 0..<Self.chunksMax {
            let head = file.bytes(at: place, headSize)
            guard head.count == headSize else { break }
            let body = place + headSize
            let size = number(head[layout.name...]) - (layout.isInclusive ? headSize : 0)
            guard size >= 0 else { break }
            // The names of Wave64 begin with the names of WAV.
            switch (self, String(decoding: head[..<4], as: UTF8.self)) {
            case (.wave, "fmt "), (.bigEndianWave, "fmt "), (.wave64, "fmt "):
                let format = file.bytes(at: body, min(size, 28))
                guard format.count >= 16 else { return chunks }
                // WAVE_FORMAT_… of Microsoft's mmreg.h: PCM and IEEE_FLOAT are plain. EXTENSIBLE names the kind further
                // on.
                var tag = number(format[..<2])
                if tag == 0xfffe, format.count == 28 {
                    // The first number of a GUID, in any order: SoX turns its halves only.
                    let word = Array(format[24..<28])
                    tag = [1, 3].first { tag in word.count { $0 == 0 } == 3 && word.contains(UInt8(tag)) } ?? 0
                    chunks.extensible = (body, tag)
                }
                chunks.format = (tag == 1 || tag == 3, number(format[2..<4]), number(format[4..<8]))
            case (.wave, "ds64"): longSize = number(file.bytes(at: body + 8, 8)[...])
            case (.wave, "data"), (.bigEndianWave, "data"), (.wave64, "data"):
                // A pipe leaves the long size at 0.
                let longSize = longSize.flatMap { $0 > 0 ? $0 : nil }
                chunks.hasLongSize = size == 0xffff_ffff && longSize != nil
                chunks.data = samples(at: body, size: size == 0xffff_ffff ? longSize ?? size : size)
                return chunks
            case (.aiff, "COMM"):
                let format = file.bytes(at: body, 8)
                if format.count == 8 { chunks.frames = number(format[2..<6]) }
            case (.aiff, "SSND"):
                // Its samples come behind two numbers.
                chunks.data = samples(at: body + 8, size: size, other: 8)
                return chunks
            case (.caf, "desc"):
                let format = file.bytes(at: body, 32)
                guard format.count == 32 else { return chunks }
                let rate = Double(bitPattern: format[..<8].reduce(0) { $0 << 8 | UInt64($1) })
                chunks.format = (
                    format[8..<12].elementsEqual("lpcm".utf8), number(format[24..<28]), Int(exactly: rate) ?? 0
                )
            case (.caf, "data"):
                chunks.data = samples(at: body + 4, size: size, other: 4)
                return chunks
            default: break
            }
            guard size <= file.size else { break }
            place += (headSize + size + layout.alignment - 1) / layout.alignment * layout.alignment
        }
        return chunks
    }

    /// What the header of an AU file says (Sun's audio_filehdr, six numbers of 32 bits).
    private func header(of file: SampleBytes) -> Chunks {
        let head = file.bytes(at: 0, 24)
        guard head.count == 24 else { return Chunks() }
        let numbers = (0..<6).map { number(head[(4 * $0)..<(4 * $0 + 4)]) }
        // Encodings 2 to 7 are integers of 8 to 32 bits and floating point of 32 and 64.
        return Chunks(
            format: ((2...7).contains(numbers[3]), numbers[5], numbers[4]),
            data: samples(at: numbers[1], size: numbers[2]))
    }

    /// The samples in `size` bytes, of which `other` are no samples. A program that writes to a pipe puts there what
    /// its numbers allow, which stands for "unknown": SoX 0x7f000000 bytes and a header, others about 2 GiB, or 4 GiB
    /// or more less a header. No sample is as large.
    private func samples(at place: Int, size: Int, other: Int = 0) -> (place: Int, size: Int?) {
        (place, size >= 0x7f00_0000 ? nil : max(0, size - other))
    }

    /// The file as libsndfile reads it, which knows neither BW64 nor, in RF64, AU and CAF, an unknown size, and takes
    /// floating-point numbers for integers if the format names its kind further on in W64 and RIFX.
    func file(for file: SampleBytes, _ chunks: Chunks?) -> SampleBytes {
        let hasSize = chunks?.data?.size != nil
        switch self {
        case .wave where file.bytes(at: 0, 4) != Array("RIFF".utf8):
            // BW64 (ITU-R BS.2088) is RF64 by another name.
            return SampleBytes(file, with: Array((chunks?.hasLongSize ?? false ? "RF64" : "RIFF").utf8), at: 0)
        case .wave64, .bigEndianWave:
            guard let (place, tag) = chunks?.extensible else { return file }
            let bytes = [UInt8(truncatingIfNeeded: tag), 0]
            return SampleBytes(file, with: self == .wave64 ? bytes : bytes.reversed(), at: place)
        case .au where !hasSize:
            // Sun's AUDIO_UNKNOWN_SIZE.
            return SampleBytes(file, with: [0xff, 0xff, 0xff, 0xff], at: 8)
        case .caf where !hasSize:
            guard let place = chunks?.data?.place else { return file }
            // The count of edits, four bytes, belongs to the samples.
            let size = UInt64(max(0, file.size - place + 4))
            return SampleBytes(file, with: withUnsafeBytes(of: size.bigEndian, Array.init), at: place - 12)
        default: return file
        }
    }

    /// The whole number in `bytes`, at most eight, in the order of this container; at most half the range of 64 bits,
    /// which is more than any file has.
    private func number(_ bytes: ArraySlice<UInt8>) -> Int {
        let isLittleEndian = self == .wave || self == .wave64
        let number = (isLittleEndian ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | UInt64($1) }
        return Int(min(number, UInt64(Int.max >> 1)))
    }
}
