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
    public func text(pretty: Bool) -> String {
        var text = ""
        write(to: &text, indent: pretty ? "\n" : nil)
        return text
    }

    private func write(to text: inout String, indent: String?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): JSON.write(string, to: &text)
        case .array(let values):
            let isFlat = !values.contains { $0.isContainer }
            JSON.write(values, "[", "]", to: &text, indent: isFlat ? nil : indent) { value, text, indent in
                value.write(to: &text, indent: indent)
            }
        case .object(let values):
            JSON.write(values.sorted { $0.key < $1.key }, "{", "}", to: &text, indent: indent) { pair, text, indent in
                JSON.write(pair.key, to: &text)
                text += indent == nil ? ":" : " : "
                pair.value.write(to: &text, indent: indent)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], _ open: String, _ close: String, to text: inout String, indent: String?,
        element: (Element, inout String, String?) -> Void
    ) {
        let inner = elements.isEmpty ? nil : indent.map { $0 + "  " }
        text += open
        for (index, value) in elements.enumerated() {
            if index > 0 { text += "," }
            if let inner { text += inner } else if index > 0 { text += " " }
            element(value, &text, inner)
        }
        if inner != nil, let indent { text += indent }
        text += close
    }

    private var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isInvisible:
                for unit in String(scalar).utf16 { text += "\\u" + String(unit, digits: 4, radix: 16) }
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
