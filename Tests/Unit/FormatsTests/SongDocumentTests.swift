import Documents
import Instrument
import TestSupport
import Testing

@Suite("The song in a document")
struct SongDocumentTests {
    private func song(_ entries: [(scene: Int, repeats: Int)]) -> Song {
        Song(entries.map { Song.Entry(scene: $0.scene, repeats: $0.repeats) })
    }

    private func document(_ song: Song, _ mode: SceneMode, scenes: [Pattern?] = [pattern(1), nil, pattern(2)])
        -> PatternDocument
    {
        PatternDocument(pattern: pattern(1), scenes: Scenes(scenes, current: 0), song: song, sceneMode: mode)
    }

    @Test("reads back equal, and writes the same bytes", arguments: SceneMode.allCases)
    func roundTrip(mode: SceneMode) throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for count in [0, 1, 7, Song.entriesMax] {
            let song = song(
                (0..<count).map { _ in (.random(in: 0..<8, using: &random), .random(in: Song.repeats, using: &random)) }
            )
            let document = document(song, mode)
            let text = document.text()
            let again = try PatternDocument(parsing: Array(text.utf8))
            #expect(again == document, "seed \(seed)")
            #expect(again.text() == text, "seed \(seed)")
            var instrument = Instrument()
            instrument.load(again)
            #expect(instrument.state.session.composition.song == song && instrument.state.session.sceneMode == mode)
        }
    }

    @Test(
        "is a list of scenes with their repeats, and has no key without entries"
    )
    func words() throws {
        let written = document(song([(2, 8), (0, 1)]), .song).text().filter { !$0.isWhitespace }
        #expect(written.contains(#""song":[{"repeats":8,"scene":2},{"repeats":1,"scene":0}]"#))
        #expect(written.contains(#""playsSong":true"#) && written.contains(#""chain":false"#))
        #expect(!document(Song(), .song).text().contains("\"song\""))
        #expect(document(Song(), .song).text().contains("playsSong"))
        let bare = PatternDocument(pattern: pattern(1), sceneMode: .song).text()
        #expect(!bare.contains("playsSong") && !bare.contains("chain"))
        // The repeats may be missing.
        let text = try text { $0["song"] = .array([.object(["scene": .number("5")])]) }
        #expect(try PatternDocument(parsing: text).song == song([(5, 1)]))
    }

    @Test("a program that knows no song and has chained the scenes since is right")
    func chainedSince() throws {
        guard case .object(var root) = try JSON(parsing: Array(document(song([(0, 2)]), .song).text().utf8)) else {
            return
        }
        root["chain"] = .bool(true)
        let read = try PatternDocument(parsing: Array(JSON.object(root).text(pretty: true).utf8))
        #expect(read.sceneMode == .chain && read.song == song([(0, 2)]))
        #expect(!read.text().contains("playsSong"))
    }

    @Test("values out of range, unknown or of the wrong type are rejected with their path")
    func refused() throws {
        func refusal(_ key: String, _ value: JSON) throws -> String {
            let bytes = try text { $0[key] = value }
            return error { () throws(FormatError) in _ = try PatternDocument(parsing: bytes) }.map { "\($0)" }
                ?? "nothing"
        }
        func entry(_ fields: [String: JSON]) -> JSON { .array([.object(["scene": .integer(1)]), .object(fields)]) }
        let long = JSON.array((0...Song.entriesMax).map { _ in .object(["scene": .integer(1)]) })
        for (key, value, path) in [
            ("song", entry(["scene": .integer(8)]), "song[1].scene"),
            ("song", entry(["scene": .integer(-1)]), "song[1].scene"),
            ("song", entry(["repeats": .integer(1)]), "song[1].scene"),
            ("song", entry(["scene": .integer(1), "repeats": .integer(0)]), "song[1].repeats"),
            ("song", entry(["scene": .integer(1), "repeats": .integer(9)]), "song[1].repeats"),
            ("song", entry(["scene": .integer(1), "loops": .integer(2)]), "song[1].loops"),
            ("song", .array([.integer(1)]), "song[0]"), ("song", .string("1 2"), "song"), ("song", long, "song"),
            ("playsSong", .integer(1), "playsSong"),
        ] {
            let found = try refusal(key, value)
            #expect(found.hasPrefix("\(path):"), "\(found)")
        }
    }
}
