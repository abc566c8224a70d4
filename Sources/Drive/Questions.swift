import Display
import Documents
import Formats
import Instrument

// The questions that virtual boxes and running ones answer alike.

extension Instrument {
    /// The keys of `place`.
    static let placeKeys = ["col", "row"]

    /// The answer to `place`: what a finger there would do.
    func place(_ request: JSONField) throws(FormatError) -> [String: JSON] {
        let column = try request.needed("col").integer(in: 0...columns - 1)
        let row = try request.needed("row").integer(in: 0...Instrument.rows - 1)
        return place(column: column, row: row).keys
    }

    /// The answer to `find`: where a finger does what `request` says.
    func find(_ request: JSONField) throws(FormatError) -> [String: JSON] {
        let wanted = try request.object().filter { PanelPlace.keys.contains($0.key) }
        guard !wanted.isEmpty else {
            throw FormatError("name", "is missing: name at least one of \(PanelPlace.keys.joined(separator: ", "))")
        }
        var leds: [(column: Int, row: Int)] = []
        for row in 0..<Instrument.rows {
            for column in 0..<columns {
                let keys = place(column: column, row: row).keys
                if wanted.allSatisfy({ keys[$0.key] == $0.value }) { leds.append((column, row)) }
            }
        }
        guard !leds.isEmpty else {
            throw FormatError(
                "", "no place is like this on the screen \(words.title.isEmpty ? "of the steps" : words.title)")
        }
        let (columns, rows) = (leds.map(\.column).reduce(0, +), leds.map(\.row).reduce(0, +))
        func distance(_ led: (column: Int, row: Int)) -> Int {
            let (across, down) = (led.column * leds.count - columns, led.row * leds.count - rows)
            return across * across + down * down
        }
        func json(_ led: (column: Int, row: Int)) -> JSON { .array([.integer(led.column), .integer(led.row)]) }
        let middle = leds.min { distance($0) < distance($1) }
        return ["leds": .array(leds.map(json)), "middle": middle.map(json) ?? .null]
    }

    /// The answer to `state`, but whether the box is off.
    var stateKeys: [String: JSON] {
        func names(_ tracks: TrackSet) -> JSON {
            .array(Track.allCases.filter { tracks.contains($0) }.map { .string($0.name) })
        }
        return [
            "playing": .bool(state.isPlaying), "step": .orNull(state.transport.playhead?.step),
            "scene": .orNull(state.scene), "screen": .string(words.title), "tempo": .double(state.heardTempo),
            "fingers": .integer(state.fingerCount), "recording": .bool(state.recording.isOn),
            "muted": names(state.session.muted), "soloed": .orNull(state.session.soloed?.name),
            "parts": state.session.composition.parts.json,
            "own": .array((0..<Scenes.count).filter { state.session.sounds.isOwn($0) }.map { .integer($0) }),
            "locked": .bool(state.session.isLocked), "volume": .integer(state.volume),
            "brightness": .integer(state.brightness),
        ]
    }
}

extension PanelWords {
    /// The answer to `words`.
    var keys: [String: JSON] {
        ["word": .string(word), "title": .string(title), "place": .string(place), "naming": .bool(isNaming)]
    }
}

extension PanelPlace {
    static let keys = ["name", "track", "step", "degree", "note"]

    /// What the answer to `place` says.
    var keys: [String: JSON] {
        var keys: [String: JSON] = ["name": .string(name)]
        if let track { keys["track"] = .string(track.name) }
        if let step { keys["step"] = .integer(step) }
        if let degree { keys["degree"] = .integer(degree) }
        if let note { keys["note"] = .integer((track?.firstMIDINote ?? 0) + note) }
        return keys
    }
}

extension Frame {
    private enum Form: String, CaseIterable { case rgb, png, text }

    /// The answer to `frame`, in the form that `request` asks for.
    func answer(to request: JSONField) throws(FormatError) -> [String: JSON] {
        var form = Form.rgb
        try request.read("as", into: &form)
        let picture: JSON =
            switch form {
            case .rgb: .bytes(bytes)
            case .png: .bytes(Picture.png(self))
            case .text: .array(text.map { .string($0) })
            }
        return ["columns": .integer(columns), "rows": .integer(rows), form.rawValue: picture]
    }

    /// A line for each row, two characters an LED: the largest of its values in hexadecimal.
    private var text: [String] {
        (0..<rows).map { row in
            (0..<columns).map { column in
                let led = self[column, row]
                let value = max(led.red, led.green, led.blue)
                return (value < 16 ? "0" : "") + String(value, radix: 16)
            }.joined()
        }
    }
}
