import Instrument

/// The notes outside the middle octave of a composition in one value, little-endian. For each pattern with such notes:
/// its scene, or 255 for the current pattern, which comes first; nine bytes with a bit for each row that has content
/// (melody's lowest first, without the middle octave's rows); and eight bytes for each such row, as in the column
/// `cells`. Null if there are none.
enum OctavesBlob {
    private static let current: UInt8 = 255
    private static let name = "octaves"
    private static let rows = Track.allCases.flatMap { track in
        track.notes.filter { !Pattern.middleOctave.contains($0) }.map { (track: track, note: $0) }
    }
    private static let maskBytes = rows.count / 8

    static func value(of composition: Composition) -> Value {
        var bytes: [UInt8] = []
        write(composition.pattern, as: current, to: &bytes)
        for slot in 0..<Scenes.count where slot != composition.scenes.current {
            if let pattern = composition[scene: slot] { write(pattern, as: UInt8(slot), to: &bytes) }
        }
        return bytes.isEmpty ? .null : .blob(bytes)
    }

    private static func write(_ pattern: Pattern, as place: UInt8, to bytes: inout [UInt8]) {
        let cells = rows.map { pattern.cells($0.track, note: $0.note) }
        guard cells.contains(where: { $0 != 0 }) else { return }
        var mask = [UInt8](repeating: 0, count: maskBytes)
        for (index, word) in cells.enumerated() where word != 0 { mask[index / 8] |= 1 << UInt8(index % 8) }
        bytes.append(place)
        bytes += mask
        for word in cells where word != 0 { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    }

    /// Adds the notes to the current pattern and the scenes of `composition`.
    static func read(_ fields: inout Fields, into composition: inout Composition) throws {
        guard var rest = try fields.orNull({ try $0.bytes(name)[...] }) else { return }
        var patterns = composition.scenes.patterns(playing: composition.pattern)
        var last: Int?
        while let place = rest.popFirst() {
            let order = place == current ? -1 : Int(place)
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
    private static func read(_ bytes: inout ArraySlice<UInt8>, into pattern: inout Pattern) -> Bool {
        guard bytes.count >= maskBytes else { return false }
        let mask = Array(bytes.prefix(maskBytes))
        bytes = bytes.dropFirst(maskBytes)
        guard mask.contains(where: { $0 != 0 }) else { return false }
        for (index, row) in rows.enumerated() where mask[index / 8] >> UInt8(index % 8) & 1 == 1 {
            guard let word = bytes.popNumber(CompositionRow.bytesPerNote), word != 0 else { return false }
            pattern.setCells(row.track, note: row.note, to: word)
        }
        return true
    }
}
