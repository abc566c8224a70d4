// The own values of single notes, in place of their track's lanes (docs/spec.md, section 12).

extension Pattern {
    /// Sets the own value of `note` in `lane` at `step` of `track`, or removes it. Returns false, without a change, if
    /// the pattern would have too many rows: one is a note and a lane.
    @discardableResult
    public mutating func setValue(_ value: Int?, _ track: Track, _ lane: Lane, note: Int, step: Int) -> Bool {
        let exists = value == nil || lanes.has(track, lane, note: note)
        return lanes.set(value, track, lane, note: note, step: step, room: exists ? 1 : room(for: track))
    }

    /// Rows that the notes of `track` may get. The rows of a borrowed track count in its own scene.
    public func room(for track: Track) -> Int {
        if let origin = self[origin: track] {
            return Lanes.rowsMax - origin.rows - lanes.rowCount(of: track)
        }
        return Track.allCases.reduce(Lanes.rowsMax) { $0 - (self[origin: $1]?.replaced ?? lanes.rowCount(of: $1)) }
    }

    /// Adds the own values of `note` of `other`, which has the cells `moved`, to those of `target`, which had the cells
    /// `there`: where both begin, the values of the stronger one count.
    mutating func mergeValues(
        of note: Int, _ moved: Cells, on track: Track, from other: Pattern, to target: Int, _ there: Cells
    ) {
        for lane in Lane.ofNotes
        where other.lanes.has(track, lane, note: note) || lanes.has(track, lane, note: target) {
            for step in 0..<Pattern.steps {
                let (cell, last) = (moved[step], there[step])
                let value = other.lanes[track, lane, note: note, step: step]
                let wins = cell.isStart && (!last.isStart || cell == .accent && last == .normal)
                if wins || value != nil && !cell.isStart && !last.isStart {
                    setValue(value, track, lane, note: target, step: step)
                }
            }
        }
    }
}
