import InputEvents
import Display

// The steps of the LANES screen, and the lights of LANES and FILL below the tracks' heads.

extension Instrument {
    /// Draws the values of `lane` of `track`, its notes behind them, and its own steps in rows 22 and 23; of a `chosen`
    /// note its own values, and hollow those of the track with which it sounds elsewhere. The harmony is drawn along the
    /// pattern, in white, and hollow where a value holds.
    func drawLaneSteps(of track: Track, _ chosen: Int?, _ lane: Lane, into frame: inout Frame, at now: Instant) {
        let (length, isHarmony) = (shownLength, lane == .harmony)
        let mode = state.session.colourMode
        let colour = isHarmony ? Palette.shared : chosen.map { Palette.note($0, mode) } ?? Palette.track(track, mode)
        let notes = chosen.map { NoteSet([$0]) } ?? NoteSet(of: track)
        let playhead = (isHarmony ? state.transport.playhead : state.playhead(of: track))?.step
        let window = laneWindow
        for step in window.first..<window.first + Pattern.window {
            let column = origin + window.column(ofStep: step)
            let isInside = step < length
            let note = track.notes.first {
                notes.contains($0) && pattern[track, note: $0, step: step].isStart
            }
            let hasNote = isInside && note != nil
            if isInside {
                let shade = Palette.steps[pattern.metre.weight(of: step)]
                frame[column, 1] = step == playhead ? Palette.heardStep : shade
                if step == playhead { frame.fill(columns: column..<column + 1, rows: 2..<22, Palette.pageBar) }
                if lane.isCentred { frame[column, Lane.middle] = RGB(0x303030) }
            }
            let ink = LaneInk(
                colour: colour, strength: (isInside ? 1 : 0.22) * (hasNote || isHarmony || !isInside ? 1 : 0.5),
                column: column)
            let own = chosen.map { pattern.lanes[track, lane, note: $0, step: step] } ?? nil
            let ramp = chosen.map { pattern.lanes.value(track, .ramp, note: $0, step: step) } ?? nil
            let held = isHarmony && isInside ? pattern.lanes.harmony.degree(at: step) : nil
            let value = own ?? pattern.lanes[track, lane, step: step]
            if let shown = value ?? (held == 0 ? nil : held) {
                var ink = ink
                ink.isHollow = value == nil || chosen != nil && own == nil
                let ramp = ramp ?? pattern.lanes[track, .ramp, step: step] ?? 0
                draw(shown, of: lane, ink, ramp: ramp, into: &frame)
            } else if hasNote {
                let isAccented = track.notes.contains {
                    notes.contains($0) && pattern[track, note: $0, step: step] == .accent
                }
                if let height = lane.neutralHeight(accented: isAccented) {
                    ink.set(Lane.rows.upperBound + 1 - height, 0.3, into: &frame)
                }
            }
            if isInside {
                let ground = step == playhead ? Palette.pageBar : .black
                drawNotes(notes, of: track, step: step, into: &frame, column: column, ground, ink.fill)
                frame[column, 23] = RGB.black.blended(
                    towards: note.map { Palette.note($0, state.session.colourMode) } ?? RGB(0x1c1c1c), 0.8)
            }
        }
        guard window.contains(length - 1) else { return }
        let post = origin + window.column(ofStep: length - 1) + 1
        frame.fill(columns: post..<post + 1, rows: 22..<24, .white)
    }

    /// The notes of a step, stretched over the rows of the values: dim on the `ground`, brighter over the `fill` of a
    /// bar, and behind all else.
    private func drawNotes(
        _ notes: NoteSet, of track: Track, step: Int, into frame: inout Frame, column: Int, _ ground: RGB, _ fill: RGB
    ) {
        let pitch = track.rows.count == 6 ? 3 : 5
        let map = pageMap(of: track)
        for note in track.notes where notes.contains(note) && pattern[track, note: note, step: step] != .empty {
            guard let row = map.row(of: note) else { continue }
            let place = Lane.rows.upperBound - pitch / 2 - row * pitch
            let behind = frame[column, place]
            guard behind == ground || behind == fill else { continue }
            let alpha: Float = behind == ground ? 0.26 : 0.55
            frame.blend(column, place, towards: Palette.note(note, state.session.colourMode), alpha)
        }
    }

    private func draw(_ value: Int, of lane: Lane, _ ink: LaneInk, ramp: Int, into frame: inout Frame) {
        let bottom = Lane.rows.upperBound
        switch lane {
        case .velocity, .chance, .gate:
            let height = lane.height(of: value)
            let whole = Int(height)
            if ink.isHollow { return ink.set(bottom + 1 - max(1, whole), 1, into: &frame) }
            for row in 0..<max(0, whole - 1) { ink.set(bottom - row, LaneInk.fill, into: &frame) }
            ink.set(bottom + 1 - max(1, whole), whole == 0 ? LaneInk.fill : 1, into: &frame)
            let rest = height - Float(whole)
            if whole > 0, rest > 0.05 { ink.set(bottom - whole, 0.6 * rest * rest, into: &frame) }
        case .ratchet:
            for hit in 0..<value {
                let way = value > 1 ? Float(hit) / Float(value - 1) : 1
                let part = ramp == 0 ? 1 : ramp > 0 ? way : 1 - way
                ink.set(bottom - 2 * hit, 0.25 + 0.75 * part * part.squareRoot(), into: &frame)
            }
        case .when:
            switch StepCondition(code: value) {
            case .every(let turn, let turns):
                for light in 1...turns {
                    let row = bottom - 2 * (light - 1)
                    let isTurn = light == turn
                    ink.set(row, isTurn ? 1 : 0.3, .white, isWhite: isTurn && !ink.isHollow, into: &frame)
                }
            case .first: drawWord(0, false, ink, into: &frame)
            case .notFirst: drawWord(0, true, ink, into: &frame)
            case .fill: drawWord(1, false, ink, into: &frame)
            case .notFill: drawWord(1, true, ink, into: &frame)
            case .previous: drawWord(2, false, ink, into: &frame)
            case .notPrevious: drawWord(2, true, ink, into: &frame)
            case nil: break
            }
        case .slide:
            for row in 10...13 { ink.set(row, 1, into: &frame) }
        case .ramp, .shift, .cutoff, .resonance, .pan, .delay, .reverb, .harmony:
            let height = Int(lane.height(of: value).rounded())
            if ink.isHollow { return ink.set(Lane.middle - height, 1, into: &frame) }
            for row in stride(from: 1, through: abs(height), by: 1) {
                ink.set(Lane.middle - row * height.signum(), row == abs(height) ? 1 : LaneInk.fill, into: &frame)
            }
            ink.set(Lane.middle, height == 0 ? 0.6 : 0.8, into: &frame)
        }
    }

    /// One of the three words of a condition; its opposite is the inverse pattern.
    private func drawWord(_ place: Int, _ isInverse: Bool, _ ink: LaneInk, into frame: inout Frame) {
        for row in 0..<StepCondition.wordRows.count {
            let isLit = (row == place) != isInverse
            ink.set(StepCondition.wordRows.lowerBound + row, isLit ? 1 : 0.18, into: &frame)
        }
    }

    /// Draws what is picked up, and where it goes: a track's light, if these are shown, or a group's steps in row 1.
    func drawCopies(into frame: inout Frame, overTracks: Bool) {
        for contact in state.fingers.contacts {
            if case .pickedUp(let tracks) = contact.role, overTracks {
                for track in tracks.tracks { drawTrack(track, .white, into: &frame) }
            }
            guard case .copy(let touch) = contact.role else { continue }
            switch touch.place {
            case .track(let target): drawTrack(target, SceneLook.waiting, into: &frame)
            case .group(let from, let to):
                drawGroup(to, SceneLook.waiting, into: &frame)
                drawGroup(from, .white, into: &frame)
            }
        }
    }

    private func drawTrack(_ track: Track, _ colour: RGB, into frame: inout Frame) {
        let rows = LanesSheet.rows(of: track)
        frame.fill(columns: origin..<origin + 2, rows: rows, colour)
    }

    private func drawGroup(_ group: Int, _ colour: RGB, into frame: inout Frame) {
        guard laneWindow.contains(Pattern.groupSteps * group) else { return }
        let start = origin + laneWindow.column(ofStep: Pattern.groupSteps * group)
        frame.fill(columns: start..<start + Pattern.groupSteps, rows: 1..<2, colour)
    }

    /// The lights of LANES and FILL.
    func drawCorner(into frame: inout Frame) {
        let isOpen = if case .lanes = state.view.screen { true } else { false }
        frame.fill(columns: origin..<origin + 4, rows: 22..<24, isOpen ? .black : Palette.background)
        let track = Palette.track(state.fingers.playedTrack, state.session.colourMode)
        let light = isOpen || isTouched(.lanesLight) ? RGB.white : RGB.black.blended(towards: track, 0.8)
        frame[origin, 22] = light
        frame.fill(columns: origin..<origin + 2, rows: 23..<24, light)
        let fill = state.isFilling ? RGB.white : RGB(pattern.hasFill ? 0x6a6a6a : 0x1c1c1c)
        frame.fill(columns: origin + 3..<origin + 4, rows: 22..<24, fill)
    }

    /// Draws how far a hold of `span` on `spot`, a button of six rows that ends before row `bottom`, has come: column
    /// 40 fills from below.
    func drawHold(on spot: Spot, _ span: Instant.Span, bottom: Int, into frame: inout Frame, at now: Instant) {
        guard let part = holdProgress(on: spot, span, at: now) else { return }
        frame.fill(
            columns: origin + 40..<origin + 41, rows: bottom - Int((6 * part).rounded())..<bottom, .white)
    }

    /// How far a hold of `span` on `spot` has come, 0-1; nil without one.
    func holdProgress(on spot: Spot, _ span: Instant.Span, at now: Instant) -> Float? {
        guard let contact = state.fingers.contacts.first(where: { $0.isOn(spot) && $0.due != nil }) else { return nil }
        return min(1, (now - contact.motion.down).fraction(of: span))
    }
}

/// The colour of a step's value.
private struct LaneInk {
    let colour: RGB
    let strength: Float
    let column: Int
    /// Whether a value is the track's while a note is chosen: its end alone, and dim.
    var isHollow = false

    /// Opacity of a bar below its end.
    static let fill: Float = 0.34
    /// The colour of a bar below its end.
    var fill: RGB { .black.blended(towards: colour, Self.fill * strength) }

    /// Lights `row`, in white if it is so.
    func set(_ row: Int, _ alpha: Float, _ other: RGB = .white, isWhite: Bool = false, into frame: inout Frame) {
        guard Lane.rows.contains(row) else { return }
        let alpha = isHollow ? 0.4 * alpha : alpha
        frame[column, row] = RGB.black.blended(towards: isWhite ? other : colour, alpha * strength)
    }
}

extension Pattern {
    /// Whether a step depends on FILL.
    fileprivate var hasFill: Bool {
        guard !lanes.isEmpty else { return false }
        let fill = StepCondition.fill.code...StepCondition.notFill.code
        return Track.allCases.contains { track in
            let notes = lanes.rows(of: track).filter { $0.lane == .when }
            guard lanes.has(track, .when) || !notes.isEmpty else { return false }
            return (0..<Pattern.steps).contains { step in
                lanes[track, .when, step: step].map(fill.contains) ?? false
                    || notes.contains { lanes[track, .when, note: $0.note, step: step].map(fill.contains) ?? false }
            }
        }
    }
}
