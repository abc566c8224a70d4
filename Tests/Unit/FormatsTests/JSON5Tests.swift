import Documents
import Testing

/// The rules of https://spec.json5.org, in the order of its sections.
@Suite("JSON5 by its specification")
struct JSON5Tests {
    struct Case: Sendable, CustomTestStringConvertible {
        var text: String
        /// The value as JSON; nil if the text is refused.
        var value: String?
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ value: String?) { (self.text, self.value) = (text, value) }
    }

    static let objects: [Case] = [
        .init("{}", "{}"), .init("{a:1}", #"{"a":1}"#), .init("{a:1,}", #"{"a":1}"#), .init("{,}", nil),
        .init("{a:1,,}", nil), .init("{,a:1}", nil), .init("{a 1}", nil), .init("{a:}", nil), .init("{a:1 b:2}", nil),
        .init("{'a':1,\"b\":2}", #"{"a":1, "b":2}"#), .init("{'':1}", #"{"":1}"#),
        .init("{$_:1,_$:2,a\u{200c}\u{200d}b:3}", #"{"$_":1, "_$":2, "a\#u{200c}\#u{200d}b":3}"#),
        .init("{ümlåût:1, λ:2, \u{2163}:3, 字:4}", #"{"ümlåût":1, "λ":2, "\#u{2163}":3, "字":4}"#),
        .init(#"{\u0061\u0062c:1}"#, #"{"abc":1}"#), .init(#"{a\u0030:1}"#, #"{"a0":1}"#),
        .init("{e\u{301}1\u{203f}:1}", "{\"e\u{301}1\u{203f}\":1}"),
        .init("{Infinity:1,null:2}", #"{"Infinity":1, "null":2}"#),
        .init(#"{\u0030a:1}"#, nil), .init(#"{\x61:1}"#, nil), .init("{1a:1}", nil), .init("{a-b:1}", nil),
        .init("{\u{301}a:1}", nil), .init("{a:1,a:2}", nil), .init("{10:1}", nil), .init("{:1}", nil),
        .init("{☃:1}", nil),
    ]

    static let arrays: [Case] = [
        .init("[]", "[]"), .init("[1,]", "[1]"), .init("[,]", nil), .init("[1,,]", nil), .init("[1 2]", nil),
        .init("[[],{},]", "[[], {}]"), .init("[1", nil), .init("]", nil),
    ]

    static let strings: [Case] = [
        .init("'a\"b'", #""a\"b""#), .init("\"a'b\"", #""a'b""#), .init(#"'it\'s'"#, #""it's""#),
        .init(#"'\b\f\n\r\t\v\0\\\/\"'"#, #""\u0008\u000c\n\r\t\u000b\u0000\\/\"""#),
        .init(#"'\x62\x7f\xe9'"#, #""b\u007fé""#), .init(#"'\x6'"#, nil), .init(#"'\xg0'"#, nil),
        .init(#"'\u00e9\ud83c\udfb5'"#, "\"é🎵\""), .init(#"'\u00e'"#, nil), .init(#"'\ud83c'"#, nil),
        .init(#"'\a\q\ü\ '"#, "\"aqü \""), .init(#"'\1'"#, nil), .init(#"'\9'"#, nil), .init(#"'\00'"#, nil),
        .init(#"'\0a'"#, #""\u0000a""#),
        .init("'a\\\nb'", #""ab""#), .init("'a\\\rb'", #""ab""#), .init("'a\\\r\nb'", #""ab""#),
        .init("'a\\\n\rb'", nil), .init("'a\\\u{2028}b\\\u{2029}c'", #""abc""#),
        .init("'a\u{2028}b\u{2029}c'", #""a\u2028b\u2029c""#), .init("'a\nb'", nil), .init("'a\rb'", nil),
        .init("'a\tb\u{1}'", #""a\tb\u0001""#), .init("'a", nil), .init("'a\"", nil), .init("'a\\", nil),
    ]

    static let numbers: [Case] = [
        .init("+1", "1"), .init("-1", "-1"), .init("+-1", nil), .init("--1", nil), .init("- 1", nil), .init("+", nil),
        .init("0", "0"), .init("00", nil), .init("010", nil), .init("-010", nil), .init("080", nil),
        .init(".5", "0.5"), .init("5.", "5.0"), .init("+.5e1", "0.5e1"), .init("5.e-2", "5.0e-2"), .init(".", nil),
        .init(".e1", nil), .init("1e", nil), .init("1e+", nil), .init("1e1.5", nil), .init("1.2.3", nil),
        .init("0xC8", "200"), .init("0Xc8", "200"), .init("-0xa", "-10"), .init("+0x0", "0"), .init("0x", nil),
        .init("0xg", nil), .init("0x1.8", nil), .init("0x10000000000000000", "1.8446744073709552e+19"),
        .init("1n", nil), .init("1_000", nil), .init("0b1", nil), .init("0o7", nil),
        .init("1\\u0061", nil), .init("infinity", nil), .init("Infinityx", nil), .init("nan", nil),
    ]

    static let space: [Case] = [
        .init("", nil), .init(" ", nil), .init("// nothing", nil), .init("1 // one", "1"), .init("1 // one\n2", nil),
        .init("// a\r1", "1"), .init("// a\r\n1", "1"), .init("// a\u{2028}1", "1"), .init("// a\u{2029}1", "1"),
        .init("//", nil), .init("/", nil), .init("1 /", nil), .init("/**/1", "1"), .init("/* * / ** /**/1", "1"),
        .init("/*\n\r*/1", "1"), .init("/* /* */ */ 1", nil), .init("/* a", nil), .init("/*/ 1", nil),
        .init("{a/**/:/**/1/**/,/**/}", #"{"a":1}"#), .init("[1//,\n,2]", "[1, 2]"), .init("# 1", nil),
        .init("\t\u{b}\u{c}\u{a0}\u{feff}\u{2028}\u{2029}\u{1680}\u{2003}\u{3000}1", "1"),
        .init("\u{feff}1", "1"), .init("\u{85}1", nil), .init("\u{200b}1", nil), .init("\u{0}1", nil),
        .init("1\u{0}", nil),
        .init("truefalse", nil), .init("null", "null"), .init("nulls", nil), .init("True", nil),
        .init("undefined", nil),
    ]

    static let all: [Case] = objects + arrays + strings + numbers + space

    @Test("texts are read or refused", arguments: all)
    func reads(_ example: Case) throws {
        let value = try? JSON(parsing: Array(example.text.utf8), as: .json5)
        #expect(value?.text(pretty: false) == example.value)
    }

    @Test(
        "numbers that are not finite are read, and are no numbers of a setting",
        arguments: ["Infinity", "+Infinity", "-Infinity", "NaN", "-NaN"])
    func notFinite(text: String) throws {
        let value = try JSON(parsing: Array(text.utf8), as: .json5)
        #expect(value.double == nil && value.integer == nil)
        #expect(throws: FormatError.self) { try JSON(parsing: Array(text.utf8)) }
    }

    @Test(
        "JSON has none of it",
        arguments: ["{a:1}", "'a'", "[1,]", "+1", ".5", "1 // one", "\u{a0}1", "\"\\x61\"", "\"\\\n\"", "0x1"])
    func strict(text: String) { #expect(throws: FormatError.self) { try JSON(parsing: Array(text.utf8)) } }

    @Test(
        "an error behind any end of a line names the line that an editor shows",
        arguments: [
            ("{\n\n a b}", "line 3, column 4"), ("{\r\r a b}", "line 3, column 4"),
            ("{\r\n\r\n a b}", "line 3, column 4"),
            ("{\u{2028} a b}", "line 1, column 6"), ("{ a:\u{2003}\u{200b}1}", "line 1, column 6"),
        ])
    func places(text: String, place: String) {
        do throws(FormatError) {
            _ = try JSON(parsing: Array(text.utf8), as: .json5)
            Issue.record("was read")
        } catch { #expect(error.place == place) }
    }

    @Test("a character that is not seen is named by its number")
    func unseen() {
        #expect(throws: FormatError("line 1, column 1", "found U+200B, expected a value")) {
            try JSON(parsing: Array("\u{200b}1".utf8), as: .json5)
        }
    }

    @Test("what is not seen is written as an escape, joined letters as they are")
    func written() {
        let text = JSON.string("a\u{7f}\u{9b}\u{202e}\u{2028}\u{feff}\u{e0061}👩‍🚀").text(pretty: false)
        #expect(text == #""a\u007f\u009b\u202e\u2028\ufeff\udb40\udc61👩‍🚀""#)
    }
}
