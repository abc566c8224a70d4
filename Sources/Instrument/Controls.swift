/// The controls on row 0 (docs/spec.md, section 2 and 4).
enum Control: Hashable, Sendable {
    case play, undo, redo, ghosts, slower, tapTempo, faster, shorter, length, longer, keys, fx, clear
    /// One of the scales that the other versions know.
    case scale(Scale)
    case root(Int)

    /// The control's columns.
    var columns: ClosedRange<Int> {
        switch self {
        case .play: 0...2
        case .undo: 4...4
        case .redo: 5...5
        case .scale(let scale): 7 + scale.kind.rawValue...7 + scale.kind.rawValue
        case .root(let root): 11 + root...11 + root
        case .ghosts: 24...24
        case .slower: 26...26
        case .tapTempo: 27...27
        case .faster: 28...28
        case .shorter: 30...30
        case .length: 31...31
        case .longer: 32...32
        case .keys: 34...35
        case .fx: 36...37
        case .clear: 40...43
        }
    }

    /// Every control, left to right.
    static let all: [Control] =
        [.play, .undo, .redo] + scales + roots
        + [.ghosts, .slower, .tapTempo, .faster, .shorter, .length, .longer, .keys, .fx, .clear]

    /// Those that the rules of the phone know.
    private static let shared = all.filter { $0 != .keys && $0 != .fx }

    /// The control for a touch at `column` of row 0; nil for none. A touch on a dark LED counts for the nearest control
    /// at most one LED away, measured from the finger's exact position. Column 3 belongs to the menu handle; under the
    /// rules of the phone column 31 shows the length and is no control.
    static func at(column: Float, _ rules: Rules) -> Control? {
        let led = Int((column + 0.5).rounded(.down))
        if led == 3 || rules == .phone && led == 31 { return nil }
        let controls = rules == .box ? all : shared
        if let exact = controls.first(where: { $0.columns.contains(led) }) { return exact }
        let near = controls.filter { $0.columns.contains(led - 1) || $0.columns.contains(led + 1) }
        return near.min { $0.distance(from: column) < $1.distance(from: column) }
    }

    /// The choice of this control's group nearest to `column`, for a finger that slides within the group.
    func sliding(to column: Float) -> Control {
        let group: [Control]
        switch self {
        case .scale: group = Control.scales
        case .root: group = Control.roots
        case .play, .undo, .redo, .ghosts, .tapTempo, .slower, .faster, .shorter, .length, .longer, .keys, .fx, .clear:
            return self
        }
        return group.min { $0.distance(from: column) < $1.distance(from: column) } ?? self
    }

    /// Whether a finger at `column` is on the control or within one LED of it.
    func isNear(_ column: Float) -> Bool { distance(from: column) < 1.5 }

    private static let scales = Scale.shared.map { Control.scale($0) }
    private static let roots = (0..<12).map { Control.root($0) }

    private func distance(from column: Float) -> Float {
        max(Float(columns.lowerBound) - column, column - Float(columns.upperBound), 0)
    }
}
