import Documents
import Instrument
import TestSupport
import Testing

@Suite("Tunings in documents")
struct TuningDocumentTests {
    private func text(_ tuning: Tuning) -> String {
        var pattern = Pattern()
        pattern.tuning = tuning
        return PatternDocument(pattern: pattern).text()
    }

    /// The text of an empty pattern with `keys` before its own.
    private func text(_ keys: String) -> [UInt8] {
        Array("{\(keys), \(PatternDocument(pattern: Pattern()).text().dropFirst(1))".utf8)
    }

    private func read(_ keys: String) throws -> Tuning {
        try PatternDocument(parsing: text(keys)).pattern.tuning
    }

    @Test("come back equal, of scenes too")
    func roundTrip() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        func pattern() -> Pattern {
            var pattern = Pattern()
            pattern.tuning = randomTuning(&random)
            return pattern
        }
        for _ in 0..<100 {
            let document = PatternDocument(pattern: pattern(), scenes: Scenes([nil, pattern(), pattern()]))
            let read = try PatternDocument(parsing: Array(document.text().utf8))
            #expect(read == document, "seed \(seed), \(document.pattern.tuning)")
        }
    }

    @Test("equal temperament at 440 Hz has no keys")
    func equal() throws {
        for key in ["tuning", "a4", "tuningName"] { #expect(!text(Tuning()).contains("\"\(key)\"")) }
        #expect(try read(#""tuning": [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100]"#) == Tuning())
        #expect(try read(#""a4": 440"#) == Tuning())
        var pattern = Pattern()
        pattern.tuning.a4 = 442_000
        #expect(pattern != Pattern())
    }

    @Test("numbers are written without zeros at their ends")
    func numbers() throws {
        let cents = [
            0, -90_225, 192_180, 300_000, 390_005, 498_040, 588_269, 696_100, 792_180, 888_269, 996_090, 1_092_179,
        ]
        let tuning = Tuning(cents: cents, name: SoundName("WERCK 3"), a4: 442_500)
        let written = text(tuning).filter { !$0.isNewline }
        #expect(
            written.contains(
                #""tuning" : [0, -90.225, 192.18, 300, 390.005, 498.04, 588.269, 696.1, 792.18, 888.269, 996.09, 1092.179]"#
            ))
        #expect(written.contains(#""a4" : 442.5"#) && written.contains(#""tuningName" : "WERCK 3""#))
        #expect(tuning.cents == cents && tuning.offset(ofPitchClass: 2) == -7820 && !tuning.isEqual)
    }

    @Test("are read to the nearest thousandth, and each key alone")
    func parts() throws {
        #expect(try read(#""a4": 415"#).a4 == 415_000)
        #expect(try read(#""a4": 441.99951"#).a4 == 442_000)
        let named = try read(#""tuningName": "EQUAL 12""#)
        #expect(named.isEqual && named.name == SoundName("EQUAL 12"))
        let just = try read(
            #""tuning": [0, 111.7312853, 203.91, 315.6412870, 386.3137139, 498.045, 590.2237, 701.955, 813.686, 884.3587, 1017.6, 1088.2687]"#
        )
        #expect(just.cents[1] == 111_731 && just.cents[3] == 315_641 && just.cents[4] == 386_314)
        #expect(just.a4 == 440_000 && just.name == nil)
    }

    private static func list(_ place: Int, _ value: String) -> String {
        let cents = (0..<12).map { $0 == place ? value : "\(100 * $0)" }
        return #""tuning": [\#(cents.joined(separator: ", "))]"#
    }

    /// Keys with a wrong value, and the error.
    static let wrong = [
        (#""tuning": 4"#, "tuning: is a number, should be a list"),
        (#""tuning": [0, 100]"#, "tuning: has 2 elements, should have 12"),
        (list(0, "5"), "tuning[0]: is 5, should be 0"),
        (list(3, "\"300\""), #"tuning[3]: is "300", should be a number from -900 to 1500"#),
        (list(1, "1300.001"), "tuning[1]: is 1300.001, should be a number from -1100 to 1300"),
        (list(1, "-1100.001"), "tuning[1]: is -1100.001, should be a number from -1100 to 1300"),
        (list(11, "1e300"), "tuning[11]: is 1e300, should be a number from -100 to 2300"),
        (#""a4": 414.9"#, "a4: is 414.9, should be a number from 415 to 466"),
        (#""a4": 466.001"#, "a4: is 466.001, should be a number from 415 to 466"),
        (#""a4": null"#, "a4: is null, should be a number from 415 to 466"),
        (#""tuningName": 3"#, "tuningName: is a number, should be a string"),
        (
            #""tuningName": "WERCKMEISTER""#,
            #"tuningName: is "WERCKMEISTER", should be 1 to 8 letters that the panel has"#
        ),
    ]

    @Test("wrong ones are refused with their place", arguments: wrong)
    func refused(keys: String, message: String) {
        let error = thrown(FormatError.self) { _ = try PatternDocument(parsing: text(keys)) }
        #expect(error.map { "\($0)" } == message)
    }

    @Test("of scenes are refused with the scene's place")
    func refusedInScene() {
        let whole = PatternDocument(pattern: Pattern(), scenes: Scenes([nil, Pattern()])).text()
        let scene = whole.replacing(#""scenes" : ["#, with: #""scenes" : ["#)
        let parts = scene.split(separator: "null", maxSplits: 1)
        let wrong = parts.joined(separator: "null").replacing("null,\n    {", with: "null,\n    {\"a4\": 400,")
        let error = thrown(FormatError.self) { _ = try PatternDocument(parsing: Array(wrong.utf8)) }
        #expect(error?.place == "scenes[1].a4")
    }

    @Test("the limits are read")
    func limits() throws {
        for (place, value) in [(1, 1300), (1, -1100), (11, 2300), (6, -600)] {
            #expect(try read(Self.list(place, "\(value)")).cents[place] == value * 1000)
        }
    }
}
