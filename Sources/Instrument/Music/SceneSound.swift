/// A sound with its muted tracks: the tune's, or a scene's own.
public struct SceneSound: Hashable, Sendable {
    /// The values of the sound sheet.
    public var settings: SoundSettings
    /// The muted tracks.
    public var muted: TrackSet

    /// The sound of `settings`.
    public init(_ settings: SoundSettings = SoundSettings(), muted: TrackSet = TrackSet()) {
        (self.settings, self.muted) = (settings, muted)
    }
}

/// The sounds of a tune: the one that its scenes share, and those of the scenes that have their own (docs/spec.md,
/// section 14).
public struct TuneSounds: Hashable, Sendable {
    /// The sound of the tune: of every scene without its own, and of a pattern that belongs to no scene.
    public var tune: SceneSound
    /// The own sounds by scene, plain where a scene has none; no element while no scene has one.
    private var scenes: [SceneSound] = []
    /// The scenes that have their own sound, one bit each.
    private var owners: UInt8 = 0

    /// The sound `tune` for all scenes.
    public init(_ tune: SceneSound = SceneSound()) { self.tune = tune }

    /// Whether scene `slot`, 0 to 7, has its own sound.
    public func isOwn(_ slot: Int) -> Bool { owners >> UInt8(slot) & 1 == 1 }

    /// Whether any scene has its own sound.
    public var hasOwn: Bool { owners != 0 }

    /// The own sound of scene `slot`, 0 to 7; nil if it has none.
    public subscript(own slot: Int) -> SceneSound? {
        get { isOwn(slot) ? scenes[slot] : nil }
        set {
            if scenes.isEmpty { scenes = [SceneSound](repeating: SceneSound(), count: Scenes.count) }
            scenes[slot] = newValue ?? SceneSound()
            owners = owners & ~(1 << UInt8(slot)) | (newValue == nil ? 0 : 1 << UInt8(slot))
            if owners == 0 { scenes = [] }
        }
    }

    /// The scene whose own sound plays in `scene`; nil for the tune's.
    public func owner(in scene: Int?) -> Int? { scene.flatMap { isOwn($0) ? $0 : nil } }

    /// The own sound of the scene `owner`, which has one, or the tune's if that is nil.
    public subscript(of owner: Int?) -> SceneSound {
        get { if let owner, isOwn(owner) { scenes[owner] } else { tune } }
        _modify {
            if let owner { yield &scenes[owner] } else { yield &tune }
        }
    }
}
