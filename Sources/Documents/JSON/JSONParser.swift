extension JSON {
    /// Syntax of a document.
    public enum Syntax: Sendable {
        /// RFC 8259.
        case json
        /// JSON5 by its specification (https://spec.json5.org), but without duplicate keys and halves of surrogate
        /// pairs.
        case json5
    }

    /// Parses a document. On Linux, Foundation's decoder reports no position of a syntax error, which a user who edits
    /// a configuration needs; hence this parser.
    ///
    /// Throws `FormatError` with line and column for invalid syntax, including text after the document, duplicate keys,
    /// nesting deeper than 64 levels, more than 400,000 values and invalid UTF-8.
    public init(parsing bytes: [UInt8], as syntax: Syntax = .json) throws(FormatError) {
        var parser = JSONParser(bytes: bytes, isJSON5: syntax == .json5)
        self = try parser.document()
    }

    /// Parses a document as above, and also returns the positions of all values in the text.
    package static func placed(
        parsing bytes: [UInt8], as syntax: Syntax
    ) throws(FormatError) -> (value: JSON, place: JSONPlace) {
        var parser = JSONParser(bytes: bytes, isJSON5: syntax == .json5)
        parser.places = []
        let value = try parser.document()
        guard let place = parser.places?.first else { preconditionFailure("a document's place is noted") }
        return (value, place)
    }

    /// Whether the text has only white space and comments.
    package static func isBlank(_ bytes: [UInt8], as syntax: Syntax) throws(FormatError) -> Bool {
        var parser = JSONParser(bytes: bytes, isJSON5: syntax == .json5)
        return try parser.isBlank()
    }
}

/// The values of a document; `JSONParser+Text` reads its strings, names and white space.
struct JSONParser {
    private static let depthMax = 64
    /// Maximum number of values: the largest pattern has a quarter of a million, and a value takes many times the bytes of
    /// its text.
    private static let valuesMax = 400_000

    let bytes: [UInt8]
    let isJSON5: Bool
    /// Positions of the parts of the current value; nil if positions are not requested.
    var places: [JSONPlace]?
    var at: Int
    /// End of the last comment.
    var commentEnd = 0
    /// End of the content of the last value.
    private var contentEnd = 0
    /// Number of values so far.
    private var values = 0

    init(bytes: [UInt8], isJSON5: Bool) {
        self.bytes = bytes
        self.isJSON5 = isJSON5
        at = bytes.textStart
    }

    mutating func document() throws(FormatError) -> JSON {
        try begin()
        let value = try part(.index(0), at: at, depth: 0)
        try skipSpace()
        guard at == bytes.count else { throw unexpected("the end") }
        return value
    }

    mutating func isBlank() throws(FormatError) -> Bool {
        try begin()
        return at == bytes.count
    }

    /// Moves to the first character that is neither white space nor comment.
    private mutating func begin() throws(FormatError) {
        if String(validating: bytes, as: UTF8.self) == nil { throw FormatError("", "not UTF-8 text") }
        try skipSpace()
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(FormatError) -> JSON {
        try skipSpace()
        guard depth < Self.depthMax else { throw problem("nested deeper than \(Self.depthMax) levels") }
        values += 1
        guard values <= Self.valuesMax else { throw problem("more than \(Self.valuesMax) values") }
        switch peek {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "'") where isJSON5: return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    /// Parses the value `name`, which begins at `start`, and records its position if requested.
    private mutating func part(_ name: JSONPlace.Name, at start: Int, depth: Int) throws(FormatError) -> JSON {
        guard var siblings = places else { return try value(depth: depth) }
        places = []
        try skipSpace()
        let valueStart = at
        let value = try value(depth: depth)
        let place = JSONPlace(
            name: name, start: start, value: valueStart..<at, contentEnd: contentEnd, parts: places ?? [])
        siblings.append(place)
        places = siblings
        return value
    }

    /// Consumes the closing bracket of a value with parts, whose content began at `start`.
    private mutating func close(from start: Int) {
        let partEnd = places?.last.map { $0.comma.map { $0 + 1 } ?? $0.value.upperBound } ?? start
        contentEnd = max(start, partEnd, commentEnd)
        at += 1
    }

    private mutating func object(depth: Int) throws(FormatError) -> [String: JSON] {
        var values: [String: JSON] = [:]
        at += 1
        let contentStart = at
        try skipSpace()
        while peek != UInt8(ascii: "}") {
            let start = at
            let key = try key()
            if values[key] != nil {
                at = start
                throw problem("duplicate key \"\(key)\"")
            }
            try skipSpace()
            guard peek == UInt8(ascii: ":") else { throw unexpected("':'") }
            at += 1
            values[key] = try part(.key(key), at: start, depth: depth + 1)
            try separator(before: UInt8(ascii: "}"))
        }
        close(from: contentStart)
        return values
    }

    private mutating func array(depth: Int) throws(FormatError) -> [JSON] {
        var values: [JSON] = []
        at += 1
        let contentStart = at
        try skipSpace()
        while peek != UInt8(ascii: "]") {
            values.append(try part(.index(values.count), at: at, depth: depth + 1))
            try separator(before: UInt8(ascii: "]"))
        }
        close(from: contentStart)
        return values
    }

    /// Consumes the comma between two elements; before `close` a comma is allowed in JSON5 only.
    private mutating func separator(before close: UInt8) throws(FormatError) {
        try skipSpace()
        if peek == close { return }
        guard peek == UInt8(ascii: ",") else { throw unexpected("',' or '\(Character(UnicodeScalar(close)))'") }
        if let last = places?.indices.last { places?[last].comma = at }
        at += 1
        try skipSpace()
        if peek == close, !isJSON5 { throw problem("a comma before '\(Character(UnicodeScalar(close)))'") }
    }

    private mutating func word(_ word: String, _ value: JSON) throws(FormatError) -> JSON {
        guard skip(word) else { throw unexpected("a value") }
        return value
    }

    /// Consumes `word` if it is there, whole.
    private mutating func skip(_ word: String) -> Bool {
        guard bytes[at...].starts(with: word.utf8) else { return false }
        let start = at
        at += word.utf8.count
        if isAtNamePart { at = start }
        return at > start
    }

    private mutating func number() throws(FormatError) -> String {
        let start = at
        var text = ""
        if peek == UInt8(ascii: "-") { append(into: &text) } else if isJSON5, peek == UInt8(ascii: "+") { at += 1 }
        if isJSON5, peek == UInt8(ascii: "0"), at + 1 < bytes.count, bytes[at + 1] | 0x20 == UInt8(ascii: "x") {
            return try hexadecimal(sign: text, from: start)
        }
        if isJSON5, let word = ["Infinity", "NaN"].first(where: { skip($0) }) { return text + word }
        let whole = takeDigits(into: &text)
        if whole == 0, isJSON5, peek == UInt8(ascii: ".") { text += "0" }
        var part = 0
        if peek == UInt8(ascii: ".") {
            append(into: &text)
            part = takeDigits(into: &text)
            if part == 0, isJSON5, whole > 0 { text += "0" }
        }
        let isMissing = isJSON5 ? whole + part == 0 : whole == 0 || (text.hasSuffix("."))
        if isMissing {
            at = start
            throw unexpected("a value")
        }
        if whole > 1, text.drop(while: { $0 == "-" }).first == "0" {
            at = start
            throw problem("a number starts with 0")
        }
        if let byte = peek, byte | 0x20 == UInt8(ascii: "e") {
            append(into: &text)
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { append(into: &text) }
            if takeDigits(into: &text) == 0 { throw unexpected("a digit") }
        }
        if isAtNamePart { throw unexpected("the end of the number") }
        return text
    }

    private mutating func hexadecimal(sign: String, from start: Int) throws(FormatError) -> String {
        at += 2
        let digits = at
        while let byte = peek, UnicodeScalar(byte).properties.isASCIIHexDigit { at += 1 }
        let text = String(decoding: bytes[digits..<at], as: UTF8.self)
        guard !text.isEmpty, !isAtNamePart else {
            at = start
            throw problem("not a hexadecimal number")
        }
        if let value = Int(text, radix: 16) { return sign + String(value) }
        let value = Double("0x" + text) ?? .infinity
        return sign + (value.isFinite ? "\(value)" : "Infinity")
    }

    private mutating func append(into text: inout String) {
        text.unicodeScalars.append(UnicodeScalar(bytes[at]))
        at += 1
    }

    private mutating func takeDigits(into text: inout String) -> Int {
        let start = at
        while peek?.isASCIIDigit == true { append(into: &text) }
        return at - start
    }
}
