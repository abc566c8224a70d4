/// The scales, as semitones above the root (SPEC 3).
public enum Scale: Int, CaseIterable, Sendable {
    /// Major.
    case major
    /// Natural minor.
    case minor
    /// Major pentatonic.
    case penta

    /// Semitones above the root, ascending.
    public var intervals: [Int] { Scale.intervals[rawValue] }

    /// Name in files and on the panel.
    public var name: String { ["major", "minor", "penta"][rawValue] }

    private static let intervals = [[0, 2, 4, 5, 7, 9, 11], [0, 2, 3, 5, 7, 8, 10], [0, 2, 4, 7, 9]]
}

/// A scale on a root: the key of the whole pattern.
public struct Tonality: Hashable, Sendable {
    /// Pitch class of the root, 0 (C) to 11 (B).
    public var root: Int
    /// The scale on the root.
    public var scale: Scale

    /// `scale` on `root`.
    public init(root: Int = 0, scale: Scale = .major) {
        precondition((0..<12).contains(root))
        self.root = root
        self.scale = scale
    }

    /// Names of the pitch classes from C, as in files.
    public static let rootNames = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

    /// The panel's text, such as `C♯ MINOR`.
    var title: String {
        let name = Tonality.rootNames[root].map { $0 == "#" ? "♯" : $0 }
        return String(name) + " " + scale.name.uppercased()
    }

    /// Whether `note` is in the scale.
    func contains(_ note: Int) -> Bool { scale.intervals.contains((note + 24 - root) % 12) }

    /// `note` if it is in the scale, else the nearest note that is; of two, the higher.
    func snap(_ note: Int) -> Int {
        for distance in 0...5 {
            if contains(note + distance) { return (note + distance) % 12 }
            if contains(note + 12 - distance) { return (note + 12 - distance) % 12 }
        }
        return note
    }

    /// The scale degree of `note`, 0 for the root; 0 also if it is not in the scale.
    func place(of note: Int) -> Int { scale.intervals.firstIndex(of: (note + 12 - root) % 12) ?? 0 }

    /// The note at scale degree `place`, 0 for the root; degrees wrap around.
    func note(atPlace place: Int) -> Int {
        let count = scale.intervals.count
        return (root + scale.intervals[(place % count + count) % count]) % 12
    }

    /// Semitones of the triad that a tap on the chord track writes.
    var triad: [Int] { scale == .minor ? [0, 3, 7] : [0, 4, 7] }

    /// Semitones of the major seventh chord, ascending.
    static let majorSeventh = [0, 4, 7, 11]
}
