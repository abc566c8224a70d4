// The shapes of the phone's rules (docs/spec.md, section 11).

extension Gesture {
    /// The note at `place`.
    private func note(at place: Place) -> Int { map.note(atRow: place.row) ?? 0 }

    /// The shape of docs/spec.md, section 11's table.
    var phoneShape: Shape {
        let (across, along) = (abs(dx), abs(note(at: end) - note(at: start)))
        if across <= 1 && along <= 1 { return .tap }
        // Ratio 1.3 in integers.
        if 10 * across > 13 * along { return shapeAlong }
        if 10 * along > 13 * across { return shapeUpright }
        switch track {
        case .melody, .chords: return .phrase
        case .bass, .rhythm: return .fill
        }
    }

    /// Appends the cells of the shape. Notes are pitch classes and wrap around.
    func writePhone(_ placements: inout [Placement]) {
        func add(_ step: Int, _ note: Int, _ cell: Cell) {
            placements.append(Placement(step: step, note: note % Pattern.octave, cell: cell))
        }
        /// Calls `body` for up to nine steps in the drag's direction, wrapping at the pattern's end.
        func alongDrag(_ body: (_ place: Int, _ step: Int) -> Void) {
            for place in 0...min(abs(dx), 8) {
                body(place, (start.step + (dx < 0 ? length - place : place)) % length)
            }
        }
        let (note, endNote) = (note(at: start), note(at: end))
        let dy = endNote - note
        switch phoneShape {
        case .tap:
            switch track {
            case .melody: add(start.step, tonality.snap(note), accent)
            case .chords: for tone in tonality.triad { add(start.step, note + tone, accent) }
            case .bass:
                add(start.step, note, accent)
                add(start.step, note + 7, .normal)
            case .rhythm:
                add(start.step, note, accent)
                if start.step + 2 < length { add(start.step + 2, note, .normal) }
            }
        case .run:
            let place = tonality.place(of: note)
            alongDrag { add($1, tonality.note(atPlace: dy >= 0 ? place + $0 : place - $0), $0 == 0 ? accent : .normal) }
        case .arpeggio:
            let tones = Tonality.majorSeventh
            alongDrag { add($1, note + tones[$0 % tones.count], $0 == 0 ? accent : .normal) }
        case .walk:
            alongDrag { add($1, note + [0, 7, 4, 7][$0 % 4], $0 % 2 == 0 ? accent : .normal) }
        case .roll:
            let last = min(abs(dx), 8)
            alongDrag { add($1, note, $0 == 0 || $0 == last ? accent : .normal) }
        case .sustain:
            alongDrag { place, step in
                let cell: Cell = place == 0 ? .accent : .sustain
                if track == .chords {
                    for tone in tonality.triad { add(step, note + tone, cell) }
                } else {
                    add(step, tonality.snap(note), cell)
                }
            }
        case .stack:
            for tone in Tonality.majorSeventh.prefix(min(abs(dy), 3) + 1) { add(start.step, note + tone, accent) }
        case .fifth:
            add(start.step, note, accent)
            add(start.step, note + 5, .normal)
        case .multi:
            for drum in min(note, endNote)...max(note, endNote) { add(start.step, drum, accent) }
        case .phrase:
            let place = tonality.place(of: note)
            let count = max(abs(dx), abs(dy))
            for i in 0...count {
                let t = Double(i) / Double(count)
                let step = nearest(Double(start.step) + Double(dx) * t)
                guard (0..<length).contains(step) else { continue }
                add(step, tonality.note(atPlace: place + nearest(Double(dy) * t / 2)), i == 0 ? accent : .normal)
            }
        case .fill:
            let low = (step: min(start.step, end.step), note: min(note, endNote))
            let high = (step: max(start.step, end.step), note: max(note, endNote))
            for step in low.step...high.step {
                let t = Double(step - low.step) / Double(high.step - low.step)
                add(step, nearest(Double(low.note) + Double(high.note - low.note) * t), accent)
            }
        case .line, .longStack, .removal, .accent, .move, .nothing:
            break
        }
    }
}
