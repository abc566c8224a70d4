import Formats
import Instrument
import TestSupport
import Testing

@Suite("The sound in pattern documents")
struct SoundDocumentTests {
    /// The document of an empty pattern with `value` at `path` in its sound.
    private func bytes(_ value: JSON, at path: [String]) -> [UInt8] {
        let sound = path.reversed().reduce(value) { .object([$1: $0]) }
        return Array(PatternDocument(pattern: Pattern(), unknown: ["sound": sound]).text().utf8)
    }

    @Test("any settings read back equal to the byte, and unknown ones stay")
    func roundTrip() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let others: [JSON?] = [
            nil, .object(["bass": .object(["wobble": .number("0.50")]), "chorus": .object([:]), "swing2": .null]),
        ]
        for round in 0..<60 {
            var document = PatternDocument(pattern: Pattern())
            for control in SoundControl.allCases where Bool.random(using: &random) {
                document.sound[control] = .random(in: control.range, using: &random)
            }
            document.unknown["sound"] = others[round % 2]
            let text = document.text()
            let read = try PatternDocument(parsing: Array(text.utf8))
            #expect(read == document, "seed \(seed), round \(round)")
            #expect(read.text() == text, "seed \(seed), round \(round)")
        }
    }

    @Test("every setting may be at either end of its range", arguments: SoundControl.allCases)
    func ends(control: SoundControl) throws {
        for value in [control.range.lowerBound, control.range.upperBound] {
            let read = try PatternDocument(parsing: bytes(.integer(value), at: control.path))
            var expected = SoundSettings()
            expected[control] = value
            #expect(read.sound == expected)
        }
    }

    @Test("a setting beyond its range or of the wrong type is rejected by path", arguments: SoundControl.allCases)
    func refused(control: SoundControl) {
        let (least, most) = (control.range.lowerBound, control.range.upperBound)
        let wrong: [(JSON, String)] = [
            (.integer(least - 1), "\(least - 1)"), (.integer(most + 1), "\(most + 1)"),
            (.number("\(least).5"), "\(least).5"), (.string("\(least)"), "\"\(least)\""), (.null, "null"),
            (.bool(true), "true"), (.array([.integer(least)]), "a list"), (.object([:]), "an object"),
        ]
        for (value, shown) in wrong {
            let refusal = error { () throws(FormatError) in
                _ = try PatternDocument(parsing: bytes(value, at: control.path))
            }
            let place = "sound." + control.path.joined(separator: ".")
            #expect(
                refusal == FormatError(place, "is \(shown), should be a whole number from \(least) to \(most)"))
        }
    }

    static let misplaced: [([String], JSON, String)] = [
        ([], .integer(1), "sound"), ([], .null, "sound"), (["bass"], .integer(400), "sound.bass"),
        (["delay"], .array([]), "sound.delay"), (["swing"], .object(["per cent": .integer(60)]), "sound.swing"),
    ]

    @Test("a non-object in place of an object is rejected by path, and vice versa", arguments: misplaced)
    func refusedObjects(path: [String], value: JSON, place: String) {
        let refusal = error { () throws(FormatError) in _ = try PatternDocument(parsing: bytes(value, at: path)) }
        #expect(refusal?.place == place)
    }

    @Test("defaults are not written, and no sound at all if everything is default")
    func defaults() throws {
        var document = PatternDocument(pattern: Pattern())
        #expect(!document.text().contains("sound"))
        document.sound[.track(.bass, .cutoff)] = 800
        document.sound[.track(.bass, .delay)] = 30
        document.sound[.swing] = 60
        #expect(
            document.text().contains(
                """
                  "sound" : {
                    "bass" : {
                      "cutoff" : 800,
                      "delay" : 30
                    },
                    "swing" : 60
                  },
                """))
        for control in SoundControl.allCases {
            let read = try PatternDocument(parsing: bytes(.integer(control.defaultValue), at: control.path))
            #expect(read == PatternDocument(pattern: Pattern()))
        }
    }
}
