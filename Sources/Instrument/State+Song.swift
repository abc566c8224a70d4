// The scene that plays next, and the place in the song.

extension Instrument.State {
    /// The place in the song.
    public enum SongPlace: Hashable, Sendable {
        /// Nothing of the song has played: it begins with its first entry.
        case start
        /// The current pattern plays as this entry.
        case entry(Int)
        /// The current pattern was chosen by hand; the song goes on after this entry, or begins if that is nil.
        case aside(after: Int?)

        /// The entry that played last; nil for none.
        var last: Int? {
            switch self {
            case .start: nil
            case .entry(let entry): entry
            case .aside(let entry): entry
            }
        }
    }

    /// The scene that plays next, and when it begins.
    public struct UpcomingScene: Hashable, Sendable {
        /// Scene number, 0 to 7; the scene is filled. Within a song it may be the current one, which then begins again.
        public var slot: Int
        /// Whether it begins with the next bar; else with the end of the pattern.
        public var isAtBar: Bool
        /// Passes of the current pattern, counted from its begin, before it may begin; without effect at a bar.
        public var passes = 1

        /// The scene in `slot`.
        public init(slot: Int, isAtBar: Bool, passes: Int = 1) {
            self.slot = slot
            self.isAtBar = isAtBar
            self.passes = passes
        }
    }

    /// The scene that plays next while the transport runs: queued, chained, or the next of the song; nil for none.
    public var upcomingScene: UpcomingScene? {
        guard isPlaying else { return nil }
        if let queuedScene { return UpcomingScene(slot: queuedScene, isAtBar: true) }
        if let queuedEntry { return UpcomingScene(slot: song.entries[queuedEntry].scene, isAtBar: true) }
        switch session.sceneMode {
        case .one: return nil
        case .chain:
            return session.composition.scenes.next(after: scene).map { UpcomingScene(slot: $0, isAtBar: false) }
        case .song:
            guard let next = nextEntry else { return nil }
            return UpcomingScene(slot: song.entries[next].scene, isAtBar: false, passes: repeats)
        }
    }

    /// The song.
    var song: Song { session.composition.song }

    /// The entry that follows in the song; nil if no scene of it is filled.
    var nextEntry: Int? { song.next(after: songPlace.last, in: session.composition.scenes) }

    /// Passes of the current pattern in the song.
    private var repeats: Int {
        guard case .entry(let entry) = songPlace else { return 1 }
        return song.entries[entry].repeats
    }

    /// The pass of the current entry that is heard, from 0; its last one while it is left late.
    var pass: Int { min(passes, repeats - 1) }

    /// The entry that the button of the SONG sheet removes: the one that a finger touched last, else the playing one, else the last;
    /// nil for an empty song.
    var entryToRemove: Int? {
        let place = touchedEntry ?? songPlace.last ?? song.entries.count - 1
        return song.entries.indices.contains(place) ? place : song.entries.indices.last
    }

    /// The part of the song that has played, 0-1, by time; entries with an empty scene take none.
    var songPart: Float {
        guard session.sceneMode == .song, let last = songPlace.last else { return 0 }
        let composition = session.composition
        var (done, whole) = (Int64(0), Int64(0))
        for (place, entry) in song.entries.enumerated() {
            guard let pattern = composition.scenes.pattern(in: entry.scene, playing: composition.pattern) else {
                continue
            }
            let length = pattern.duration(ofSteps: entry.repeats * pattern.length).microseconds
            whole += length
            if place < last {
                done += length
            } else if place == last {
                let steps = pass * pattern.length + (playhead?.step ?? 0)
                done += songPlace == .entry(last) ? pattern.duration(ofSteps: steps).microseconds : length
            }
        }
        return whole > 0 ? min(1, Float(done) / Float(whole)) : 0
    }
}
