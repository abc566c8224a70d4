import Documents
import Glibc
import Instrument
import TestSupport
import Testing

@Suite("Files of Scala")
struct ScalaTests {
    private func name() throws -> SoundName { try #require(SoundName("TEST")) }

    /// The tuning of a scale in the lines `notes`, eleven and the octave.
    private func tuning(_ text: String, _ mapping: String? = nil) throws -> OwnTuning {
        let scale = try ScalaScale(parsing: Array(text.utf8))
        return try scale.tuning(named: try name(), try mapping.map { try ScalaMapping(parsing: Array($0.utf8)) })
    }

    private func file(_ notes: [String]) -> String { "\n12\n" + notes.map { $0 + "\n" }.joined() }

    /// Equal temperament but for some lines, counted from 1.
    private func file(_ changes: [Int: String]) -> String {
        file((1...12).map { changes[$0] ?? ($0 == 12 ? "2/1" : "\(100 * $0).0") })
    }

    // MARK: Scales

    /// A pitch as a line of a file, and its exact value in cents.
    private func pitch(_ degree: Int, _ random: inout SplitMix) -> (line: String, cents: Double) {
        let place = 100 * Double(degree)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            // A ratio near its place, of small or large numbers.
            let most = [50, 5000, 2_147_483_647].randomElement(using: &random) ?? 50
            let denominator = Int.random(in: most / 4...most / 2, using: &random)
            let numerator = Int((Double(denominator) * exp2(place / 1200)).rounded())
            let space = ["", " ", "\t "].randomElement(using: &random) ?? ""
            return (
                "\(numerator)\(space)/\(space)\(denominator)",
                1200 * (log(Double(numerator)) - log(Double(denominator))) / log(2)
            )
        case 1:
            let cents = (place + .random(in: -1200...1200, using: &random)).rounded()
            return ("\(Int(cents)).", cents)
        case 2:
            // Exactly n thousandths, more digits than a tuning has.
            let thousandths = Int(place * 1000) + .random(in: -80_000...80_000, using: &random)
            let digits = Int.random(in: 0...999_999, using: &random)
            let sign = thousandths < 0 ? "-" : ""
            let cents = Double(thousandths.magnitude) / 1000 + Double(digits) / 1e9
            let text = "\(thousandths.magnitude / 1000).\(String(Int(thousandths.magnitude % 1000), digits: 3))"
            return (sign + text + String(digits, digits: 6), thousandths < 0 ? -cents : cents)
        case 3:
            let cents = Double(Int.random(in: Int(place * 1000) - 1_200_000...0, using: &random)) / 1000
            return ("-\(String(Int((-cents * 1000).rounded()), places: 3))", cents)
        default:
            return Bool.random(using: &random) ? ("1", 0) : ("2", 1200)
        }
    }

    /// A file as a program or a person may write it, and its notes in cents.
    private func randomFile(_ random: inout SplitMix) -> (bytes: [UInt8], cents: [Double]) {
        let end = ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n"
        var lines: [String] = []
        var cents = [0.0]
        func comment() { if Bool.random(using: &random) { lines.append("! 12 2/1 of a comment") } }
        func add(_ line: String) {
            let before = ["", " ", "\t", "   "].randomElement(using: &random) ?? ""
            let after = ["", " ", "   cents", "\tE\\ 3/2", " ! fifth", " 5."].randomElement(using: &random) ?? ""
            lines.append(before + line + after)
            comment()
        }
        comment()
        lines.append(["", "A scale of twelve notes", "1 12", "\u{e9}t\u{e9}"].randomElement(using: &random) ?? "")
        comment()
        lines.append(["12", " 12", "\t12  "].randomElement(using: &random) ?? "12")
        comment()
        for degree in 1...11 {
            let (line, value) = pitch(degree, &random)
            add(line)
            cents.append(value)
        }
        add(["2", "2/1", "4/2", "1200.", "1200.0000", "1200.0004"].randomElement(using: &random) ?? "2")
        if Bool.random(using: &random) { lines.append("what follows is ignored") }
        let text = lines.joined(separator: end) + (Bool.random(using: &random) ? end : "")
        return (Array(text.utf8), cents)
    }

    @Test("every note is within a hundredth of a cent of its value, in any notation")
    func notes() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<300 {
            let (bytes, cents) = randomFile(&random)
            let text = String(decoding: bytes, as: UTF8.self)
            let scale = try ScalaScale(parsing: bytes)
            let tuning = try scale.tuning(named: try name())
            #expect(tuning.a4 == nil && tuning.name.text == "TEST")
            for (degree, value) in cents.enumerated() {
                #expect(abs(scale.cents[degree] - value) < 1e-6, "seed \(seed), \(degree): \(text)")
                #expect(abs(Double(tuning.cents[degree]) / 1000 - value) < 0.01, "seed \(seed), \(degree): \(text)")
            }
        }
    }

    @Test("the examples of the format are read")
    func examples() throws {
        let lines =
            [
                (4, "81/64", 407.82), (4, "408.0", 408), (4, "408.", 408), (1, "-5.0", -5), (8, "3", 1901.955),
                (1, ".5", 0.5),
                (1, "100.0 cents", 100), (1, "100.0 C#", 100), (4, "5/4   E\\", 386.314),
                (9, "2147483647/2147483646", 0),
            ] as [(Int, String, Double)]
        for (degree, line, cents) in lines {
            #expect(abs(Double(try tuning(file([degree: line])).cents[degree]) / 1000 - cents) < 0.001, "\(line)")
        }
        let title = try ScalaScale(parsing: [0x9, 0xe9, 0x0a] + Array(file([:]).dropFirst().utf8)).title
        #expect(title == "\t\u{e9}")
    }

    /// Lines in place of the lines of equal temperament, and the error.
    static let wrong: [([Int: String], String)] = [
        ([3: "third"], #"line 5: is "third", should be a ratio, such as 3/2, or cents with a point, such as 701.955"#),
        ([3: ""], "line 5: is empty, should be a ratio, such as 3/2, or cents with a point, such as 701.955"),
        ([3: "."], #"line 5: is ".", should be a ratio, such as 3/2, or cents with a point, such as 701.955"#),
        ([3: "6/"], #"line 5: is "6/", should be a ratio, such as 3/2, or cents with a point, such as 701.955"#),
        ([3: "-6/5"], #"line 5: is "-6/5"; a ratio should be above zero"#),
        ([3: "0"], #"line 5: is "0"; a ratio should be above zero"#),
        ([3: "6/0"], #"line 5: is "6/0"; a ratio should be above zero"#),
        ([3: "300,0"], #"line 5: is "300,0"; note 3 should be within an octave of 300.0 cents"#),
        ([3: "-900.001"], #"line 5: is "-900.001"; note 3 should be within an octave of 300.0 cents"#),
        ([12: "3/1"], #"line 14: the last note is "3/1", should be an octave above the first: 2/1 or 1200.0"#),
        (
            [12: "1200.001"],
            #"line 14: the last note is "1200.001", should be an octave above the first: 2/1 or 1200.0"#
        ),
    ]

    @Test("a wrong line is refused with its number", arguments: wrong)
    func refused(changes: [Int: String], message: String) {
        let error = thrown(FormatError.self) { _ = try tuning(file(changes)) }
        #expect(error.map { "\($0)" } == message)
    }

    @Test("a file that is no scale of twelve notes is refused")
    func other() {
        let texts = [
            ("", "ends before the description, which may be empty"),
            ("! 12\nx", "ends before the number of notes"),
            ("x\ntwelve\n", #"line 2: is "twelve", should be the number of notes"#),
            ("x\n-1\n", #"line 2: is "-1", should be the number of notes"#),
            ("x\n! y\n 19\n", "line 3: the scale has 19 notes, should have 12"),
            ("x\n1\n2/1\n", "line 2: the scale has 1 note, should have 12"),
            ("x\n12\n100.\n200.\n", "ends before note 3 of 12"),
            (file([5: "1" + String(repeating: "0", count: 400)]), "line 7: is too large a number"),
        ]
        for (text, message) in texts {
            let error = thrown(FormatError.self) { _ = try tuning(text) }
            #expect(error.map { "\($0)" } == message)
        }
    }

    @Test("a written file is read again as the same tuning")
    func written() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<100 {
            let cents = randomTuning(&random).cents
            let tuning = OwnTuning(name: try name(), cents: cents, a4: .random(in: Tuning.references, using: &random))
            let text = ScalaScale.text(of: tuning)
            let again = try self.tuning(text, ScalaMapping.text(a4: tuning.a4 ?? 0))
            #expect(again == tuning, "seed \(seed): \(text)")
            #expect(try ScalaScale(parsing: Array(text.utf8)).title == "TEST")
        }
    }

    // MARK: Mappings

    /// Pythagorean, from E♭ to G♯.
    private static let pythagorean = [
        "2187/2048", "9/8", "32/27", "81/64", "4/3", "729/512", "3/2", "6561/4096", "27/16", "16/9", "243/128", "2/1",
    ]

    private func mapping(
        size: Int = 0, middle: Int = 60, key: Int = 69, hertz: String = "440.0", octave: Int = 12,
        degrees: [String] = []
    ) -> String {
        let numbers = ["\(size)", "0", "127", "\(middle)", "\(key)", hertz, "\(octave)"]
        return (["! Template"] + numbers.flatMap { ["! number", $0] } + degrees).joined(separator: "\n")
    }

    @Test("a reference key gives A4 its frequency through the scale")
    func references() throws {
        let scale = file(Self.pythagorean)
        let cents = try tuning(scale).cents
        let cases =
            [
                (69, "440.0", 440_000), (69, "442.5", 442_500), (57, "220", 440_000), (60, "261.6256", 441_493),
                (60, "256", 432_000), (69, "415.0 Hz", 415_000), (67, "392", 441_000),
            ] as [(Int, String, Int)]
        for (key, hertz, a4) in cases {
            let tuning = try tuning(scale, mapping(key: key, hertz: hertz))
            #expect(tuning.a4 == a4, "\(key) \(hertz)")
            #expect(tuning.cents == cents)
        }
    }

    @Test("every note has the frequency that the scale and the mapping give it, wherever degree 0 is")
    func frequencies() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<100 {
            let cents: [Double] = (0..<12).map { degree in
                let offset = degree == 0 ? 0 : Int.random(in: -50_000...50_000, using: &random)
                return Double(100_000 * degree + offset) / 1000
            }
            let scale = file(cents.dropFirst().map { "\($0)" } + ["2/1"])
            let middle = Int.random(in: 48...72, using: &random)
            // A permutation of neighbours.
            var degrees = Array(0..<12)
            let swapped = Int.random(in: 0..<11, using: &random)
            degrees.swapAt(swapped, swapped + 1)
            let text = mapping(
                size: 12, middle: middle, key: 69, hertz: "\(Int.random(in: 420...460, using: &random)).25",
                degrees: degrees.map { "\($0)" })
            let tuning = try tuning(scale, text)
            let hertz = Double(try #require(tuning.a4)) / 1000
            func pitch(_ key: Int) -> Double {
                let octave = Int((Double(key - middle) / 12).rounded(.down))
                return 1200 * Double(octave) + cents[degrees[key - middle - 12 * octave]]
            }
            for key in 24...83 {
                let box = Double(tuning.cents[key % 12] - tuning.cents[9]) / 1000 + 1200 * Double(key / 12 - 69 / 12)
                let error = box - (pitch(key) - pitch(69))
                #expect(abs(error) < 0.01, "seed \(seed), key \(key): \(error) cents, \(hertz) Hz, \(text)")
            }
        }
    }

    /// Parts of a mapping and the error.
    static let wrongMappings: [(String, String)] = [
        ("", "ends before the size of the map"),
        ("7", #"line 1: is "7"; the map should have 12 keys, or 0: all in a row"#),
        ("0\nx", #"line 2: is "x", should be the first key, from 0 to 127"#),
        ("0\n36\n84", "line 3: the keys 36 to 84 should include those that the box plays, 24 to 83"),
        ("0\n0\n127\n200", #"line 4: is "200", should be the middle key, from 0 to 127"#),
        ("0\n0\n127\n60\n\n", "line 5: is empty, should be the reference key, from 0 to 127"),
        ("0\n0\n127\n60\n69\n-440", #"line 6: is "-440", should be the frequency of the reference key in hertz"#),
        ("0\n0\n127\n60\n69\nnan", #"line 6: is "nan", should be the frequency of the reference key in hertz"#),
        ("0\n0\n127\n60\n69\n440\n7", #"line 7: is "7"; the octave should be degree 12"#),
        ("12\n0\n127\n60\n69\n440\n0", #"line 7: is "0"; the octave should be degree 12"#),
        ("12\n0\n127\n60\n69\n440\n12\n0\nx", "key 1 of the map has no note; each of the 12 should have one"),
        ("12\n0\n127\n60\n69\n440\n12\n0\n1", "key 2 of the map has no note; each of the 12 should have one"),
        ("12\n0\n127\n60\n69\n440\n12\n0\ny", #"line 9: is "y", should be a degree of the scale, or x"#),
        (
            "0\n0\n127\n60\n69\n392\n12",
            "line 6 of the mapping: makes A4 (key 69) 392.00 Hz, should be 415 to 466"
        ),
        (
            "0\n0\n127\n60\n0\n1e300\n12",
            "line 6 of the mapping: makes A4 (key 69) more than a million Hz, should be 415 to 466"
        ),
        (
            "12\n0\n127\n60\n69\n440\n12\n0\n24\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11",
            "with the mapping note 1 from C is more than an octave from its place"
        ),
    ]

    @Test("a mapping that the box cannot follow is refused", arguments: wrongMappings)
    func refusedMapping(text: String, message: String) {
        let error = thrown(FormatError.self) { _ = try tuning(file([:]), text) }
        #expect(error.map { "\($0)" } == message)
    }
}
