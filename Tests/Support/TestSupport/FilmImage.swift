/// A film composed from its chunks by the PNG Specification (Third Edition, "Animated image").
public struct FilmImage: Equatable {
    /// Its pictures, in order; all but the first are parts of the whole.
    public private(set) var pictures: [Picture] = []

    /// A part of the whole, with its position and duration.
    public struct Picture: Equatable {
        /// The first column and row, in pixels.
        public let place: (column: Int, row: Int)
        /// The part's pixels.
        public let image: PNGImage
        /// Its duration.
        public let milliseconds: Int

        /// Decodes `data` as a PNG of the size in `control`, otherwise of the whole's format.
        fileprivate init?(header: [UInt8], control: [UInt8], data: [UInt8]) {
            guard control.count == 26, Chunk.number(control[22..<24]) == 1000 else { return nil }
            let chunks = [
                Chunk(type: "IHDR", data: Array(control[4..<12]) + header.dropFirst(8)),
                Chunk(type: "IDAT", data: data), Chunk(type: "IEND", data: []),
            ]
            let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            guard let image = PNGImage(signature + chunks.flatMap(\.bytes)) else { return nil }
            self.image = image
            place = (Chunk.number(control[12..<16]), Chunk.number(control[16..<20]))
            milliseconds = Chunk.number(control[20..<22])
        }

        /// Whether both show the same for the same time.
        public static func == (lhs: Picture, rhs: Picture) -> Bool {
            lhs.place == rhs.place && lhs.image == rhs.image && lhs.milliseconds == rhs.milliseconds
        }
    }

    /// Parses the film in `file`; nil if a chunk is incomplete, out of order or missing.
    public init?(_ file: [UInt8]) {
        var rest = file.dropFirst(8)
        var (header, control, data): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        var (announced, numbered) = (0, 0)
        while !rest.isEmpty {
            guard let chunk = Chunk(rest) else { return nil }
            rest = rest.dropFirst(chunk.bytes.count)
            if ["fcTL", "fdAT"].contains(chunk.type) {
                guard Chunk.number(chunk.data.prefix(4)) == numbered else { return nil }
                numbered += 1
            }
            switch chunk.type {
            case "IHDR": header = chunk.data
            case "acTL": announced = Chunk.number(chunk.data.prefix(4))
            case "IDAT": data += chunk.data
            case "fdAT": data += chunk.data.dropFirst(4)
            case "fcTL", "IEND":
                if !data.isEmpty {
                    guard let picture = Picture(header: header, control: control, data: data) else { return nil }
                    pictures.append(picture)
                }
                (control, data) = (chunk.data, [])
            default: break
            }
        }
        guard !pictures.isEmpty, pictures.count == announced else { return nil }
    }

    /// The final image: three bytes per pixel, row by row.
    public var last: [UInt8] {
        let columns = pictures[0].image.columns
        var rgb = pictures[0].image.rgb
        for part in pictures.dropFirst() {
            let width = 3 * part.image.columns
            for row in 0..<part.image.rows {
                let start = 3 * ((part.place.row + row) * columns + part.place.column)
                rgb.replaceSubrange(start..<start + width, with: part.image.rgb[row * width..<(row + 1) * width])
            }
        }
        return rgb
    }
}

/// A chunk of a PNG file.
private struct Chunk {
    let type: String
    let data: [UInt8]

    init(type: String, data: [UInt8]) {
        self.type = type
        self.data = data
    }

    /// The first chunk of `bytes`; nil if it is incomplete.
    init?(_ bytes: ArraySlice<UInt8>) {
        let length = Self.number(bytes.prefix(4))
        guard bytes.count >= 12 + length else { return nil }
        let body = bytes.dropFirst(4).prefix(4 + length)
        self.init(type: String(decoding: body.prefix(4), as: UTF8.self), data: Array(body.dropFirst(4)))
        guard bytes.prefix(12 + length).elementsEqual(self.bytes) else { return nil }
    }

    var bytes: [UInt8] {
        let body = Array(type.utf8) + data
        return Self.big(data.count) + body + Self.big(Int(Self.check(body)))
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func big(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xff) } }

    /// CRC-32, as in the PNG Specification.
    private static func check(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { check, byte in check >> 8 ^ table[Int(UInt8(truncatingIfNeeded: check) ^ byte)] }
    }

    private static let table = (UInt32(0)..<256).map { byte in
        (0..<8).reduce(byte) { check, _ in check & 1 == 1 ? check >> 1 ^ 0xedb8_8320 : check >> 1 }
    }
}
