/// Undo and redo over compositions, at most `levels` deep.
public struct History: Hashable, Sendable {
    /// Maximum number of undo steps.
    public static let levels = 50

    /// Compositions before each action, oldest first.
    public private(set) var past: [Composition] = []
    /// Compositions that undo left; the last is the next to redo.
    public private(set) var future: [Composition] = []

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
    private var dropped: (future: [Composition], oldest: Composition?)?

    /// An empty history.
    public init() {}

    /// A history with these undo and redo compositions; only the newest `levels` of each are kept.
    public init(past: [Composition], future: [Composition]) {
        self.past = past.suffix(History.levels)
        self.future = future.suffix(History.levels)
        numbers = [Int](repeating: 0, count: self.past.count)
    }

    /// Records that an action has replaced `before`, and discards the redo steps.
    mutating func record(_ before: Composition) -> Action {
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
        for later in past.indices[(place + 1)...] { change(&past[later]) }
        revision += 1
        return true
    }

    /// Removes `action` and restores the redo steps it discarded. Returns the composition before it; nil if it is not
    /// the newest change.
    mutating func takeBack(_ action: Action) -> Composition? {
        guard isNewest(action), let dropped, let before = past.popLast() else { return nil }
        numbers.removeLast()
        revision += 1
        future = dropped.future
        if let oldest = dropped.oldest {
            past.insert(oldest, at: 0)
            numbers.insert(0, at: 0)
        }
        self.dropped = nil
        return before
    }

    /// Returns to the steps of `earlier`, a former state of this history. Numbers of actions are not used again.
    mutating func restore(_ earlier: History) {
        let (newest, revision) = (newest, revision)
        self = earlier
        self.newest = newest
        self.revision = revision + 1
    }

    /// Undoes one action. Returns the composition before it; nil if there is none.
    mutating func undo(from current: Composition) -> Composition? {
        guard let before = past.popLast() else { return nil }
        future.append(current)
        endActions()
        return before
    }

    /// Redoes one action. Returns the composition after it; nil if there is none.
    mutating func redo(from current: Composition) -> Composition? {
        guard let after = future.popLast() else { return nil }
        past.append(current)
        endActions()
        return after
    }

    /// Ends all recorded actions: what extended one would be lost by redo.
    private mutating func endActions() {
        numbers = [Int](repeating: 0, count: past.count)
        revision += 1
        dropped = nil
    }

    /// Whether both have the same undo and redo compositions.
    public static func == (lhs: History, rhs: History) -> Bool { lhs.past == rhs.past && lhs.future == rhs.future }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(past)
        hasher.combine(future)
    }
}
