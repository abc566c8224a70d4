/// The container of a sound file, recognised by its first bytes, and what it promises of its content.
///
/// libsndfile repairs the header of a file that ends too early, and never says so. What a sample would lose is therefore found here.
enum SampleContainer {
    case wave
    case aiff
    case flac
    case ogg

    /// The container of a file; nil if it is none of these.
    init?(_ file: SampleBytes) {
        let begin = file.bytes(at: 0, 12)
        let (word, form) = (begin.prefix(4), begin.dropFirst(8))
        switch String(decoding: word, as: UTF8.self) {
        case "RIFF" where form.elementsEqual("WAVE".utf8), "RF64" where form.elementsEqual("WAVE".utf8): self = .wave
        case "FORM" where form.elementsEqual("AIFF".utf8) || form.elementsEqual("AIFC".utf8): self = .aiff
        case "fLaC": self = .flac
        case "OggS": self = .ogg
        default: return nil
        }
    }

    /// Its name for messages.
    var name: String {
        switch self {
        case .wave: "WAV"
        case .aiff: "AIFF"
        case .flac: "FLAC"
        case .ogg: "Ogg"
        }
    }

    /// The parts of a WAV file or an AIFF file that a reader must know.
    struct Chunks {
        /// The kind of its samples, WAVE_FORMAT_… of Microsoft's mmreg.h, its channels and its rate; of a WAV file only.
        var format: (tag: Int, channels: Int, rate: Int)?
        /// The place of the samples, and the bytes that they should have. Nil if there are none, or if their number was unknown when
        /// the header was written.
        var data: (place: Int, size: Int)?
    }

    /// Maximum number of chunks before the samples. Editors write a dozen.
    private static let chunksMax = 1000
    /// A size of a WAV file's data from which it stands for "unknown": a program that writes to a pipe puts 4 GiB there, less the header.
    private static let unknownSize = 0xffff_ff00

    /// The chunks of a WAV or an AIFF file.
    func chunks(of file: SampleBytes) -> Chunks {
        var chunks = Chunks()
        var longSize: Int?
        var place = 12
        for _ in 0..<Self.chunksMax {
            let head = file.bytes(at: place, 8)
            guard head.count == 8 else { break }
            let size = number(head[4...])
            switch (self, String(decoding: head[..<4], as: UTF8.self)) {
            case (.wave, "fmt "):
                let body = file.bytes(at: place + 8, min(size, 26))
                guard body.count >= 16 else { return chunks }
                // WAVE_FORMAT_EXTENSIBLE names the kind further on.
                let isExtensible = number(body[..<2]) == 0xfffe && body.count == 26
                let tag = number(isExtensible ? body[24..<26] : body[..<2])
                chunks.format = (tag, number(body[2..<4]), number(body[4..<8]))
            case (.wave, "ds64"):
                let body = file.bytes(at: place + 16, 8)
                // More than any file has is enough to know.
                longSize = body.count == 8 && body[7] < 0x40 ? number(body[...]) : Int.max >> 1
            case (.wave, "data"):
                let isLong = size == 0xffff_ffff && longSize != nil
                let dataSize = isLong ? longSize ?? 0 : size
                if isLong || size < Self.unknownSize { chunks.data = (place + 8, dataSize) }
                return chunks
            case (.aiff, "SSND"):
                // Its samples come behind two numbers.
                chunks.data = (place + 16, max(0, size - 8))
                return chunks
            default: break
            }
            place += 8 + size + size % 2
        }
        return chunks
    }

    /// The whole number in `bytes`, at most eight, in the order of this container.
    private func number(_ bytes: ArraySlice<UInt8>) -> Int {
        self == .aiff
            ? bytes.reduce(0) { $0 << 8 | Int($1) } : bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// How the pages of an Ogg file (RFC 3533) end.
    enum Pages {
        /// With a page that is the last of its stream.
        case whole
        /// Without one, or in a page.
        case cut
        /// There are more than any sample has.
        case many
    }

    /// Maximum number of pages: a minute in packets of 2.5 ms, the shortest of Opus, a page each, has 24,000.
    private static let pagesMax = 1 << 16

    /// The end of the pages of an Ogg file.
    static func pages(of file: SampleBytes) -> Pages {
        var (place, isLast) = (0, false)
        for _ in 0..<pagesMax {
            let head = file.bytes(at: place, 27)
            // Behind the last page there may be something else.
            guard head.starts(with: "OggS".utf8) else { return isLast ? .whole : .cut }
            guard head.count == 27 else { return .cut }
            let lengths = file.bytes(at: place + 27, Int(head[26]))
            let end = place + 27 + Int(head[26]) + lengths.reduce(0) { $0 + Int($1) }
            guard end <= file.size else { return .cut }
            (place, isLast) = (end, head[5] & 4 != 0)
        }
        return .many
    }
}
