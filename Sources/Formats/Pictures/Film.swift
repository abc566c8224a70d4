import Documents
import Display

/// Frames of the panel as an animated PNG (APNG, PNG specification third edition, 11.3.6). Programs without APNG show
/// the first frame. Each frame after the first contains only the LEDs that changed.
public struct Film {
    /// Pixels per LED.
    private let pitch: Int
    /// Minimum interval between pictures, in milliseconds.
    private let interval: Int
    private var shown: Frame?
    /// The newest frame, while it is within the minimum interval of the last picture.
    private var waiting: Frame?
    private var last = Int.min / 2
    private var frames: [Shot] = []

    /// A changed part of the picture, shown from `at`.
    private struct Shot {
        var at: Int
        var column: Int
        var row: Int
        var frame: Frame
    }

    /// An empty film with `pitch` pixels per LED and at most one picture every `interval` milliseconds.
    public init(pitch: Int = 10, interval: Int = 40) {
        self.pitch = pitch
        self.interval = interval
    }

    /// Adds `frame`, shown from `milliseconds` on. Times must not decrease.
    public mutating func show(_ frame: Frame, at milliseconds: Int) {
        if let waiting, milliseconds > last + interval { expose(waiting, at: last + interval) }
        if milliseconds >= last + interval { expose(frame, at: milliseconds) } else { waiting = frame }
    }

    private mutating func expose(_ frame: Frame, at milliseconds: Int) {
        last = milliseconds
        waiting = nil
        guard let before = shown else {
            frames = [Shot(at: milliseconds, column: 0, row: 0, frame: frame)]
            shown = frame
            return
        }
        let places = (0..<frame.pixels.count).filter { frame.pixels[$0] != before.pixels[$0] }
        guard let first = places.first, let final = places.last else { return }
        let columns = places.map { $0 % frame.columns }
        let (left, right) = (columns.min() ?? 0, columns.max() ?? 0)
        let (top, bottom) = (first / frame.columns, final / frame.columns)
        var part = Frame(columns: right - left + 1, rows: bottom - top + 1)
        for row in top...bottom { for column in left...right { part[column - left, row - top] = frame[column, row] } }
        frames.append(Shot(at: milliseconds, column: left, row: top, frame: part))
        shown = frame
    }

    /// Returns the file: the last frame ends at `end` milliseconds, and the film repeats forever. Nil without frames.
    public mutating func png(until end: Int) -> [UInt8]? {
        if let waiting { expose(waiting, at: min(last + interval, end)) }
        if frames.isEmpty { return nil }
        var file: [UInt8] = []
        var sequence: UInt32 = 0
        for (index, shot) in frames.enumerated() {
            let chunks = Self.chunks(of: Picture.portrait(shot.frame, pitch: pitch))
            if index == 0 {
                file += Self.signature
                for chunk in chunks where chunk.type == "IHDR" { file += chunk.bytes }
                file += Chunk("acTL", Self.big(UInt32(frames.count)) + Self.big(0)).bytes
            }
            let next = index + 1 < frames.count ? frames[index + 1].at : max(end, shot.at + 1)
            file += Chunk("fcTL", Self.big(sequence) + control(shot, milliseconds: next - shot.at)).bytes
            sequence += 1
            for chunk in chunks where chunk.type == "IDAT" {
                if index == 0 {
                    file += chunk.bytes
                } else {
                    file += Chunk("fdAT", Self.big(sequence) + chunk.data).bytes
                    sequence += 1
                }
            }
        }
        return file + Chunk("IEND", []).bytes
    }

    /// Position and duration of a frame, for its frame control chunk.
    private func control(_ shot: Shot, milliseconds: Int) -> [UInt8] {
        let sizes = [shot.frame.columns, shot.frame.rows, shot.column, shot.row].flatMap {
            Self.big(UInt32($0 * pitch))
        }
        let delay = Self.big(UInt32(UInt16(clamping: milliseconds)))[2...]
        // The delay is in milliseconds; dispose operation none, blend operation source.
        return sizes + delay + Self.big(1000)[2...] + [0, 0]
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    private static func big(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// The chunks of a PNG file written by libpng.
    private static func chunks(of png: [UInt8]) -> [Chunk] {
        var chunks: [Chunk] = []
        var place = signature.count
        while place + 12 <= png.count {
            let length = png[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: png[place + 4..<place + 8], as: UTF8.self)
            chunks.append(Chunk(type, Array(png[place + 8..<place + 8 + length])))
            place += 12 + length
        }
        return chunks
    }

    /// One chunk of a PNG file.
    private struct Chunk {
        let type: String
        let data: [UInt8]

        init(_ type: String, _ data: [UInt8]) {
            self.type = type
            self.data = data
        }

        /// Length, type, data and CRC.
        var bytes: [UInt8] {
            let body = Array(type.utf8) + data
            return big(UInt32(data.count)) + body + big(Self.check(body))
        }

        /// The CRC of PNG's annex D.
        private static func check(_ bytes: [UInt8]) -> UInt32 {
            ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
        }

        private static let table: [UInt32] = (0..<256).map { index in
            (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
        }
    }
}
