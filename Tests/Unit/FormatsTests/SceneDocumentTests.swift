import Documents
import Instrument
import Testing

@Suite("Scenes in a document")
struct SceneDocumentTests {
    @Test("read back equal, and write the same bytes", arguments: 1...10 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        let patterns = (0..<8).map { $0 % 3 == seed % 3 ? nil : pattern(seed + $0) }
        let current = patterns.indices.first { patterns[$0] != nil && $0 >= Int(seed % 5) }
        let document = PatternDocument(
            pattern: pattern(99), scenes: Scenes(patterns, current: seed == 4 ? nil : current),
            sceneMode: seed % 2 == 0 ? .chain : .one)
        let text = document.text()
        let again = try PatternDocument(parsing: Array(text.utf8))
        #expect(again == document)
        #expect(again.text() == text)
    }

    @Test("are omitted if none is filled, and a document without them has none")
    func none() throws {
        let document = PatternDocument(pattern: pattern(3), sceneMode: .chain)
        let text = document.text()
        for word in ["scenes", "scene", "chain"] { #expect(!text.contains("\"\(word)\"")) }
        let read = try PatternDocument(parsing: Array(text.utf8))
        #expect(read.scenes.isEmpty)
        #expect(read.sceneMode == .one)
    }

    @Test("the playing one is written, and the document's own values take precedence")
    func current() throws {
        let document = PatternDocument(pattern: pattern(1), scenes: Scenes([nil, nil, pattern(2)], current: 2))
        guard case .object(var root) = try JSON(parsing: Array(document.text().utf8)),
            case .array(let scenes)? = root["scenes"],
            case .object(let scene) = scenes[2]
        else {
            Issue.record("no scene is written")
            return
        }
        #expect(scenes.count == 8)
        for key in ["bpm", "length", "rootNote", "scale", "tracks"] { #expect(scene[key] == root[key]) }
        #expect(root["scene"] == .some(.number("2")))
        // Another program changed the tempo, and kept unknown keys.
        root["bpm"] = .number("77")
        let read = try PatternDocument(parsing: Array(JSON.object(root).text(pretty: false).utf8))
        #expect(read.pattern.tempo == 77)
        #expect(read.scenes.pattern(in: 2, playing: read.pattern)?.tempo == .some(77))
    }

    /// A document with scenes 1 and 4, of which 1 plays, with a change in scene 4.
    private func refusal(
        scene change: (inout [String: JSON]) -> Void = { _ in }, _ changeRoot: (inout [String: JSON]) -> Void = { _ in }
    ) throws -> FormatError? {
        let document = PatternDocument(
            pattern: pattern(1), scenes: Scenes([nil, pattern(2), nil, nil, pattern(3)], current: 1))
        guard case .object(var root) = try JSON(parsing: Array(document.text().utf8)),
            case .array(var scenes)? = root["scenes"], case .object(var scene) = scenes[4]
        else { return nil }
        change(&scene)
        scenes[4] = .object(scene)
        root["scenes"] = .array(scenes)
        changeRoot(&root)
        let bytes = Array(JSON.object(root).text(pretty: false).utf8)
        return error { () throws(FormatError) in _ = try PatternDocument(parsing: bytes) }
    }

    @Test("values out of range, ragged, unknown or of the wrong type are rejected with their path")
    func refused() throws {
        #expect(try refusal() == nil)
        var tracks: [String: JSON] = [:]
        for track in Track.allCases { tracks[track.name] = cells { _ in } }
        tracks["bass"] = cells { $0[3][31] = .number("4") }
        let wrongCell = tracks
        tracks["bass"] = cells { $0[3].append(.number("0")) }
        let ragged = tracks
        var found: [String] = []
        func note(_ error: FormatError?) { found.append(error.map { "\($0)" } ?? "nothing") }
        note(try refusal(scene: { $0["tracks"] = .object(wrongCell) }))
        note(try refusal(scene: { $0["tracks"] = .object(ragged) }))
        note(try refusal(scene: { $0["bpm"] = .number("301") }))
        note(try refusal(scene: { $0["length"] = nil }))
        note(try refusal(scene: { $0["colour"] = .string("red") }))
        note(try refusal(scene: { $0["scale"] = .string("blues") }))
        note(try refusal(scene: { _ in }, { $0["scene"] = .number("8") }))
        note(try refusal(scene: { _ in }, { $0["scene"] = .number("2") }))
        note(try refusal(scene: { _ in }, { $0["scenes"] = nil }))
        note(try refusal(scene: { _ in }, { $0["scenes"] = .array([.null]) }))
        note(try refusal(scene: { _ in }, { $0["chain"] = .number("1") }))
        let paths = [
            "scenes[4].tracks.bass[3][31]", "scenes[4].tracks.bass[3]", "scenes[4].bpm", "scenes[4].length",
            "scenes[4].colour",
            "scenes[4].scale", "scene", "scene", "scene", "scenes", "chain",
        ]
        #expect(found.count == paths.count)
        for (error, path) in zip(found, paths) { #expect(error.hasPrefix(path + ":"), "\(error)") }
    }
}
