import InputEvents

/// Keys of a terminal as strokes of a keyboard. Most terminals report no releases: there a key of the cursor's finger
/// is a tap, and Delete is held while it repeats.
struct TerminalKeys {
    /// Whether the terminal reports releases.
    var reportsReleases = false

    private let post: (KeyStroke, Instant) -> Void
    /// The keys that are down.
    private var held: [Key] = []
    /// When Delete was last pressed or repeated.
    private var lastErase: Instant?

    /// Maximum time until a held key begins to repeat.
    private static let repeatDelay = Instant.Span.milliseconds(700)
    /// Time without a repetition after which a key has been released.
    private static let repeatPause = Instant.Span.milliseconds(200)

    /// Keys whose strokes go to `post`.
    init(post: @escaping (KeyStroke, Instant) -> Void) { self.post = post }

    /// Handles a stroke.
    mutating func handle(_ stroke: KeyStroke, at now: Instant) {
        guard case .press(let key) = stroke, key.isHeld, !reportsReleases else { return send(stroke, at: now) }
        guard key == .erase else { return tap(key, at: now) }
        let isRepeated = lastErase.map { now - $0 < Self.repeatDelay } ?? false
        lastErase = now
        if isRepeated { send(.press(.erase), at: now) } else { tap(.erase, at: now) }
    }

    /// Releases Delete if it no longer repeats.
    mutating func endHold(at now: Instant) {
        guard !reportsReleases, held.contains(.erase), let lastErase, now - lastErase >= Self.repeatPause else {
            return
        }
        send(.release(.erase), at: now)
    }

    /// Time until `endHold` has something to do, in milliseconds; nil for never.
    func holdTimeout(at now: Instant) -> Int32? {
        guard !reportsReleases, held.contains(.erase), let lastErase else { return nil }
        let rest = (lastErase + Self.repeatPause - now).microseconds
        return Int32(max(0, (rest + 999) / 1000))
    }

    /// Withdraws all keys that are down.
    mutating func cancelAll(at now: Instant) {
        for key in held { post(.cancel(key), now) }
        held = []
    }

    private mutating func tap(_ key: Key, at now: Instant) {
        send(.press(key), at: now)
        send(.release(key), at: now)
    }

    private mutating func send(_ stroke: KeyStroke, at now: Instant) {
        switch stroke {
        case .press(let key): if key.isHeld, !held.contains(key) { held.append(key) }
        case .release(let key): held.removeAll { $0 == key }
        case .cancel, .type: break
        }
        post(stroke, now)
    }
}
