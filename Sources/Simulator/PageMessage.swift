import InputEvents
import Instrument
import Replay

/// Messages from the page to the box: binary WebSocket messages, little endian, of exact lengths.
///
///     contact      1, phase, id: u16, x: u16, y: u16   phase: index in `phases`; x, y in 1/1024 LED from the panel's top left corner
///     key          2, key                              key: index in `Key.allCases`
///     sound        3, 0 or 1                           whether to send sound
///     acknowledge  4, 0, 0, 0, number: u32             the newest drawn frame
enum PageMessage: Hashable {
    case contact(Touch.Phase, id: Int, x: Double, y: Double)
    case key(Key)
    case sound(Bool)
    case acknowledge(UInt32)

    /// Maximum length of a message in bytes, with room for later kinds.
    static let lengthMax = 64

    private static let phases: [Touch.Phase] = [.down, .move, .up, .cancel]

    /// Parses a message for a panel of `columns` × `rows`; nil if it is invalid.
    init?(_ bytes: UnsafeRawBufferPointer, columns: Int, rows: Int) {
        switch (bytes.first, bytes.count) {
        case (1, 8):
            guard bytes[1] < Self.phases.count else { return nil }
            let (x, y) = (Self.word(bytes, at: 4), Self.word(bytes, at: 6))
            let units = Int(SimulatedOverlay.unitsPerLED)
            guard x < columns * units, y < rows * units else { return nil }
            self = .contact(
                Self.phases[Int(bytes[1])], id: Self.word(bytes, at: 2),
                x: Double(x) / Double(units) - 0.5, y: Double(y) / Double(units) - 0.5)
        case (2, 2):
            guard bytes[1] < Key.allCases.count else { return nil }
            self = .key(Key.allCases[Int(bytes[1])])
        case (3, 2):
            guard bytes[1] <= 1 else { return nil }
            self = .sound(bytes[1] == 1)
        case (4, 8):
            guard bytes[1] == 0, Self.word(bytes, at: 2) == 0 else { return nil }
            self = .acknowledge(UInt32(Self.word(bytes, at: 4)) | UInt32(Self.word(bytes, at: 6)) << 16)
        default:
            return nil
        }
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
        Int(bytes[index]) | Int(bytes[index + 1]) << 8
    }
}

/// Messages from the box to the page: binary WebSocket messages, little endian.
///
///     hello   0, version, columns, rows, rate: u32          rate 0: no sound on the page
///     frame   1, 0, 0, 0, number: u32, then R, G, B per LED, row by row
///     sound   2, 0, 0, 0, then interleaved stereo: i16
///     report  3, 0, 0, 0, amps: f32, frames per second: f32, wire bytes per second: f32
///
/// These functions write a message's header to the start of `buffer` and return its length.
enum BoxMessage {
    static let version: UInt8 = 1
    static let headLengthMax = 16

    static func hello(columns: Int, rows: Int, rate: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        buffer.copyBytes(from: [0, version, UInt8(columns), UInt8(rows)])
        store(UInt32(rate), at: 4, in: buffer)
        return 8
    }

    static func frame(_ number: UInt32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        store(1, at: 0, in: buffer)
        store(number, at: 4, in: buffer)
        return 8
    }

    static func sound(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        store(2, at: 0, in: buffer)
        return 4
    }

    static func report(_ report: PanelReport, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        store(3, at: 0, in: buffer)
        store(Float(report.amps).bitPattern, at: 4, in: buffer)
        store(Float(report.framesPerSecond).bitPattern, at: 8, in: buffer)
        store(Float(report.wireBytesPerSecond).bitPattern, at: 12, in: buffer)
        return 16
    }

    private static func store(_ value: UInt32, at offset: Int, in buffer: UnsafeMutableRawBufferPointer) {
        buffer.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
    }
}

/// Figures of the panel, for a status line.
struct PanelReport: Hashable, Sendable {
    /// Current of the LEDs.
    var amps = 0.0
    /// Frames sent to the LEDs each second.
    var framesPerSecond = 0.0
    /// Bytes sent to the LEDs each second.
    var wireBytesPerSecond = 0.0
}
