/// The lanes of a pattern: for each track and lane a value or none for each of 128 steps, the rows of single notes, and
/// the harmony of all tracks. Without values it takes no memory.
public struct Lanes: Hashable, Sendable {
    /// Maximum rows of single notes in a pattern.
    public static let rowsMax = 64

    /// The lane of the whole pattern: under every track it is `Lane.harmony`.
    public var harmony = Harmony()

    /// By track, lane and step; empty if no step has a value.
    private var values: [Int16] = []
    /// The rows of single notes, by ascending keys: of each its key, then its values by step. A row has a value.
    private var rows: [Int16] = []

    private static let none = Int16.min
    private static let count = Track.allCases.count * Lane.ofTracks.count * Pattern.steps

    /// No values.
    public init() {}

    /// Whether no step of a track has a value.
    public var isEmpty: Bool { values.isEmpty && rows.isEmpty }

    /// The value of `lane` at `step`, 0-127, of `track`, within the lane's range; nil for none.
    public subscript(track: Track, lane: Lane, step step: Int) -> Int? {
        get {
            if lane == .harmony { return harmony[step] }
            if values.isEmpty { return nil }
            let value = values[Self.index(track, lane, step)]
            return value == Self.none ? nil : Int(value)
        }
        set {
            if lane == .harmony { return harmony[step] = newValue }
            if values.isEmpty {
                if newValue == nil { return }
                values = [Int16](repeating: Self.none, count: Self.count)
            }
            values[Self.index(track, lane, step)] = newValue.map { Int16($0.clamped(to: lane.values)) } ?? Self.none
            if newValue == nil { freeIfEmpty() }
        }
    }

    /// Whether `lane` of `track` has a value.
    public func has(_ track: Track, _ lane: Lane) -> Bool {
        if lane == .harmony { return !harmony.isEmpty }
        return !values.isEmpty && values[Self.range(track, lane)].contains { $0 != Self.none }
    }

    /// Whether `lane` of `track` has the same values as in `other`.
    public func isSame(_ track: Track, _ lane: Lane, as other: Lanes) -> Bool {
        if values.isEmpty || other.values.isEmpty { return has(track, lane) == other.has(track, lane) }
        return Self.range(track, lane).allSatisfy { values[$0] == other.values[$0] }
    }

    /// Whether `track` has a value in a lane, or one of its notes.
    public func has(_ track: Track) -> Bool {
        !values.isEmpty && Lane.ofTracks.contains { has(track, $0) } || !places(of: track).isEmpty
    }

    /// Whether a lane of `track` has a value at `step`, or a lane of its `note`.
    public func has(_ track: Track, note: Int, step: Int) -> Bool {
        !values.isEmpty && Lane.ofTracks.contains { self[track, $0, step: step] != nil }
            || !rows.isEmpty && Lane.ofNotes.contains { self[track, $0, note: note, step: step] != nil }
    }

    /// Removes the values of `lane` of `track`; those of single notes stay.
    public mutating func clear(_ track: Track, _ lane: Lane) {
        if lane == .harmony { return harmony = Harmony() }
        if values.isEmpty { return }
        for index in Self.range(track, lane) { values[index] = Self.none }
        freeIfEmpty()
    }

    /// Removes the values of `track`, also of its notes.
    public mutating func clear(_ track: Track) {
        for lane in Lane.ofTracks where has(track, lane) { clear(track, lane) }
        clearNotes(track)
    }

    /// Replaces the values of `track` by those of `other`. Of its rows of single notes the first `room` are copied.
    mutating func copy(_ track: Track, from other: Lanes, room: Int) {
        copyNotes(track, from: other, room: room)
        guard Lane.ofTracks.contains(where: { other.has(track, $0) }) else {
            for lane in Lane.ofTracks where has(track, lane) { clear(track, lane) }
            return
        }
        if values.isEmpty { values = [Int16](repeating: Self.none, count: Self.count) }
        for lane in Lane.ofTracks {
            let range = Self.range(track, lane)
            values.replaceSubrange(range, with: other.values[range])
        }
    }

    /// Frees the memory if no value is left, so that equal lanes are equal values.
    private mutating func freeIfEmpty() {
        if values.allSatisfy({ $0 == Self.none }) { values = [] }
    }

    private static func index(_ track: Track, _ lane: Lane, _ step: Int) -> Int {
        precondition((0..<Pattern.steps).contains(step))
        return (track.rawValue * Lane.ofTracks.count + lane.index) * Pattern.steps + step
    }

    private static func range(_ track: Track, _ lane: Lane) -> Range<Int> {
        let start = index(track, lane, 0)
        return start..<start + Pattern.steps
    }
}

// MARK: Single notes

extension Lanes {
    /// A note and one of its lanes.
    public struct Row: Hashable, Sendable {
        /// The note's number on its track.
        public let note: Int
        /// The lane.
        public let lane: Lane
    }

    /// Whether a note has values.
    public var hasNotes: Bool { !rows.isEmpty }

    /// The rows of `track`: the lowest note first, its lanes in their order.
    public func rows(of track: Track) -> [Row] { places(of: track).map { row(at: $0) } }

    /// Number of rows of `track`.
    func rowCount(of track: Track) -> Int { places(of: track).count }

    /// The own value of `note` in `lane` at `step`, 0-127, of `track`; nil for none.
    public subscript(track: Track, lane: Lane, note note: Int, step step: Int) -> Int? {
        get {
            guard !rows.isEmpty, let place = place(of: Self.key(track, note, lane)) else { return nil }
            let value = rows[Self.first(place) + step]
            return value == Self.none ? nil : Int(value)
        }
    }

    /// The value with which `note` sounds: its own, or else the track's.
    public func value(_ track: Track, _ lane: Lane, note: Int, step: Int) -> Int? {
        self[track, lane, note: note, step: step] ?? self[track, lane, step: step]
    }

    /// Whether `lane` of `note` of `track` has a value.
    public func has(_ track: Track, _ lane: Lane, note: Int) -> Bool {
        !rows.isEmpty && place(of: Self.key(track, note, lane)) != nil
    }

    /// Whether `track` has no values but velocities of single notes: its notes begin and end as without values.
    func isPlain(_ track: Track) -> Bool {
        if isEmpty { return true }
        return !Lane.ofTracks.contains { has(track, $0) } && rows(of: track).allSatisfy { $0.lane == .velocity }
    }

    /// Whether a note of `track` has values in one of `lanes`.
    func hasNotes(_ track: Track, in lanes: [Lane]) -> Bool {
        places(of: track).contains { lanes.contains(row(at: $0).lane) }
    }

    /// Whether `note` has a value at `step` that decides whether or when it sounds: it has hits of its own there.
    func isTimed(_ track: Track, note: Int, step: Int) -> Bool {
        !rows.isEmpty && Lane.timed.contains { self[track, $0, note: note, step: step] != nil }
    }

    /// Whether the notes of `track` have the same values as in `other`.
    public func hasSameNotes(_ track: Track, as other: Lanes) -> Bool {
        rows[span(of: track)] == other.rows[other.span(of: track)]
    }

    /// Sets the own value of `note`, or removes it. Returns false, without a change, if that needs a new row and the
    /// pattern has no `room` for one.
    @discardableResult
    mutating func set(_ value: Int?, _ track: Track, _ lane: Lane, note: Int, step: Int, room: Int) -> Bool {
        precondition(lane.isOfNotes && track.notes.contains(note) && (0..<Pattern.steps).contains(step))
        let key = Self.key(track, note, lane)
        let next = firstPlace(from: key)
        let exists = next < rowCount && rows[next * Self.rowSize] == key
        guard let value else {
            if exists { forget(step, ofRowAt: next) }
            return true
        }
        if !exists {
            guard room > 0 else { return false }
            let empty = [key] + [Int16](repeating: Self.none, count: Pattern.steps)
            rows.insert(contentsOf: empty, at: next * Self.rowSize)
        }
        rows[Self.first(next) + step] = Int16(value.clamped(to: lane.values))
        return true
    }

    /// Removes the own values of `note` of `track`, or those of `lane` alone, at the steps from `step` on whose bits are
    /// set in `steps`, at twice their number.
    mutating func forget(_ track: Track, _ lane: Lane? = nil, note: Int, from step: Int, _ steps: UInt64) {
        for place in places(of: track).reversed() {
            let row = row(at: place)
            if row.note != note || lane ?? row.lane != row.lane { continue }
            for offset in 0..<Pattern.window where steps >> UInt64(2 * offset) & 1 == 1 {
                // The row may go with its last value.
                if forget(step + offset, ofRowAt: place) { break }
            }
        }
    }

    /// Removes the own values of `lane` of `note`.
    mutating func clear(_ track: Track, _ lane: Lane, note: Int) {
        guard let place = place(of: Self.key(track, note, lane)) else { return }
        remove(place..<place + 1)
    }

    /// Removes the own values of all notes of `track`.
    mutating func clearNotes(_ track: Track) { remove(places(of: track)) }

    /// Replaces the own values of the notes of `track` by those of `other`, of as many rows as there is `room` for.
    mutating func copyNotes(_ track: Track, from other: Lanes, room: Int) {
        if rows.isEmpty, other.rows.isEmpty { return }
        rows.replaceSubrange(span(of: track), with: other.rows[other.span(of: track)].prefix(room * Self.rowSize))
    }

    // MARK: Places of the rows

    private static let rowSize = 1 + Pattern.steps

    private var rowCount: Int { rows.count / Self.rowSize }

    /// Index of the first value of the row at `place`.
    private static func first(_ place: Int) -> Int { place * rowSize + 1 }

    private static func key(_ track: Track, _ note: Int, _ lane: Lane) -> Int16 {
        Int16(track.rawValue << 10 | (note + Pattern.octave) << 4 | lane.index)
    }

    private func row(at place: Int) -> Row {
        let key = Int(rows[place * Self.rowSize])
        return Row(note: key >> 4 & 63 - Pattern.octave, lane: Lane.ofTracks[key & 15])
    }

    /// The place of the first row whose key is `key` or higher.
    private func firstPlace(from key: Int16) -> Int {
        (0..<rowCount).first { rows[$0 * Self.rowSize] >= key } ?? rowCount
    }

    private func place(of key: Int16) -> Int? {
        let place = firstPlace(from: key)
        return place < rowCount && rows[place * Self.rowSize] == key ? place : nil
    }

    private func places(of track: Track) -> Range<Int> {
        if rows.isEmpty { return 0..<0 }
        return firstPlace(from: Int16(track.rawValue << 10))..<firstPlace(from: Int16((track.rawValue + 1) << 10))
    }

    private func span(of track: Track) -> Range<Int> {
        let places = places(of: track)
        return places.lowerBound * Self.rowSize..<places.upperBound * Self.rowSize
    }

    /// Removes the value of a row at `step`; returns whether the row went with it.
    @discardableResult
    private mutating func forget(_ step: Int, ofRowAt place: Int) -> Bool {
        let first = Self.first(place)
        rows[first + step] = Self.none
        guard rows[first..<first + Pattern.steps].allSatisfy({ $0 == Self.none }) else { return false }
        remove(place..<place + 1)
        return true
    }

    private mutating func remove(_ places: Range<Int>) {
        rows.removeSubrange(places.lowerBound * Self.rowSize..<places.upperBound * Self.rowSize)
    }
}

extension Lane {
    /// The lanes of which single notes may have values of their own: all but slide and the offsets.
    public static let ofNotes: [Lane] = [.velocity, .chance, .when, .ratchet, .ramp, .gate, .shift]

    /// Those of them that decide whether and when a note sounds.
    static let timed: [Lane] = [.chance, .when, .ratchet, .shift]

    /// Whether single notes may have values of their own.
    public var isOfNotes: Bool { index <= Lane.shift.index }
}
