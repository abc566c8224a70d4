/// A value in a document with its path, so that errors contain the place.
package struct JSONField {
    package let value: JSON
    package let path: String

    package init(_ value: JSON, path: String = "") {
        self.value = value
        self.path = path
    }

    package func refused(_ problem: String) -> FormatError { FormatError(path, problem) }

    /// Path of the part `name`.
    private func path(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    // MARK: Objects and lists

    package func object() throws(FormatError) -> [String: JSON] {
        guard case .object(let values) = value else { throw refused("is \(value.kind), should be an object") }
        return values
    }

    /// The part `name`; nil if it does not exist.
    package func part(_ name: String) throws(FormatError) -> JSONField? {
        try object()[name].map { JSONField($0, path: path(name)) }
    }

    /// The part `name`; throws if it does not exist.
    package func needed(_ name: String) throws(FormatError) -> JSONField {
        guard let part = try part(name) else { throw FormatError(path(name), "is missing") }
        return part
    }

    /// Throws if the object has a key that is not in `names`.
    package func only(_ names: [String]) throws(FormatError) {
        if let stranger = try object().keys.sorted().first(where: { !names.contains($0) }) {
            throw FormatError(path(stranger), "is not a key; the keys here are \(names.joined(separator: ", "))")
        }
    }

    package func list(counts: ClosedRange<Int> = 0...Int.max) throws(FormatError) -> [JSONField] {
        guard case .array(let values) = value else { throw refused("is \(value.kind), should be a list") }
        guard counts.contains(values.count) else {
            let wanted = counts.lowerBound == counts.upperBound ? "\(counts.lowerBound)" : "\(counts)"
            throw refused("has \(values.count) elements, should have \(wanted)")
        }
        return values.enumerated().map { JSONField($1, path: "\(path)[\($0)]") }
    }

    // MARK: Simple values

    package func integer<Number: FixedWidthInteger>(in range: ClosedRange<Number>) throws(FormatError) -> Number {
        guard let number: Number = value.whole(), range.contains(number) else {
            throw refused("is \(shown), should be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// One of `choices`, which are in ascending order.
    package func integer(oneOf choices: [Int]) throws(FormatError) -> Int {
        guard let number = value.integer, choices.contains(number) else {
            throw refused("is \(shown), should be \(String(oneOf: choices))")
        }
        return number
    }

    package func number(in range: ClosedRange<Double>) throws(FormatError) -> Double {
        guard let number = value.double, range.contains(number) else {
            throw refused("is \(shown), should be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    package func string() throws(FormatError) -> String {
        guard case .string(let string) = value else { throw refused("is \(value.kind), should be a string") }
        return string
    }

    /// A string, or nil for null.
    package func stringOrNull() throws(FormatError) -> String? { value == .null ? nil : try string() }

    package func bool() throws(FormatError) -> Bool {
        guard case .bool(let bool) = value else { throw refused("is \(value.kind), should be true or false") }
        return bool
    }

    /// One of `choices`, by its name.
    package func choice<Choice>(_ choices: [(word: String, choice: Choice)]) throws(FormatError) -> Choice {
        let word = try string()
        guard let match = choices.first(where: { $0.word == word }) else {
            throw refused("is \(shown), should be one of \(choices.map { $0.word }.joined(separator: ", "))")
        }
        return match.choice
    }

    /// A case of an enumeration, by its raw value.
    package func choice<Choice: CaseIterable & RawRepresentable<String>>() throws(FormatError) -> Choice {
        try choice(Choice.allCases.map { ($0.rawValue, $0) })
    }

    // MARK: Parts that need not be there

    /// Sets `value` to the number at `name`, in `range`, if it exists.
    package func read(_ name: String, in range: ClosedRange<Int>, into value: inout Int) throws(FormatError) {
        if let part = try part(name) { value = try part.integer(in: range) }
    }

    /// Sets `value` to the number at `name`, one of `choices`, if it exists.
    package func read(_ name: String, oneOf choices: [Int], into value: inout Int) throws(FormatError) {
        if let part = try part(name) { value = try part.integer(oneOf: choices) }
    }

    /// Sets `value` to the number at `name`, in `range`, if it exists.
    package func read(_ name: String, in range: ClosedRange<Double>, into value: inout Double) throws(FormatError) {
        if let part = try part(name) { value = try part.number(in: range) }
    }

    /// Sets `value` to the Boolean at `name`, if it exists.
    package func read(_ name: String, into value: inout Bool) throws(FormatError) {
        if let part = try part(name) { value = try part.bool() }
    }

    /// Sets `value` to the choice at `name`, if it exists.
    package func read<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, into value: inout Choice
    ) throws(FormatError) {
        if let part = try part(name) { value = try part.choice() }
    }

    // MARK: Messages

    /// The value for a message: short, on one line.
    package var shown: String {
        switch value {
        case .number, .string, .bool, .null:
            let text = value.text(pretty: false)
            return text.count > 40 ? text.prefix(40) + "…" : text
        case .array, .object: return value.kind
        }
    }
}
