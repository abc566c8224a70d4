import InputEvents

extension Instrument {
    /// The tune that was chosen in the guide while music ran: it begins when the playing pattern has ended.
    public struct TuneQueue: Sendable {
        /// The queued tune; nil for none.
        private var queued: Queued?
        /// The tune that was queued before it, which may be on its way through the audio buffer.
        private var last: Tune?
        /// The number of the tune that was on its way when the music stopped: it opens when it arrives; nil for none.
        private var opening: Int?
        /// Number of tunes that were queued.
        private var count = 0

        /// Number of tunes that the engine's reports tell apart.
        public static let tags = 8
        /// Minimum time after a tune was queued before a further tap forces it.
        static let forceAfter = Instant.Span.milliseconds(300)

        /// A tune that is there. A class, because every screen reads the state, which should be small.
        public final class Tune: Sendable {
            /// The music, with the pattern with which it begins.
            public let session: Session
            /// Its number among those that were queued.
            let number: Int

            fileprivate init(_ session: Session, number: Int) { (self.session, self.number) = (session, number) }
        }

        /// A tune that begins next.
        public struct Upcoming: Hashable, Sendable {
            /// The tune.
            public let tune: Tune
            /// Whether it begins with the next beat; else with the end of the pattern.
            public let isAtBeat: Bool

            /// Its tag in the engine's reports, below `tags`.
            public var tag: Int { tune.number % tags }

            /// Whether both are the same tune at the same time.
            public static func == (lhs: Upcoming, rhs: Upcoming) -> Bool {
                lhs.tune === rhs.tune && lhs.isAtBeat == rhs.isAtBeat
            }

            /// Hashes what `==` compares.
            public func hash(into hasher: inout Hasher) {
                hasher.combine(tune.number)
                hasher.combine(isAtBeat)
            }
        }

        private struct Queued: Sendable {
            /// The library's number of the pattern; nil for a new one.
            let pattern: Int64?
            let since: Instant
            let number: Int
            var isForced = false
            /// The tune; nil until it is loaded.
            var tune: Tune?
        }
    }
}

extension Instrument.TuneQueue {
    /// The queued pattern of the library; nil for none, and for a new one.
    public var pattern: Int64? { queued?.pattern }

    /// Whether no tune is queued.
    var isEmpty: Bool { queued == nil }

    /// Whether the queued tune begins with the next beat.
    var isForced: Bool { queued?.isForced ?? false }

    /// The tune that begins next; nil for none, and until it is loaded.
    var upcoming: Upcoming? {
        guard let queued, let tune = queued.tune else { return nil }
        return Upcoming(tune: tune, isAtBeat: queued.isForced)
    }

    /// Queues `pattern` of the library, nil for a new one, in place of another. Returns the tune's number, which goes
    /// with the request to the library.
    mutating func queue(_ pattern: Int64?, at now: Instant) -> Int {
        cancel()
        opening = nil
        count += 1
        queued = Queued(pattern: pattern, since: now, number: count)
        return count
    }

    /// The queued tune begins with the next beat, unless it was queued a moment ago.
    mutating func force(at now: Instant) {
        guard let since = queued?.since, now - since >= Self.forceAfter else { return }
        queued?.isForced = true
    }

    /// Nothing is queued any more.
    mutating func cancel() {
        last = queued?.tune ?? last
        queued = nil
    }

    /// Whether `session`, which the library has sent for the tune with this number, opens at once because the music has
    /// stopped; else it is the queued tune now, or too late to be.
    mutating func opens(_ session: Session, tune number: Int) -> Bool {
        if queued?.number == number { queued?.tune = Tune(session.atSongBegin, number: number) }
        return opening == number
    }

    /// The library has failed: a tune that is not there will not come.
    mutating func endRequest() {
        opening = nil
        if let queued, queued.tune == nil { cancel() }
    }

    /// The tune with this tag is audible now: it is queued no more. Nil for a tune of a queue that ended.
    mutating func begin(tag: Int) -> Session? {
        for tune in [queued?.tune, last] {
            guard let tune, tune.number % Self.tags == tag else { continue }
            if tune === queued?.tune { queued = nil }
            last = nil
            return tune.session
        }
        return nil
    }

    /// The music has stopped, which is the end of the pattern: returns the queued tune, if it is loaded. What is still
    /// on its way opens when it arrives.
    mutating func end() -> Session? {
        guard let queued else { return nil }
        opening = queued.tune == nil ? queued.number : nil
        (self.queued, last) = (nil, nil)
        return queued.tune?.session
    }
}

extension Session {
    /// The session with the first scene of its song, if it plays the song.
    fileprivate var atSongBegin: Session {
        guard sceneMode == .song, let first = composition.song.next(after: nil, in: composition.scenes) else {
            return self
        }
        var session = self
        let scene = composition.song.entries[first].scene
        session.composition.play(scene)
        return session
    }
}
