import InputEvents

extension Instrument {
    /// The sound and the round that were just heard.
    public struct Takes: Sendable {
        /// The last round of the pattern that was heard; nil before the first of a scene.
        var heard: HeardPattern?
        /// The bars of the sound that was just heard.
        var bars = HeardBars()
        /// Remembered sound that is heard in place of the music; nil while the music is heard.
        public private(set) var hearing: Hearing?
        /// The take that was saved last.
        private(set) var saved: SavedTake?

        /// The last round of the pattern that was heard.
        struct HeardPattern: Sendable {
            let round: HeardRound
            /// How the tracks ran then.
            private let shapes: [TrackShape]

            init(round: HeardRound, in pattern: Pattern) {
                self.round = round
                shapes = Self.shapes(of: pattern)
            }

            /// Whether the tracks of `pattern` run as they did then.
            func isOf(_ pattern: Pattern) -> Bool {
                round.length == pattern.length && shapes == Self.shapes(of: pattern)
            }

            private static func shapes(of pattern: Pattern) -> [TrackShape] {
                Track.allCases.map {
                    var shape = pattern[shape: $0]
                    // Where the notes sound, and what a tap makes, change no step.
                    (shape.transposition, shape.voicing, shape.chordKind) = (0, .root, .triad)
                    return shape
                }
            }
        }

        /// Remembered sound that is heard in place of the music.
        public struct Hearing: Hashable, Sendable {
            /// The first frame that is heard.
            public var from: UInt64
            /// The frames that repeat; nil if what follows is heard.
            public var loop: TakeSpan?
            /// The finger that hears it.
            var contact: Int
        }

        /// A take on its way to the library.
        struct SavedTake: Hashable, Sendable {
            let span: TakeSpan
            let bars: Int
            let since: Instant
            /// When it was in the library, or was refused.
            var done: Instant?
        }

        /// The largest number of bars to choose, at most `most`, that was heard without a pause up to the one that is
        /// `back` bars before the last; 0 for none.
        func length(upTo most: Int, back: Int) -> Int {
            let count = bars.count(upTo: most, back: back)
            return TakeSheet.lengths.last { $0 <= count } ?? 0
        }

        /// The frames of as many bars; nil for none.
        func span(upTo most: Int, back: Int) -> TakeSpan? {
            bars.span(of: length(upTo: most, back: back), back: back)
        }

        /// Steps in as many bars.
        func steps(upTo most: Int, back: Int) -> Int { bars.steps(of: length(upTo: most, back: back), back: back) }

        /// Whether a take is on its way to the library: another has to wait.
        var isSaving: Bool { saved.map { $0.done == nil } ?? false }

        /// A take of these frames, at most `most` bars, is on its way to the library.
        mutating func save(_ span: TakeSpan, upTo most: Int, back: Int, at now: Instant) {
            saved = SavedTake(span: span, bars: length(upTo: most, back: back), since: now)
        }

        /// The take on its way was saved or refused.
        mutating func finish(at now: Instant) { saved?.done = now }

        /// Hears the remembered sound from the beat at `column` of the waveform of `sheet` on, until contact `id`
        /// lifts: the chosen bars again and again, or what followed an older beat.
        mutating func hear(_ sheet: TakeSheet, column: Float, contact id: Int) {
            guard let (place, beat) = TakeSheet.beat(at: column) else { return }
            let index = bars.bars.count - sheet.back - TakeSheet.barsShown + place
            guard bars.bars.indices.contains(index) else { return }
            let bar = bars.bars[index]
            let from = bar.span.begin + UInt64(bar.offsets[min(beat, bar.parts - 1)])
            let loop = span(upTo: sheet.length, back: sheet.back).flatMap { $0.begin <= from ? $0 : nil }
            hearing = Hearing(from: from, loop: loop, contact: id)
        }

        /// Ends the hearing when its finger has lifted or has lost its function.
        mutating func endHearing(unlessHeldBy fingers: Fingers) {
            guard let hearing else { return }
            if case .spot(.takeWave, _)? = fingers[hearing.contact].role { return }
            self.hearing = nil
        }
    }
}
