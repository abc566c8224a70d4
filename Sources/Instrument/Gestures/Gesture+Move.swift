// Notes that a finger moves: held on a lit LED, then dragged (docs/spec.md, section 3).

extension Gesture {
    /// Appends the cells of a move: the notes of the first LED are emptied, then written where the finger carries them.
    func writeMove(_ placements: inout [Placement], over pattern: Pattern) {
        let held = held(in: pattern)
        let rows = rowsOfMove(held)
        let steps = stepsOfMove(held, in: pattern)
        held.forEach { note in
            guard let run = pattern.run(track, note: note, step: start.step, in: length) else { return }
            for place in 0..<run.count {
                placements.append(Placement(step: (run.start + place) % length, note: note, cell: .empty))
            }
        }
        held.forEach { note in
            guard let run = pattern.run(track, note: note, step: start.step, in: length),
                let target = moved(note, byRows: rows)
            else { return }
            let first = (run.start + steps + length) % length
            write(run, of: note, to: target, from: first, &placements, over: pattern)
        }
    }

    /// Appends the cells of `run` of `note` as cells of `target` from the step `first` on. The note ends where another
    /// note begins, and ends the note into which it falls; where both begin, they become one.
    private func write(
        _ run: Pattern.Run, of note: Int, to target: Int, from first: Int, _ placements: inout [Placement],
        over pattern: Pattern
    ) {
        func cell(_ place: Int) -> Cell {
            let step = (first + place) % length
            let last = placements.last { $0.note == target && $0.step == step }
            return last?.cell ?? pattern[track, note: target, step: step]
        }
        func put(_ place: Int, _ cell: Cell) {
            placements.append(Placement(step: (first + place) % length, note: target, cell: cell))
        }
        let (head, other) = (pattern[track, note: note, step: run.start], cell(0))
        // An accent stays before a normal note before a sustain.
        put(0, other.isStart && (other == .accent || head != .accent) ? other : head)
        for place in 1..<max(1, run.count) {
            if cell(place).isStart { return }
            put(place, .sustain)
        }
        if other.isStart { return }
        var place = run.count
        while place < length, cell(place) == .sustain {
            put(place, .empty)
            place += 1
        }
    }

    /// The notes of the first LED that are in `pattern`.
    private func held(in pattern: Pattern) -> NoteSet {
        var notes = NoteSet()
        lit.forEach { if pattern[track, note: $0, step: start.step] != .empty { notes.insert($0) } }
        return notes
    }

    /// Steps by which all of `notes` move: no note that begins before the finger is moved over the pattern's beginning.
    private func stepsOfMove(_ notes: NoteSet, in pattern: Pattern) -> Int {
        var steps = dx
        notes.forEach { note in
            guard let run = pattern.run(track, note: note, step: start.step, in: length) else { return }
            if run.start <= start.step { steps = max(steps, -run.start) }
        }
        return steps
    }

    /// Rows by which all of `notes` move: those of the finger, or as many as leave each note on the track.
    private func rowsOfMove(_ notes: NoteSet) -> Int {
        var rows = end.row - start.row
        while rows != 0 {
            var isPossible = true
            notes.forEach { if moved($0, byRows: rows) == nil { isPossible = false } }
            if isPossible { break }
            rows -= rows.signum()
        }
        return rows
    }

    /// The note `rows` above `note` on the page; nil if there is none.
    private func moved(_ note: Int, byRows rows: Int) -> Int? {
        if track == .rhythm { return map.note(atRow: start.row + rows) }
        let moved = tonality.note(note, movedBy: rows)
        return track.notes.contains(moved) ? moved : nil
    }

    /// Moves the values of the lanes with the notes that moved from `before` to `pattern`. The values of a step stay
    /// there if another note begins there, and they do not replace the values of another note's step.
    func moveValues(from before: Pattern, in pattern: inout Pattern) {
        guard before.lanes.has(track) else { return }
        let notes = held(in: before)
        let steps = stepsOfMove(notes, in: before)
        func begin(_ note: Int) -> Int? {
            notes.contains(note) ? before.run(track, note: note, step: start.step, in: length)?.start : nil
        }
        let rows = rowsOfMove(notes)
        notes.forEach { note in
            guard let from = begin(note), let target = moved(note, byRows: rows) else { return }
            let to = (from + steps + length) % length
            for lane in Lane.ofNotes where before.lanes.has(track, lane, note: note) {
                guard let value = before.lanes[track, lane, note: note, step: from] else { continue }
                pattern.setValue(value, track, lane, note: target, step: to)
            }
        }
        guard steps != 0 else { return }
        notes.forEach { note in
            guard let from = begin(note) else { return }
            let to = (from + steps + length) % length
            let isTaken = track.notes.contains { before[track, note: $0, step: to].isStart && begin($0) != to }
            let isLeft = pattern.hasNote(track, step: from)
            for lane in Lane.ofTracks {
                if !isTaken { pattern.lanes[track, lane, step: to] = before.lanes[track, lane, step: from] }
                if !isLeft { pattern.lanes[track, lane, step: from] = nil }
            }
        }
    }
}
