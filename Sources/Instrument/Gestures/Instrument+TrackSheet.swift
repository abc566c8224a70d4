import InputEvents
import Display

// The controls of the TRACK sheet.

extension Instrument {
    /// The value of `control` of `track`.
    func value(of control: TrackSheet.Control, _ track: Track) -> Int {
        let shape = pattern[shape: track]
        return switch control {
        case .length: pattern.length(of: track)
        case .division: shape.division.rawValue
        case .transposition: shape.transposition
        case .hits: state.view.euclid.hits
        case .steps: state.view.euclid.steps
        case .rotation: state.view.euclid.rotation
        }
    }

    /// Sets `control` of `track` within the touch of contact `id`; nil is the default.
    mutating func set(_ control: TrackSheet.Control, of track: Track, to value: Int?, contact id: Int) {
        let word = control.row.text.name()
        switch control {
        case .hits: state.view.euclid.hits = value ?? Euclid().hits
        case .steps: state.view.euclid.steps = max(1, value ?? Euclid().steps)
        case .rotation: state.view.euclid.rotation = value ?? Euclid().rotation
        case .length:
            perform(word, inTouch: id) { $0.pattern[shape: track].length = value == $0.pattern.length ? nil : value }
        case .division:
            let division = value.flatMap(TrackShape.Division.init(rawValue:)) ?? .whole
            perform(word, inTouch: id) { $0.pattern[shape: track].division = division }
        case .transposition:
            perform(word, inTouch: id) { $0.pattern[shape: track].transposition = value ?? 0 }
        }
    }

    /// Handles a finger that lifts from one of the hits' controls: writes the row that was touched last.
    mutating func writeHits(on track: Track, contact id: Int) {
        guard state.view.euclid.hits > 0, !isRefused() else { return }
        let note = state.fingers.touchedNotes[track.rawValue]
        let euclid = state.view.euclid
        perform("HITS", inTouch: id) { $0.pattern.write(euclid, track, note: note) }
    }

    /// Changes the shape of `track` within the touch of contact `id`; undo shows it by `word`.
    mutating func reshape(_ word: String, _ track: Track, contact id: Int?, _ change: (inout TrackShape) -> Void) {
        guard let id, !isRefused() else { return }
        perform(word, inTouch: id) { change(&$0.pattern[shape: track]) }
    }
}
