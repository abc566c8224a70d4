/// The part of the session that undo restores: the pattern with its tempo, length and tonality, the other scenes, their
/// order in the song, and whether ghosts are shown (docs/spec.md, section 3).
///
/// The parts that were launched alone are here too, so that they are kept, although undo does not restore them. While
/// there are some, three values say the same: the pattern that plays, the current scene's own, and the scenes. A
/// change of one corrects the others, by functions that are not inlined: they would be in hundreds of places, and make the
/// box for browsers a tenth larger.
public struct Composition: Hashable, Sendable {
    /// Whether ghosts are shown: notes of other tracks.
    public var showsGhosts: Bool
    /// The order of the scenes in the song.
    public var song: Song

    private var played: Pattern
    private var borrowed: Parts
    /// The current scene's own pattern while others' parts play; none while it plays whole. A list: a composition is
    /// copied in many places, and a second pattern in it would be in each.
    private var homes: [Pattern] = []
    private var kept: Scenes

    /// A composition whose current scene is `pattern`, with the tracks that are borrowed from other scenes by `parts`.
    /// Without a current scene there are none.
    public init(
        pattern: Pattern = Pattern(), showsGhosts: Bool = true, scenes: Scenes = Scenes(), song: Song = Song(),
        parts: Parts = Parts()
    ) {
        (played, kept, borrowed) = (pattern, scenes, parts)
        self.showsGhosts = showsGhosts
        self.song = song
        if !parts.isEmpty { mix() }
    }

    /// The pattern that plays: the current one, with the tracks that are borrowed from other scenes. A change of such a
    /// track changes its scene.
    public var pattern: Pattern {
        _read { yield played }
        _modify {
            yield &played
            writeParts()
        }
    }

    /// The current scene's own pattern.
    public var own: Pattern {
        @inline(never) get { home ?? played }
    }

    /// The patterns of the scenes.
    public var scenes: Scenes {
        _read { yield kept }
        _modify {
            yield &kept
            mixAgain()
        }
    }

    /// The scenes from which tracks of the pattern that plays are borrowed; none while the current scene plays whole.
    public var parts: Parts {
        get { borrowed }
        set {
            borrowed = newValue
            mix()
        }
    }

    /// The pattern in scene `slot`, 0 to 7; nil if that is empty.
    public subscript(scene slot: Int) -> Pattern? {
        @inline(never) get { kept.pattern(in: slot, playing: own) }
    }

    /// The current scene's own pattern without notes.
    var blank: Pattern {
        var pattern = own
        pattern.clear()
        return pattern
    }

    private var home: Pattern? {
        get { homes.first }
        set { homes = newValue.map { [$0] } ?? [] }
    }

    // MARK: Changes

    /// Replaces the music by that of `other`.
    mutating func takeMusic(of other: Composition) {
        let showsGhosts = showsGhosts
        self = other
        self.showsGhosts = showsGhosts
    }

    /// Changes the current scene's own pattern, also the parts in whose place others play.
    mutating func changeOwn(_ change: (inout Pattern) -> Void) {
        guard var own = home else { return change(&played) }
        change(&own)
        home = own
        mix()
    }

    /// Copies the pattern that plays, with borrowed tracks, into scene `slot`. If it belonged to no scene, `slot` becomes
    /// current.
    mutating func copyPattern(into slot: Int) { scenes.copy(played.settled, into: slot) }

    /// Empties scene `slot`. If it is current, the pattern that plays goes on and belongs to none.
    mutating func empty(_ slot: Int) {
        if slot == kept.current { leaveScene() }
        scenes.empty(slot)
    }

    /// Makes scene `slot` current if it is filled: it plays whole.
    mutating func play(_ slot: Int) {
        guard kept.isFilled(slot) else { return }
        endMix()
        kept.play(slot, inPlaceOf: &played)
    }

    /// Returns this composition, which comes from another point of the history, for a player of `present`. The player
    /// stays in the current scene, and with the borrowed parts. If this composition lacks that scene, the current
    /// pattern goes on and belongs to none.
    func brought(to present: Composition) -> Composition {
        var result = self
        result.endMix()
        if kept.current != present.kept.current {
            if let scene = present.kept.current, kept.isFilled(scene) {
                result.play(scene)
            } else if present.kept.current != nil || own != present.own {
                result.kept = Scenes(kept.patterns(playing: own))
                result.played = present.played.settled
            }
        }
        result.parts = present.parts
        return result
    }

    // MARK: Borrowed parts

    /// The pattern that plays belongs to no scene from now on.
    private mutating func leaveScene() {
        (played, home, borrowed) = (played.settled, nil, Parts())
    }

    /// The scenes have changed: borrowed tracks may be others.
    @inline(never)
    private mutating func mixAgain() {
        if home != nil { mix() }
    }

    /// Puts the borrowed tracks in place of the current scene's own.
    @inline(never)
    private mutating func mix() {
        let own = own
        for track in parts.tracks.tracks where kept.current == nil || parts[track] == kept.current {
            borrowed[track] = nil
        }
        (played, home) = (own, parts.isEmpty ? nil : own)
        for track in parts.tracks.tracks {
            if let slot = parts[track] { played.borrow(track, from: part(ofScene: slot)) }
        }
    }

    /// Writes the pattern that plays to the scenes to which its tracks belong. An empty scene is filled by the first
    /// change of a track that is borrowed from it.
    @inline(never)
    private mutating func writeParts() {
        guard let last = home else { return }
        var own = played
        for track in parts.tracks.tracks {
            own[origin: track] = nil
            own.copyPart(track, from: last)
        }
        home = own
        var isChanged = false
        for track in parts.tracks.tracks {
            guard let slot = parts[track] else { continue }
            var scene = part(ofScene: slot)
            if scene.hasSamePart(track, as: played) { continue }
            scene.copyPart(track, from: played)
            kept.replace(scene, in: slot)
            played.lanes.copyNotes(track, from: scene.lanes, room: Lanes.rowsMax)
            isChanged = true
        }
        guard isChanged else { return }
        // The scenes may have been empty, and have other rows of values.
        for track in parts.tracks.tracks {
            guard let slot = parts[track] else { continue }
            played[origin: track] = Pattern.Origin(of: track, in: part(ofScene: slot), inPlaceOf: own)
        }
    }
}
