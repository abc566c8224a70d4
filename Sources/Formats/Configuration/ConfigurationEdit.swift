import Documents

extension Configuration {
    /// Returns the JSON5 `text` of a configuration with the value at `path` set, and all comments and layout unchanged.
    /// `path` consists of keys and, in lists, indices: `["touch", "overlays", "0", "matrix"]`.
    ///
    /// A missing key is added at the end of its object, with any missing objects around it. A text of only white space
    /// and comments becomes a document. Throws `FormatError` with the position of invalid JSON5, or with a path that
    /// does not exist.
    public static func setting(
        _ path: [String], to value: JSON, in text: [UInt8]
    ) throws(FormatError) -> [UInt8] {
        if try JSON.isBlank(text, as: .json5) {
            let document = JSONLayout().document(path, value)
            let isNewLine = text.lineStart(of: text.count) == text.count
            return try checked(text + (isNewLine ? [] : [0x0a]) + document, path, .object([:]), value)
        }
        let (document, place) = try JSON.placed(parsing: text, as: .json5)
        let layout = JSONLayout(of: text, place)
        var edit = JSONEdit(text: text, layout: layout)
        try edit.set(path[...], to: value, in: JSONField(document), at: place)
        return try checked(edit.result, path, document, value)
    }

    /// Returns `result` after checking that it equals `document` with the value at `path` set.
    private static func checked(
        _ result: [UInt8], _ path: [String], _ document: JSON, _ value: JSON
    ) throws(FormatError) -> [UInt8] {
        guard try JSON(parsing: result, as: .json5) == document.setting(path[...], to: value) else {
            let text = JSONField(value).shown
            throw FormatError(path.joined(separator: "."), "cannot be set to \(text), should be set to a JSON value")
        }
        return result
    }
}

/// Edits of a text, from front to back.
private struct JSONEdit {
    let text: [UInt8]
    let layout: JSONLayout
    private(set) var result: [UInt8] = []
    private var copied = 0

    init(text: [UInt8], layout: JSONLayout) {
        self.text = text
        self.layout = layout
    }

    /// Sets the value at `path` within `field`, which is at `place` in the text.
    mutating func set(
        _ path: ArraySlice<String>, to value: JSON, in field: JSONField, at place: JSONPlace
    ) throws(FormatError) {
        guard let name = path.first else {
            replace(place.value, with: Array(value.text(pretty: false).utf8))
            return copy(upTo: text.count)
        }
        switch field.value {
        case .object:
            guard let part = place.parts.first(where: { $0.name == .key(name) }) else {
                return add(path, value, to: place)
            }
            try set(path.dropFirst(), to: value, in: field.needed(name), at: part)
        case .array:
            let elements = try field.list()
            guard let index = Int(name), elements.indices.contains(index) else {
                throw field.refused("has \(elements.count) elements and no \(name), should be given one that it has")
            }
            try set(path.dropFirst(), to: value, in: elements[index], at: place.parts[index])
        default: throw field.refused("is \(field.shown), should be an object for \(name) to be set in it")
        }
    }

    /// Adds the value at `path`, which does not exist yet, to the object at `place`.
    private mutating func add(_ path: ArraySlice<String>, _ value: JSON, to place: JSONPlace) {
        let closing = place.value.upperBound - 1
        let first = place.parts.first?.start ?? place.contentEnd
        let isOnLines = hasLineEnd(place.value.lowerBound..<first) || hasLineEnd(place.contentEnd..<closing)
        let last = place.parts.last
        if let last, last.comma == nil { replace(last.value.upperBound..<last.value.upperBound, with: [0x2c]) }
        var member = layout
        member.hasLastComma = last?.comma != nil
        member.indent = isOnLines ? indent(ofPartsIn: place) : nil
        var added = member.lineEnd + member.member(path, value)
        if last?.comma != nil { added += [0x2c] }
        // The braces were empty.
        if place.contentEnd == closing, last == nil { added += [0x20] }
        replace(place.contentEnd..<place.contentEnd, with: added)
        copy(upTo: text.count)
    }

    /// Indentation of the parts of the object at `place`, each on its own line.
    private func indent(ofPartsIn place: JSONPlace) -> [UInt8] {
        if let last = place.parts.last, let indent = JSONLayout.indent(before: last.start, in: text) { return indent }
        return text[text.lineStart(of: place.value.lowerBound)...].prefix { $0 == 0x20 || $0 == 0x09 } + layout.unit
    }

    private func hasLineEnd(_ range: Range<Int>) -> Bool { range.contains(where: text.isLineEnd) }

    private mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) {
        copy(upTo: range.lowerBound)
        result += bytes
        copied = range.upperBound
    }

    private mutating func copy(upTo end: Int) {
        result += text[copied..<end]
        copied = end
    }
}

/// Layout of added text.
private struct JSONLayout {
    /// Indentation of parts on their own lines; nil for parts on one line.
    var indent: [UInt8]? = []
    /// Additional indentation of each level.
    var unit: [UInt8] = [0x20, 0x20]
    /// Whether there is a comma after the last part.
    var hasLastComma = true
    private var newLine: [UInt8] = [0x0a]
    private var hasQuotes = false

    /// PixelBoop's own layout.
    init() {}

    /// Layout of the document at `place` in `text`.
    init(of text: [UInt8], _ place: JSONPlace) {
        if let end = text.indices.first(where: text.isLineEnd) {
            newLine = text[end] == 0x0d ? [0x0d] : end > 0 && text[end - 1] == 0x0d ? [0x0d, 0x0a] : [0x0a]
        }
        guard let first = place.parts.first else { return }
        hasQuotes = [0x22, 0x27].contains(text[first.start])
        if let indent = Self.indent(before: first.start, in: text), !indent.isEmpty { unit = indent }
    }

    /// White space before `offset` if there is nothing else before it on its line.
    static func indent(before offset: Int, in text: [UInt8]) -> [UInt8]? {
        let before = text[text.lineStart(of: offset)..<offset]
        return before.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? Array(before) : nil
    }

    /// A line end and the indentation of the next part, or a space.
    var lineEnd: [UInt8] { indent.map { newLine + $0 } ?? [0x20] }

    /// A document with only `value` at `path`.
    func document(_ path: [String], _ value: JSON) -> [UInt8] { nested(path[...], value) + newLine }

    /// The key and the value at `path`.
    func member(_ path: ArraySlice<String>, _ value: JSON) -> [UInt8] {
        key(path.first ?? "") + [0x3a, 0x20] + nested(path.dropFirst(), value)
    }

    private func nested(_ path: ArraySlice<String>, _ value: JSON) -> [UInt8] {
        if path.isEmpty { return Array(value.text(pretty: false).utf8) }
        var inner = self
        inner.indent = indent.map { $0 + unit }
        var text: [UInt8] = [0x7b]
        text += inner.lineEnd
        text += inner.member(path, value)
        if hasLastComma, indent != nil { text += [0x2c] }
        text += lineEnd
        return text + [0x7d]
    }

    /// The key, without quotes if it and the document's other keys need none.
    private func key(_ key: String) -> [UInt8] {
        let isBare = !hasQuotes && Self.isName(key)
        return Array((isBare ? key : JSON.string(key).text(pretty: false)).utf8)
    }

    private static func isName(_ key: String) -> Bool {
        guard let first = key.utf8.first, first > UInt8(ascii: "9") else { return false }
        return key.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    }
}

extension JSON {
    /// The value with `value` set at `path`; unchanged if the path does not exist.
    fileprivate func setting(_ path: ArraySlice<String>, to value: JSON) -> JSON {
        guard let name = path.first else { return value }
        switch self {
        case .object(var parts):
            parts[name] = (parts[name] ?? .object([:])).setting(path.dropFirst(), to: value)
            return .object(parts)
        case .array(var elements):
            guard let index = Int(name), elements.indices.contains(index) else { return self }
            elements[index] = elements[index].setting(path.dropFirst(), to: value)
            return .array(elements)
        default: return self
        }
    }
}
