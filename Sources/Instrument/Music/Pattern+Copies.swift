// Copies of a track, and of groups of eight steps, with their lanes.

extension Pattern {
    /// Steps of a group, between two gaps of the grid.
    static let groupSteps = 8
    /// The groups of a pattern, from 0.
    static let groups = 0..<steps / groupSteps

    /// Whether the notes of `source` can be copied to `target`: drums have no pitch.
    static func canCopy(_ source: Track, to target: Track) -> Bool {
        source != target && source != .rhythm && target != .rhythm
    }

    /// Copies notes, lanes and shape of `source` to `target`, in place of what is there: the same notes, in the
    /// target's octaves. A slide stays behind if the target has none, and the target keeps its own voicing and
    /// kind of chord. `moves` empties the source.
    mutating func copy(_ source: Track, to target: Track, moves: Bool = false) {
        precondition(Self.canCopy(source, to: target))
        for note in source.notes { setCells(target, note: note, to: cells(source, note: note)) }
        for lane in Lane.ofTracks where lane.exists(on: target) {
            for step in 0..<Pattern.steps { lanes[target, lane, step: step] = lanes[source, lane, step: step] }
        }
        lanes.clearNotes(target)
        for row in lanes.rows(of: source) {
            for step in 0..<Pattern.steps {
                let value = lanes[source, row.lane, note: row.note, step: step]
                if value != nil { setValue(value, target, row.lane, note: row.note, step: step) }
            }
        }
        var shape = self[shape: source]
        (shape.voicing, shape.chordKind) = (self[shape: target].voicing, self[shape: target].chordKind)
        self[shape: target] = shape
        if wholeLength(of: source) != wholeLength(of: target) { setLength(of: target, to: length(of: source)) }
        if moves { clear(source) }
    }

    /// Copies `group` of `tracks` to the group `target`, in place of what is there. A note that began before the group
    /// is no part of the copy, and one that goes on after it ends with it; so do notes of the target that go on from
    /// before or after it. `moves` empties `group`. With all tracks goes the harmony.
    mutating func copy(group: Int, to target: Int, of tracks: TrackSet, moves: Bool = false) {
        precondition(Self.groups.contains(group) && Self.groups.contains(target) && group != target)
        // With the values of notes that go from the group.
        let rows = lanes
        let start = Self.groupSteps * group
        if tracks == TrackSet(Track.allCases) {
            lanes.harmony.copy(start..<start + Self.groupSteps, to: Self.groupSteps * target, moves: moves)
        }
        for track in tracks.tracks {
            for note in track.notes {
                let cells = notes(ofGroup: group, track, note: note)
                if moves { replace(group, track, note: note, by: []) }
                replace(target, track, note: note, by: cells)
            }
            for place in 0..<Self.groupSteps {
                let (from, to) = (Self.groupSteps * group + place, Self.groupSteps * target + place)
                for lane in Lane.ofTracks {
                    lanes[track, lane, step: to] = lanes[track, lane, step: from]
                    if moves { lanes[track, lane, step: from] = nil }
                }
                for row in rows.rows(of: track) {
                    let value = rows[track, row.lane, note: row.note, step: from]
                    setValue(value, track, row.lane, note: row.note, step: to)
                    if moves { setValue(nil, track, row.lane, note: row.note, step: from) }
                }
            }
        }
    }

    /// Whether twice the pattern's steps are a length that it can have.
    var canDouble: Bool { Pattern.lengths.contains(2 * length) }

    /// Doubles the length. The second half repeats the first, notes and lanes, of the tracks without a length of their
    /// own, and the harmony.
    mutating func double() {
        precondition(canDouble)
        lanes.harmony.copy(0..<length, to: length)
        for track in Track.allCases where self[shape: track].length == nil && !isBorrowed(track) {
            for step in 0..<length {
                for note in track.notes {
                    self[track, note: note, step: length + step] = self[track, note: note, step: step]
                }
                for lane in Lane.ofTracks {
                    lanes[track, lane, step: length + step] = lanes[track, lane, step: step]
                }
                for row in lanes.rows(of: track) {
                    let value = lanes[track, row.lane, note: row.note, step: step]
                    setValue(value, track, row.lane, note: row.note, step: length + step)
                }
            }
        }
        length *= 2
    }

    /// The cells of a group, without the cells of a note that began before it.
    private func notes(ofGroup group: Int, _ track: Track, note: Int) -> [Cell] {
        var hasBegun = false
        return (0..<Self.groupSteps).map {
            let cell = self[track, note: note, step: Self.groupSteps * group + $0]
            if cell != .sustain { hasBegun = cell.isStart }
            return hasBegun ? cell : .empty
        }
    }

    /// Replaces the cells of a group, by empty ones from the end of `cells` on, and ends a note that went on after it.
    private mutating func replace(_ group: Int, _ track: Track, note: Int, by cells: [Cell]) {
        let (start, end, length) = (Self.groupSteps * group, Self.groupSteps * (group + 1), length(of: track))
        let next = endNote(track, note: note, at: end, before: end < length ? length : Pattern.steps)
        // After the last step notes go on at the first.
        if start < length, end >= length || next == length { endNote(track, note: note, at: 0, before: start) }
        for place in 0..<Self.groupSteps {
            self[track, note: note, step: start + place] = place < cells.count ? cells[place] : .empty
        }
    }

    /// Empties held cells from `step` on; returns the first step that is not held, at most `end`.
    @discardableResult
    private mutating func endNote(_ track: Track, note: Int, at step: Int, before end: Int) -> Int {
        var next = step
        while next < end, self[track, note: note, step: next] == .sustain {
            self[track, note: note, step: next] = .empty
            next += 1
        }
        return next
    }
}
