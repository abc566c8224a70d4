import Instrument

// The song in a document (docs/formats.md, "Song").

extension PatternDocument {
    /// The keys of the song, beside the scenes.
    static let songKeys = ["song", "playsSong", "chain"]

    /// Reads the order, and what plays at the pattern's end. A document that is to play the song says that it does not
    /// chain the scenes: if it says both, a program that does not know the song has chained them since.
    static func readSong(_ root: JSONField) throws(FormatError) -> (song: Song, mode: SceneMode) {
        var entries: [Song.Entry] = []
        for field in try root.part("song")?.list(counts: 0...Song.entriesMax) ?? [] {
            try field.only(["scene", "repeats"])
            let scene = try field.needed("scene").integer(in: 0...Scenes.count - 1)
            entries.append(
                Song.Entry(scene: scene, repeats: try field.part("repeats")?.integer(in: Song.repeats) ?? 1))
        }
        let chains = try root.part("chain")?.bool() ?? false
        let playsSong = try root.part("playsSong")?.bool() ?? false
        return (Song(entries), chains ? .chain : playsSong ? .song : .one)
    }

    /// The patterns of the song that sound, with their repeats, from its start to its end; empty if none of its scenes
    /// is filled.
    public var songPatterns: [(pattern: Pattern, repeats: Int)] {
        song.entries.compactMap { entry in
            scenes.pattern(in: entry.scene, playing: pattern).map { ($0, entry.repeats) }
        }
    }

    /// The keys of the song; none without an order, and `playsSong` only where it is true. `chain` is with the scenes.
    var writtenSong: [String: JSON] {
        var parts: [String: JSON] = [:]
        if sceneMode == .song, !song.isEmpty || !scenes.isEmpty { parts["playsSong"] = .bool(true) }
        if !song.isEmpty {
            parts["song"] = .array(
                song.entries.map { .object(["scene": .integer($0.scene), "repeats": .integer($0.repeats)]) })
        }
        return parts
    }
}
