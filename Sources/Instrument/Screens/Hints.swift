import InputEvents
import Display

/// The demonstrations of a box that is untouched: a finger performs one action after the other on the grid, without
/// changing the pattern. They are shown in rounds, until the player has done each action once.
enum Hint: Int, CaseIterable, Hashable, Sendable {
    case tap, drag, hold, doubleTap, play, menu, page, off

    /// Idle time before each hint of a round.
    static let pause = Instant.Span.milliseconds(4000)
    /// Duration of a hint. All hints with their pauses take less than a minute.
    static let life = Instant.Span.milliseconds(3000)
    /// Idle time before the next round.
    static let rest = Instant.Span.milliseconds(60_000)

    /// The hint's text.
    fileprivate var line: TextLine { Self.lines[rawValue] }
    private static let lines = ["TAP", "DRAG", "HOLD", "TAP TAP", "PLAY", "MENU", "PAGE", "OFF"].map { TextLine($0) }

    /// The gesture shown, for a player of `state`; nil for a hint without one.
    private func gesture(_ state: Instrument.State) -> Gesture? {
        let pattern = state.session.composition.pattern
        if [.play, .menu, .page].contains(self) { return nil }
        let start = landing(state)
        var gesture = Gesture(
            state.rules, .chords, page: state.session.pages[Track.chords.rawValue], pattern.tonality,
            length: pattern.length, chords: pattern[shape: .chords].chordKind, from: start)
        switch self {
        case .tap, .doubleTap, .off: break
        case .drag: gesture.end.step = min(start.step + 8, pattern.length - 1)
        case .hold:
            gesture.end.step = min(start.step + 6, pattern.length - 1)
            gesture.isHeld = true
        case .play, .menu, .page: return nil
        }
        gesture.isStill = gesture.end == gesture.start
        return gesture
    }

    /// The place on the chords where the finger lands: a dark LED as near to the first choice as possible, in a step
    /// without chords if there is one; the first choice if all are lit.
    private func landing(_ state: Instrument.State) -> Gesture.Place {
        let pattern = state.session.composition.pattern
        let map = PageMap(
            state.rules, .chords, page: state.session.pages[Track.chords.rawValue], pattern.tonality)
        func isDark(_ step: Int, _ row: Int) -> Bool {
            guard map.note(atRow: row) != nil else { return false }
            var isDark = true
            map.notes(atRow: row).forEach { if pattern[.chords, note: $0, step: step] != .empty { isDark = false } }
            return isDark
        }
        let steps = indicesInOrder(of: pattern.length) { abs($0 - Hint.step) < abs($1 - Hint.step) }
        let rows = indicesInOrder(of: map.rows) { abs($0 - Hint.row) < abs($1 - Hint.row) }
        let free = steps.first { step in rows.allSatisfy { isDark(step, $0) || map.note(atRow: $0) == nil } }
        for step in free.map({ [$0] }) ?? steps {
            if let row = rows.first(where: { isDark(step, $0) }) { return Gesture.Place(step: step, row: row) }
        }
        return Gesture.Place(step: min(Hint.step, pattern.length - 1), row: Hint.row)
    }

    /// The first choice of a step and a row of the chords.
    private static let step = 10
    private static let row = 2

    /// When the finger is down, in milliseconds from the hint's start.
    private var touches: [ClosedRange<Int64>] {
        switch self {
        case .tap, .play, .menu, .page: [800...1000]
        case .drag: [800...1900]
        case .hold: [800...2200]
        case .doubleTap: [800...950, 1150...1300]
        // The note is there already.
        case .off: [1400...1600]
        }
    }

    /// When the finger moves, in milliseconds from the hint's start.
    private var way: ClosedRange<Int64> {
        switch self {
        case .drag: 900...1800
        case .hold: 1500...2100
        case .tap, .doubleTap, .play, .menu, .page, .off: 800...801
        }
    }

    /// Position of the finger `milliseconds` after the hint's start: the top left of its four LEDs.
    private func finger(
        at milliseconds: Int64, _ gesture: Gesture?, _ window: StepWindow
    ) -> (column: Int, row: Int) {
        switch self {
        case .play: return (1, 0)
        case .menu: return (1, 1)
        case .page: return (2, Track.melody.rows.lowerBound + 2)
        case .tap, .drag, .hold, .doubleTap, .off:
            guard let gesture else { return (0, 0) }
            let row = gesture.track.rows.upperBound - 1 - gesture.start.row
            let part = Float(milliseconds - way.lowerBound) / Float(way.upperBound - way.lowerBound)
            let (start, end) = (
                window.column(ofStep: gesture.start.step), window.column(ofStep: gesture.end.step)
            )
            return (start + Int((Float(end - start) * min(max(part, 0), 1)).rounded()), row)
        }
    }

    /// A hint in progress.
    struct Show: Hashable, Sendable {
        let hint: Hint
        let since: Instant
        /// Its gesture, and the cells that it would write.
        private let gesture: Gesture?
        private let placements: [Placement]

        /// `hint`, shown from `since` on to a player of `state`.
        init(_ hint: Hint, since: Instant, _ state: Instrument.State) {
            self.hint = hint
            self.since = since
            gesture = hint.gesture(state)
            var placements: [Placement] = []
            gesture?.write(&placements, over: state.session.composition.pattern)
            self.placements = placements
        }

        /// Draws the hint over the grid.
        func draw(into frame: inout Frame, origin: Int, _ state: Instrument.State, at now: Instant) {
            let elapsed = (now - since).microseconds / 1000
            let touches = hint.touches
            let isDown = touches.contains { $0.contains(elapsed) }
            let place = hint.finger(at: elapsed, gesture, state.window)
            // Notes appear with the finger; the second tap of a double tap erases them. Those of OFF are there from the
            // start, and the finger removes them.
            let isShown =
                switch hint {
                case .off: elapsed < touches[0].upperBound
                case .doubleTap: elapsed >= touches[0].lowerBound && elapsed < touches[1].lowerBound
                default: elapsed >= touches[0].lowerBound
                }
            if isShown, let gesture {
                let map = gesture.map
                for placement in placements {
                    guard let row = map.row(of: placement.note) else { continue }
                    let column = state.window.column(ofStep: placement.step)
                    if column > place.column { continue }
                    frame.blend(
                        origin + column, gesture.track.rows.upperBound - 1 - row,
                        towards: Palette.note(placement.note, state.session.colourMode), 0.55)
                }
            }
            // The hint fades in and out.
            let edge = Float(min(elapsed, Hint.life.microseconds / 1000 - elapsed)) / 400
            let alpha = (isDown ? 0.9 : 0.35) * min(max(edge, 0), 1)
            for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                frame.blend(origin + place.column + x, place.row + y, towards: .white, alpha)
            }
            Tooltip(line: hint.line, since: since).draw(into: &frame, origin: origin, at: now)
        }
    }
}

/// The hints whose actions the player has not done.
public struct HintSet: OptionSet, Hashable, Sendable {
    /// A bit for each, in the order in which they are shown.
    public let rawValue: Int

    /// The set of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    init(_ hint: Hint) { self.init(rawValue: 1 << hint.rawValue) }

    /// All hints.
    public static let all = HintSet(rawValue: (1 << Hint.allCases.count) - 1)

    /// The first six hints: the hints of versions that only counted them.
    private static let counted = HintSet(rawValue: (1 << counts.upperBound) - 1)

    /// The last `count` of the first six hints, and all later ones; none if `count` is 0.
    public static func last(_ count: Int) -> HintSet {
        count == 0 ? [] : all.subtracting(HintSet(rawValue: (1 << (counts.upperBound - count)) - 1))
    }

    /// Number of the first six hints that are in the set.
    public var count: Int { intersection(.counted).rawValue.nonzeroBitCount }
    /// Range of `count`.
    public static let counts = 0...6

    /// The first hint of the set from `hint` on.
    func first(from hint: Int) -> Hint? { Hint.allCases.dropFirst(hint).first { contains(HintSet($0)) } }
}

extension Instrument {
    /// The hints for a player who has not found everything: one after another while nobody touches the panel.
    struct Hints: Sendable {
        /// The hint on the panel.
        private(set) var shown: Hint.Show?
        /// Number of the hint from which on the next one of the round is taken.
        private var next = 0
        /// Idle time before it.
        private var wait = Hint.pause
        /// Time of the last touch; nil before the first event.
        private var untouchedSince: Instant?

        /// Somebody is there: a round begins with the first hint, after one pause.
        mutating func begin(at now: Instant) {
            self = Hints()
            untouchedSince = now
        }

        /// Counts the idle time from `now` on if it is the first event.
        mutating func start(at now: Instant) {
            if untouchedSince == nil { untouchedSince = now }
        }

        /// Ends the round of the shown hint, because the player touched the box.
        mutating func wake(at now: Instant) {
            if shown != nil { (next, wait) = (0, Hint.rest) }
            shown = nil
            untouchedSince = now
        }

        /// Removes the shown hint when its time is over.
        mutating func expire(at now: Instant) {
            guard let last = shown, now - last.since >= Hint.life else { return }
            shown = nil
            untouchedSince = last.since + Hint.life
            (next, wait) = (last.hint.rawValue + 1, Hint.pause)
        }

        /// The hint of `due` whose idle time is over at `now`, and since when; nil for none. While the panel is not
        /// `free` for one, the time begins anew.
        mutating func dueHint(of due: HintSet, isFree: Bool, at now: Instant) -> (hint: Hint, since: Instant)? {
            guard !due.isEmpty, shown == nil, let untouched = untouchedSince else { return nil }
            guard isFree else {
                untouchedSince = now
                return nil
            }
            guard let hint = due.first(from: next) else {
                (next, wait) = (0, Hint.rest)
                return nil
            }
            return now - untouched >= wait ? (hint, untouched + wait) : nil
        }

        /// Shows a hint.
        mutating func show(_ show: Hint.Show) { shown = show }
    }

    /// Shows the next hint after enough idle time, and removes the current one when its time is over.
    mutating func advanceHints() {
        state.hints.expire(at: now)
        var due = state.session.hintsDue
        // Under the rules of the phone a tap removes nothing.
        if state.rules == .phone { due.remove(HintSet(.off)) }
        let isFree =
            state.view.screen == .grid && !state.session.isMenuOpen && !state.isPlaying && state.box.stickPrompt == nil
            && state.view.tooltip == nil && !state.view.keys.isShown
            && state.fingers.contacts.allSatisfy { $0.role == nil }
        guard let next = state.hints.dueHint(of: due, isFree: isFree, at: now) else { return }
        state.hints.show(Hint.Show(next.hint, since: next.since, state))
    }

    /// Shows all hints again.
    mutating func showHints() {
        state.session.hintsDue = .all
        state.session.isMenuOpen = false
        show(.grid)
        state.hints.begin(at: now)
    }

    /// Shows `hint` no more: the player has done it.
    mutating func follow(_ hint: Hint) {
        state.session.hintsDue.remove(HintSet(hint))
    }

    /// Shows the hint of `gesture` no more.
    mutating func follow(_ gesture: Gesture) {
        switch gesture.shape {
        case .tap where !gesture.isHeld: follow(Hint.tap)
        case .tap, .accent, .sustain, .longStack, .move: follow(Hint.hold)
        case .removal: follow(Hint.off)
        case .nothing: break
        case .run, .arpeggio, .walk, .roll, .stack, .fifth, .multi, .phrase, .fill, .line: follow(Hint.drag)
        }
    }
}
