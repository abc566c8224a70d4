import Instrument

/// The scenes of a composition in one value, little-endian: the current scene (255: none); one bit for each other
/// filled scene; then those scenes, lowest first. Each has its tempo, length, root, the nearest scale (index in major,
/// minor, penta), 48 bits for the rows with content (melody 0 lowest), and eight bytes for each such row, as in the
/// column `cells`. Null if no scene is filled.
enum ScenesBlob {
    private static let none: UInt8 = 255
    private static let name = "scenes"
    /// One bit for each row.
    private static let filledBytes = CompositionRow.notes.count / 8

    static func value(of scenes: Scenes, playing played: Pattern) -> Value {
        if scenes.isEmpty { return .null }
        let others = (0..<Scenes.count).filter { $0 != scenes.current && scenes.isFilled($0) }
        let filled = others.reduce(UInt8(0)) { $0 | 1 << UInt8($1) }
        var bytes: [UInt8] = [scenes.current.map { UInt8($0) } ?? none, filled]
        for slot in others {
            guard let pattern = scenes.pattern(in: slot, playing: played) else { continue }
            write(pattern, to: &bytes)
        }
        return .blob(bytes)
    }

    private static func write(_ pattern: Pattern, to bytes: inout [UInt8]) {
        let tonality = pattern.tonality
        let scale = tonality.scale.nearestShared.kind.rawValue
        bytes += [pattern.tempo.nearestShared, Pattern.nearestSharedLength(to: pattern.length), tonality.root, scale]
            .map { UInt8($0) }
        let cells = CompositionRow.notes.map { pattern.cells($0.track, note: $0.note, window: 0) }
        let filled = cells.indices.reduce(UInt64(0)) { cells[$1] == 0 ? $0 : $0 | 1 << UInt64($1) }
        withUnsafeBytes(of: filled.littleEndian) { bytes += $0.prefix(filledBytes) }
        for row in cells where row != 0 { withUnsafeBytes(of: row.littleEndian) { bytes += $0 } }
    }

    static func scenes(_ fields: inout Fields) throws -> Scenes {
        guard var bytes = try fields.orNull({ try $0.bytes(name)[...] }) else { return Scenes() }
        guard let current = bytes.popFirst(), let others = bytes.popFirst(), current == none || current < Scenes.count
        else { throw fields.refused(name, "do not say which is played") }
        guard current != none || others != 0 else { throw fields.refused(name, "are none") }
        var patterns: [Pattern?] = []
        for slot in 0..<Scenes.count {
            guard others >> UInt8(slot) & 1 == 1 else {
                patterns.append(nil)
                continue
            }
            guard slot != current else { throw fields.refused(name, "have one that is played and put away") }
            guard let pattern = read(&bytes) else { throw fields.refused(name, "have no pattern in place \(slot)") }
            patterns.append(pattern)
        }
        guard bytes.isEmpty else { throw fields.refused(name, "go on after the last") }
        return Scenes(patterns, current: current == none ? nil : Int(current))
    }

    /// Reads the next pattern from `bytes`; nil if it is invalid or not in the form of `write`.
    private static func read(_ bytes: inout ArraySlice<UInt8>) -> Pattern? {
        guard let bpm = bytes.popNumber(1).map({ Int($0) }), let length = bytes.popNumber(1).map({ Int($0) }),
            let root = bytes.popNumber(1).map({ Int($0) }),
            let scale = bytes.popNumber(1).map({ Int($0) }), Scale.shared.indices.contains(scale),
            let filled = bytes.popNumber(filledBytes), Tempo.shared.contains(bpm),
            Pattern.sharedLengths.contains(length),
            (0...11).contains(root)
        else { return nil }
        var pattern = Pattern()
        pattern.tempo = Tempo(bpm)
        pattern.length = length
        pattern.tonality = Tonality(root: root, scale: Scale.shared[scale])
        for (place, row) in CompositionRow.notes.enumerated() where filled >> UInt64(place) & 1 == 1 {
            guard let cells = bytes.popNumber(CompositionRow.bytesPerNote), cells != 0 else { return nil }
            pattern.setCells(row.track, note: row.note, window: 0, to: cells)
        }
        return pattern
    }
}

extension ArraySlice<UInt8> {
    /// Removes the first `count` bytes and returns their little-endian number; nil if there are fewer.
    mutating func popNumber(_ count: Int) -> UInt64? {
        guard self.count >= count else { return nil }
        defer { self = dropFirst(count) }
        return prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
