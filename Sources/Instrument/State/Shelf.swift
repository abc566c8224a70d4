extension Instrument {
    /// The player's own sounds, tunings and patterns, as the library has listed them.
    public struct Shelf: Sendable {
        /// The own sounds.
        public internal(set) var sounds = OwnSounds()
        /// The own tunings, by name.
        public internal(set) var tunings: [OwnTuning] = []
        /// The guide, in its last state.
        public internal(set) var guide = Guide(GuideContent(emptyFrom: .library, today: 0))
        /// Whether TV listings are available.
        public internal(set) var hasListings = false
        /// The pattern that was playing when it was deleted last: an undo of the deletion plays it again.
        private var deletedWhilePlaying: Int64?

        /// The own tuning after the one named `name`, of which the first follows the last and every other; nil without
        /// any.
        func tuning(after name: SoundName?) -> OwnTuning? {
            guard !tunings.isEmpty else { return nil }
            let place = tunings.firstIndex { $0.name == name }.map { ($0 + 1) % tunings.count } ?? 0
            return tunings[place]
        }

        /// The pattern `number` is deleted while it is playing or not.
        mutating func delete(_ number: Int64, isPlaying: Bool) { deletedWhilePlaying = isPlaying ? number : nil }

        /// The deletion of the pattern `number` is undone; returns whether it was playing.
        mutating func restore(_ number: Int64) -> Bool {
            defer { deletedWhilePlaying = nil }
            return number == deletedWhilePlaying
        }
    }
}
