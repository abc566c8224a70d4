import Documents

/// The streams of an Ogg file (RFC 3533), one behind the other: a file of several is a chain, as of two files that were
/// joined.
///
/// libsndfile reads the first stream of a chain and never says so, and no version of it reads FLAC in Ogg from memory.
enum OggStreams {
    /// Maximum number of pages: a minute in packets of 2.5 ms, the shortest of Opus, a page each, has 24,000.
    private static let pagesMax = 1 << 16
    /// Maximum number of streams. Each is opened by itself, which takes as long as a second of sound.
    private static let streamsMax = 60

    /// A stream while its pages are read.
    private struct Stream {
        let serial: [UInt8]
        let begin: Int
        /// The number of its next page.
        var next = 0
        /// Its packets.
        var parts: [Range<Int>] = []
    }

    /// Files of one stream each, in the order of the chain: FLAC (Ogg's mapping of it, version 1.0) out of its pages,
    /// others in Ogg.
    ///
    /// Throws `FormatError` for a stream that ends too early, and for streams at once, of which a reader would take
    /// one.
    static func streams(of file: SampleBytes) throws(FormatError) -> [(container: SampleContainer, bytes: SampleBytes)]
    {
        var streams: [(container: SampleContainer, bytes: SampleBytes)] = []
        var current: Stream?
        var place = 0
        for _ in 0..<pagesMax {
            let head = file.bytes(at: place, 27)
            guard head.starts(with: "OggS".utf8) else {
                // Behind the last page there may be something else, but no other stream.
                guard current == nil else { throw cut }
                guard !contains(file, from: place) else {
                    throw FormatError(
                        "byte \(place + 1)", "has something else between its streams of Ogg; encode it again as one")
                }
                return streams
            }
            guard head.count == 27 else { throw cut }
            let lengths = file.bytes(at: place + 27, Int(head[26]))
            let body = place + 27 + Int(head[26])
            let end = body + lengths.reduce(0) { $0 + Int($1) }
            guard end <= file.size else { throw cut }
            guard isWhole(file.bytes(at: place, end - place)) else {
                throw FormatError("byte \(place + 1)", "is a damaged page of Ogg; copy it again")
            }
            let (serial, isFirst, isLast) = (Array(head[14..<18]), head[5] & 2 != 0, head[5] & 4 != 0)
            if isFirst {
                if let current {
                    // All first pages of streams at once come before any other.
                    throw current.parts.count > 1 ? cut : atOnce
                }
                guard streams.count < streamsMax else {
                    throw FormatError("", "has more than \(streamsMax) streams of Ogg; encode it again as one")
                }
                current = Stream(serial: serial, begin: place)
            }
            guard var stream = current, stream.serial == serial else {
                throw FormatError("byte \(place + 1)", "is a page of Ogg without a stream; encode it again")
            }
            let number = head[18..<22].reversed().reduce(0) { $0 << 8 | Int($1) }
            guard isFirst || number == stream.next else {
                throw FormatError("byte \(place + 1)", "lacks the page of Ogg before this one; copy it again")
            }
            stream.next = number + 1
            stream.parts.append(body..<end)
            (place, current) = (end, stream)
            if isLast {
                streams.append(contents(of: stream, end: end, in: file))
                current = nil
            }
        }
        throw FormatError("", "has too many pages of Ogg; encode it again")
    }

    /// Whether `page` has the checksum that it should have: RFC 3533, 6, with the checksum's own bytes as 0.
    private static func isWhole(_ page: [UInt8]) -> Bool {
        var sum: UInt32 = 0
        for (place, byte) in page.enumerated() {
            sum = sum << 8 ^ table[Int(sum >> 24) ^ ((22..<26).contains(place) ? 0 : Int(byte))]
        }
        return page[22..<26].reversed().elementsEqual(withUnsafeBytes(of: sum.bigEndian, Array.init))
    }

    /// The checksums of all bytes, by the polynomial 0x04c11db7.
    private static let table = (0..<256 as Range<UInt32>).map { byte in
        (0..<8).reduce(byte << 24) { sum, _ in sum << 1 ^ (sum >> 31 == 0 ? 0 : 0x04c1_1db7) }
    }

    /// Whether `file` has a page of Ogg at `place` or behind it.
    private static func contains(_ file: SampleBytes, from place: Int) -> Bool {
        let (mark, block) = (Array("OggS".utf8) + [0], 1 << 16)
        return stride(from: place, to: file.size, by: block).contains { place in
            let bytes = file.bytes(at: place, block + mark.count - 1)
            return bytes.indices.contains { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
        }
    }

    private static let cut = FormatError("", "ends in the middle of its sound; copy it again")
    private static let atOnce = FormatError("", "has several streams at once; save its sound alone")

    /// The mark of FLAC's first packet, before the beginning of a FLAC file.
    private static let mark: [UInt8] = [0x7f] + Array("FLAC".utf8)
    private static let markSize = 9

    private static func contents(
        of stream: Stream, end: Int, in file: SampleBytes
    ) -> (container: SampleContainer, bytes: SampleBytes) {
        var parts = stream.parts
        if let first = parts.first, first.count > markSize, file.bytes(at: first.lowerBound, mark.count) == mark {
            parts[0] = first.lowerBound + markSize..<first.upperBound
            return (.flac, SampleBytes(parts, of: file))
        }
        return (.ogg, SampleBytes([stream.begin..<end], of: file))
    }
}
