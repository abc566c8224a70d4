/// A message of Open Sound Control 1.0 (https://opensoundcontrol.stanford.edu/spec-1_0.html).
public struct OSCMessage: Hashable, Sendable {
    /// Its address, for example `/grid/led/set`.
    public var address: String
    /// Its arguments.
    public var arguments: [Argument]

    /// An argument. Long integers and doubles are read as `int` and `float`, the elements of an array as arguments, and
    /// other types as `other`, which is written as nil.
    public enum Argument: Hashable, Sendable {
        case int(Int32)
        case float(Float)
        case string(String)
        /// A type that the box does not use.
        case other

        /// The nearest whole number; nil for a text, and for a float that is no number.
        public var integer: Int? {
            switch self {
            case .int(let value): Int(value)
            case .float(let value): Int(exactly: value.rounded())
            case .string, .other: nil
            }
        }

        /// The number; nil for a text.
        public var number: Double? {
            switch self {
            case .int(let value): Double(value)
            case .float(let value): value.isFinite ? Double(value) : nil
            case .string, .other: nil
            }
        }

        /// The text; nil for a number.
        public var text: String? { if case .string(let value) = self { value } else { nil } }
    }

    /// A message to `address` with `arguments`.
    public init(_ address: String, _ arguments: Argument...) {
        self.init(address, arguments)
    }

    /// A message to `address` with a list of `arguments`.
    public init(_ address: String, _ arguments: [Argument]) {
        self.address = address
        self.arguments = arguments
    }

    /// Levels of bundles in bundles that are read.
    private static let depthMax = 4

    // MARK: Reading

    /// The messages in a packet: one, or the messages of a bundle, whose time is ignored. Malformed messages are left
    /// out.
    public static func messages(in packet: UnsafeRawBufferPointer) -> [OSCMessage] {
        var messages: [OSCMessage] = []
        read(packet[...], depth: 0, into: &messages)
        return messages
    }

    private static func read(_ bytes: Slice<UnsafeRawBufferPointer>, depth: Int, into messages: inout [OSCMessage]) {
        var reader = Reader(bytes)
        guard bytes.first == UInt8(ascii: "#") else {
            if let message = reader.message() { messages.append(message) }
            return
        }
        guard depth < depthMax, reader.text() == "#bundle", reader.skip(8) else { return }
        while let size = reader.int(), let element = reader.part(Int(size)) {
            read(element, depth: depth + 1, into: &messages)
        }
    }

    private struct Reader {
        private var rest: Slice<UnsafeRawBufferPointer>

        init(_ bytes: Slice<UnsafeRawBufferPointer>) { rest = bytes }

        mutating func message() -> OSCMessage? {
            guard let address = text(), address.hasPrefix("/") else { return nil }
            var message = OSCMessage(address)
            // Old senders leave the types out of a message without arguments.
            guard !rest.isEmpty else { return message }
            guard let types = text(), types.hasPrefix(",") else { return nil }
            var depth = 0
            for type in types.dropFirst().utf8 {
                switch type {
                case UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "]") where depth > 0: depth -= 1
                default:
                    guard let argument = argument(type) else { return nil }
                    message.arguments.append(argument)
                }
            }
            return depth == 0 ? message : nil
        }

        private mutating func argument(_ type: UInt8) -> Argument? {
            switch type {
            case UInt8(ascii: "i"): int().map { .int($0) }
            case UInt8(ascii: "f"): int().map { .float(Float(bitPattern: UInt32(bitPattern: $0))) }
            case UInt8(ascii: "s"), UInt8(ascii: "S"): text().map { .string($0) }
            case UInt8(ascii: "T"): .int(1)
            case UInt8(ascii: "F"): .int(0)
            case UInt8(ascii: "N"), UInt8(ascii: "I"): .other
            case UInt8(ascii: "h"): long().map { Self.whole(Int64(bitPattern: $0)) }
            case UInt8(ascii: "d"): long().map { .float(Float(Double(bitPattern: $0))) }
            case UInt8(ascii: "t"): skip(8) ? .other : nil
            case UInt8(ascii: "c"), UInt8(ascii: "r"), UInt8(ascii: "m"): skip(4) ? .other : nil
            case UInt8(ascii: "b"): int().flatMap { $0 < 0 ? nil : part(Self.padded(Int($0))) }.map { _ in .other }
            default: nil
            }
        }

        /// `size` with the padding to a multiple of four.
        private static func padded(_ size: Int) -> Int { size + (4 - size % 4) % 4 }

        mutating func int() -> Int32? {
            part(4).map { part in Int32(bitPattern: part.reduce(0) { $0 << 8 | UInt32($1) }) }
        }

        private static func whole(_ value: Int64) -> Argument {
            guard let value = Int32(exactly: value) else { return .other }
            return .int(value)
        }

        private mutating func long() -> UInt64? { part(8)?.reduce(0) { $0 << 8 | UInt64($1) } }

        /// A text with at least one zero at its end.
        mutating func text() -> String? {
            guard let end = rest.firstIndex(of: 0) else { return nil }
            let text = String(validating: rest[..<end], as: UTF8.self)
            guard skip(Self.padded(rest.distance(from: rest.startIndex, to: end) + 1)) else { return nil }
            return text
        }

        mutating func part(_ size: Int) -> Slice<UnsafeRawBufferPointer>? {
            guard (0...rest.count).contains(size) else { return nil }
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size)
        }

        mutating func skip(_ size: Int) -> Bool { part(size) != nil }
    }

    // MARK: Writing

    /// The message as a packet.
    public var bytes: [UInt8] {
        var types = ","
        var values: [UInt8] = []
        for argument in arguments {
            switch argument {
            case .int(let value):
                types += "i"
                values += Self.bytes(of: UInt32(bitPattern: value))
            case .float(let value):
                types += "f"
                values += Self.bytes(of: value.bitPattern)
            case .string(let text):
                types += "s"
                values += Self.bytes(of: text)
            case .other: types += "N"
            }
        }
        return Self.bytes(of: address) + Self.bytes(of: types) + values
    }

    private static func bytes(of value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * (3 - $0))) }
    }

    /// A text ends with one to four zeros.
    private static func bytes(of text: String) -> [UInt8] {
        let bytes = text.utf8.filter { $0 != 0 }
        return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
    }
}
