import Documents
import Instrument
import TestSupport
import Testing

@Suite("Scales in documents")
struct ScaleDocumentTests {
    private func text(_ scale: Scale) -> String {
        var pattern = Pattern()
        pattern.tonality = Tonality(root: 2, scale: scale)
        return PatternDocument(pattern: pattern).text()
    }

    /// The text of an empty pattern with `keys` before its own, of which `scale` is `word`.
    private func text(_ keys: String, scale word: String = "major") -> [UInt8] {
        let plain = PatternDocument(pattern: Pattern()).text()
        let text = plain.replacing(#""scale" : "major""#, with: #""scale" : "\#(word)""#)
        return Array("{\(keys), \(text.dropFirst(1))".utf8)
    }

    @Test("come back equal, of scenes too")
    func roundTrip() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        func pattern(_ scale: Scale) -> Pattern {
            var pattern = Pattern()
            pattern.tonality = Tonality(root: .random(in: 0..<12, using: &random), scale: scale)
            return pattern
        }
        let own = (0..<50).map { _ in Scale(user: (0..<12).filter { _ in Bool.random(using: &random) }) }
        for scale in Scale.named + own {
            let other = pattern(Scale.named.randomElement(using: &random) ?? .major)
            let document = PatternDocument(pattern: pattern(scale), scenes: Scenes([nil, other, pattern(scale)]))
            let read = try PatternDocument(parsing: Array(document.text().utf8))
            #expect(read == document, "seed \(seed), \(scale)")
        }
    }

    @Test("the three that other versions know have no keys of their own")
    func shared() {
        for scale in Scale.shared {
            #expect(text(scale).contains("\"scale\" : \"\(scale.name)\""))
            #expect(!text(scale).contains("scaleName") && !text(scale).contains("scaleNotes"))
        }
    }

    @Test("others have the nearest word, their name and their notes")
    func words() {
        let dorian = text(Scale(.dorian)).filter { !$0.isWhitespace }
        #expect(dorian.contains(#""scale":"minor","scaleName":"dorian","scaleNotes":[0,2,3,5,7,9,10]"#))
        let own = text(Scale(user: [0, 4, 7])).filter { !$0.isWhitespace }
        #expect(own.contains(#""scale":"penta","scaleName":"user","scaleNotes":[0,4,7]"#))
    }

    @Test("a name without notes has those of its scale; notes without a name are the player's own")
    func parts() throws {
        let named = try PatternDocument(parsing: text(#""scaleName": "lydian""#))
        #expect(named.pattern.tonality.scale == Scale(.lydian))
        let own = try PatternDocument(parsing: text(#""scaleNotes": [0, 2, 4, 5, 7, 9, 11]"#))
        #expect(own.pattern.tonality.scale == Scale(user: [0, 2, 4, 5, 7, 9, 11]))
    }

    @Test("a scale that another program has changed counts, and this is said")
    func changed() throws {
        var remarks: [String] = []
        let document = try PatternDocument(
            parsing: text(#""scaleName": "dorian", "scaleNotes": [0, 2, 3, 5, 7, 9, 10]"#), remarks: &remarks)
        #expect(document.pattern.tonality.scale == .major)
        #expect(
            remarks == ["the scale was changed by a program that knows three: scaleName and scaleNotes are left out"])
        remarks = []
        let kept = try PatternDocument(parsing: text(#""scaleName": "dorian""#, scale: "minor"), remarks: &remarks)
        #expect(kept.pattern.tonality.scale == Scale(.dorian) && remarks.isEmpty)
    }

    /// Keys with a wrong value, and the error.
    static let wrong = [
        (#""scaleName": "blue""#, #"scaleName: is "blue", should be the name of a scale, such as dorian, or user"#),
        (#""scaleName": 4"#, "scaleName: is a number, should be a string"),
        (#""scaleName": "user""#, "scaleNotes: is missing"),
        (#""scaleNotes": 4"#, "scaleNotes: is a number, should be a list"),
        (#""scaleNotes": []"#, "scaleNotes: has 0 elements, should have 1...12"),
        (#""scaleNotes": [0, 12]"#, "scaleNotes[1]: is 12, should be a whole number from 0 to 11"),
        (#""scaleNotes": [0, 4, 4]"#, "scaleNotes[2]: is not above the note before it"),
        (#""scaleNotes": [2, 4]"#, "scaleNotes: does not begin with the root, 0"),
        (#""scaleName": "blues", "scaleNotes": [0, 3]"#, "scaleNotes: are not the notes of blues"),
    ]

    @Test("wrong ones are refused with their place", arguments: wrong)
    func refused(keys: String, message: String) {
        let error = thrown(FormatError.self) { _ = try PatternDocument(parsing: text(keys)) }
        #expect(error.map { "\($0)" } == message)
    }

    @Test("MIDI files have the key signature of the nearest known scale")
    func keySignature() {
        for (scale, bytes) in [
            (Scale(.dorian), [0xff, 0x59, 2, 0xff, 1]), (Scale(.lydian), [0xff, 0x59, 2, 2, 0]),
        ] as [(Scale, [UInt8])] {
            var pattern = Pattern()
            pattern.tonality = Tonality(root: 2, scale: scale)
            let file = MIDIFile.bytes(PatternDocument(pattern: pattern), loops: 1)
            #expect(file.indices.contains { file[$0...].starts(with: bytes) }, "\(scale)")
        }
    }
}
