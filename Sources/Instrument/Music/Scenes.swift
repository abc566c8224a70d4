/// Eight slots for patterns. The current scene's pattern is the one being played and is not stored here: changes to it
/// are changes to the scene.
public struct Scenes: Hashable, Sendable {
    /// Number of slots.
    public static let count = 8

    /// The slot of the current pattern; nil while it belongs to none.
    public private(set) var current: Int?
    /// The patterns of the other scenes.
    private var others: [Pattern?]

    private static let none = [Pattern?](repeating: nil, count: count)

    /// No scenes.
    public init() { others = Scenes.none }

    /// Scenes of `patterns`, at most `count`; `current` is the slot being played. The pattern given for that slot is
    /// ignored.
    public init(_ patterns: [Pattern?], current: Int? = nil) {
        precondition(patterns.count <= Scenes.count && current.map { (0..<Scenes.count).contains($0) } ?? true)
        self.current = current
        others = patterns + Scenes.none[patterns.count...]
        if let current { others[current] = nil }
    }

    /// Whether `slot`, 0 to `count` − 1, contains a pattern.
    public func isFilled(_ slot: Int) -> Bool { slot == current || others[slot] != nil }

    /// Whether no slot contains a pattern.
    public var isEmpty: Bool { current == nil && others.allSatisfy { $0 == nil } }

    /// The pattern in `slot`, 0 to `count` − 1, if `played` is the current pattern; nil if the slot is empty.
    public func pattern(in slot: Int, playing played: Pattern) -> Pattern? { slot == current ? played : others[slot] }

    /// The patterns of all slots, if `played` is the current pattern.
    public func patterns(playing played: Pattern) -> [Pattern?] {
        (0..<Scenes.count).map { pattern(in: $0, playing: played) }
    }

    /// The first filled slot after `slot`, cyclically; from the first slot on if `slot` is nil. Nil if no other slot is
    /// filled.
    func next(after slot: Int?) -> Int? {
        for distance in 1...Scenes.count {
            let next = ((slot ?? Scenes.count - 1) + distance) % Scenes.count
            if next != slot, isFilled(next) { return next }
        }
        return nil
    }

    /// Copies `played`, the current pattern, into `slot`. If it belonged to no scene, `slot` becomes current.
    mutating func copy(_ played: Pattern, into slot: Int) {
        if current == nil {
            others[slot] = nil
            current = slot
        } else if slot != current {
            others[slot] = played
        }
    }

    /// The first empty slot after the current one, cyclically; nil if all are filled.
    var firstEmpty: Int? {
        (1...Scenes.count).map { ((current ?? Scenes.count - 1) + $0) % Scenes.count }.first { !isFilled($0) }
    }

    /// Stores `pattern` in the empty `slot`. The current one stays.
    mutating func store(_ pattern: Pattern, in slot: Int) {
        precondition(!isFilled(slot))
        others[slot] = pattern
    }

    /// Replaces the content of `slot`, which is not current, by `pattern`.
    mutating func replace(_ pattern: Pattern, in slot: Int) {
        precondition(slot != current)
        others[slot] = pattern
    }

    /// Empties `slot`. If it is current, its pattern goes on and belongs to none.
    mutating func empty(_ slot: Int) {
        if slot == current { current = nil } else { others[slot] = nil }
    }

    /// Makes `slot` current and swaps its pattern into `played`. The previous pattern is stored in its own slot. Does
    /// nothing if `slot` is empty or current.
    mutating func play(_ slot: Int, inPlaceOf played: inout Pattern) {
        guard slot != current, let next = others[slot] else { return }
        if let current { others[current] = played }
        others[slot] = nil
        current = slot
        played = next
    }
}
