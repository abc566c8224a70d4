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

    /// Chooses the kind of chord this many places further, up to the last.
    mutating func walkChordKinds(by places: Int, contact id: Int?) {
        let kinds = TrackShape.ChordKind.allCases
        choose(kinds[(pattern[shape: .chords].chordKind.place + places).clamped(to: 0...kinds.count - 1)], contact: id)
    }

    /// Chooses the next kind of chord; after the last one, the first.
    mutating func chooseNextChordKind(contact id: Int?) {
        let kinds = TrackShape.ChordKind.allCases
        choose(kinds[(pattern[shape: .chords].chordKind.place + 1) % kinds.count], contact: id)
    }

    /// Chooses what a tap on the chords makes. While stopped it is heard at once, on the root.
    private mutating func choose(_ kind: TrackShape.ChordKind, contact id: Int?) {
        guard kind != pattern[shape: .chords].chordKind else { return }
        reshape("KIND", .chords, contact: id) { $0.chordKind = kind }
        guard !isFrozen else { return }
        // The name that appears is the header's.
        state.view.tooltip = nil
        guard !state.isPlaying, !state.silent.contains(.chords) else { return }
        var placements: [Placement] = []
        let start = Gesture.Place(step: 0, row: 0)
        Gesture(.box, .chords, page: 0, pattern.tonality, length: pattern.length, chords: kind, from: start)
            .write(&placements, over: pattern)
        effects.append(
            .audition(placements.map { Effect.Note(track: .chords, note: $0.note, velocity: 1, steps: 4) }))
    }

    /// Changes the shape of `track` within the touch of contact `id`; undo shows it by `word`.
    mutating func reshape(_ word: String, _ track: Track, contact id: Int?, _ change: (inout TrackShape) -> Void) {
        guard let id, !isRefused() else { return }
        perform(word, inTouch: id) { change(&$0.pattern[shape: track]) }
    }
}
