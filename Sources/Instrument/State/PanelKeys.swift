/// The keys that the panel shows in place of the steps.
public struct PanelKeys: Hashable, Sendable {
    /// Whether the panel shows them.
    public var isShown = false
    /// The track that they play.
    public var track = Track.melody
    /// Whether notes go on when their fingers lift, until others follow.
    public var isHolding = false
    /// Whether the keys are all twelve notes, in every scale.
    public var hasAllTwelve = false

    /// Those of a new box.
    public init() {}
}

/// The effects over the steps of the panel.
public struct PanelFX: Hashable, Sendable {
    /// Whether they stay without a finger on their light.
    public var isOpen = false
    /// Whether they begin with the next step; else at once.
    public var waits = false

    /// Those of a new box.
    public init() {}
}
