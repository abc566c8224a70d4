import InputEvents
import Instrument

/// Messages from the page to the box: binary WebSocket messages, little endian, of exact lengths.
///
///     contact      1, phase, id: u16, x: u16, y: u16   phase: index in `phases`; x, y in 1/1024 LED from the panel's top left corner
///                  heard: u32                          of a landing while the page plays sound: the `SoundStamp` that was heard
///     key          2, phase, key                       phase as above, but no move; key: index in `Key.allCases`
///     sound        3, 0 or 1                           whether to send sound
///     acknowledge  4, 0, 0, 0, number: u32             the newest drawn frame
///     character    5, 0, 0, 0, code point: u32         typed, for a name
package enum PageMessage: Hashable {
    case contact(Touch.Phase, id: Int, x: Double, y: Double, heard: SoundStamp?)
    case key(KeyStroke)
    case sound(Bool)
    case acknowledge(UInt32)

    /// Maximum length of a message in bytes, with room for later kinds.
    package static let lengthMax = 64

    private static let phases: [Touch.Phase] = [.down, .move, .up, .cancel]

    /// Parses a message for a panel of `columns` × `rows`; nil if it is invalid.
    package init?(_ bytes: UnsafeRawBufferPointer, columns: Int, rows: Int) {
        switch (bytes.first, bytes.count) {
        case (1, 8), (1, 12):
            guard bytes[1] < Self.phases.count else { return nil }
            let (x, y) = (Self.word(bytes, at: 4), Self.word(bytes, at: 6))
            let units = Int(SimulatedOverlay.unitsPerLED)
            guard x < columns * units, y < rows * units else { return nil }
            let heard = bytes.count == 12 ? SoundStamp(value: Self.long(bytes, at: 8)) : nil
            self = .contact(
                Self.phases[Int(bytes[1])], id: Self.word(bytes, at: 2),
                x: Double(x) / Double(units) - 0.5, y: Double(y) / Double(units) - 0.5, heard: heard)
        case (2, 3):
            guard bytes[1] < Self.phases.count, bytes[2] < Key.allCases.count else { return nil }
            let key = Key.allCases[Int(bytes[2])]
            switch Self.phases[Int(bytes[1])] {
            case .down: self = .key(.press(key))
            case .up: self = .key(.release(key))
            case .cancel: self = .key(.cancel(key))
            case .move: return nil
            }
        case (3, 2), (3, 4):
            // A page that was open before an update of the box sends two bytes more.
            guard bytes[1] <= 1 else { return nil }
            self = .sound(bytes[1] == 1)
        case (4, 8), (5, 8):
            guard bytes[1] == 0, Self.word(bytes, at: 2) == 0 else { return nil }
            let value = Self.long(bytes, at: 4)
            if bytes[0] == 4 {
                self = .acknowledge(value)
            } else {
                guard let scalar = Unicode.Scalar(value) else { return nil }
                self = .key(.type(Character(scalar)))
            }
        default:
            return nil
        }
    }

    private static func long(_ bytes: UnsafeRawBufferPointer, at index: Int) -> UInt32 {
        UInt32(word(bytes, at: index)) | UInt32(word(bytes, at: index + 2)) << 16
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
        Int(bytes[index]) | Int(bytes[index + 1]) << 8
    }
}

/// Messages from the box to the page: binary WebSocket messages, little endian.
///
///     hello   0, version, columns, rows, rate: u32          rate 0: no sound on the page
///     frame   1, 0, 0, 0, number: u32, then R, G, B per LED, row by row
///     sound   2, time: u24, then interleaved stereo: i16     time: the `SoundStamp` of the first frame
///     report  3, 0, 0, 0, amps: f32, frames per second: f32, wire bytes per second: f32
///     beat    4, 0, 0, 0                                    within a second of silence: the box is there
///     words   5, 0 or 1, 0, 0, then UTF-8: word, LF, title, LF, place  1: the panel asks for a name
///     crowd   6, others, playing, 0                         other pages, and how many of them play
///
/// These functions write a message's header to the start of `buffer` and return its length.
package enum BoxMessage {
    package static let version: UInt8 = 2
    package static let headLengthMax = 16
    package static let soundHeadLength = 4
    /// Maximum bytes of words; longer ones are cut.
    package static let wordsLengthMax = 400

    package static func hello(columns: Int, rows: Int, rate: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        buffer.copyBytes(from: [0, version, UInt8(columns), UInt8(rows)])
        store(UInt32(rate), at: 4, in: buffer)
        return 8
    }

    package static func frame(_ number: UInt32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        store(1, at: 0, in: buffer)
        store(number, at: 4, in: buffer)
        return 8
    }

    package static func sound(at stamp: SoundStamp, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        store(2 | stamp.value << 8, at: 0, in: buffer)
        return soundHeadLength
    }

    package static func report(_ report: PanelReport, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        store(3, at: 0, in: buffer)
        store(Float(report.amps).bitPattern, at: 4, in: buffer)
        store(Float(report.framesPerSecond).bitPattern, at: 8, in: buffer)
        store(Float(report.wireBytesPerSecond).bitPattern, at: 12, in: buffer)
        return 16
    }

    package static func beat(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        store(4, at: 0, in: buffer)
        return 4
    }

    /// The bytes behind the header of words.
    package static func text(of words: PanelWords) -> [UInt8] {
        Array("\(words.word)\n\(words.title)\n\(words.place)".utf8.prefix(wordsLengthMax))
    }

    package static func words(isNaming: Bool, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        buffer.copyBytes(from: [5, isNaming ? 1 : 0, 0, 0])
        return 4
    }

    package static func crowd(_ crowd: PageCrowd, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        buffer.copyBytes(from: [6, UInt8(clamping: crowd.others), UInt8(clamping: crowd.playing), 0])
        return 4
    }

    private static func store(_ value: UInt32, at offset: Int, in buffer: UnsafeMutableRawBufferPointer) {
        buffer.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
    }
}

/// A time of the box in 24 bits, in units of 0.1 ms. The box stamps the sound, and a landing of a page returns the stamp of
/// what its player heard: that measures the page's buffer, its device and the network both ways together.
package struct SoundStamp: Hashable, Sendable {
    package let value: UInt32

    private static let microseconds: Int64 = 100
    private static let mask: UInt32 = 0xff_ffff

    /// The stamp with this value, of which 24 bits count.
    package init(value: UInt32) { self.value = value & Self.mask }

    /// The stamp of `time`.
    package init(_ time: Instant) {
        self.init(value: UInt32(truncatingIfNeeded: time.microseconds / Self.microseconds))
    }

    /// The time since the stamp at `now`, within the range of `Touch.delay`; a stamp of the future counts as now.
    package func delay(at now: Instant) -> Instant.Span {
        let units = (SoundStamp(now).value &- value) & Self.mask
        guard units <= Self.mask / 2 else { return .milliseconds(0) }
        return min(Instant.Span(microseconds: Int64(units) * Self.microseconds), Touch.delayMax)
    }
}

/// The frames that were sent to a page and that it has not drawn yet. More than two would become stale on the way.
package struct FramesInFlight: Hashable, Sendable {
    private static let countMax = 2

    /// Their numbers, oldest first.
    private var numbers: [UInt32] = []

    /// None.
    package init() { numbers.reserveCapacity(Self.countMax) }

    /// Whether another one may be sent.
    package var hasRoom: Bool { numbers.count < Self.countMax }

    /// Records that the frame `number` was sent.
    package mutating func send(_ number: UInt32) { numbers.append(number) }

    /// Records that frames up to `number` were drawn; false if that frame was not in flight.
    package mutating func acknowledge(_ number: UInt32) -> Bool {
        guard let place = numbers.firstIndex(of: number) else { return false }
        numbers.removeSubrange(...place)
        return true
    }
}

/// The other browsers beside one.
package struct PageCrowd: Hashable, Sendable {
    /// Number of other browsers that watch.
    package var others = 0
    /// Number of other browsers that have a finger or a key down.
    package var playing = 0

    /// Nobody else.
    package init() {}

    /// `others` browsers, of which `playing` play.
    package init(others: Int, playing: Int) { (self.others, self.playing) = (others, playing) }
}

/// Figures of the panel, for a status line.
package struct PanelReport: Hashable, Sendable {
    /// Current of the LEDs.
    package var amps = 0.0
    /// Frames sent to the LEDs each second.
    package var framesPerSecond = 0.0
    /// Bytes sent to the LEDs each second.
    package var wireBytesPerSecond = 0.0

    /// A dark panel.
    package init() {}

    /// These figures.
    package init(amps: Double, framesPerSecond: Double, wireBytesPerSecond: Double) {
        self.amps = amps
        self.framesPerSecond = framesPerSecond
        self.wireBytesPerSecond = wireBytesPerSecond
    }
}
