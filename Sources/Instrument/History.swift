/// Undo and redo of the music and of its sound, at most `levels` deep.
public struct History: Hashable, Sendable {
    /// Maximum number of undo steps.
    public static let levels = 50

    /// The music before each action, oldest first.
    public private(set) var past: [Step] = []
    /// The music that undo left; the last is the next to redo.
    public private(set) var future: [Step] = []

    /// The music on the other side of an action.
    public struct Step: Hashable, Sendable {
        /// The composition, whole.
        public var composition: Composition
        /// The values of the sound that the action changed. Undoing a note never moves a fader.
        public var sound: SoundChange
        /// The scene whose own sound has these values; nil for the tune's.
        public var owner: Int?
        /// The own sound that the action gave to a scene, or took from it, whole; nil for an action that did neither.
        public var own: OwnSound?
        /// The action's word on the panel: letters of its font, at most `wordMax`; empty for an action of a library
        /// without words.
        public var word: String

        /// Maximum letters of a word.
        public static let wordMax = 16

        /// The side with `composition` and `sound`, the values of `owner`, of the action `word`.
        public init(
            _ composition: Composition, sound: SoundChange = SoundChange(), of owner: Int? = nil,
            own: OwnSound? = nil, word: String = ""
        ) {
            (self.composition, self.sound, self.owner, self.own, self.word) = (composition, sound, owner, own, word)
        }
    }

    /// Whether a scene has its own sound on one side of an action, and which.
    public struct OwnSound: Hashable, Sendable {
        /// The scene, 0 to 7.
        public var slot: Int
        /// Its own sound; nil if it plays with the tune's.
        public var sound: SceneSound?

        /// The own `sound` of scene `slot`.
        public init(slot: Int, sound: SceneSound?) { (self.slot, self.sound) = (slot, sound) }
    }

    /// Identifies one recorded action.
    struct Action: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// The action that followed each of `past`; 0 for one that can no longer be extended.
    private var numbers: [Int] = []
    private var newest = 0
    /// Number of changes so far.
    private(set) var revision = 0
    /// The redo steps that the newest action discarded, and the oldest undo step it displaced. They allow removing the
    /// action without a trace.
    private var dropped: (future: [Step], oldest: Step?)?

    /// An empty history.
    public init() {}

    /// A history with these undo and redo steps; only the newest `levels` of each are kept.
    public init(past: [Step], future: [Step]) {
        self.past = past.suffix(History.levels)
        self.future = future.suffix(History.levels)
        numbers = [Int](repeating: 0, count: self.past.count)
    }

    /// Records that an action has replaced `before`, and discards the redo steps.
    mutating func record(_ before: Step) -> Action {
        let isFull = past.count == History.levels
        let oldest = isFull ? past.removeFirst() : nil
        if isFull { numbers.removeFirst() }
        newest += 1
        revision += 1
        past.append(before)
        numbers.append(newest)
        dropped = (future, oldest)
        future.removeAll()
        return Action(number: newest)
    }

    /// Whether `action` is the newest change of the history.
    func isNewest(_ action: Action) -> Bool { numbers.last == action.number }

    /// Makes `change` a part of `action`, also where others followed it: it then changes the compositions after
    /// `action`. Returns false, and changes nothing, if `action` was undone or other actions were undone since.
    mutating func extend(_ action: Action, by change: (inout Composition) -> Void) -> Bool {
        guard let place = numbers.lastIndex(of: action.number) else { return false }
        for later in past.indices[(place + 1)...] { change(&past[later].composition) }
        revision += 1
        return true
    }

    /// Makes `change`, values of the sound of `owner` before it, a part of `action`, if that is the newest and no other
    /// sound's. Returns false, and changes nothing, if it is not.
    mutating func extend(_ action: Action, by change: SoundChange, of owner: Int?) -> Bool {
        guard isNewest(action), let before = past.last, before.own == nil, before.owner == owner || before.sound.isEmpty
        else { return false }
        past[past.count - 1].sound.add(change)
        past[past.count - 1].owner = owner
        revision += 1
        return true
    }

    /// Names `action` by `word`, if it can still be undone.
    mutating func name(_ action: Action, _ word: String) {
        if let place = numbers.lastIndex(of: action.number) { past[place].word = word }
    }

    /// The word of `action`; nil if it cannot be undone any more.
    func word(of action: Action) -> String? { numbers.lastIndex(of: action.number).map { past[$0].word } }

    /// Removes `action`, if it is the newest change, and restores the redo steps it discarded.
    mutating func remove(_ action: Action) {
        guard isNewest(action), let dropped else { return }
        past.removeLast()
        numbers.removeLast()
        revision += 1
        future = dropped.future
        if let oldest = dropped.oldest {
            past.insert(oldest, at: 0)
            numbers.insert(0, at: 0)
        }
        self.dropped = nil
    }

    /// Returns to the steps of `earlier`, a former state of this history. Numbers of actions are not used again.
    mutating func restore(_ earlier: History) {
        let (newest, revision) = (newest, revision)
        self = earlier
        self.newest = newest
        self.revision = revision + 1
    }

    /// Undoes one action: `session` has the music before it. Returns the action's word; nil if there is none to undo.
    /// The sound stays if it is not the history's to restore.
    static func undo(in session: inout Session, withSound: Bool) -> String? {
        guard let before = session.history.past.popLast() else { return nil }
        session.history.future.append(session.exchange(with: before, withSound: withSound))
        session.history.endActions()
        return before.word
    }

    /// Redoes one action: `session` has the music after it. Returns the action's word; nil if there is none to redo.
    /// The sound stays if it is not the history's to restore.
    static func redo(in session: inout Session, withSound: Bool) -> String? {
        guard let after = session.history.future.popLast() else { return nil }
        session.history.past.append(session.exchange(with: after, withSound: withSound))
        session.history.endActions()
        return after.word
    }

    /// Ends all recorded actions: what extended one would be lost by redo.
    private mutating func endActions() {
        numbers = [Int](repeating: 0, count: past.count)
        revision += 1
        dropped = nil
    }

    /// Whether both have the same undo and redo steps.
    public static func == (lhs: History, rhs: History) -> Bool { lhs.past == rhs.past && lhs.future == rhs.future }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(past)
        hasher.combine(future)
    }
}

extension Session {
    /// Replaces the music by `step`. Returns the step on the other side of the same action.
    fileprivate mutating func exchange(with step: History.Step, withSound: Bool) -> History.Step {
        var other = step
        other.composition = composition
        composition = step.composition
        // A library that has lost steps may have them of a scene without its own sound.
        if step.owner.map(sounds.isOwn) ?? true {
            other.sound = sounds[of: step.owner].settings.values(at: step.sound)
            if withSound { sounds[of: step.owner].settings.restore(step.sound) }
        }
        // It comes and goes with its scene.
        other.own = step.own.map { exchange($0) }
        return other
    }

    /// Gives the scene of `own` that sound. Returns what it had.
    mutating func exchange(_ own: History.OwnSound) -> History.OwnSound {
        defer { sounds[own: own.slot] = own.sound }
        return History.OwnSound(slot: own.slot, sound: sounds[own: own.slot])
    }
}
