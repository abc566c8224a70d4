/// The lanes of a pattern: for each track and lane a value or none for each of 32 steps. Without values it takes no
/// memory.
public struct Lanes: Hashable, Sendable {
    /// By track, lane and step; empty if no step has a value.
    private var values: [Int16] = []

    private static let none = Int16.min
    private static let count = Track.allCases.count * Lane.allCases.count * Pattern.steps

    /// No values.
    public init() {}

    /// Whether no step has a value.
    public var isEmpty: Bool { values.isEmpty }

    /// The value of `lane` at `step`, 0-31, of `track`, within the lane's range; nil for none.
    public subscript(track: Track, lane: Lane, step step: Int) -> Int? {
        get {
            if values.isEmpty { return nil }
            let value = values[Self.index(track, lane, step)]
            return value == Self.none ? nil : Int(value)
        }
        set {
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
        !values.isEmpty && values[Self.range(track, lane)].contains { $0 != Self.none }
    }

    /// Whether `lane` of `track` has the same values as in `other`.
    public func isSame(_ track: Track, _ lane: Lane, as other: Lanes) -> Bool {
        if values.isEmpty || other.values.isEmpty { return has(track, lane) == other.has(track, lane) }
        return Self.range(track, lane).allSatisfy { values[$0] == other.values[$0] }
    }

    /// Whether `track` has a value in a lane.
    public func has(_ track: Track) -> Bool { !values.isEmpty && Lane.allCases.contains { has(track, $0) } }

    /// Whether a lane of `track` has a value at `step`.
    public func has(_ track: Track, step: Int) -> Bool {
        !values.isEmpty && Lane.allCases.contains { self[track, $0, step: step] != nil }
    }

    /// Removes the values of `lane` of `track`.
    public mutating func clear(_ track: Track, _ lane: Lane) {
        if values.isEmpty { return }
        for index in Self.range(track, lane) { values[index] = Self.none }
        freeIfEmpty()
    }

    /// Removes the values of `track`.
    public mutating func clear(_ track: Track) {
        for lane in Lane.allCases where has(track, lane) { clear(track, lane) }
    }

    /// Replaces the values of `track` by those of `other`.
    mutating func copy(_ track: Track, from other: Lanes) {
        guard other.has(track) else { return clear(track) }
        if values.isEmpty { values = [Int16](repeating: Self.none, count: Self.count) }
        for lane in Lane.allCases {
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
        return (track.rawValue * Lane.allCases.count + lane.index) * Pattern.steps + step
    }

    private static func range(_ track: Track, _ lane: Lane) -> Range<Int> {
        let start = index(track, lane, 0)
        return start..<start + Pattern.steps
    }
}
