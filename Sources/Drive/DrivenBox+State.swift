import Display
import Documents
import InputEvents
import Instrument
import Replay

extension DrivenBox {
    /// Columns of its panel.
    var columns: Int { box.loop.instrument.columns }

    /// The picture that its LED chips show.
    var light: Frame {
        var frame = Frame(columns: columns, rows: Instrument.rows)
        let light = box.light
        for row in 0..<frame.rows {
            for column in 0..<frame.columns {
                let at = 3 * (row * frame.columns + column)
                frame[column, row] = RGB(red: light[at], green: light[at + 1], blue: light[at + 2])
            }
        }
        return frame
    }

    /// What the answer to `state` says.
    var state: [String: JSON] {
        let instrument = box.loop.instrument
        let state = instrument.state
        func names(_ tracks: TrackSet) -> JSON {
            .array(Track.allCases.filter { tracks.contains($0) }.map { .string($0.name) })
        }
        return [
            "playing": .bool(state.isPlaying), "step": .orNull(state.transport.playhead?.step),
            "scene": .orNull(state.scene), "screen": .string(instrument.words.title),
            "tempo": .double(state.heardTempo), "fingers": .integer(state.fingerCount),
            "recording": .bool(state.recording.isOn), "muted": names(state.session.muted),
            "soloed": .orNull(state.session.soloed?.name), "locked": .bool(state.session.isLocked),
            "volume": .integer(state.volume), "brightness": .integer(state.brightness),
            "off": .bool(box.loop.isSwitchedOff),
        ]
    }
}

extension Frame {
    /// A line for each row, two characters an LED: the largest of its values in hexadecimal.
    var text: [String] {
        (0..<rows).map { row in
            (0..<columns).map { column in
                let led = self[column, row]
                let value = max(led.red, led.green, led.blue)
                return (value < 16 ? "0" : "") + String(value, radix: 16)
            }.joined()
        }
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
