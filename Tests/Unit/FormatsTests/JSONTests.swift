import Documents
import Testing
import TestSupport

@Suite("JSON and JSON5")
struct JSONTests {
    private func parse(_ text: String, _ syntax: JSON.Syntax = .json) throws(FormatError) -> JSON {
        try JSON(parsing: Array(text.utf8), as: syntax)
    }

    private func failure(_ bytes: [UInt8], _ syntax: JSON.Syntax = .json) -> FormatError? {
        do throws(FormatError) {
            _ = try JSON(parsing: bytes, as: syntax)
            return nil
        } catch { return error }
    }

    @Test("valid JSON is read")
    func accepts() throws {
        let text =
            #" {"a": [1, -0.5, 2e3, 1E-2, true, false, null], "b\n\u00e9\ud83c\udfb5": "\"\\\/\b\f\r\t", "c": {}} "#
        let value = try parse(text)
        #expect(
            value
                == .object([
                    "a": .array([
                        .number("1"), .number("-0.5"), .number("2e3"), .number("1E-2"), .bool(true), .bool(false),
                        .null,
                    ]),
                    "b\né🎵": .string("\"\\/\u{8}\u{c}\r\t"), "c": .object([:]),
                ]))
    }

    static let refused: [(String, String)] = [
        ("", "line 1, column 1"), ("{", "line 1, column 2"), ("[1,]", "line 1, column 4"),
        ("{\"a\":1,}", "line 1, column 8"),
        ("01", "line 1, column 1"), ("1.", "line 1, column 1"), (".5", "line 1, column 1"), ("+1", "line 1, column 1"),
        ("-", "line 1, column 1"), ("1e", "line 1, column 3"), ("1x", "line 1, column 2"), ("tru", "line 1, column 1"),
        ("truex", "line 1, column 1"), ("'a'", "line 1, column 1"), ("{a: 1}", "line 1, column 2"),
        ("\"a\tb\"", "line 1, column 3"), ("\"a", "line 1, column 1"), (#""\x""#, "line 1, column 3"),
        (#""\ud800""#, "line 1, column 8"), (#""\udc00x""#, "line 1, column 8"), (#""\u12g4""#, "line 1, column 4"),
        ("[1, 2\n 3]", "line 2, column 2"), ("{\"a\": 1,\r\n \"a\": 2}", "line 2, column 2"),
        ("1 2", "line 1, column 3"),
        ("// no", "line 1, column 1"), ("{\"é\": }", "line 1, column 7"), ("NaN", "line 1, column 1"),
    ]

    @Test("invalid JSON is rejected with its line and column", arguments: refused)
    func refuses(text: String, place: String) { #expect(failure(Array(text.utf8))?.place == place) }

    @Test("nesting deeper than 64 levels, more than 400,000 values and bytes that are not UTF-8 are rejected")
    func bounds() {
        #expect(failure(Array(String(repeating: "[", count: 100_000).utf8))?.problem.contains("deeper") == true)
        #expect(failure(Array((String(repeating: "[", count: 60) + String(repeating: "]", count: 60)).utf8)) == nil)
        func zeros(_ count: Int) -> [UInt8] { Array(("[" + String(repeating: "0,", count: count - 1) + "0]").utf8) }
        #expect(failure(zeros(399_999)) == nil)
        #expect(failure(zeros(400_000))?.problem == "more than 400000 values")
        #expect(failure([0x22, 0xff, 0x22])?.problem == "not UTF-8 text")
        #expect(failure([0xef, 0xbb, 0xbf, 0x31]) == nil)
    }

    @Test("JSON5 adds comments, unquoted keys, single quotes, trailing commas and more forms of numbers")
    func json5() throws {
        let text = """
            // a comment
            { bare_$1: 'it\\'s', "list": [+1, .5, 5., 0x1F, -0xa, /* inside */ 2,], }
            """
        let numbers = ["1", "0.5", "5.0", "31", "-10", "2"].map { JSON.number($0) }
        #expect(try parse(text, .json5) == .object(["bare_$1": .string("it's"), "list": .array(numbers)]))
        #expect(failure(Array("/* open".utf8), .json5)?.place == "line 1, column 1")
        #expect(failure(Array("{1a: 2}".utf8), .json5)?.place == "line 1, column 2")
    }

    @Test("numbers keep their text")
    func numberText() throws {
        let text = "[12345678901234567890, 1.10, 1e400]"
        #expect(try parse(text).text(pretty: false) == text)
        #expect(JSON.number("1e400").double == nil)
        #expect(JSON.number("2e0").integer == 2)
        #expect(JSON.number("2.5").integer == nil)
    }

    @Test("pretty text: sorted keys, flat lists on one line")
    func pretty() {
        let value = JSON.object(["b": .array([.array([.integer(1), .integer(2)]), .array([])]), "a": .object([:])])
        #expect(value.text(pretty: true) == "{\n  \"a\" : {},\n  \"b\" : [\n    [1, 2],\n    []\n  ]\n}")
    }

    @Test("any written value reads back equal", arguments: 1...50)
    func roundTrip(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let value = Self.random(depth: 0, &random)
        for pretty in [true, false] {
            let text = value.text(pretty: pretty)
            #expect(try parse(text) == value, "seed \(seed)")
            #expect(try parse(text, .json5) == value, "seed \(seed)")
        }
    }

    private static func random(depth: Int, _ random: inout SplitMix) -> JSON {
        switch Int.random(in: 0..<(depth < 4 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .integer(.random(in: -9999...9999, using: &random))
        case 3: return .number("\(Double.random(in: -1...1, using: &random))")
        case 4: return .string(text(&random))
        case 5:
            return .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in Self.random(depth: depth + 1, &random) })
        default:
            var values: [String: JSON] = [:]
            for _ in 0..<Int.random(in: 0..<5, using: &random) {
                values[text(&random)] = Self.random(depth: depth + 1, &random)
            }
            return .object(values)
        }
    }

    private static func text(_ random: inout SplitMix) -> String {
        let scalars: [ClosedRange<UInt32>] = [0...0x7f, 0x20...0x7e, 0xa0...0x2ff, 0x1f300...0x1f5ff]
        return String(
            String.UnicodeScalarView(
                (0..<Int.random(in: 0..<8, using: &random)).compactMap { _ in
                    UnicodeScalar(UInt32.random(in: scalars.randomElement(using: &random) ?? 0...0, using: &random))
                }))
    }
}
