import Documents
import Instrument
import TestSupport
import Testing

@Suite("Pattern documents")
struct PatternDocumentTests {
    @Test("a written document reads back equal, including names, mutes and unknown keys", arguments: 1...20)
    func roundTrip(seed: UInt64) throws {
        var document = PatternDocument(pattern: pattern(seed), muted: TrackSet(.bass, .melody), soloed: .chords)
        document.name = "Night \"B\""
        document.createdAt = "2026-01-03T10:00:00Z"
        document.unknown = ["swing": .number("0.10"), "tags": .array([.string("a"), .object(["x": .null])])]
        #expect(try PatternDocument(parsing: Array(document.text().utf8)) == document, "seed \(seed)")
    }

    @Test("keys are sorted, and a row of cells is a line")
    func layout() {
        let lines = PatternDocument(pattern: Pattern()).text().split(separator: "\n")
        #expect(lines[1] == "  \"bpm\" : 120,")
        #expect(lines.filter { $0.hasPrefix("      [0, 0,") }.count == 48)
    }

    @Test(
        "roots by number, sharp and flat; penta by both its names",
        arguments: [
            (JSON.integer(10), 10), (.string("A#"), 10), (.string("Bb"), 10), (.string("Db"), 1), (.string("B"), 11),
        ])
    func roots(root: JSON, note: Int) throws {
        let bytes = try text {
            $0["rootNote"] = root
            $0["scale"] = .string("pentatonic")
        }
        #expect(try PatternDocument(parsing: bytes).pattern.tonality == Tonality(root: note, scale: .penta))
    }

    @Test("the older form, a list of notes by column and pitch, is read")
    func noteList() throws {
        let notes = """
            [{"col": 4, "row": 7, "pitch": 60, "velocity": "accent"}, {"col": 5, "pitch": 60, "velocity": "sustain"},
             {"col": 22, "row": 2, "pitch": 71, "velocity": "normal"}]
            """
        let bytes = try text {
            guard case .object(var tracks)? = $0["tracks"] else { return }
            tracks["melody"] = .object([
                "type": .string("melody"), "notes": (try? JSON(parsing: Array(notes.utf8))) ?? .null,
            ])
            $0["tracks"] = .object(tracks)
        }
        let pattern = try PatternDocument(parsing: bytes).pattern
        #expect(pattern[.melody, note: 0, step: 0] == .accent)
        #expect(pattern[.melody, note: 0, step: 1] == .sustain)
        #expect(pattern[.melody, note: 11, step: 16] == .normal)
        #expect(pattern.runLength(.melody, note: 0, step: 0) == 2)
    }

    struct Refusal: Sendable {
        var key: String
        var value: JSON?
        var place: String
    }

    static let refusals: [Refusal] = [
        .init(key: "bpm", value: .integer(301), place: "bpm"), .init(key: "bpm", value: .integer(19), place: "bpm"),
        .init(key: "bpm", value: .number("120.5"), place: "bpm"),
        .init(key: "bpm", value: .string("120"), place: "bpm"),
        .init(key: "bpm", value: nil, place: "bpm"), .init(key: "length", value: .integer(0), place: "length"),
        .init(key: "length", value: .integer(129), place: "length"),
        .init(key: "rootNote", value: .integer(12), place: "rootNote"),
        .init(key: "rootNote", value: .string("H"), place: "rootNote"),
        .init(key: "scale", value: .string("blues"), place: "scale"),
        .init(key: "muted", value: .array([.string("drums")]), place: "muted[0]"),
        .init(key: "soloed", value: .integer(1), place: "soloed"),
        .init(key: "name", value: .integer(1), place: "name"),
        .init(key: "tracks", value: nil, place: "tracks"), .init(key: "tracks", value: .array([]), place: "tracks"),
        .init(key: "tracks", value: .object([:]), place: "tracks.melody"),
        .init(key: "tracks", value: .object(["drums": .null]), place: "tracks.drums"),
    ]

    @Test("a wrong or missing setting is rejected by name", arguments: refusals)
    func settings(refusal: Refusal) throws {
        let bytes = try text { $0[refusal.key] = refusal.value }
        #expect(error { () throws(FormatError) in _ = try PatternDocument(parsing: bytes) }?.place == refusal.place)
    }

    static let badCells: [(JSON, String)] = [
        (cells { $0[3].append(contentsOf: Array(repeating: .integer(0), count: 9)) }, "tracks.bass[3]"),
        (cells { $0[3].removeLast() }, "tracks.bass[3]"), (cells { $0.removeLast() }, "tracks.bass"),
        (cells { $0[11][31] = .integer(4) }, "tracks.bass[11][31]"),
        (cells { $0[0][7] = .integer(-1) }, "tracks.bass[0][7]"),
        (cells { $0[2][5] = .string("1") }, "tracks.bass[2][5]"),
        (cells { $0[2][5] = .number("0.5") }, "tracks.bass[2][5]"),
        (.string("x"), "tracks.bass"),
        (.object(["notes": .array([.object(["col": .integer(3)])])]), "tracks.bass.notes[0].col"),
        (.object(["type": .string("melody"), "notes": .array([])]), "tracks.bass.type"),
    ]

    @Test("ragged rows and wrong cells are rejected by path", arguments: badCells)
    func cellErrors(bass: JSON, place: String) throws {
        let bytes = try text {
            guard case .object(var tracks)? = $0["tracks"] else { return }
            tracks["bass"] = bass
            $0["tracks"] = .object(tracks)
        }
        #expect(error { () throws(FormatError) in _ = try PatternDocument(parsing: bytes) }?.place == place)
    }
}
