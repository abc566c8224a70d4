// The notes of a track as they sound: transposed and voiced by the track's shape.

extension Pattern {
    /// The pattern with the notes of every track where they sound. Equal to this one while no track is transposed or
    /// voiced.
    public var sounding: Pattern {
        var result = self
        for track in Track.allCases where track != .rhythm {
            let shape = self[shape: track]
            let isVoiced = track == .chords && shape.voicing != .root
            if shape.transposition == 0, !isVoiced { continue }
            var chords = chords(of: track)
            for index in chords.indices { transpose(&chords[index].notes, of: track) }
            if isVoiced { voice(&chords, shape.voicing, of: track) }
            result.lanes.clearNotes(track)
            for note in track.notes { result.setCells(track, note: note, to: Cells()) }
            for chord in chords { result.write(chord, on: track, lanes) }
        }
        return result
    }

    /// The note as which `note` of `track` sounds where no voicing moves it.
    func sounding(_ note: Int, on track: Track) -> Int {
        let degrees = self[shape: track].transposition
        guard track != .rhythm, degrees != 0 else { return note }
        return Pattern.fold(tonality.note(note, movedBy: degrees), into: track.notes)
    }

    /// The note of `track` that sounds as `heard` at `step`: of several one that begins there. If its transposition has
    /// none, or if a voicing would move it, the track's notes are written where they sound, without transposition and
    /// voicing.
    mutating func makeNote(soundAs heard: Int, on track: Track, step: Int) -> Int {
        if self[shape: track].voicing == .root {
            let notes = track.notes.filter { sounding($0, on: track) == heard }
            // The highest of those that begin is the one that is heard.
            if let there = notes.last(where: { self[track, note: $0, step: step].isStart }) { return there }
            if let nearest = notes.min(by: { abs($0 - heard) < abs($1 - heard) }) { return nearest }
        }
        let all = sounding
        for note in track.notes { setCells(track, note: note, to: all.cells(track, note: note)) }
        lanes.copyNotes(track, from: all.lanes, room: room(for: track) + lanes.rowCount(of: track))
        (self[shape: track].transposition, self[shape: track].voicing) = (0, .root)
        return heard
    }

    /// The notes that `placements` add to the track's notes that sound at the first one's step, with their cells as
    /// they sound.
    func sounding(_ placements: [Placement], on track: Track) -> [(note: Int, cell: Cell, steps: Int)] {
        guard let step = placements.first?.step else { return [] }
        let column = placements.filter { $0.step == step }
        if self[shape: track].transposition == 0, self[shape: track].voicing == .root {
            return column.map { ($0.note, $0.cell, runLength(track, note: $0.note, step: step)) }
        }
        var (before, after) = (self, self)
        for placement in column {
            before[track, note: placement.note, step: step] = .empty
            after[track, note: placement.note, step: step] = placement.cell
        }
        (before, after) = (before.sounding, after.sounding)
        let notes = track.notes.filter { after[track, note: $0, step: step].isStart }
        let added = notes.filter { !before[track, note: $0, step: step].isStart }
        return (added.isEmpty ? notes : added).map {
            ($0, after[track, note: $0, step: step], after.runLength(track, note: $0, step: step))
        }
    }

    /// The notes of a track that begin at one step.
    private struct Chord {
        var step: Int
        var notes: [Note]

        struct Note {
            var note: Int
            var cell: Cell
            var steps: Int
            /// Its number in the pattern, by which it has values.
            let written: Int
        }

        /// The notes from the lowest, if it is a chord of three tones or more.
        var tones: [Int]? { notes.count < 3 ? nil : notes.map { $0.note } }
    }

    private func chords(of track: Track) -> [Chord] {
        (0..<length(of: track)).compactMap { step in
            let notes = track.notes.compactMap { note -> Chord.Note? in
                let cell = self[track, note: note, step: step]
                guard cell.isStart else { return nil }
                return Chord.Note(
                    note: note, cell: cell, steps: runLength(track, note: note, step: step), written: note)
            }
            return notes.isEmpty ? nil : Chord(step: step, notes: notes)
        }
    }

    /// Moves the notes by degrees of the scale. A note outside the scale keeps its distance from the degree below.
    private func transpose(_ notes: inout [Chord.Note], of track: Track) {
        for index in notes.indices {
            notes[index].note = sounding(notes[index].note, on: track)
        }
        notes = notes.inOrder { $0.note < $1.note }
    }

    private func voice(_ chords: inout [Chord], _ voicing: TrackShape.Voicing, of track: Track) {
        var last: [Int]?
        for index in chords.indices {
            guard let tones = chords[index].tones else { continue }
            var voiced = tones
            switch voicing {
            case .root: break
            case .spread: voiced[tones.count / 2] += Pattern.octave
            case .close:
                if let last {
                    // If two are equally near, the one that moves fewer tones counts: it comes first.
                    voiced =
                        Pattern.inversions(of: tones).min { Self.distance($0, last) < Self.distance($1, last) } ?? tones
                }
            }
            for place in voiced.indices {
                chords[index].notes[place].note = Pattern.fold(voiced[place], into: track.notes)
            }
            last = voiced.sorted()
        }
    }

    /// The inversions of `tones`, from none to a whole turn up and down.
    private static func inversions(of tones: [Int]) -> [[Int]] {
        var found = [tones]
        for count in 1..<tones.count {
            found.append(tones.indices.map { tones[$0] + ($0 < count ? octave : 0) })
            found.append(tones.indices.map { tones[$0] - ($0 >= tones.count - count ? octave : 0) })
        }
        return found
    }

    /// Semitones by which the tones of two chords differ; of chords with unlike numbers of tones, their highest and
    /// lowest.
    private static func distance(_ one: [Int], _ other: [Int]) -> Int {
        let one = one.sorted()
        guard one.count == other.count else {
            return abs((one.first ?? 0) - (other.first ?? 0)) + abs((one.last ?? 0) - (other.last ?? 0))
        }
        return zip(one, other).reduce(0) { $0 + abs($1.0 - $1.1) }
    }

    /// Writes `chord`, whose notes have their own values in `rows`.
    private mutating func write(_ chord: Chord, on track: Track, _ rows: Lanes) {
        for note in chord.notes {
            self[track, note: note.note, step: chord.step] = note.cell
            for row in rows.rows(of: track) where row.note == note.written {
                // They may be more rows than a pattern has room for: a voicing moves a row's notes to several pitches.
                let value = rows[track, row.lane, note: note.written, step: chord.step]
                lanes.set(value, track, row.lane, note: note.note, step: chord.step, room: 1)
            }
            for place in 1..<max(1, note.steps) {
                let step = (chord.step + place) % length(of: track)
                if self[track, note: note.note, step: step] == .empty {
                    self[track, note: note.note, step: step] = .sustain
                }
            }
        }
    }
}
