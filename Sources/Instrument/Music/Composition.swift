/// What undo brings back: the pattern with its tempo, length and tonality, the other scenes, and whether ghosts are shown
/// (SPEC 3).
public struct Composition: Hashable, Sendable {
    /// The music that is played.
    public var pattern: Pattern
    /// Notes of other tracks are hinted at.
    public var showsGhosts: Bool
    /// The patterns to go back to.
    public var scenes: Scenes

    /// A composition of `pattern`.
    public init(pattern: Pattern = Pattern(), showsGhosts: Bool = true, scenes: Scenes = Scenes()) {
        self.pattern = pattern
        self.showsGhosts = showsGhosts
        self.scenes = scenes
    }

    /// The pattern in scene `slot`, 0 to 7; nil if that is empty.
    public subscript(scene slot: Int) -> Pattern? { scenes.pattern(in: slot, playing: pattern) }

    /// This composition, from another place in the history, for someone who plays `present`: he stays in his scene. If it is
    /// not there, what he plays goes on as a pattern that belongs to none.
    func brought(to present: Composition) -> Composition {
        var result = self
        guard scenes.current != present.scenes.current else { return result }
        if let scene = present.scenes.current, scenes.isFilled(scene) {
            result.scenes.play(scene, inPlaceOf: &result.pattern)
        } else if present.scenes.current != nil || pattern != present.pattern {
            result.scenes = Scenes(scenes.patterns(playing: pattern))
            result.pattern = present.pattern
        }
        return result
    }
}
