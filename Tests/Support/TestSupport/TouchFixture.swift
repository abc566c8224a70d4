/// A recording of a touch device, in the format of `Tests/Fixtures/README.md`.
public struct TouchFixture: Sendable, CustomStringConvertible {
    /// An input event, in the kernel's numbers.
    public struct Event: Equatable, Sendable {
        /// Event type: `EV_SYN`, `EV_KEY` or `EV_ABS`.
        public var type: UInt16
        /// Event code within the type.
        public var code: UInt16
        /// Value of the key or axis.
        public var value: Int32

        /// `SYN_REPORT`, the end of a packet.
        public static let end = Event(type: 0, code: 0, value: 0)
    }

    /// The name of the file.
    public let description: String
    /// The device's name.
    public private(set) var name = ""
    /// Bus, vendor, product and version.
    public private(set) var ids: [UInt16] = []
    /// Numbers of the input properties.
    public private(set) var properties: [Int32] = []
    /// Numbers of the keys and buttons.
    public private(set) var keys: [Int32] = []
    /// The axes with their ranges, in order of their codes.
    public private(set) var axes: [(code: UInt16, first: Int32, last: Int32)] = []
    /// Microseconds since the first packet, and events without the final `SYN_REPORT`.
    public private(set) var packets: [(time: Int64, events: [Event])] = []

    /// All recordings, sorted by name.
    public static let all: [TouchFixture] = {
        do {
            return try Fixtures.names("touch").map { try TouchFixture($0) }
        } catch {
            fatalError("Tests/Fixtures/touch: \(error)")
        }
    }()

    /// An invalid line.
    private struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    private static let kinds: [Character: (type: UInt16, code: UInt16)] = [
        "b": (1, 0x14a), "X": (3, 0x00), "Y": (3, 0x01), "D": (3, 0x19), "s": (3, 0x2f), "x": (3, 0x35), "y": (3, 0x36),
        "t": (3, 0x37), "i": (3, 0x39), "d": (3, 0x3b), "/": (0, 2),
    ]

    private init(_ file: String) throws {
        description = file
        var isHead = true
        let text = String(decoding: try Fixtures.bytes("touch/\(file)"), as: UTF8.self)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) where !(line.isEmpty && !isHead) {
            if line.isEmpty {
                isHead = false
            } else if !(isHead ? parseFact(line) : parsePacket(line)) {
                throw Malformed(description: "\(file): \(line)")
            }
        }
    }

    private mutating func parseFact(_ line: Substring) -> Bool {
        let parts = line.split(separator: ":", maxSplits: 1)
        let words = parts.count > 1 ? parts[1].split(separator: " ") : []
        let numbers = words.compactMap { Int32($0) }
        switch parts[0] {
        case "name": name = words.joined(separator: " ")
        case "id": ids = words.compactMap { UInt16($0, radix: 16) }
        case "properties": properties = numbers
        case "keys": keys = numbers
        case "axis" where numbers.count == 3: axes.append((UInt16(numbers[0]), numbers[1], numbers[2]))
        default: return false
        }
        return true
    }

    private mutating func parsePacket(_ line: Substring) -> Bool {
        let words = line.split(separator: " ")
        guard let time = Int64(words[0]) else { return false }
        var events: [Event] = []
        for word in words.dropFirst() {
            guard let kind = Self.kinds[word.first ?? " "], let value = word == "/" ? 0 : Int32(word.dropFirst()) else {
                return false
            }
            events.append(Event(type: kind.type, code: kind.code, value: value))
        }
        packets.append((time, events))
        return true
    }
}
