import Documents
import Formats
import TestSupport
import Testing

private func set(_ path: [String], _ value: JSON, _ text: String) throws(FormatError) -> String {
    String(decoding: try Configuration.setting(path, to: value, in: Array(text.utf8)), as: UTF8.self)
}

private func refusal(_ path: [String], _ value: JSON, _ text: String) -> FormatError? {
    do throws(FormatError) {
        _ = try set(path, value, text)
        return nil
    } catch { return error }
}

@Suite("Setting a value in a configuration's text")
struct ConfigurationEditTests {
    struct Edit: Sendable {
        var name: String
        var path: String
        var value: JSON = .integer(5)
        var before: String
        var after: String
    }

    static let edits: [Edit] = [
        .init(name: "a value", path: "a", before: "{a: 1}", after: "{a: 5}"),
        .init(name: "the whole document", path: "", before: "// a\n1 // b\n", after: "// a\n5 // b\n"),
        .init(
            name: "a value between comments, at whatever depth and quoting", path: "touch b",
            before: "/* 1 */ { // 2\n'touch' /* 3 */ : { \"\\u0062\" : /* 4 */ [1,\n2] /* 5 */ , }, } // 6",
            after: "/* 1 */ { // 2\n'touch' /* 3 */ : { \"\\u0062\" : /* 4 */ 5 /* 5 */ , }, } // 6"),
        .init(
            name: "a list's element", path: "a 1 b", before: "{a: [1, {b: 2}, 3]}", after: "{a: [1, {b: 5}, 3]}"),
        .init(name: "a key that is a number", path: "0", before: "{\"0\": 1, a: [2]}", after: "{\"0\": 5, a: [2]}"),
        .init(
            name: "a key with a point in it", path: "a.b", before: "{a: {b: 1}, 'a.b': 2}",
            after: "{a: {b: 1}, 'a.b': 5}"),
        .init(name: "into braces", path: "a", before: "{}", after: "{ a: 5 }"),
        .init(name: "into braces with a space", path: "a", before: "{ }", after: "{ a: 5 }"),
        .init(name: "into braces with a comment", path: "a", before: "{/* 1 */}", after: "{/* 1 */ a: 5 }"),
        .init(name: "into braces on two lines", path: "a", before: "{\n}\n", after: "{\n  a: 5\n}\n"),
        .init(name: "after a line's comment", path: "a", before: "{ // 1\n}\n", after: "{ // 1\n  a: 5\n}\n"),
        .init(name: "after another", path: "b", before: "{a: 1}", after: "{a: 1, b: 5}"),
        .init(name: "after another and a comma", path: "b", before: "{ a: 1, }", after: "{ a: 1, b: 5, }"),
        .init(name: "after another and comments", path: "b", before: "{a: 1 /* 1 */ }", after: "{a: 1, /* 1 */ b: 5 }"),
        .init(
            name: "after others on lines", path: "c", before: "{\n  a: 1,\n  b: 2 // two\n  // end\n}\n",
            after: "{\n  a: 1,\n  b: 2, // two\n  // end\n  c: 5\n}\n"),
        .init(
            name: "after others on lines and a comma", path: "c", before: "{\r\n\ta: 1, // one\r\n}\r\n",
            after: "{\r\n\ta: 1, // one\r\n\tc: 5,\r\n}\r\n"),
        .init(
            name: "after a line's comment on the last line but one", path: "b", before: "{a: 1 // one\n}",
            after: "{a: 1, // one\n  b: 5\n}"),
        .init(
            name: "after a part that ends on another line", path: "b", before: "{a: {\n  c: 1\n}}",
            after: "{a: {\n  c: 1\n}, b: 5}"),
        .init(
            name: "with the objects around it", path: "touch overlay matrix",
            value: .array([.integer(1), .number("0.5")]), before: "{\n  panel: {},\n}\n",
            after: "{\n  panel: {},\n  touch: {\n    overlay: {\n      matrix: [1, 0.5],\n    },\n  },\n}\n"),
        .init(
            name: "with an object around it, without commas at the end", path: "b c", before: "{\n    a: 1\n}",
            after: "{\n    a: 1,\n    b: {\n        c: 5\n    }\n}"),
        .init(
            name: "with an object around it, on one line", path: "b c", before: "{a: {}}",
            after: "{a: {}, b: { c: 5 }}"),
        .init(
            name: "in an object in lines", path: "a c", before: "{\n  a: {\n    b: 1,\n  },\n}",
            after: "{\n  a: {\n    b: 1,\n    c: 5,\n  },\n}"),
        .init(
            name: "in an object in lines that has none yet", path: "a c", before: "{\n  a: {\n  },\n}",
            after: "{\n  a: {\n    c: 5\n  },\n}"),
        .init(
            name: "in a list's element", path: "touch overlays 1 m",
            before: "{touch: {overlays: [{m: 1}, {device: 'b'}]}}",
            after: "{touch: {overlays: [{m: 1}, {device: 'b', m: 5}]}}"),
        .init(
            name: "quoted where keys are", path: "b c", before: "{\"a\": 1}", after: "{\"a\": 1, \"b\": { \"c\": 5 }}"),
        .init(name: "quoted where it must be", path: "é", before: "{a: 1}", after: "{a: 1, \"é\": 5}"),
        .init(name: "after a byte order mark", path: "a", before: "\u{feff}{}", after: "\u{feff}{ a: 5 }"),
        .init(name: "into nothing", path: "touch a", before: "", after: "{\n  touch: {\n    a: 5,\n  },\n}\n"),
        .init(name: "into comments", path: "a", before: "// mine", after: "// mine\n{\n  a: 5,\n}\n"),
        .init(name: "into blank lines", path: "a", before: "\n\n", after: "\n\n{\n  a: 5,\n}\n"),
        .init(
            name: "an object", path: "a", value: .object(["b": .null, "c": .string("d\"")]), before: "{a: 1}",
            after: #"{a: {"b":null, "c":"d\""}}"#),
    ]

    @Test("sets the value and changes nothing else", arguments: edits)
    func sets(edit: Edit) throws {
        let path = edit.path.split(separator: " ").map(String.init)
        let result = try set(path, edit.value, edit.before)
        #expect(result == edit.after, "\(edit.name)")
        #expect(try set(path, edit.value, result) == result, "\(edit.name), again")
    }

    static let refusals: [(String, JSON, String, String)] = [
        ("a b", .null, "{a: 1}", "a: is 1, should be an object for b to be set in it"),
        ("a b", .null, "{a: null}", "a: is null, should be an object for b to be set in it"),
        ("a 0 b", .null, "{a: ['c']}", #"a[0]: is "c", should be an object for b to be set in it"#),
        ("a 1", .null, "{a: [1]}", "a: has 1 elements and no 1, should be given one that it has"),
        ("a b", .null, "{a: [1]}", "a: has 1 elements and no b, should be given one that it has"),
        ("a", .null, "[]", "has 0 elements and no a, should be given one that it has"),
        ("a", .number("x"), "{}", "line 1, column 6: found 'x', expected a value"),
        ("a", .number("1, b: 2"), "{}", "a: cannot be set to 1, b: 2, should be set to a JSON value"),
        ("a", .null, "{a: 1", "line 1, column 6: the text ends, expected ',' or '}'"),
        ("a", .null, "/*", "line 1, column 1: a comment without its end"),
    ]

    @Test("a path without a parent, and invalid JSON5, are rejected", arguments: refusals)
    func refuses(path: String, value: JSON, text: String, message: String) {
        #expect(refusal(path.split(separator: " ").map(String.init), value, text)?.description == message)
    }

    @Test("the touch matrix is set in the documented configuration")
    func documented() throws {
        let matrix: [Double] = [0, -1, 1, 1, 0, 0]
        let value = JSON.array(matrix.map { .number("\($0)") })
        let text = try page("pixelboop.json5")
        let result = try set(["touch", "matrix"], value, text)
        var expected = Configuration()
        expected.touch.overlays[0].settings.matrix = matrix
        #expect(try Configuration(parsing: Array(result.utf8)) == expected)
        let (before, after) = (text.split(separator: "\n"), result.split(separator: "\n"))
        #expect(before.count == after.count && zip(before, after).filter { $0 != $1 }.count == 1)
    }

    @Test("for any text, document and text are unchanged except for the value", arguments: 1...60)
    func property(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        for _ in 0..<20 {
            let document = JSON5Text.value(depth: 0, &random)
            let text = JSON5Text.text(of: document, &random)
            guard let path = JSON5Text.path(in: document, &random) else { continue }
            let note = Comment(rawValue: "seed \(seed), \(path) in \(text)")
            let mark = "\u{2766}"
            let marked = try set(path, .string(mark), text)
            let parsed = try JSON(parsing: Array(marked.utf8), as: .json5)
            #expect(parsed == JSON5Text.document(document, with: .string(mark), at: path[...]), note)

            let value = JSON5Text.value(depth: 3, &random)
            let result = try set(path, value, text)
            #expect(
                try JSON(parsing: Array(result.utf8), as: .json5)
                    == JSON5Text.document(document, with: value, at: path[...]), note)
            #expect(try set(path, value, marked) == result, note)

            let parts = marked.split(separator: "\"\(mark)\"", omittingEmptySubsequences: false).map(String.init)
            try #require(parts.count == 2, note)
            if JSON5Text.has(path[...], document) {
                // All but the value is unchanged.
                #expect(text.hasPrefix(parts[0]) && text.hasSuffix(parts[1]), note)
            } else {
                // Nothing was removed: the old text is a subsequence of the result.
                var rest = Substring(marked).unicodeScalars
                for scalar in text.unicodeScalars {
                    let found = rest.firstIndex(of: scalar)
                    let at = try #require(found, note)
                    rest = rest[rest.index(after: at)...]
                }
            }
        }
    }
}

/// Random documents, and random JSON5 texts of them.
private enum JSON5Text {
    private static let keys = ["a", "b", "touch", "matrix", "a.b", "0", "1", "é", "", "$x_1"]

    static func value(depth: Int, _ random: inout SplitMix) -> JSON {
        switch Int.random(in: depth == 0 ? 4...6 : 0...(depth < 4 ? 6 : 3), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .number(["1", "-0.25", "3e4"].randomElement(using: &random) ?? "0")
        case 3: return .string(["", "a", "// no comment", "}\n", "'\""].randomElement(using: &random) ?? "")
        case 4:
            return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth + 1, &random) })
        default:
            var parts: [String: JSON] = [:]
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                parts[keys.randomElement(using: &random) ?? ""] = value(depth: depth + 1, &random)
            }
            return .object(parts)
        }
    }

    /// A path to an existing value, or to one that can be added.
    static func path(in document: JSON, _ random: inout SplitMix) -> [String]? {
        switch document {
        case .object(let parts):
            guard Int.random(in: 0..<3, using: &random) > 0,
                let part = parts.sorted(by: { $0.key < $1.key }).randomElement(using: &random)
            else {
                let path = (0..<Int.random(in: 1...3, using: &random)).map { "new \($0)" }
                return path
            }
            return path(in: part.value, &random).map { [part.key] + $0 } ?? [part.key]
        case .array(let elements):
            guard let index = elements.indices.randomElement(using: &random) else { return nil }
            return path(in: elements[index], &random).map { ["\(index)"] + $0 } ?? ["\(index)"]
        default: return nil
        }
    }

    static func has(_ path: ArraySlice<String>, _ document: JSON) -> Bool {
        guard let name = path.first else { return true }
        switch document {
        case .object(let parts): return parts[name].map { has(path.dropFirst(), $0) } ?? false
        case .array(let elements): return has(path.dropFirst(), elements[Int(name) ?? 0])
        default: return false
        }
    }

    static func document(_ document: JSON, with value: JSON, at path: ArraySlice<String>) -> JSON {
        guard let name = path.first else { return value }
        switch document {
        case .object(var parts):
            let part = parts[name] ?? .object([:])
            parts[name] = Self.document(part, with: value, at: path.dropFirst())
            return .object(parts)
        case .array(var elements):
            let index = Int(name) ?? 0
            elements[index] = Self.document(elements[index], with: value, at: path.dropFirst())
            return .array(elements)
        default: return document
        }
    }

    static func text(of document: JSON, _ random: inout SplitMix) -> String {
        var text = ["", "\u{feff}"].randomElement(using: &random) ?? ""
        write(document, to: &text, &random)
        return text
    }

    private static func write(_ value: JSON, to text: inout String, _ random: inout SplitMix) {
        space(to: &text, &random)
        switch value {
        case .object(let parts):
            text += "{"
            for (index, part) in parts.sorted(by: { $0.key < $1.key }).enumerated() {
                space(to: &text, &random)
                text += key(part.key, &random)
                space(to: &text, &random)
                text += ":"
                write(part.value, to: &text, &random)
                if index < parts.count - 1 || .random(using: &random) { text += "," }
            }
            space(to: &text, &random)
            text += "}"
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                write(element, to: &text, &random)
                if index < elements.count - 1 || .random(using: &random) { text += "," }
            }
            space(to: &text, &random)
            text += "]"
        default: text += value.text(pretty: false)
        }
        space(to: &text, &random)
    }

    private static func space(to text: inout String, _ random: inout SplitMix) {
        let spaces = [
            "", "", "", " ", "\n  ", "\r\n", "\t", "/* } */", "/*\n*/", "// { \"\n", "//\r\n", " // ,\n", "\r  ",
            "//\r", "\u{a0}\u{2028}", "// }\u{2029}",
        ]
        text += spaces.randomElement(using: &random) ?? ""
    }

    private static func key(_ key: String, _ random: inout SplitMix) -> String {
        let isName = key.unicodeScalars.first.map { !("0"..."9").contains($0) } ?? false && !key.contains(".")
        switch Int.random(in: 0...2, using: &random) {
        case 0 where isName: return key
        case 1: return "'\(key)'"
        default: return "\"\(key)\""
        }
    }
}
