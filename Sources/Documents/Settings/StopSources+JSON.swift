import Instrument

extension StopSources {
    /// Reads the settings of the performance lock: under `stops` the words of what stops the music at once.
    package mutating func read(_ field: JSONField) throws(FormatError) {
        try field.only(["stops"])
        guard let part = try field.part("stops") else { return }
        self = []
        for word in try part.list(counts: 0...Self.words.count) { insert(try word.choice(Self.words)) }
    }

    /// The settings of the performance lock as a document.
    package var json: JSON {
        .object(["stops": .array(Self.words.filter { contains($0.choice) }.map { .string($0.word) })])
    }
}
