/// Eight places for patterns to go back to. The current scene's pattern is the one that is played and is not held here too:
/// whatever is done to that one is done to the scene.
public struct Scenes: Hashable, Sendable {
    /// Places that there are.
    public static let count = 8

    /// The scene that the pattern that is played is; nil while it belongs to none.
    public private(set) var current: Int?
    /// The patterns of the other scenes.
    private var others: [Pattern?]

    private static let none = [Pattern?](repeating: nil, count: count)

    /// No scenes.
    public init() { others = Scenes.none }

    /// Scenes of `patterns`, at most `count`, of which `current` is played. What `patterns` has in that place does not count.
    public init(_ patterns: [Pattern?], current: Int? = nil) {
        precondition(patterns.count <= Scenes.count && current.map { (0..<Scenes.count).contains($0) } ?? true)
        self.current = current
        others = patterns + Scenes.none[patterns.count...]
        if let current { others[current] = nil }
    }

    /// Whether there is a pattern in `slot`, 0 to `count` − 1.
    public func isFilled(_ slot: Int) -> Bool { slot == current || others[slot] != nil }

    /// Whether there is a pattern in none of them.
    public var isEmpty: Bool { current == nil && others.allSatisfy { $0 == nil } }

    /// The pattern in `slot`, 0 to `count` − 1, while `played` is played; nil if it is empty.
    public func pattern(in slot: Int, playing played: Pattern) -> Pattern? { slot == current ? played : others[slot] }

    /// The patterns of all of them while `played` is played.
    public func patterns(playing played: Pattern) -> [Pattern?] {
        (0..<Scenes.count).map { pattern(in: $0, playing: played) }
    }

    /// The first scene that is filled after `slot`, or after none if that is nil, going round; nil if there is none but it.
    func next(after slot: Int?) -> Int? {
        for distance in 1...Scenes.count {
            let next = ((slot ?? Scenes.count - 1) + distance) % Scenes.count
            if next != slot, isFilled(next) { return next }
        }
        return nil
    }

    /// Copies `played`, which is played, into `slot`. If it belonged to no scene it is that one from now on.
    mutating func copy(_ played: Pattern, into slot: Int) {
        if current == nil {
            others[slot] = nil
            current = slot
        } else if slot != current {
            others[slot] = played
        }
    }

    /// Empties `slot`; a pattern that is played goes on as one that belongs to none.
    mutating func empty(_ slot: Int) {
        if slot == current { current = nil } else { others[slot] = nil }
    }

    /// Makes `slot` the current one and `played` the pattern in it. What was played stays in its scene. Does nothing if
    /// `slot` is empty or current.
    mutating func play(_ slot: Int, inPlaceOf played: inout Pattern) {
        guard slot != current, let next = others[slot] else { return }
        if let current { others[current] = played }
        others[slot] = nil
        current = slot
        played = next
    }
}
