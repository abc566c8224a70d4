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
        case .hits: state.euclid.hits
        case .steps: state.euclid.steps
        case .rotation: state.euclid.rotation
        }
    }

    /// Sets `control` of `track` within the touch of contact `id`; nil is the default.
    mutating func set(_ control: TrackSheet.Control, of track: Track, to value: Int?, contact id: Int) {
        switch control {
        case .hits: state.euclid.hits = value ?? Euclid().hits
        case .steps: state.euclid.steps = max(1, value ?? Euclid().steps)
        case .rotation: state.euclid.rotation = value ?? Euclid().rotation
        case .length, .division, .transposition:
            perform(inTouch: id) {
                var shape = $0.pattern[shape: track]
                switch control {
                case .length: shape.length = value == $0.pattern.length ? nil : value
                case .division: shape.division = value.flatMap(TrackShape.Division.init(rawValue:)) ?? .whole
                default: shape.transposition = value ?? 0
                }
                $0.pattern[shape: track] = shape
            }
        }
    }

    /// Handles a finger that lifts from one of the hits' controls: writes the row that was touched last.
    mutating func writeHits(on track: Track, contact id: Int) {
        guard state.euclid.hits > 0, !isRefused() else { return }
        let note = state.touchedNotes[track.rawValue]
        let euclid = state.euclid
        perform(inTouch: id) { $0.pattern.write(euclid, track, note: note) }
    }

    /// Changes the shape of `track` within the touch of contact `id`.
    mutating func reshape(_ track: Track, contact id: Int?, _ change: (inout TrackShape) -> Void) {
        guard let id, !isRefused() else { return }
        perform(inTouch: id) { change(&$0.pattern[shape: track]) }
    }
}
