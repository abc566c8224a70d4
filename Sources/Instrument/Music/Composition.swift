/// The part of the session that undo restores: the pattern with its tempo, length and tonality, the other scenes, their
/// order in the song, and whether ghosts are shown (docs/spec.md, section 3).
public struct Composition: Hashable, Sendable {
    /// The current pattern.
    public var pattern: Pattern
    /// Whether ghosts are shown: notes of other tracks.
    public var showsGhosts: Bool
    /// The patterns of the scenes.
    public var scenes: Scenes
    /// The order of the scenes in the song.
    public var song: Song

    /// A composition of `pattern`.
    public init(
        pattern: Pattern = Pattern(), showsGhosts: Bool = true, scenes: Scenes = Scenes(), song: Song = Song()
    ) {
        self.pattern = pattern
        self.showsGhosts = showsGhosts
        self.scenes = scenes
        self.song = song
    }

    /// The pattern in scene `slot`, 0 to 7; nil if that is empty.
    public subscript(scene slot: Int) -> Pattern? { scenes.pattern(in: slot, playing: pattern) }

    /// Returns this composition, which comes from another point of the history, for a player of `present`. The player
    /// stays in the current scene. If this composition lacks that scene, the current pattern goes on and belongs to
    /// none.
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
