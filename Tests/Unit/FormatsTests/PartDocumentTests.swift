import Documents
import Instrument
import Testing

@Suite("Parts in a document")
struct PartDocumentTests {
    private static func parts(_ slots: [Track: Int]) -> Parts {
        var parts = Parts()
        for (track, slot) in slots { parts[track] = slot }
        return parts
    }

    /// A document of scene 2, with the bass of scene 4 and the chords of an empty one.
    private func document() -> PatternDocument {
        PatternDocument(
            pattern: pattern(1), scenes: Scenes([nil, nil, pattern(2), nil, pattern(3)], current: 2),
            parts: Self.parts([.bass: 4, .chords: 7]))
    }

    @Test("are read back equal, beside the current scene's own tracks, and a session plays them")
    func roundTrip() throws {
        let document = document()
        let text = document.text()
        #expect(try PatternDocument(parsing: Array(text.utf8)) == document)
        guard case .object(let root) = try JSON(parsing: Array(text.utf8)) else { return }
        #expect(root["parts"] == .some(.object(["bass": .number("4"), "chords": .number("7")])))
        let own = try tracks(of: PatternDocument(pattern: pattern(1)))
        #expect(root["tracks"] == .some(own))
        let session = Session(document)
        let played = session.composition.pattern
        #expect(Track.allCases.map { played.isBorrowed($0) } == [false, true, true, false])
        for note in Track.bass.notes {
            #expect(played.cells(.bass, note: note) == pattern(3).cells(.bass, note: note))
            #expect(played.cells(.chords, note: note).isEmpty)
            #expect(played.cells(.melody, note: note) == pattern(1).cells(.melody, note: note))
        }
        #expect(document.played == played)
        var again = PatternDocument(pattern: Pattern())
        again.replaceMusic(by: session)
        #expect(again == document)
    }

    private func tracks(of document: PatternDocument) throws -> JSON {
        guard case .object(let root) = try JSON(parsing: Array(document.text().utf8)) else { return .null }
        return root["tracks"] ?? .null
    }

    @Test("none are written while the current scene plays whole")
    func none() {
        var document = document()
        document.parts = Parts()
        #expect(!document.text().contains("\"parts\""))
    }

    @Test("another program may have made another scene current, or none: what remains is read, or left out with a line")
    func others() throws {
        let moved = try reading(document()) { $0["scene"] = .number("4") }
        #expect(moved.document?.parts == Self.parts([.chords: 7]) && moved.remarks.isEmpty)
        let loose = try reading(document()) { $0["scene"] = .null }
        #expect(loose.document?.parts == Parts())
        #expect(loose.remarks == ["no scene is the current one: parts is left out"])
        let gone = try reading(document()) { for key in ["scene", "scenes", "chain"] { $0[key] = nil } }
        #expect(gone.document?.parts == Parts() && gone.remarks.count == 1)
    }

    @Test(
        "wrong ones are rejected with their path",
        arguments: [
            (JSON.object(["bass": .number("8")]), "parts.bass"), (.object(["bass": .number("-1")]), "parts.bass"),
            (.object(["bass": .number("1.5")]), "parts.bass"), (.object(["bass": .null]), "parts.bass"),
            (.object(["drums": .number("1")]), "parts.drums"), (.array([]), "parts"), (.number("3"), "parts"),
            (.string("bass"), "parts"),
        ])
    func refused(json: JSON, path: String) throws {
        let error = try reading(document()) { $0["parts"] = json }.error
        #expect(error.map { "\($0)" }?.hasPrefix(path + ":") == .some(true), "\(String(describing: error))")
    }
}
