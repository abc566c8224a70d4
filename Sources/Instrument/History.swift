/// Undo and redo over compositions, `levels` deep.
public struct History: Hashable, Sendable {
    /// Steps that can be undone.
    public static let levels = 50

    /// Compositions before each action, oldest first.
    public private(set) var past: [Composition] = []
    /// Compositions that undo left, the next to redo last.
    public private(set) var future: [Composition] = []

    /// Names one recorded action.
    struct Action: Hashable, Sendable {
        fileprivate let number: Int
    }

    private var newest = 0
    /// The redo tail that the newest action dropped, and the level that made room for it, so that the action can be
    /// taken back without a trace.
    private var dropped: (future: [Composition], oldest: Composition?)?

    /// An empty history.
    public init() {}

    /// A history with these compositions to go back and forward to; only the newest `levels` of them count.
    public init(past: [Composition], future: [Composition]) {
        self.past = past.suffix(History.levels)
        self.future = future.suffix(History.levels)
    }

    /// Records that an action has replaced `before`; the redo tail goes.
    mutating func record(_ before: Composition) -> Action {
        let oldest = past.count == History.levels ? past.removeFirst() : nil
        past.append(before)
        dropped = (future, oldest)
        future.removeAll()
        newest += 1
        return Action(number: newest)
    }

    /// Whether nothing has happened since `action`.
    func isNewest(_ action: Action) -> Bool { action.number == newest }

    /// Takes `action` back as if it had never been, redo tail included, and gives the composition before it. Nil if
    /// it is not the newest thing in the history.
    mutating func takeBack(_ action: Action) -> Composition? {
        guard isNewest(action), let dropped, let before = past.popLast() else { return nil }
        future = dropped.future
        if let oldest = dropped.oldest { past.insert(oldest, at: 0) }
        self.dropped = nil
        return before
    }

    /// Goes one action back from `current`; nil if there is none.
    mutating func undo(from current: Composition) -> Composition? {
        guard let before = past.popLast() else { return nil }
        future.append(current)
        settle()
        return before
    }

    /// Goes one action forward from `current`; nil if there is none.
    mutating func redo(from current: Composition) -> Composition? {
        guard let after = future.popLast() else { return nil }
        past.append(current)
        settle()
        return after
    }

    /// After a move in the history no recorded action is the newest thing in it.
    private mutating func settle() {
        newest += 1
        dropped = nil
    }

    /// Whether both go back and forward to the same compositions.
    public static func == (lhs: History, rhs: History) -> Bool { lhs.past == rhs.past && lhs.future == rhs.future }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(past)
        hasher.combine(future)
    }
}
