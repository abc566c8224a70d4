import Documents
import Instrument
import TestSupport
import Testing

@Suite("Lanes and shapes in documents")
struct LaneDocumentTests {
    private static func document(using random: inout SplitMix) -> PatternDocument {
        func pattern() -> Pattern {
            var pattern = Pattern()
            pattern[.bass, note: 3, step: 4] = .normal
            for track in Track.allCases {
                for lane in Lane.ofTracks where lane.exists(on: track) && Bool.random(using: &random) {
                    pattern.lanes[track, lane, step: .random(in: 0..<32, using: &random)] =
                        .random(in: lane.values, using: &random)
                }
                pattern[shape: track].length = Bool.random(using: &random) ? .random(in: 1...32, using: &random) : nil
                pattern[shape: track].division = TrackShape.Division.allCases.randomElement(using: &random) ?? .whole
                pattern[shape: track].direction = TrackShape.Direction.allCases.randomElement(using: &random) ?? .back
                if Bool.random(using: &random) {
                    let bank = Bool.random(using: &random) ? Int.random(in: SoundProgram.banks, using: &random) : nil
                    pattern[program: track] = SoundProgram(
                        .random(in: SoundProgram.numbers, using: &random), bank: bank)
                }
                if track != .rhythm { pattern[shape: track].transposition = .random(in: -14...14, using: &random) }
            }
            pattern[shape: .chords].voicing = TrackShape.Voicing.allCases.randomElement(using: &random) ?? .close
            pattern[shape: .chords].chordKind = TrackShape.ChordKind.allCases.randomElement(using: &random) ?? .sus2
            pattern.seed = .random(in: Pattern.seeds, using: &random)
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                pattern.lanes.harmony[.random(in: 0..<Pattern.steps, using: &random)] =
                    .random(in: Harmony.values, using: &random)
            }
            for _ in 0..<Int.random(in: 0...30, using: &random) {
                let track = Track.allCases.randomElement(using: &random) ?? .bass
                let lane = Lane.ofNotes.randomElement(using: &random) ?? .velocity
                pattern.setValue(
                    .random(in: lane.values, using: &random), track, lane,
                    note: .random(in: track.notes, using: &random), step: .random(in: 0..<Pattern.steps, using: &random)
                )
            }
            return pattern
        }
        return PatternDocument(pattern: pattern(), scenes: Scenes([nil, pattern(), nil, pattern()]))
    }

    @Test("come back equal, of scenes too")
    func roundTrip() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<100 {
            let document = Self.document(using: &random)
            #expect(try PatternDocument(parsing: Array(document.text().utf8)) == document, "seed \(seed)")
        }
    }

    @Test("a program with only the first version's keys reads every note, tempo, length and the nearest scale")
    func olderProgram() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let known: Set = ["bpm", "length", "rootNote", "scale", "tracks"]
        for number in 0..<50 {
            // In the middle octave: what the others do with more is another test's.
            var document = PatternDocument(pattern: pattern(UInt64(2 * number + 1)))
            let lanes = Self.document(using: &random).pattern
            document.pattern.lanes = lanes.lanes
            document.pattern.seed = lanes.seed
            for track in Track.allCases { document.pattern[shape: track] = lanes[shape: track] }
            document.pattern.tuning = randomTuning(&random)
            document.song = Song([Song.Entry(scene: 1, repeats: 2)])
            guard case .object(let all) = try JSON(parsing: Array(document.text().utf8)) else { continue }
            let old = JSON.object(all.filter { known.contains($0.key) })
            let read = try PatternDocument(parsing: Array(old.text(pretty: true).utf8)).pattern
            var wanted = document.pattern
            wanted.lanes = Lanes()
            wanted.seed = Pattern().seed
            wanted.tuning = Tuning()
            wanted.tonality.scale = document.pattern.tonality.scale.nearestShared
            for track in Track.allCases {
                wanted[shape: track] = TrackShape()
                wanted[program: track] = nil
            }
            wanted.tempo = Tempo(wanted.tempo.nearestShared)
            #expect(read == wanted, "seed \(seed)")
        }
    }

    @Test("of scenes, kinds of chord stand in a list beside the scenes, which version 0.1.0 reads")
    func olderScenes() throws {
        var pattern = Pattern()
        let plain = PatternDocument(pattern: pattern, scenes: Scenes([nil, pattern, pattern]))
        #expect(!plain.text().contains("scenesMore"))
        pattern[shape: .chords].chordKind = .ninth
        let document = PatternDocument(pattern: Pattern(), scenes: Scenes([nil, pattern, Pattern(), nil]))
        guard case .object(var root) = try JSON(parsing: Array(document.text().utf8)) else { return }
        let expected: [JSON] = [.null, .object(["chordKind": .string("9th")])] + [JSON](repeating: .null, count: 6)
        #expect(root["scenesMore"] == .array(expected))
        #expect(try PatternDocument(parsing: Array(document.text().utf8)) == document)
        // Scenes that another program has emptied since.
        root["scenes"] = .array([JSON](repeating: .null, count: Scenes.count))
        let emptied = Array(JSON.object(root).text(pretty: true).utf8)
        #expect(try PatternDocument(parsing: emptied).scenes.isEmpty)
        root["scenesMore"] = .array([JSON](repeating: .object(["bpm": .integer(90)]), count: Scenes.count))
        #expect(throws: FormatError.self) {
            try PatternDocument(parsing: Array(JSON.object(root).text(pretty: true).utf8))
        }
    }

    @Test("have no keys in a pattern without them")
    func absent() {
        let text = PatternDocument(pattern: Pattern()).text()
        for key in [
            "lanes", "trackLengths", "divisions", "directions", "transposes", "voicings", "chordKind", "seed",
            "programs", "noteLanes", "harmony",
        ] {
            #expect(!text.contains("\"\(key)\""))
        }
    }

    @Test("are written as the formats page says")
    func words() throws {
        var pattern = Pattern()
        pattern.lanes[.bass, .chance, step: 1] = 65
        pattern.lanes[.bass, .when, step: 2] = StepCondition.every(turn: 2, of: 4).code
        pattern[shape: .bass].length = 7
        pattern[shape: .bass].division = .twoThirds
        pattern[shape: .melody].direction = .pendulum
        pattern[shape: .bass].transposition = -2
        pattern[shape: .chords].voicing = .close
        pattern[shape: .chords].chordKind = .seventh
        pattern.seed = 9
        pattern[program: .melody] = SoundProgram(12, bank: 300)
        pattern[program: .bass] = SoundProgram(34)
        let text = PatternDocument(pattern: pattern).text().filter { !$0.isWhitespace }
        for part in [
            #""lanes":{"bass":{"chance":[null,65],"when":[null,null,"2:4"]}}"#, #""trackLengths":{"bass":7}"#,
            #""divisions":{"bass":"2/3"}"#, #""directions":{"melody":"pendulum"}"#, #""transposes":{"bass":-2}"#,
            #""voicings":{"chords":"close"}"#, #""chordKind":"7th""#, #""seed":9"#,
            #""programs":{"bass":34,"melody":{"bank":300,"program":12}}"#,
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test("beyond the first 32 steps are under keys that version 0.1.0 ignores, in scenes too")
    func long() throws {
        var pattern = Pattern()
        pattern.length = 128
        pattern.lanes[.bass, .chance, step: 1] = 65
        pattern.lanes[.bass, .chance, step: 33] = 70
        pattern.lanes[.rhythm, .ratchet, step: 127] = 3
        pattern[shape: .bass].length = 40
        let document = PatternDocument(pattern: pattern, scenes: Scenes([pattern], current: 0))
        let text = document.text().filter { !$0.isWhitespace }
        for part in [
            #""lanes":{"bass":{"chance":[null,65]}},"length":32,"#, #""lanes":{"bass":{"chance":[null,70]}},"tracks""#,
            #""trackLengths":{"bass":32},"trackSteps":{"bass":40},"tracks""#,
        ] { #expect(text.contains(part), "\(part)") }
        let scenes = try JSONField(JSON(parsing: Array(text.utf8))).needed("scenes").list()
        #expect(try scenes[0].part("trackSteps") == nil && scenes[0].part("more") == nil)
        var remarks: [String] = []
        let read = try PatternDocument(parsing: Array(text.utf8), remarks: &remarks)
        #expect(read == document && remarks == [])
        let changed = text.replacing(#""trackLengths":{"bass":32}"#, with: #""trackLengths":{"bass":9}"#)
        let older = try PatternDocument(parsing: Array(changed.utf8), remarks: &remarks)
        #expect(older.pattern[shape: .bass].length == 9)
        let line = "trackLengths of bass was changed by a program that knows 1 to 32: trackSteps is left out"
        #expect(remarks.contains(line))
    }

    @Test("the harmony is one list of up to 128 values, beside the scenes and in none of them")
    func harmony() throws {
        var pattern = Pattern()
        pattern.length = 128
        (pattern.lanes.harmony[0], pattern.lanes.harmony[2]) = (0, -3)
        var last = Pattern()
        last.lanes.harmony[127] = 7
        let document = PatternDocument(pattern: pattern, scenes: Scenes([pattern, nil, last], current: 0))
        let text = document.text().filter { !$0.isWhitespace }
        #expect(text.contains(#""harmony":[0,null,-3],"length""#) && !text.contains(#""more""#))
        let scenes = try JSONField(JSON(parsing: Array(text.utf8))).needed("scenes").list()
        #expect(try scenes[0].part("harmony") == nil && scenes[2].part("harmony") == nil)
        #expect(try PatternDocument(parsing: Array(text.utf8)) == document)
        for (values, path) in [
            ("[8]", "harmony[0]"), ("[null,-8]", "harmony[1]"), ("[0.5]", "harmony[0]"),
            ("[" + String(repeating: "0,", count: 128) + "0]", "harmony"), ("1", "harmony"),
        ] {
            let error = #expect(throws: FormatError.self) {
                let wrong = text.replacing(#""harmony":[0,null,-3],"length""#, with: "\"harmony\":\(values),\"length\"")
                _ = try PatternDocument(parsing: Array(wrong.utf8))
            }
            #expect(error?.place == path)
        }
    }

    @Test("of single notes are written as the formats page says, in each window, of scenes beside them")
    func notes() throws {
        var pattern = Pattern()
        pattern.length = 40
        pattern.setValue(96, .rhythm, .velocity, note: 0, step: 1)
        pattern.setValue(StepCondition.fill.code, .melody, .when, note: -12, step: 0)
        pattern.setValue(3, .melody, .ratchet, note: 23, step: 33)
        let document = PatternDocument(pattern: Pattern(), scenes: Scenes([Pattern(), pattern], current: 0))
        let text = document.text().filter { !$0.isWhitespace }
        let scene = try JSONField(JSON(parsing: Array(text.utf8))).needed("scenes").list()[1]
        #expect(try scene.part("noteLanes") == nil && scene.part("lanes") == nil)
        for part in [
            #""noteLanes":{"melody":{"-12":{"when":["fill"]}},"rhythm":{"0":{"velocity":[null,96]}}}"#,
            #""more":[{"noteLanes":{"melody":{"23":{"ratchet":[null,3]}}},"tracks":"#,
        ] { #expect(text.contains(part), "\(part)") }
        #expect(try PatternDocument(parsing: Array(text.utf8)) == document)
        // At the root of a document too.
        let alone = PatternDocument(pattern: pattern)
        #expect(try PatternDocument(parsing: Array(alone.text().utf8)) == alone)
    }

    @Test("of single notes are refused in the 65th row")
    func rows() throws {
        var pattern = Pattern()
        for note in -12..<20 {
            for lane in [Lane.velocity, .gate] { pattern.setValue(50, .bass, lane, note: note, step: 0) }
        }
        #expect(pattern.room(for: .melody) == 0)
        let text = PatternDocument(pattern: pattern).text().filter { !$0.isWhitespace }
        #expect(try PatternDocument(parsing: Array(text.utf8)).pattern == pattern)
        let more = text.replacing(#""noteLanes":{"#, with: #""noteLanes":{"rhythm":{"3":{"chance":[null,5]}},"#)
        #expect(more != text)
        let error = thrown(FormatError.self) { _ = try PatternDocument(parsing: Array(more.utf8)) }
        let expected = "noteLanes.rhythm.3.chance[1]: is in row 65 of the pattern, should be in one of 64"
        #expect(error.map { "\($0)" } == expected)
    }

    /// A key with a wrong value, and the error.
    struct Wrong: Sendable {
        var key: String
        var value: String
        var error: String
    }

    static let wrong = [
        Wrong(key: "lanes", value: "[]", error: "lanes: is a list, should be an object"),
        Wrong(
            key: "lanes", value: #"{"drums":{}}"#,
            error: "lanes.drums: is not a key; the keys here are melody, chords, bass, rhythm"),
        Wrong(
            key: "lanes", value: #"{"bass":{"chance":[1,101]}}"#,
            error: "lanes.bass.chance[1]: is 101, should be a whole number from 0 to 100"),
        Wrong(
            key: "lanes", value: #"{"rhythm":{"slide":[1]}}"#,
            error:
                "lanes.rhythm.slide: is not a key; the keys here are velocity, chance, when, ratchet, ramp, gate, shift, cutoff, resonance, pan, delay, reverb"
        ),
        Wrong(key: "noteLanes", value: "3", error: "noteLanes: is a number, should be an object"),
        Wrong(
            key: "noteLanes", value: #"{"rhythm":{"12":{}}}"#,
            error: "noteLanes.rhythm.12: is not a key; the keys here are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"),
        Wrong(
            key: "noteLanes", value: #"{"bass":{"0":{"slide":[1]}}}"#,
            error:
                "noteLanes.bass.0.slide: is not a key; the keys here are velocity, chance, when, ratchet, ramp, gate, shift"
        ),
        Wrong(
            key: "noteLanes", value: #"{"rhythm":{"0":{"velocity":[null,128]}}}"#,
            error: "noteLanes.rhythm.0.velocity[1]: is 128, should be a whole number from 1 to 127"),
        Wrong(
            key: "trackLengths", value: #"{"bass":129}"#,
            error: "trackLengths.bass: is 129, should be a whole number from 1 to 128"),
        Wrong(
            key: "divisions", value: #"{"bass":"3"}"#,
            error: #"divisions.bass: is "3", should be one of 1/4, 1/2, 2/3, 1, 3/2, 2, 4"#),
        Wrong(
            key: "directions", value: #"{"bass":"up"}"#,
            error: #"directions.bass: is "up", should be one of forward, back, pendulum, random"#),
        Wrong(
            key: "transposes", value: #"{"rhythm":1}"#,
            error: "transposes.rhythm: is not a key; the keys here are melody, chords, bass"),
        Wrong(
            key: "voicings", value: #"{"bass":"close"}"#, error: "voicings.bass: is not a key; the keys here are chords"
        ),
        Wrong(
            key: "chordKind", value: #""11th""#,
            error: #"chordKind: is "11th", should be one of triad, 7th, 9th, sus2, sus4, power, note"#),
        Wrong(
            key: "programs", value: #"{"bass":129}"#,
            error: "programs.bass: is 129, should be a whole number from 1 to 128"),
        Wrong(
            key: "programs", value: #"{"bass":{"program":1,"bank":16384}}"#,
            error: "programs.bass.bank: is 16384, should be a whole number from 0 to 16383"),
        Wrong(key: "seed", value: "0", error: "seed: is 0, should be a whole number from 1 to 65535"),
    ]

    @Test("are refused with their place", arguments: wrong)
    func refused(wrong: Wrong) throws {
        let text = PatternDocument(pattern: Pattern()).text().dropFirst(1)
        let changed = "{\"\(wrong.key)\": \(wrong.value), " + text
        let error = thrown(FormatError.self) { _ = try PatternDocument(parsing: Array(changed.utf8)) }
        #expect(error.map { "\($0)" } == wrong.error)
    }

    @Test("a condition is one of the words")
    func conditions() throws {
        for condition in StepCondition.all {
            #expect(
                StepCondition(word: condition.word) == condition && StepCondition(code: condition.code) == condition)
        }
        let text = PatternDocument(pattern: Pattern()).text().dropFirst(1)
        let changed = #"{"lanes": {"bass": {"when": ["9:9"]}}, "# + text
        let error = thrown(FormatError.self) { _ = try PatternDocument(parsing: Array(changed.utf8)) }
        #expect(error.map { "\($0)" }?.hasPrefix(#"lanes.bass.when[0]: is "9:9", should be one of 1:2, 2:2"#) == true)
    }
}
