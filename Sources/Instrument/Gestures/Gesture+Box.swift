// The shapes of the box's rules (docs/spec.md, section 3).

extension Gesture {
    /// Rows from start to end.
    private var dy: Int { end.row - start.row }

    /// The shape of docs/spec.md, section 3's table.
    var boxShape: Shape {
        if isStill { return lit.isEmpty ? .tap : isHeld ? .accent : .removal }
        if end == start { return .nothing }
        if isHeld, !lit.isEmpty { return .move }
        if isLongStack { return .longStack }
        let (across, along) = (abs(dx), abs(dy))
        if across > 2 * along { return shapeAlong }
        if along > 2 * across { return shapeUpright }
        return .line
    }

    /// Whether the finger was held, rose, and then went sideways rather than further up or down.
    private var isLongStack: Bool {
        guard isHeld, track == .melody || track == .chords, let risen else { return false }
        return risen >= Self.longStackRows && abs(dx) > abs(dy - Int(risen))
    }

    /// Minimum rows by which a finger rises before it goes sideways, for a long stack.
    private static let longStackRows = 2

    /// Degree of the first note; a drum has none.
    private var degree: Int { page + start.row }

    /// The tones of a chord of up to four notes, upwards or downwards.
    private static let chordTones: [Tone] = [.root, .third, .fifth, .seventh]
    private static let chordTonesDown: [Tone] = [.root, .thirdBelow, .fifthBelow, .seventhBelow]
    // Downwards an arpeggio falls from the seventh to the root.
    private static let arpeggioDown: [Tone] = [.seventh, .fifth, .third, .root]
    private static let walk: [Tone] = [.root, .fifth, .third, .fifth]
    private static let walkDown: [Tone] = [.root, .fourthBelow, .sixthBelow, .fourthBelow]

    /// Appends the cells of the shape. Notes that do not exist are left out.
    func writeBox(_ placements: inout [Placement], over pattern: Pattern) {
        let map = map
        func add(_ step: Int, _ note: Int?, _ cell: Cell) {
            guard let note, track.notes.contains(note) else { return }
            placements.append(Placement(step: step, note: note, cell: cell))
        }
        func add(_ step: Int, _ tones: some Sequence<Tone>, _ cell: Cell) {
            for tone in tones { add(step, tonality.note(of: tone, above: degree), cell) }
        }
        /// Adds a note unless the cell is taken.
        func addNormal(_ step: Int, _ note: Int?) {
            guard let note, track.notes.contains(note), pattern[track, note: note, step: step] == .empty else { return }
            add(step, note, .normal)
        }
        /// Calls `body` for the steps in the drag's direction, both ends included.
        func alongDrag(_ body: (_ place: Int, _ step: Int) -> Void) {
            for place in 0...abs(dx) { body(place, start.step + (dx < 0 ? -place : place)) }
        }
        /// Adds notes that last from the lowest step to the highest.
        func addLong(_ tones: ArraySlice<Tone>) {
            let low = min(start.step, end.step)
            for step in low...max(start.step, end.step) { add(step, tones, step == low ? .accent : .sustain) }
        }
        let first = map.note(atRow: start.row)
        let isDown = dy < 0
        switch boxShape {
        case .tap:
            switch track {
            case .melody: add(start.step, first, accent)
            case .chords: add(start.step, chordKind.tones, accent)
            case .bass:
                add(start.step, first, accent)
                if isHeld { addNormal(start.step, tonality.note(of: .fifth, above: degree)) }
            case .rhythm:
                add(start.step, first, accent)
                if isHeld, start.step + 2 < length { addNormal(start.step + 2, first) }
            }
        case .move: writeMove(&placements, over: pattern)
        case .removal:
            lit.forEach { note in
                guard let run = pattern.run(track, note: note, step: start.step, in: length) else { return }
                for place in 0..<run.count { add((run.start + place) % length, note, .empty) }
            }
        case .accent:
            lit.forEach { note in
                guard let run = pattern.run(track, note: note, step: start.step, in: length) else { return }
                switch pattern[track, note: note, step: run.start] {
                case .normal: add(run.start, note, .accent)
                case .accent: add(run.start, note, .normal)
                case .sustain, .empty: break
                }
            }
        case .run:
            alongDrag { add($1, tonality.note(ofDegree: isDown ? degree - $0 : degree + $0), .normal) }
        case .arpeggio:
            let tones = isDown ? Self.arpeggioDown : Self.chordTones
            alongDrag { add($1, tonality.note(of: tones[$0 % 4], above: degree), .normal) }
        case .walk:
            let tones = isDown ? Self.walkDown : Self.walk
            alongDrag { add($1, tonality.note(of: tones[$0 % 4], above: degree), .normal) }
        case .roll:
            alongDrag { add($1, first, $0 == 0 || $0 == abs(dx) ? accent : .normal) }
        case .sustain:
            addLong(track == .chords ? chordKind.tones : Self.chordTones.prefix(1))
        case .longStack: addLong(Self.chordTones.prefix(min(Int(risen ?? 0), 3) + 1))
        case .stack:
            add(start.step, (isDown ? Self.chordTonesDown : Self.chordTones).prefix(min(abs(dy), 3) + 1), accent)
        case .fifth:
            add(start.step, first, accent)
            add(start.step, tonality.note(of: isDown ? .fourthBelow : .fifth, above: degree), .normal)
        case .multi:
            for row in min(start.row, end.row)...max(start.row, end.row) {
                add(start.step, map.note(atRow: row), accent)
            }
        case .line:
            let isEven = track == .bass || track == .rhythm
            alongDrag { place, step in
                // Rounded to the nearest row, halves up.
                let row = start.row + (2 * dy * place + abs(dx)).quotientAndRemainder(flooring: 2 * abs(dx)).quotient
                add(step, map.note(atRow: row), place == 0 || isEven ? accent : .normal)
            }
        case .phrase, .fill, .nothing:
            break
        }
    }
}

extension TrackShape.ChordKind {
    /// The tones of the chord, lowest first.
    fileprivate var tones: ArraySlice<Tone> {
        switch self {
        case .triad: Self.thirds.prefix(3)
        case .seventh: Self.thirds.prefix(4)
        case .ninth: Self.thirds[...]
        case .sus2: Self.second[...]
        case .sus4: Self.fourth[...]
        case .power: Self.fifth[...]
        case .note: Self.thirds.prefix(1)
        }
    }

    private static let thirds: [Tone] = [.root, .third, .fifth, .seventh, .ninth]
    private static let second: [Tone] = [.root, .second, .fifth]
    private static let fourth: [Tone] = [.root, .fourth, .fifth]
    private static let fifth: [Tone] = [.root, .fifth]
}
