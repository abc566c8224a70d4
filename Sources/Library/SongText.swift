import Instrument

/// The entries of a song in one text: scene and repeats of each with a point between them, and a space between the
/// entries: `0.2 1.4 0.1`. Null for a song without entries.
enum SongText {
    private static let name = "song"

    static func value(of song: Song) -> Value {
        song.isEmpty ? .null : .text(song.entries.map { "\($0.scene).\($0.repeats)" }.joined(separator: " "))
    }

    static func song(_ fields: inout Fields) throws -> Song {
        guard let text = try fields.orNull({ try $0.text(name) }) else { return Song() }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let entries = words.compactMap { word -> Song.Entry? in
            let numbers = word.utf8.count == 3 ? word.split(separator: ".").compactMap { Int($0) } : []
            guard numbers.count == 2, (0..<Scenes.count).contains(numbers[0]), Song.repeats.contains(numbers[1]) else {
                return nil
            }
            return Song.Entry(scene: numbers[0], repeats: numbers[1])
        }
        guard entries.count == words.count, entries.count <= Song.entriesMax else {
            throw fields.refused(name, "is no order of scenes")
        }
        return Song(entries)
    }
}
