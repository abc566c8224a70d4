import Instrument

/// Notes of a composition that the column `cells` lacks, in one value, little-endian. For each pattern with such notes:
/// its scene, or 255 for the current pattern, which comes first; a bit for each row that has content; and eight bytes
/// for each such row, as in the column `cells`. Null if there are none.
struct NotesBlob {
    /// The notes outside the middle octave in the first window: melody's lowest row first.
    static let octaves = NotesBlob(
        "octaves", in: 0..<1, Track.allCases.map { $0.notes.filter { !Pattern.middleOctave.contains($0) } })
    /// The notes of the further windows: those of the second first, and in each melody's lowest row.
    static let windows = NotesBlob("windows", in: 1..<Pattern.windows, Track.allCases.map { Array($0.notes) })

    private static let current: UInt8 = 255
    private let name: String
    private let rows: [(track: Track, note: Int, window: Int)]

    /// The notes `notes` of each track in `windows`, in the column `name`.
    private init(_ name: String, in windows: Range<Int>, _ notes: [[Int]]) {
        self.name = name
        rows = windows.flatMap { window in
            zip(Track.allCases, notes).flatMap { track, notes in notes.map { (track, $0, window) } }
        }
    }

    private var maskBytes: Int { rows.count / 8 }

    func value(of composition: Composition) -> Value {
        var bytes: [UInt8] = []
        write(composition.own, as: Self.current, to: &bytes)
        for slot in 0..<Scenes.count where slot != composition.scenes.current {
            if let pattern = composition[scene: slot] { write(pattern, as: UInt8(slot), to: &bytes) }
        }
        return bytes.isEmpty ? .null : .blob(bytes)
    }

    private func write(_ pattern: Pattern, as place: UInt8, to bytes: inout [UInt8]) {
        let cells = rows.map { pattern.cells($0.track, note: $0.note, window: $0.window) }
        guard cells.contains(where: { $0 != 0 }) else { return }
        var mask = [UInt8](repeating: 0, count: maskBytes)
        for (index, word) in cells.enumerated() where word != 0 { mask[index / 8] |= 1 << UInt8(index % 8) }
        bytes.append(place)
        bytes += mask
        for word in cells where word != 0 { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    }

    /// Adds the notes to the current pattern and the scenes of `composition`.
    func read(_ fields: inout Fields, into composition: inout Composition) throws {
        guard var rest = try fields.orNull({ try $0.bytes(name)[...] }) else { return }
        var patterns = composition.scenes.patterns(playing: composition.pattern)
        var last: Int?
        while let place = rest.popFirst() {
            let order = place == Self.current ? -1 : Int(place)
            guard order > last ?? -2, order < Scenes.count, order != composition.scenes.current,
                order < 0 || patterns[order] != nil
            else { throw fields.refused(name, "belong to no pattern") }
            last = order
            var pattern = order < 0 ? composition.pattern : patterns[order] ?? Pattern()
            guard read(&rest, into: &pattern) else { throw fields.refused(name, "end early") }
            if order < 0 { composition.pattern = pattern } else { patterns[order] = pattern }
        }
        guard last != nil else { throw fields.refused(name, "are none") }
        composition.scenes = Scenes(patterns, current: composition.scenes.current)
    }

    /// Reads the rows of one pattern; false if they are not in the form of `write`.
    private func read(_ bytes: inout ArraySlice<UInt8>, into pattern: inout Pattern) -> Bool {
        guard bytes.count >= maskBytes else { return false }
        let mask = Array(bytes.prefix(maskBytes))
        bytes = bytes.dropFirst(maskBytes)
        guard mask.contains(where: { $0 != 0 }) else { return false }
        for (index, row) in rows.enumerated() where mask[index / 8] >> UInt8(index % 8) & 1 == 1 {
            guard let word = bytes.popNumber(CompositionRow.bytesPerNote), word != 0 else { return false }
            pattern.setCells(row.track, note: row.note, window: row.window, to: word)
        }
        return true
    }
}
