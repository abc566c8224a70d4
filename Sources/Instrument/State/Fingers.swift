import InputEvents

extension Instrument {
    /// The fingers, and what they did last: any of it may be the first half of a gesture.
    struct Fingers: Sendable {
        /// The fingers, by contact number: on the overlay, and of the keyboard.
        private(set) var contacts = (0..<Contact.countMax).map { _ in Contact() }
        /// Number of fingers that have landed.
        private(set) var landings = 0
        /// The newest group of fingers whose gestures make one history step.
        private var group = Group()
        /// The last taps, oldest first: any may be the first of a double tap.
        private var taps: [Tap] = []
        /// The last swipe, until it is too old for a pair.
        var lastSwipe: LastSwipe?
        /// The music's moves by fingers on roots, by contact number. Apart from the contacts, which every touch copies.
        var transpositions: [Int: Transposition] = [:]
        /// Tracks whose page was chosen by a drag: the next tap goes to page 0.
        var scrolled = TrackSet()
        /// The taps of tap tempo.
        var tempoTaps = TempoTaps()
        /// The last press of a play key that ended at once.
        private var lastPlayTap: Instant?
        /// The last turn of a knob.
        private var lastTurn: (knob: Knob, at: Instant, action: History.Action?)?
        /// The track that a key on its channel, or a finger on its rows, used last.
        var playedTrack = Track.melody
        /// The note that each track's rows were touched at last.
        var touchedNotes = Track.allCases.map { _ in 0 }

        /// The finger with contact number `id`.
        subscript(id: Int) -> Contact {
            get { contacts[id] }
            _modify { yield &contacts[id] }
        }

        /// A recent tap.
        struct Tap: Sendable {
            var landing: Landing
            var target: Target
            var action: History.Action?

            /// The target of a tap.
            enum Target: Hashable, Sendable {
                case step(Track, Int)
                case letter(Fader)
                case outsideTracks
                case lane(Track, Lane, Int, note: Int?)
            }
        }

        /// A recent swipe.
        struct LastSwipe: Sendable {
            var direction: Swipe
            var landing: Landing
            /// The columns over which the finger went.
            var columns: ClosedRange<Int>
            /// When the finger lifted.
            var end: Instant
            /// The music and its history before the swipe wrote anything.
            var before: Before
            /// The history's revision after it.
            var revision: Int
            /// Whether it was the second of a pair, or a further one.
            var hasActed = false

            /// The music and its history; a class, because every screen reads the state, which should be small.
            final class Before: Sendable {
                let composition: Composition
                let history: History

                init(_ session: Session) { (composition, history) = (session.composition, session.history) }
            }
        }

        /// Fingers that landed on tracks at the same time.
        private struct Group: Sendable {
            /// The number of the landing that began it.
            var number = 0
            /// The time of that landing.
            var since = Instant(microseconds: .min / 2)
            /// The shared history action.
            var action: History.Action?
        }
    }
}

// MARK: Landing, holding, lifting

extension Instrument.Fingers {
    /// Finger `id` lands at `position`.
    mutating func land(_ id: Int, at position: Position, _ now: Instant, _ rules: Rules) {
        landings += 1
        contacts[id].motion = Motion(at: position, time: now, rules)
        contacts[id].landingNumber = landings
        contacts[id].landedAlone = contacts.indices.allSatisfy { $0 == id || !contacts[$0].isDown }
    }

    /// Finger `id` loses its function and everything that it began.
    mutating func release(_ id: Int) {
        contacts[id].release()
        if !transpositions.isEmpty { transpositions[id] = nil }
    }

    /// Time of the next hold or repeat of a resting finger; nil for none.
    var nextHold: Instant? {
        contacts.reduce(nil) { earliest, contact in
            guard let due = contact.due else { return earliest }
            return min(earliest ?? due, due)
        }
    }

    /// The finger whose hold is due at `time`.
    func holder(at time: Instant) -> Int? { contacts.firstIndex { $0.due == time } }

    /// Fingers on the screen lose their function: another one is shown.
    mutating func leaveScreen() {
        for id in contacts.indices where contacts[id].role?.isOnScreen == true {
            contacts[id].role = .nothing
            contacts[id].due = nil
        }
    }

    /// Ends all touches and pairs that began on the pattern: they must not change another one.
    mutating func leavePattern() {
        taps.removeAll(keepingCapacity: true)
        lastSwipe = nil
        tempoTaps = TempoTaps()
        lastTurn = nil
        group = Group()
        for id in contacts.indices { contacts[id].leavePattern() }
    }

    /// Ends all touches that began on the parts of `tracks`, in whose place others play, and all pairs.
    mutating func leave(_ tracks: TrackSet) {
        taps.removeAll(keepingCapacity: true)
        lastSwipe = nil
        group = Group()
        for id in contacts.indices { contacts[id].leave(tracks) }
    }

    /// Note pages mean nothing under other rules: fingers on them lose their function.
    mutating func leavePages() {
        scrolled = TrackSet()
        for id in contacts.indices {
            if case .page = contacts[id].role { contacts[id].role = .nothing }
        }
    }
}

// MARK: Groups

extension Instrument.Fingers {
    /// Fingers that land on tracks together make one history step. Under the rules of the phone each makes its own.
    mutating func joinGroup(_ id: Int, _ rules: Rules, at now: Instant) {
        if rules == .phone || now - group.since > Limits.undoMerge {
            group = Group(number: contacts[id].landingNumber, since: now)
        }
        contacts[id].group = group.number
        contacts[id].action = group.action
    }

    /// The action of finger `id` becomes the action of all fingers that landed with it.
    mutating func shareAction(of id: Int) {
        let (number, action) = (contacts[id].group, contacts[id].action)
        if group.number == number { group.action = action }
        for other in contacts.indices {
            guard case .gesture = contacts[other].role, contacts[other].group == number else { continue }
            contacts[other].action = action
        }
    }
}

// MARK: Keys

extension Instrument.Fingers {
    /// Whether a press of a play key that ended at once, `now`, is the second of two; remembers it otherwise.
    mutating func isSecondPlayTap(at now: Instant) -> Bool {
        if let last = lastPlayTap, now - last <= Limits.recordHold {
            lastPlayTap = nil
            return true
        }
        lastPlayTap = now
        return false
    }
}

// MARK: Faders

extension Instrument.Fingers {
    /// Finger `id` grips a fader: together with the fingers on other faders it makes one history step.
    mutating func joinFaders(_ id: Int) {
        let others = contacts.enumerated().filter { $0.offset != id && $0.element.isOnFader }
        contacts[id].action = others.compactMap { $0.element.action }.first
    }

    /// The action of finger `id`, which moved a fader, becomes the action of all fingers on faders.
    mutating func shareActionOfFader(_ id: Int) {
        guard contacts[id].isOnFader else { return }
        for other in contacts.indices where contacts[other].isOnFader { contacts[other].action = contacts[id].action }
    }

    /// Forgets how far roots have moved the music, which comes from another point of the history.
    mutating func forgetMoves() {
        for id in transpositions.keys { transpositions[id]?.forget() }
    }

    /// Forgets what fingers on − and + have changed the tempo by: it has another one now.
    mutating func forgetTempoChanges() {
        for id in contacts.indices where contacts[id].changesTempo { contacts[id].remembered = 0 }
    }

    /// Forgets the actions of a history that is replaced.
    mutating func forgetActions() {
        for id in contacts.indices { contacts[id].action = nil }
    }
}

// MARK: Pairs

extension Instrument.Fingers {
    /// Remembers `tap`, and the taps before it of as many fingers as there can be.
    mutating func remember(_ tap: Tap) {
        if taps.count == Touch.contactsMax { taps.removeFirst() }
        taps.append(tap)
    }

    /// Forgets all taps: none is the first of a double tap any more.
    mutating func forgetTaps() { taps.removeAll(keepingCapacity: true) }

    /// The earlier tap with which `tap` makes a double tap; nil for none. The pair is then used up. Under the rules of
    /// the phone a lock refuses it.
    mutating func doubleTap(with tap: Tap, _ rules: Rules, isLocked: Bool) -> Tap? {
        let place: Int?
        switch rules {
        case .box:
            // Taps of other fingers may have ended since the second landed.
            place = taps.firstIndex {
                $0.landing.led == tap.landing.led && $0.landing.isFollowedAlone(by: tap.landing)
            }
        case .phone:
            place = taps.indices.last.flatMap {
                abs(taps[$0].landing.led.row - tap.landing.led.row) <= 1 && !isLocked ? $0 : nil
            }
        }
        guard let place, taps[place].target == tap.target,
            tap.landing.time - taps[place].landing.time < rules.limits.doubleTap
        else { return nil }
        return taps.remove(at: place)
    }

    /// Whether the last tap was on the letter of `fader`, within the time of a double tap; the taps are then used up.
    mutating func doubleTap(onLetterOf fader: Fader, at now: Instant) -> Bool {
        guard let last = taps.last, last.target == .letter(fader), now - last.landing.time < Limits.letterDoubleTap
        else { return false }
        forgetTaps()
        return true
    }

    /// Whether the swipe of finger `id`, which lifts `now`, makes a pair with the last one; `revision` is the
    /// history's. Nil for none.
    func pair(with direction: Swipe?, _ id: Int, _ rules: Rules, revision: Int, at now: Instant) -> LastSwipe? {
        guard let last = lastSwipe, direction == last.direction else { return nil }
        let limits = rules.limits
        guard rules == .box else { return now - last.end <= limits.swipePair ? last : nil }
        let landing = contacts[id].landing
        let isPair =
            last.landing.isFollowedAlone(by: landing) && landings == landing.number && landing.time >= last.end
            && landing.time - last.end <= limits.swipePair
            && landing.led.swipeRow == last.landing.led.swipeRow
            && contacts[id].motion.columns.shareHalf(of: last.columns)
            && (last.hasActed || last.revision == revision)
        return isPair ? last : nil
    }
}

extension Position.LED {
    /// The row for a pair of swipes; the overview is one row.
    fileprivate var swipeRow: Int { min(row, Grid.overviewRows.lowerBound) }
}

extension ClosedRange<Int> {
    /// Whether this and `other` have at least half of the shorter one in common.
    fileprivate func shareHalf(of other: ClosedRange<Int>) -> Bool {
        let common = Swift.min(upperBound, other.upperBound) - Swift.max(lowerBound, other.lowerBound) + 1
        return 2 * common >= Swift.min(count, other.count)
    }
}

// MARK: Tempo

/// The taps of tap tempo.
struct TempoTaps: Sendable {
    /// When they landed, oldest first.
    private var times: [Instant] = []
    /// Their shared history action.
    var action: History.Action?

    /// Most taps whose intervals count.
    private static let countMax = 8

    /// A tap at `now`, on a beat of `steps` steps. Returns the mean tempo of the last taps in whole beats per minute; nil
    /// for the first.
    mutating func tap(at now: Instant, steps: Int) -> Tempo? {
        if let last = times.last, now - last > Limits.tempoMemory { self = TempoTaps() }
        times = times.suffix(Self.countMax - 1) + [now]
        guard times.count > 1, now > times[0] else { return nil }
        let quarters = Double((times.count - 1) * steps) / Double(Metre.stepsOfQuarter)
        return Tempo(nearest(60_000_000.0 * quarters / Double((now - times[0]).microseconds)))
    }
}

extension Instrument.Fingers {
    /// The history action that a turn of `knob` at `now` extends; nil if it begins one.
    func action(ofTurning knob: Knob, at now: Instant) -> History.Action? {
        guard let lastTurn, lastTurn.knob == knob, now - lastTurn.at < Limits.turnMemory else { return nil }
        return lastTurn.action
    }

    /// Remembers a turn of `knob`.
    mutating func remember(_ knob: Knob, at now: Instant, _ action: History.Action?) { lastTurn = (knob, now, action) }
}
