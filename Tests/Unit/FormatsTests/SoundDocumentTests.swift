import Documents
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

    /// The controls that a document without a model has, as numbers.
    private static let numbers = SoundControl.allCases.filter { $0.trackControl?.timbre == nil && $0.words == nil }
    /// Those that it has as words.
    private static let choices = SoundControl.allCases.filter { $0.words != nil }
    /// The models with controls of their own.
    private static let models = SoundModel.allCases.filter { $0 != .plain }

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
                // The own controls that the model lacks are not written.
                guard control.trackControl?.timbre == nil || document.sound.isAvailable(control) else { continue }
                document.sound[control] = .random(in: control.range, using: &random)
            }
            for track in Track.allCases where Bool.random(using: &random) {
                document.sound[nameOf: track] = SoundName("S \(round)")
            }
            for pad in Track.rhythm.notes where Int.random(in: 0..<4, using: &random) == 0 {
                document.sound[sampleOf: pad] = SoundName("P\(pad)/ \(round)")
            }
            document.unknown["sound"] = others[round % 2]
            let text = document.text()
            let read = try PatternDocument(parsing: Array(text.utf8))
            #expect(read == document, "seed \(seed), round \(round)")
            #expect(read.text() == text, "seed \(seed), round \(round)")
        }
    }

    @Test("every setting may be at either end of its range", arguments: numbers)
    func ends(control: SoundControl) throws {
        for value in [control.range.lowerBound, control.range.upperBound] {
            let read = try PatternDocument(parsing: bytes(.integer(value), at: control.path))
            var expected = SoundSettings()
            expected[control] = value
            #expect(read.sound == expected)
        }
    }

    @Test("a setting beyond its range or of the wrong type is rejected by path", arguments: numbers)
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

    @Test("models, kits, shapes and targets are words; others are rejected by path", arguments: choices)
    func words(control: SoundControl) throws {
        let words = try #require(control.words)
        for (value, word) in words.enumerated() {
            var expected = SoundSettings()
            expected[control] = value
            #expect(try PatternDocument(parsing: bytes(.string(word), at: control.path)).sound == expected)
        }
        let place = "sound." + control.path.joined(separator: ".")
        for wrong in [JSON.string("loud"), .integer(0), .null] {
            let refusal = error { () throws(FormatError) in
                _ = try PatternDocument(parsing: bytes(wrong, at: control.path))
            }
            #expect(refusal?.place == place)
        }
        let refusal = error { () throws(FormatError) in
            _ = try PatternDocument(parsing: bytes(.string("loud"), at: control.path))
        }
        #expect(refusal == FormatError(place, "is \"loud\", should be one of \(words.joined(separator: ", "))"))
    }

    @Test("a model's own controls have its names, also as targets, and only with that model", arguments: models)
    func timbres(model: SoundModel) throws {
        for (place, timbre) in model.timbres.enumerated() {
            let control = try #require(TrackControl(rawValue: TrackControl.timbre1.rawValue + place))
            var document = PatternDocument(pattern: Pattern())
            document.sound[.track(.chords, .model)] = model.rawValue
            document.sound[.track(.chords, control)] = 100
            #expect(document.sound[.track(.chords, control)] == timbre.range.upperBound)
            document.sound[.track(.chords, .lfoTarget)] = ModulationTarget.allCases.count + place
            let text = document.text()
            #expect(text.contains("\"\(timbre.key)\" : \(timbre.range.upperBound)"))
            #expect(text.contains("\"lfoTarget\" : \"\(timbre.key)\""))
            #expect(try PatternDocument(parsing: Array(text.utf8)) == document)
            let above = bytes(
                .object(["model": .string(model.word), timbre.key: .integer(timbre.range.upperBound + 1)]),
                at: ["chords"])
            let refusal = error { () throws(FormatError) in _ = try PatternDocument(parsing: above) }
            #expect(refusal?.place == "sound.chords.\(timbre.key)")
            // The plain model has no such control.
            let alone = try PatternDocument(parsing: bytes(.integer(40), at: ["chords", timbre.key]))
            #expect(alone == PatternDocument(pattern: Pattern()))
        }
    }

    @Test("a track's sound has a name of the panel's letters; others are rejected by path")
    func names() throws {
        let read = try PatternDocument(parsing: bytes(.string("MY TAPE"), at: ["rhythm", "name"]))
        #expect(read.sound[nameOf: .rhythm]?.text == "MY TAPE")
        #expect(try PatternDocument(parsing: Array(read.text().utf8)) == read)
        for wrong in [JSON.string(""), .string("NINE LETT"), .string("tape"), .string(" A"), .integer(1), .null] {
            let refusal = error { () throws(FormatError) in
                _ = try PatternDocument(parsing: bytes(wrong, at: ["rhythm", "name"]))
            }
            #expect(refusal?.place == "sound.rhythm.name")
        }
    }

    @Test("every factory sound is a file, and reads back equal to the byte", arguments: Track.allCases)
    func soundFiles(track: Track) throws {
        for preset in FactorySounds.list(for: track) {
            let text = SoundDocument(preset).text()
            let read = try SoundDocument(parsing: Array(text.utf8))
            #expect(read.preset == preset && read.text() == text)
        }
    }

    static let malformed: [(String, String)] = [
        ("{}", "name"), ("[]", ""), (#"{"name": "A"}"#, "sound"), (#"{"name": 1, "sound": {}}"#, "name"),
        (#"{"name": "A", "sound": []}"#, "sound"), (#"{"name": "A", "sound": {"cutoff": 1}}"#, "sound.cutoff"),
        (#"{"name": "A", "sound": {"kit": "plain", "model": "fm"}}"#, "sound.kit"),
        (#"{"name": "A", "sound": {"kit": "fm"}}"#, "sound.kit"),
    ]

    @Test("a malformed sound file is rejected by path", arguments: malformed)
    func malformedFile(text: String, place: String) {
        let refusal = error { () throws(FormatError) in _ = try SoundDocument(parsing: Array(text.utf8)) }
        #expect(refusal?.place == place)
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
        for control in Self.numbers {
            let read = try PatternDocument(parsing: bytes(.integer(control.defaultValue), at: control.path))
            #expect(read == PatternDocument(pattern: Pattern()))
        }
    }
}

extension SoundControl {
    /// The parameter of a track; nil for a shared control.
    var trackControl: TrackControl? { if case .track(_, let control) = self { control } else { nil } }

    /// The words for its values with the plain model; nil if they are numbers.
    var words: [String]? {
        switch self {
        case .track(.rhythm, .model): SoundKit.words
        case .track(_, .model): SoundModel.words
        case .track(_, .lfoShape): LFOShape.words
        case .track(_, .lfoTarget), .track(_, .envelopeTarget): ModulationTarget.words(.plain)
        default: nil
        }
    }
}
