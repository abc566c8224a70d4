import InputEvents

extension Instrument {
    /// The scene that plays next, and the place in the song.
    public struct SongPlay: Sendable {
        /// The queued scene, which begins with the next bar; nil for none.
        public private(set) var queuedScene: Int?
        /// The queued entry of the song, which begins with the next bar; nil for none, and while a scene is queued.
        public private(set) var queuedEntry: Int?
        /// The parts that wait for the next bar, with the scenes from which they are launched; the current one's own too.
        public private(set) var queuedParts = Parts()
        /// The place in the song.
        public private(set) var place = Place.start
        /// The entry of the song that a finger of the SONG sheet touched last.
        var touchedEntry: Int?
        /// Ends of the current pattern that were heard since it began.
        private var passes = 0
        /// Scenes that have been upcoming since the current pattern began, one bit each. One of them may already be on
        /// its way through the audio buffer.
        private var expectedScenes: UInt8 = 0
        /// The scenes whose part has waited since Play, one bit each, eight for a track: it may be on its way too.
        private var expectedParts: UInt32 = 0

        /// A place in the song.
        public enum Place: Hashable, Sendable {
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
            /// Scene number, 0 to 7; the scene is filled. Within a song it may be the current one, which then begins
            /// again.
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
    }
}

// MARK: What plays next

extension Instrument.SongPlay {
    /// The scene of `session` that plays next while the transport runs: queued, chained, or the next of the song; nil
    /// for none.
    func upcomingScene(in session: Session) -> UpcomingScene? {
        let entries = session.composition.song.entries
        if let queuedScene { return UpcomingScene(slot: queuedScene, isAtBar: true) }
        if let queuedEntry { return UpcomingScene(slot: entries[queuedEntry].scene, isAtBar: true) }
        switch session.sceneMode {
        case .one: return nil
        case .chain:
            return session.composition.scenes.next(after: session.scene).map { UpcomingScene(slot: $0, isAtBar: false) }
        case .song:
            guard let next = nextEntry(in: session.composition) else { return nil }
            return UpcomingScene(
                slot: entries[next].scene, isAtBar: false, passes: repeats(in: session.composition.song))
        }
    }

    /// Whether a scene or an entry was queued by hand.
    var isQueued: Bool { queuedScene != nil || queuedEntry != nil }

    /// The scene whose part of `track` plays after the next bar, as far as it was chosen by hand.
    func coming(_ track: Track, in composition: Composition) -> Int? {
        queuedParts[track] ?? queuedScene ?? queuedEntry.map { composition.song.entries[$0].scene }
            ?? composition.scene(of: track)
    }

    /// The entry that follows in the song; nil if no scene of it is filled.
    func nextEntry(in composition: Composition) -> Int? {
        composition.song.next(after: place.last, in: composition.scenes)
    }

    /// Passes of the current pattern in the song.
    private func repeats(in song: Song) -> Int {
        guard case .entry(let entry) = place else { return 1 }
        return song.entries[entry].repeats
    }

    /// The pass of the current entry that is heard, from 0; its last one while it is left late.
    func pass(in song: Song) -> Int { min(passes, repeats(in: song) - 1) }

    /// The entry that the button of the SONG sheet removes: the one that a finger touched last, else the playing one,
    /// else the last; nil for an empty song.
    func entryToRemove(from song: Song) -> Int? {
        let place = touchedEntry ?? place.last ?? song.entries.count - 1
        return song.entries.indices.contains(place) ? place : song.entries.indices.last
    }

    /// The part of the song of `session` that has played when `step` is audible, 0-1, by time; entries with an empty
    /// scene take none.
    func part(of session: Session, step: Int?) -> Float {
        let composition = session.composition
        guard session.sceneMode == .song, let last = place.last else { return 0 }
        var (done, whole) = (Int64(0), Int64(0))
        for (entryPlace, entry) in composition.song.entries.enumerated() {
            guard let pattern = composition.scenes.pattern(in: entry.scene, playing: composition.pattern) else {
                continue
            }
            let length = pattern.duration(ofSteps: entry.repeats * pattern.length).microseconds
            whole += length
            if entryPlace < last {
                done += length
            } else if entryPlace == last {
                let steps = pass(in: composition.song) * pattern.length + (step ?? 0)
                done += place == .entry(last) ? pattern.duration(ofSteps: steps).microseconds : length
            }
        }
        return whole > 0 ? min(1, Float(done) / Float(whole)) : 0
    }
}

// MARK: Choosing

extension Instrument.SongPlay {
    /// Another session plays: nothing of its song has.
    mutating func loadSession() {
        (queuedScene, queuedEntry, place, expectedScenes) = (nil, nil, .start, 0)
        (queuedParts, expectedParts) = (Parts(), 0)
    }

    /// The song begins again with its first entry at the next Play.
    mutating func rewind() { place = .start }

    /// The transport begins: no pass of the pattern was heard.
    mutating func beginPasses() { passes = 0 }

    /// The pattern's step that is audible after `last` ends a pass if it does not follow that.
    mutating func countPass(at step: Int, after last: Int?) {
        if let last, step <= last { passes += 1 }
    }

    /// The pattern plays as this entry from now on.
    mutating func begin(entry: Int) { place = .entry(entry) }

    /// Another pattern was chosen by hand, while stopped. In a song it plays once, and the song goes on with the entry
    /// after the last.
    mutating func stepAside() { place = .aside(after: place.last) }

    /// Queues a filled scene for the next bar, with all its parts; the queued one cancels what is queued, and so does
    /// the one that `plays` whole.
    mutating func queue(scene slot: Int, plays: Int?) {
        let isQueued = slot == queuedScene
        cancelQueue()
        queuedScene = slot == plays || isQueued ? nil : slot
    }

    /// Queues the part of `track` of scene `slot` for the next bar, beside what is queued for other tracks. The one that
    /// plays, or that is queued, cancels what is queued for the track.
    mutating func queue(_ track: Track, of slot: Int, in composition: Composition) {
        let isQueued = queuedParts[track] == slot
        queuedParts[track] = nil
        if !isQueued, coming(track, in: composition) != slot { queuedParts[track] = slot }
    }

    /// Queues an entry for the next bar, or cancels it if it is queued.
    mutating func queue(entry: Int) {
        let isQueued = queuedEntry == entry
        cancelQueue()
        queuedEntry = isQueued ? nil : entry
    }

    /// No part waits any more.
    mutating func cancelParts() { queuedParts = Parts() }

    /// Nothing is queued any more.
    mutating func cancelQueue() { (queuedScene, queuedEntry, queuedParts) = (nil, nil, Parts()) }

    /// Whether scene `slot` has been upcoming; else it belongs to a session that was replaced.
    func expects(_ slot: Int) -> Bool { expectedScenes >> UInt8(slot) & 1 == 1 }

    /// Whether all of `parts` have waited; else they belong to a session that was replaced.
    func expects(_ parts: Parts) -> Bool {
        parts.tracks.tracks.allSatisfy { track in
            parts[track].map { expectedParts & Self.bit(track, $0) != 0 } ?? true
        }
    }

    /// The parts are audible now, and wait no more.
    mutating func begin(_ parts: Parts) {
        for track in parts.tracks.tracks {
            if queuedParts[track] == parts[track] { queuedParts[track] = nil }
            for slot in 0..<Scenes.count { expectedParts &= ~Self.bit(track, slot) }
        }
    }

    private static func bit(_ track: Track, _ slot: Int) -> UInt32 { 1 << UInt32(Scenes.count * track.rawValue + slot) }

    /// The scene `slot` of `session` is audible now: corrects the place in the song and what is queued.
    mutating func begin(scene slot: Int, in session: Session) {
        place = place(withScene: slot, in: session)
        if place == queuedEntry.map({ .entry($0) }) { queuedEntry = nil }
        if queuedScene == slot { queuedScene = nil }
        (expectedScenes, passes) = (0, 0)
    }

    private func place(withScene slot: Int, in session: Session) -> Place {
        let song = session.composition.song
        func isEntry(_ place: Int) -> Bool { song.entries[place].scene == slot }
        if let queuedEntry, isEntry(queuedEntry) { return .entry(queuedEntry) }
        if queuedScene != slot, session.sceneMode == .song, let next = nextEntry(in: session.composition),
            isEntry(next)
        {
            return .entry(next)
        }
        return place == .start ? .start : .aside(after: place.last)
    }
}

// MARK: After changes of the scenes and of the order

extension Instrument.SongPlay {
    /// Removes what is queued and can no longer play, corrects the place, and notes the scene that is upcoming. Of
    /// several entries with the current scene the place is at the nearest.
    mutating func update(for session: Session, isPlaying: Bool) {
        let (entries, scenes) = (session.composition.song.entries, session.composition.scenes)
        if let queued = queuedEntry,
            !isPlaying || !entries.indices.contains(queued) || !scenes.isFilled(entries[queued].scene)
        {
            queuedEntry = nil
        }
        switch place {
        case .start, .aside(after: nil): break
        case .aside(let last?): if last >= entries.count { place = .aside(after: entries.indices.last) }
        case .entry(let entry):
            if entries.indices.contains(entry), entries[entry].scene == session.scene { break }
            let nearest = entries.indices.filter { entries[$0].scene == session.scene }
                .min { abs($0 - entry) < abs($1 - entry) }
            place = nearest.map { .entry($0) } ?? .aside(after: min(entry, entries.count - 1).orNil)
        }
        // The current scene is queued while others' parts play in it.
        let plays = session.composition.parts.isEmpty ? session.scene : nil
        if let queued = queuedScene, !isPlaying || queued == plays || !scenes.isFilled(queued) {
            queuedScene = nil
        }
        if !isPlaying || session.scene == nil { queuedParts = Parts() }
        for track in Track.allCases {
            guard let slot = queuedParts[track] else { continue }
            queuedParts[track] = nil
            if coming(track, in: session.composition) != slot { queuedParts[track] = slot }
            expectedParts |= Self.bit(track, slot)
        }
        if !isPlaying {
            (expectedScenes, expectedParts) = (0, 0)
        } else if let upcoming = upcomingScene(in: session) {
            expectedScenes |= 1 << UInt8(upcoming.slot)
        }
    }

    /// The entry at `removed` has been removed. If it plays, its pattern goes on to its end, and the song with the
    /// entry after it.
    mutating func remove(entry removed: Int) {
        if touchedEntry == removed { touchedEntry = nil }
        if queuedEntry == removed { queuedEntry = nil }
        if place.last == removed { place = .aside(after: (removed - 1).orNil) }
    }

    /// The entries from `first` on have moved by `distance` places.
    mutating func moveEntries(from first: Int, by distance: Int) {
        func moved(_ entry: Int) -> Int { entry >= first ? entry + distance : entry }
        queuedEntry = queuedEntry.map(moved)
        touchedEntry = touchedEntry.map(moved)
        switch place {
        case .start, .aside(after: nil): break
        case .entry(let entry): place = .entry(moved(entry))
        case .aside(let last?): place = .aside(after: moved(last))
        }
    }
}

extension Int {
    /// This place in a list; nil if it lies before the first.
    fileprivate var orNil: Int? { self < 0 ? nil : self }
}
