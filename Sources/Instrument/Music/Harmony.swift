/// The harmony of a pattern: degrees of its scale by which the notes of all melodic tracks sound higher, for each of 128
/// steps a value or none (docs/spec.md, section 12). A value holds until the next one; before the first it is 0.
public struct Harmony: Hashable, Sendable {
    /// Range of the values.
    public static let values = -7...7

    /// By step, up to the last value.
    private var degrees: [Int8] = []

    private static let none = Int8.min

    /// No values.
    public init() {}

    /// Whether no step has a value.
    public var isEmpty: Bool { degrees.isEmpty }

    /// Number of steps up to the last value.
    public var count: Int { degrees.count }

    /// The value of `step`, 0-127, within `values`; nil for none.
    public subscript(step: Int) -> Int? {
        get { step < degrees.count && degrees[step] != Self.none ? Int(degrees[step]) : nil }
        set {
            precondition((0..<Pattern.steps).contains(step))
            while degrees.count <= step { degrees.append(Self.none) }
            degrees[step] = newValue.map { Int8($0.clamped(to: Self.values)) } ?? Self.none
            while degrees.last == Self.none { degrees.removeLast() }
        }
    }

    /// The degrees by which notes that begin at `step` sound higher: the last value up to there.
    public func degree(at step: Int) -> Int {
        Int(degrees.prefix(step + 1).last { $0 != Self.none } ?? 0)
    }

    /// Copies the values of `steps` to as many from `target` on, whose degrees are then the same; `moves` removes those
    /// of `steps`. What follows a changed step keeps its degree.
    mutating func copy(_ steps: Range<Int>, to target: Int, moves: Bool = false) {
        if isEmpty { return }
        let first = degree(at: steps.lowerBound)
        let copied: [Int?] = [first] + steps.dropFirst().map { self[$0] }
        if moves { replace(from: steps.lowerBound, by: copied.map { _ in nil }) }
        replace(from: target, by: copied)
        // A value that says what holds already.
        if target == 0 ? first == 0 : degree(at: target - 1) == first { self[target] = nil }
    }

    private mutating func replace(from step: Int, by values: [Int?]) {
        let next = step + values.count
        let last = next < Pattern.steps ? degree(at: next) : nil
        for (place, value) in values.enumerated() { self[step + place] = value }
        if let last, degree(at: next) != last { self[next] = last }
    }
}

extension Pattern {
    /// The degrees of the scale by which the notes of `track` that begin at its `step` sound higher: its transposition
    /// and the harmony. A track with steps of its own has the harmony of the step with which its own one begins in the
    /// first turn, a borrowed one that of its scene.
    func degrees(of track: Track, at step: Int) -> Int {
        let (shape, harmony) = (self[shape: track], self[origin: track]?.harmony ?? lanes.harmony)
        if track == .rhythm || harmony.isEmpty { return track == .rhythm ? 0 : shape.transposition }
        let place = shape.direction == .back ? max(0, length(of: track) - 1 - step) : step
        let whole = place * shape.division.twelfths / HeardRound.twelfths % wholeLength(of: track)
        return shape.transposition + harmony.degree(at: whole)
    }

    /// Whether notes of `track` sound elsewhere than where they are written.
    func isMoved(_ track: Track) -> Bool {
        let shape = self[shape: track]
        return track != .rhythm
            && (shape.transposition != 0 || shape.voicing != .root
                || !(self[origin: track]?.harmony ?? lanes.harmony).isEmpty)
    }

    /// Writes the notes of `track` where they sound, without transposition and voicing.
    mutating func writeSounding(_ track: Track, of sounding: Pattern) {
        for note in track.notes { setCells(track, note: note, to: sounding.cells(track, note: note)) }
        lanes.copyNotes(track, from: sounding.lanes, room: room(for: track) + lanes.rowCount(of: track))
        (self[shape: track].transposition, self[shape: track].voicing) = (0, .root)
    }
}
