/// What plays when the current pattern has reached its end.
public enum SceneMode: String, CaseIterable, Sendable {
    /// The same pattern again.
    case one
    /// The filled scenes in turn.
    case chain
    /// The scenes of the song, in its order.
    case song

    /// Its name on the panel.
    var word: String { rawValue.uppercased() }

    /// The mode that follows it.
    var next: SceneMode {
        switch self {
        case .one: .chain
        case .chain: .song
        case .song: .one
        }
    }
}

/// An order of scenes with repeats, a part of a tune beside its scenes.
///
/// An entry may name an empty scene: playing skips it, and it sounds again when the scene is filled again.
public struct Song: Hashable, Sendable {
    /// Maximum number of entries: with eight repeats of 32 steps each, at 60 BPM, 68 minutes.
    public static let entriesMax = 64
    /// Range of the repeats of an entry.
    public static let repeats = 1...8

    /// One scene of the order.
    public struct Entry: Hashable, Sendable {
        /// Scene number, 0 to 7.
        public let scene: Int
        /// Passes of the scene's pattern before the next entry, within `repeats`.
        public fileprivate(set) var repeats: Int

        /// An entry of `scene`; `repeats` are limited to their range.
        public init(scene: Int, repeats: Int = 1) {
            precondition((0..<Scenes.count).contains(scene))
            self.scene = scene
            self.repeats = repeats.clamped(to: Song.repeats)
        }
    }

    /// The entries in their order, at most `entriesMax`.
    public private(set) var entries: [Entry]

    /// A song of `entries`, of which only the first `entriesMax` are kept.
    public init(_ entries: [Entry] = []) { self.entries = Array(entries.prefix(Song.entriesMax)) }

    /// Whether it has no entries.
    public var isEmpty: Bool { entries.isEmpty }

    /// The text for the entry at `place`: its scene and its repeats, such as `3 X8`; nil if there is none.
    func name(ofEntry place: Int) -> String? {
        guard entries.indices.contains(place) else { return nil }
        return "\(entries[place].scene + 1) X\(entries[place].repeats)"
    }

    /// The first entry after `place` whose scene is filled, from the beginning again after the last; `place` itself
    /// comes last. From the first entry on if `place` is nil. Nil if no scene of the song is filled.
    func next(after place: Int?, in scenes: Scenes) -> Int? {
        for distance in 1...max(1, entries.count) where !entries.isEmpty {
            let next = ((place ?? -1) + distance) % entries.count
            if scenes.isFilled(entries[next].scene) { return next }
        }
        return nil
    }

    /// Inserts an entry of `scene`, once, at `place`; returns whether there was room.
    mutating func insert(scene: Int, at place: Int) -> Bool {
        guard entries.count < Song.entriesMax else { return false }
        entries.insert(Entry(scene: scene), at: place.clamped(to: 0...entries.count))
        return true
    }

    /// Removes the entry at `place`.
    mutating func remove(at place: Int) { entries.remove(at: place) }

    /// Sets the repeats of the entry at `place`, limited to their range.
    mutating func setRepeats(_ repeats: Int, at place: Int) {
        entries[place].repeats = repeats.clamped(to: Song.repeats)
    }
}
