import InputEvents

extension Instrument {
    /// The transport, the steps that are audible, and the clock that leads.
    public struct Transport: Sendable {
        /// Whether the music runs.
        public internal(set) var isPlaying = false
        /// How an external transport last began; nil if the player did.
        public private(set) var begun: Begin?
        /// The audible step, and since when; nil while stopped and until the first step sounds.
        public private(set) var playhead: Playhead?
        /// The same for each track with lanes or a shape.
        private var trackPlayheads = [Playhead?](repeating: nil, count: Track.allCases.count)
        /// The number of the pattern's step with which each track began, if it was launched alone.
        private var launches = [Int](repeating: 0, count: Track.allCases.count)
        /// The last audible beat of the count-in: the beats that remain, this one included; nil outside it.
        private(set) var counted: (beats: Int, since: Instant)?
        /// The signal of the chosen source.
        public internal(set) var syncStatus = SyncStatus()
        /// The tempo that the player wants of all members of the Link session; nil until there was such a wish.
        public private(set) var sessionTempo: SessionTempo?
        /// The history action of the tempos that programs have set.
        var remoteTempo: History.Action?

        /// Position of the sequencer.
        public struct Playhead: Hashable, Sendable {
            /// The audible step.
            public var step: Int
            /// When it began to sound.
            public var since: Instant
            /// Whether its notes sound: their chance and condition may leave them out.
            public var sounds = true
            /// Its number, counted from Play or from the switch to the pattern.
            var number = 0
            /// The number of the step that was heard before it. It is the higher one if an early step comes before a
            /// late one.
            var previous: Int?

            /// Whether the step with `number` has been heard; also if it was left out because the track's shape
            /// changed.
            func hasHeard(_ number: Int) -> Bool {
                number == self.number || number == previous || number < min(self.number, previous ?? self.number)
            }
        }

        /// A beginning of the transport.
        public struct Begin: Hashable, Sendable {
            /// The first step, counted from the pattern's first; beyond its end it is one of its repetitions.
            public var step: Int
            /// Number of beginnings before it.
            public var number: Int
        }

        /// A tempo for all members of a Link session.
        public struct SessionTempo: Hashable, Sendable {
            /// The tempo, within `LinkState.tempos`.
            public var tempo: Tempo
            /// The session's tempo before.
            public var before: Double
            /// Number of wishes before it.
            public var number: Int
        }

        // MARK: Beginning and ending

        /// Starts or stops, as a player does.
        mutating func toggle() {
            isPlaying.toggle()
            begun = nil
            endPlayheads()
        }

        /// Starts with `step`, as an external transport does.
        mutating func begin(at step: Int) {
            isPlaying = true
            begun = Begin(step: step, number: (begun?.number ?? 0) &+ 1)
            endPlayheads()
        }

        /// Stops, as an external transport does.
        mutating func stop() {
            isPlaying = false
            endPlayheads()
        }

        /// Ends the audible steps, until the next ones sound.
        mutating func endPlayheads() {
            playhead = nil
            for track in trackPlayheads.indices { (trackPlayheads[track], launches[track]) = (nil, 0) }
            counted = nil
        }

        /// Other parts of `tracks` begin with the step that follows; those that `return` to the pattern go on with it.
        mutating func launch(_ tracks: TrackSet, returning: TrackSet) {
            for track in tracks.tracks {
                trackPlayheads[track.rawValue] = nil
                launches[track.rawValue] = returning.contains(track) ? 0 : (playhead?.number ?? -1) + 1
            }
        }

        /// The number of the pattern's step with which `track` began.
        func launch(of track: Track) -> Int { launches[track.rawValue] }

        // MARK: Steps

        /// The audible step of `track` in `pattern`.
        func playhead(of track: Track, in pattern: Pattern) -> Playhead? {
            pattern.isPlain(track) ? playhead : trackPlayheads[track.rawValue]
        }

        /// A step of the pattern is audible from `time` on.
        mutating func beginStep(_ step: Int, number: Int, at time: Instant) {
            playhead = Playhead(step: step, since: time, number: number, previous: playhead?.number)
            counted = nil
        }

        /// A step of a track with lanes or a shape is audible from `time` on; `sounds` says whether its notes are.
        mutating func beginStep(_ step: Int, of track: Track, number: Int, sounds: Bool, at time: Instant) {
            trackPlayheads[track.rawValue] = Playhead(
                step: step, since: time, sounds: sounds, number: number,
                previous: trackPlayheads[track.rawValue]?.number
            )
        }

        /// A track without lanes has the pattern's step.
        mutating func followPattern(_ track: Track) { trackPlayheads[track.rawValue] = playhead }

        /// A beat of the count-in is audible from `now` on; `beats` remain, this one included.
        mutating func count(_ beats: Int, at now: Instant) { counted = (beats, now) }

        // MARK: Tempo

        /// The tempo in beats per minute while another instrument sets it, at the octave within the tempos of a
        /// pattern; nil while it has none.
        var ledTempo: Double? {
            guard var tempo = syncStatus.tempo, tempo > 0 else { return nil }
            while tempo < Tempo.range.lowerBound.bpm { tempo *= 2 }
            while tempo > Tempo.range.upperBound.bpm { tempo /= 2 }
            return tempo
        }

        /// The tempo from which a change of the Link session's counts: until the session has taken the last wish,
        /// that one.
        var tempoToChange: Tempo? {
            guard let tempo = syncStatus.tempo else { return nil }
            return sessionTempo.flatMap { $0.before == tempo ? $0.tempo : nil } ?? Tempo(nearest: tempo)
        }

        /// Wants a tempo of the Link session, clamped to its range; returns it.
        mutating func wish(forTempo tempo: Tempo) -> Tempo {
            let limits = LinkState.tempos
            let tempo = tempo.clamped(to: Tempo(nearest: limits.lowerBound)...Tempo(nearest: limits.upperBound))
            sessionTempo = SessionTempo(
                tempo: tempo, before: syncStatus.tempo ?? 0, number: (sessionTempo?.number ?? -1) + 1)
            return tempo
        }
    }
}
