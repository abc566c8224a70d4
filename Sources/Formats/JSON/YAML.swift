import Documents
import CYAML

extension JSON {
    /// Parses one YAML document (yaml.org/spec/1.1) whose content is possible in JSON. Plain numbers are JSON's, or
    /// hexadecimal (`0x1f`). A number with a leading zero, which is octal to some readers only, is a string.
    ///
    /// Throws `FormatError` with line and column for invalid YAML, for features that JSON lacks (aliases, tags, keys
    /// other than strings, several documents), for duplicate keys and for nesting deeper than 64 levels.
    init(yaml bytes: [UInt8]) throws(FormatError) {
        let reader = try YAMLReader(bytes)
        self = try reader.document()
    }
}

/// Builds a value from libyaml's events.
private final class YAMLReader {
    private static let depthMax = 64

    /// A copy at a fixed address, because libyaml reads from it throughout.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    /// At a fixed address, because the parser contains pointers to itself.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    /// Start of the last event.
    private var mark = yaml_mark_t()

    private enum Event {
        case scalar(String, isPlain: Bool)
        case sequence
        case mapping
        case end
        /// Start or end of the document or of the stream.
        case frame(yaml_event_type_t)
    }

    init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = .allocate(capacity: bytes.count)
        _ = self.bytes.initialize(from: bytes)
        parser.initialize(to: yaml_parser_t())
        guard yaml_parser_initialize(parser) == 1 else { throw FormatError("", "does not fit into memory") }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, self.bytes.baseAddress, self.bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        bytes.deallocate()
    }

    func document() throws(FormatError) -> JSON {
        try expect(YAML_STREAM_START_EVENT)
        guard case .frame(YAML_DOCUMENT_START_EVENT) = try next() else { throw problem("the text holds no document") }
        let value = try value(next(), depth: 0)
        try expect(YAML_DOCUMENT_END_EVENT)
        guard case .frame(YAML_STREAM_END_EVENT) = try next() else { throw problem("a second document begins") }
        return value
    }

    private func expect(_ type: yaml_event_type_t) throws(FormatError) {
        guard case .frame(type) = try next() else { throw problem("not a document") }
    }

    // MARK: Values

    private func value(_ event: Event, depth: Int) throws(FormatError) -> JSON {
        guard depth < Self.depthMax else { throw problem("nested deeper than \(Self.depthMax) levels") }
        switch event {
        case .scalar(let text, let isPlain): return isPlain ? Self.plain(text) : .string(text)
        case .sequence: return .array(try elements(depth: depth))
        case .mapping: return .object(try parts(depth: depth))
        case .end, .frame: throw problem("the text ends, expected a value")
        }
    }

    private func elements(depth: Int) throws(FormatError) -> [JSON] {
        var values: [JSON] = []
        while true {
            let event = try next()
            if case .end = event { return values }
            values.append(try value(event, depth: depth + 1))
        }
    }

    private func parts(depth: Int) throws(FormatError) -> [String: JSON] {
        var values: [String: JSON] = [:]
        while true {
            let event = try next()
            if case .end = event { return values }
            guard case .scalar(let key, _) = event else { throw problem("a key is not a string") }
            guard values[key] == nil else { throw problem("duplicate key \"\(key)\"") }
            values[key] = try value(next(), depth: depth + 1)
        }
    }

    /// The value of a scalar without quotes.
    private static func plain(_ text: String) -> JSON {
        switch text {
        case "", "~", "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: break
        }
        if text.hasPrefix("0x"), let number = Int(text.dropFirst(2), radix: 16), number >= 0 { return .integer(number) }
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
            let number = try? JSON(parsing: Array(text.utf8))
        else { return .string(text) }
        return number
    }

    // MARK: Events

    private func next() throws(FormatError) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxError() }
        defer { yaml_event_delete(&event) }
        mark = event.start_mark
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            try refuseTag(scalar.tag)
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            return .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
        case YAML_SEQUENCE_START_EVENT:
            try refuseTag(event.data.sequence_start.tag)
            return .sequence
        case YAML_MAPPING_START_EVENT:
            try refuseTag(event.data.mapping_start.tag)
            return .mapping
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
        case YAML_ALIAS_EVENT: throw problem("found an alias, expected its value")
        default: return .frame(event.type)
        }
    }

    private func refuseTag(_ tag: UnsafeMutablePointer<yaml_char_t>?) throws(FormatError) {
        guard tag == nil else { throw problem("a value has a tag, should have none") }
    }

    // MARK: Errors

    private func syntaxError() -> FormatError {
        let words = parser.pointee.problem.map { String(cString: $0) } ?? "does not fit into memory"
        guard parser.pointee.error == YAML_READER_ERROR else {
            return FormatError(Self.place(parser.pointee.problem_mark), words)
        }
        // libyaml sets no mark for a byte that is not text.
        let line = [UInt8](bytes).line(of: parser.pointee.problem_offset)
        return FormatError("line \(line)", words)
    }

    private func problem(_ problem: String) -> FormatError { FormatError(Self.place(mark), problem) }

    private static func place(_ mark: yaml_mark_t) -> String { "line \(mark.line + 1), column \(mark.column + 1)" }
}
