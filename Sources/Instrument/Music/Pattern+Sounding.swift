// The notes of a track as they sound: moved by the pattern's harmony, transposed and voiced by the track's shape.

extension Pattern {
    /// The pattern with the notes of every track where they sound. Equal to this one while no track is moved.
    public var sounding: Pattern {
        var result = self
        for track in Track.allCases where isMoved(track) {
            let voicing = self[shape: track].voicing
            var chords = chords(of: track)
            for index in chords.indices { move(&chords[index], of: track) }
            if track == .chords, voicing != .root { voice(&chords, voicing, of: track) }
            result.lanes.clearNotes(track)
            for note in track.notes { result.setCells(track, note: note, to: Cells()) }
            for chord in chords { result.write(chord, on: track, lanes) }
        }
        return result
    }

    /// The note as which `note` of `track` sounds from `step` on where no voicing moves it.
    func sounding(_ note: Int, on track: Track, step: Int) -> Int {
        let degrees = degrees(of: track, at: step)
        return degrees == 0 ? note : Pattern.fold(tonality.note(note, movedBy: degrees), into: track.notes)
    }

    /// The note of `track` that sounds as `heard` at `step`: of several one that begins there. If its transposition has
    /// none, or if a voicing would move it, the track's notes are written where they sound without the harmony, without
    /// transposition and voicing. A note outside the scale that the harmony makes of none is the nearest.
    mutating func makeNote(soundAs heard: Int, on track: Track, step: Int) -> Int {
        func distance(_ note: Int) -> Int { abs(sounding(note, on: track, step: step) - heard) }
        if self[shape: track].voicing == .root {
            let notes = track.notes.filter { distance($0) == 0 }
            // The highest of those that begin is the one that is heard.
            if let there = notes.last(where: { self[track, note: $0, step: step].isStart }) { return there }
            let ofScale = notes.filter { tonality.contains($0) }
            let fitting = ofScale.isEmpty ? notes : ofScale
            if let nearest = fitting.min(by: { abs($0 - heard) < abs($1 - heard) }) { return nearest }
        }
        var plain = self
        plain.lanes.harmony = Harmony()
        plain[origin: track]?.harmony = Harmony()
        writeSounding(track, of: plain.sounding)
        return track.notes.min { distance($0) < distance($1) } ?? heard
    }

    /// The notes that `placements` add to the track's notes that sound at the first one's step, with their cells as
    /// they sound.
    func sounding(_ placements: [Placement], on track: Track) -> [(note: Int, cell: Cell, steps: Int)] {
        guard let step = placements.first?.step else { return [] }
        let column = placements.filter { $0.step == step }
        if !isMoved(track) {
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
    private func move(_ chord: inout Chord, of track: Track) {
        for index in chord.notes.indices {
            chord.notes[index].note = sounding(chord.notes[index].note, on: track, step: chord.step)
        }
        chord.notes = chord.notes.inOrder { $0.note < $1.note }
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

    /// Writes `chord`, whose notes have their own values in `rows`. A note ends where another one of its pitch begins.
    private mutating func write(_ chord: Chord, on track: Track, _ rows: Lanes) {
        let length = length(of: track)
        for note in chord.notes {
            var held = chord.step
            while self[track, note: note.note, step: held] == .sustain {
                self[track, note: note.note, step: held] = .empty
                held = (held + 1) % length
            }
            self[track, note: note.note, step: chord.step] = note.cell
            for row in rows.rows(of: track) where row.note == note.written {
                // They may be more rows than a pattern has room for: a voicing moves a row's notes to several pitches.
                let value = rows[track, row.lane, note: note.written, step: chord.step]
                lanes.set(value, track, row.lane, note: note.note, step: chord.step, room: 1)
            }
            for place in 1..<max(1, note.steps) {
                let step = (chord.step + place) % length
                if self[track, note: note.note, step: step].isStart { break }
                self[track, note: note.note, step: step] = .sustain
            }
        }
    }
}
