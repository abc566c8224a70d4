import Instrument

/// A JSON value. Numbers keep their original text, so that unknown parts of a document are written back unchanged.
public enum JSON: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number, as written.
    case number(String)
    /// A string.
    case string(String)
    /// A list.
    case array([JSON])
    /// Keys and values.
    case object([String: JSON])

    /// An integer.
    public static func integer(_ value: Int) -> JSON { .number(String(value)) }

    /// A number.
    public static func double(_ value: Double) -> JSON { .number("\(value)") }

    /// A list of numbers.
    public static func numbers(_ values: [Double]) -> JSON { .array(values.map(JSON.double)) }

    /// A string, or null for nil.
    public static func orNull(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

    /// An integer, or null for nil.
    public static func orNull(_ number: Int?) -> JSON { number.map(JSON.integer) ?? .null }

    /// The value if it is a whole number in the range of `Int`, in any notation (`2`, `2.0`, `2e0`).
    public var integer: Int? { whole() }

    /// The value if it is a whole number in the range of `Number`, in any notation.
    func whole<Number: FixedWidthInteger>() -> Number? {
        guard case .number(let text) = self else { return nil }
        return Number(text) ?? Double(text).flatMap { Number(exactly: $0) }
    }

    /// The value if it is a finite number.
    public var double: Double? {
        guard case .number(let text) = self, let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// Type of the value, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

// MARK: Writing

extension JSON {
    /// The value as text with sorted keys: on one line, or with each object, list of lists and list of objects on lines
    /// of its own, indented by two spaces.
    public func text(pretty: Bool) -> String { String(decoding: bytes(pretty: pretty), as: UTF8.self) }

    /// That text in UTF-8.
    public func bytes(pretty: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, indent: pretty ? "\n" : nil)
        return bytes
    }

    private func write(to bytes: inout [UInt8], indent: String?) {
        switch self {
        case .null: bytes.append("null")
        case .bool(let value): bytes.append(value ? "true" : "false")
        case .number(let number): bytes.append(number)
        case .string(let string): JSON.write(string, to: &bytes)
        case .array(let values):
            let isFlat = !values.contains { $0.isContainer }
            JSON.write(values, UInt8(ascii: "["), UInt8(ascii: "]"), to: &bytes, indent: isFlat ? nil : indent) {
                value, bytes, indent in
                value.write(to: &bytes, indent: indent)
            }
        case .object(let values):
            let pairs = Array(values).inOrder { $0.key < $1.key }
            JSON.write(pairs, UInt8(ascii: "{"), UInt8(ascii: "}"), to: &bytes, indent: indent) { pair, bytes, indent in
                JSON.write(pair.key, to: &bytes)
                bytes.append(indent == nil ? ":" : " : ")
                pair.value.write(to: &bytes, indent: indent)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], _ open: UInt8, _ close: UInt8, to bytes: inout [UInt8], indent: String?,
        element: (Element, inout [UInt8], String?) -> Void
    ) {
        let inner = elements.isEmpty ? nil : indent.map { $0 + "  " }
        bytes.append(open)
        for (index, value) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            if let inner { bytes.append(inner) } else if index > 0 { bytes.append(UInt8(ascii: " ")) }
            element(value, &bytes, inner)
        }
        if inner != nil, let indent { bytes.append(indent) }
        bytes.append(close)
    }

    private var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    private static func write(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var string = string
        let isWritten = string.withUTF8 { units in
            // Most strings, of which nothing is escaped. Without a branch for each byte: a frame has thousands.
            var escapes: UInt8 = 0
            for unit in units {
                escapes |= unit &- 0x20 > 0x5e ? 1 : 0
                escapes |= unit == UInt8(ascii: "\"") || unit == UInt8(ascii: "\\") ? 1 : 0
            }
            if escapes == 0 { bytes.append(contentsOf: units) }
            return escapes == 0
        }
        if !isWritten {
            for scalar in string.unicodeScalars {
                switch scalar {
                case "\"": bytes.append("\\\"")
                case "\\": bytes.append("\\\\")
                case "\n": bytes.append("\\n")
                case "\r": bytes.append("\\r")
                case "\t": bytes.append("\\t")
                case _ where scalar.isInvisible:
                    for unit in String(scalar).utf16 { bytes.append("\\u" + String(unit, digits: 4, radix: 16)) }
                default: bytes.append(String(scalar))
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension [UInt8] {
    /// Appends `text` in UTF-8. Byte by byte: most texts of a document are short numbers.
    fileprivate mutating func append(_ text: String) { for byte in text.utf8 { append(byte) } }
}
