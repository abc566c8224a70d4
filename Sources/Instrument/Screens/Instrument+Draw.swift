import InputEvents
import Display

extension Instrument {
    /// Draws the panel's picture at `now` into `frame`, which has the instrument's columns and rows. Depends only on
    /// the state and the time, and allocates nothing.
    public func draw(into frame: inout Frame, at now: Instant) {
        precondition(frame.columns == columns && frame.rows == Instrument.rows)
        if origin > 0 { frame.fill(columns: 0..<origin, rows: 0..<frame.rows, .black) }
        switch state.view.screen.layout {
        case .grid: drawGrid(into: &frame, at: now)
        case .guide: drawGuide(into: &frame, at: now)
        case .sheet: drawSheet(into: &frame, at: now)
        }
        if state.view.screen == .grid || isMenuBeside { drawMenu(into: &frame, at: now) }
        if state.view.screen == .grid {
            drawHandle(into: &frame, at: now)
            drawRecord(into: &frame, at: now)
        }
        drawStickPrompt(into: &frame)
        if state.view.screen == .grid { state.view.tooltip?.draw(into: &frame, origin: origin, at: now) }
        if state.view.cursor.isShown, !isNaming { state.view.cursor.draw(into: &frame) }
    }

    private func drawGrid(into frame: inout Frame, at now: Instant) {
        frame.fill(columns: origin..<columns, rows: 0..<frame.rows, Palette.background)
        drawControls(into: &frame, at: now)
        drawSteps(into: &frame, row: 1, Palette.steps, at: now)
        drawWaitingTune(into: &frame)
        let silent = state.silent
        let showsKeys = state.view.keys.isShown
        for track in Track.allCases {
            let (map, isSilent) = (map(track), silent.contains(track))
            drawHead(of: track, map, isSilent: isSilent, into: &frame, at: now)
            if !showsKeys { drawCells(of: track, map, isSilent: isSilent, into: &frame, at: now) }
        }
        if showsKeys {
            drawKeys(into: &frame, at: now)
        } else {
            drawOverview(silent: silent, into: &frame)
            drawScenes(into: &frame, at: now)
            drawPreviews(into: &frame, at: now)
        }
        drawTakeLight(into: &frame, at: now)
        if showsFX { drawFX(into: &frame) }
        if !showsKeys { state.hints.shown?.draw(into: &frame, origin: origin, state, at: now) }
    }

    /// Time of the next frame that may differ from the one at `now`: a frame later while something moves, 50 ms later
    /// while only one LED breathes.
    public func nextFrame(after now: Instant) -> Instant {
        let moves =
            state.isPlaying || state.view.tooltip != nil || state.hints.shown != nil || state.view.screen != .grid
            || isMenuMoving(at: now) || !state.box.facts.faults.isEmpty
            || state.fingers.contacts.contains { $0.role != nil }
        return now + (moves ? Instrument.frameInterval : .milliseconds(50))
    }

    /// Duration of a frame at 60 frames per second.
    public static let frameInterval = Instant.Span(microseconds: 16_667)

    /// Remaining brightness of the flash of the pattern's playhead, or of the playhead of `track`, 1-0.
    func pulse(of track: Track? = nil, at now: Instant) -> Float {
        // A reference to the method would copy the whole state.
        let audible = if let track { state.playhead(of: track) } else { state.transport.playhead }
        guard let playhead = audible, playhead.sounds else { return 0 }
        return max(0, 1 - (now - playhead.since).fraction(of: Glow.pulse))
    }

    var pattern: Pattern { state.session.composition.pattern }

    // MARK: Rows 0 and 1

    private func drawControls(into frame: inout Frame, at now: Instant) {
        func light(_ columns: ClosedRange<Int>, _ colour: RGB) {
            for column in columns { frame[origin + column, 0] = colour }
        }
        func light(_ control: Control, _ colour: RGB) { light(control.columns, colour) }
        let pattern = pattern

        let mode = state.session.colourMode
        // Stop has a gap, so that its shape differs from Play's. Red that breathes would mean recording.
        light(.play, state.isPlaying ? Palette.stop(mode) : Palette.go(mode))
        if state.isPlaying {
            frame[origin + 1, 0] = Palette.background.blended(towards: Palette.stop(mode), Opacity.stopGap)
        } else {
            frame[origin, 0] = Palette.background.blended(towards: Palette.go(mode), breath(at: now))
        }
        light(.undo, RGB(state.session.history.past.isEmpty ? 0x333333 : 0x888888))
        light(.redo, RGB(state.session.history.future.isEmpty ? 0x333333 : 0x888888))
        // The last light stands for every scale without one of its own.
        let chosen = min(pattern.tonality.scale.kind.rawValue, Palette.scales.count - 1)
        for (place, scale) in Scale.shared.enumerated() {
            light(.scale(scale), place == chosen ? Palette.scales[place] : Palette.otherScales[place])
        }
        for root in 0..<12 {
            let alpha = root == pattern.tonality.root ? 1 : Opacity.unchosenRoot
            light(.root(root), Palette.background.blended(towards: Palette.note(root, mode), alpha))
        }
        light(.ghosts, RGB(state.session.composition.showsGhosts ? 0x666666 : 0x222222))
        for control in [Control.slower, .faster, .shorter, .longer] { light(control, RGB(0x444444)) }
        light(.tapTempo, .hsl(Float(pattern.tempo.bpm), 0.7, 0.5))
        light(31...31, .hsl(Float(8 * pattern.length), 0.7, 0.5))

        let reversals = state.fingers.contacts.reduce(0) { max($0, $1.reversals) }
        // One light for each reversal; without any they are KEYS and FX.
        if reversals > 0 || state.rules == .phone {
            light(34...37, RGB(0x222222))
        } else {
            light(.keys, state.view.keys.isShown ? Palette.keys : Palette.closedKeys)
            light(.fx, showsFX || !state.fx.isEmpty ? Palette.fx : Palette.closedFX)
        }
        let meter = 34..<34 + min(reversals, 4)
        for column in meter { light(column...column, .hsl(Float(360 - 60 * reversals), 1, 0.5)) }
        light(.clear, state.session.isLocked ? Palette.background : RGB(0x662222))
        if let progress = clearProgress(at: now) {
            for (place, column) in Control.clear.columns.enumerated() {
                let part = min(max(progress * 4 - Float(place), 0), 1)
                frame.blend(origin + column, 0, towards: RGB(0xff2828), part)
            }
        }
    }

    /// Brightness of what breathes, such as the LED at 0, 0 while the transport is stopped.
    func breath(at now: Instant) -> Float {
        let place = Float(now.microseconds % Glow.breath.microseconds) / Float(Glow.breath.microseconds)
        let rise = 1 - abs(2 * place - 1)
        return 0.35 + 0.65 * rise * rise * (3 - 2 * rise)
    }

    /// Brightness of the sign of recording: it breathes until the transport runs.
    func recordLight(at now: Instant) -> Float { state.isPlaying ? 1 : breath(at: now) }

    /// Draws the sign of recording: Play gives up its last LED, and the next one is red.
    private func drawRecord(into frame: inout Frame, at now: Instant) {
        guard state.recording.isOn else { return }
        let column = origin + Control.play.columns.upperBound
        frame[column, 0] = Palette.background
        frame[column + 1, 0] = Palette.background.blended(towards: Palette.danger, recordLight(at: now))
    }

    /// Whether blinking fault indicators are lit now: two short flashes every second.
    func isLit(at now: Instant) -> Bool {
        let place = now.microseconds % 1_000_000 / 1000
        return (0..<120).contains(place) || (240..<360).contains(place)
    }

    private func drawStickPrompt(into frame: inout Frame) {
        guard state.box.stickPrompt != nil else { return }
        var touched: StickPrompt.Answer?
        for contact in state.fingers.contacts {
            if case .stickPrompt(let answer?) = contact.role { touched = answer }
        }
        StickPrompt.draw(into: &frame, origin: origin, touched: touched)
    }

    /// Draws the steps of the pattern and the playhead in `row`.
    func drawSteps(into frame: inout Frame, row: Int, _ colours: Palette.Steps, at now: Instant) {
        for step in window.steps(of: pattern.length) {
            let column = origin + window.column(ofStep: step)
            if step == state.transport.playhead?.step {
                frame[column, row] = Palette.heardStep.blended(towards: .white, pulse(at: now))
            } else {
                frame[column, row] = colours[pattern.metre.weight(of: step)]
            }
        }
    }

    /// Draws the handle of the menu, which also shows faults and the lock.
    private func drawHandle(into frame: inout Frame, at now: Instant) {
        let shades = Palette.handle(state.rules)
        let ground = state.session.isMenuOpen && origin == 0 ? shades.open : shades.closed
        func light(_ columns: ClosedRange<Int>, _ colour: RGB) {
            for column in columns { frame[origin + column, 1] = colour }
        }
        light(Menu.handle, ground)
        // A gap, so that the amber parts differ in shape too.
        if state.rules == .box, state.session.isLocked || state.box.isWarned {
            light(2...(state.session.isLocked ? 2 : 3), Palette.background)
        }
        if state.session.isLocked { light(Menu.handle.upperBound...Menu.handle.upperBound, Palette.warning) }
        if !state.box.facts.faults.isEmpty {
            if isLit(at: now) { light(Menu.handle, Palette.danger) }
        } else if state.box.isWarned {
            light(0...1, ground.blended(towards: Palette.warning, breath(at: now)))
        }
    }

    // MARK: Tracks

    /// The notes of `track`'s rows.
    private func map(_ track: Track) -> PageMap {
        PageMap(state.rules, track, page: state.session.pages[track.rawValue], pattern.tonality)
    }

    /// The even bits of a note's cells: bit 2·step is set where a cell is not empty.
    private func lowBits(_ cells: UInt64) -> UInt64 { (cells | cells >> 1) & Pattern.lowBits }

    private func drawCells(
        of track: Track, _ map: PageMap, isSilent: Bool, into frame: inout Frame, at now: Instant
    ) {
        let (pattern, window) = (pattern, window)
        let playhead = state.playhead(of: track)?.step
        let pulse = pulse(of: track, at: now)
        let isDipped = isDipped(at: now)
        for (place, row) in track.rows.enumerated() {
            let line = map.rows - 1 - place
            guard let note = map.note(atRow: line) else {
                frame.fill(
                    columns: origin + Grid.stepColumns.lowerBound..<origin + Grid.stepColumns.upperBound,
                    rows: row..<row + 1, .black)
                continue
            }
            let notes = map.notes(atRow: line)
            let lit = steps(of: track, notes: notes)
            let ghosts = state.session.composition.showsGhosts ? ghosts(of: track, notes: notes) : (0, 0, 0)
            let others = track.others
            let isBox = state.rules == .box
            let isRoot = isBox && track != .rhythm && Pattern.pitchClass(of: note) == pattern.tonality.root
            let isOutOfScale = !isBox && track != .rhythm && !pattern.tonality.contains(note)
            for step in window.steps(of: pattern.length) {
                let weight = pattern.metre.weight(of: step)
                let bit: UInt64 = 1 << UInt64(2 * (step - window.first))
                let column = origin + window.column(ofStep: step)
                if lit & bit != 0 {
                    let (note, cell) = winner(track, notes: notes, step: step)
                    var colour = Palette.note(note, cell, isSilent: isSilent, state.session.colourMode)
                    if cell == .sustain {
                        let run = heldRun(track, note, step)
                        let fade = Opacity.sustain(Float(run.place) / Float(run.length))
                        let alpha = isSilent ? fade * Opacity.silentNote : fade
                        colour = Palette.background.blended(
                            towards: Palette.note(note, state.session.colourMode), alpha)
                    }
                    if isDipped, pattern.lanes.has(track, note: note, step: step) {
                        colour = Palette.background.blended(towards: colour, Opacity.laneDip)
                    }
                    if step == playhead {
                        colour = colour.blended(towards: .white, Opacity.playhead)
                        if cell != .sustain, !isSilent { colour = colour.blended(towards: .white, pulse) }
                    }
                    frame[column, row] = colour
                } else if (ghosts.0 | ghosts.1 | ghosts.2) & bit != 0 {
                    let other = ghosts.0 & bit != 0 ? others.0 : ghosts.1 & bit != 0 ? others.1 : others.2
                    frame[column, row] = Palette.ghost(other, state.session.colourMode)
                } else if step == playhead {
                    frame[column, row] = Palette.playhead
                } else if isRoot, weight != .none {
                    frame[column, row] = Palette.rootStep
                } else if weight == .strong {
                    frame[column, row] = Palette.barStep
                } else if isOutOfScale {
                    frame[column, row] = Palette.outOfScale
                }
            }
        }
    }

    /// Whether steps with values in a lane are darker: for a moment at every strong beat, and once a second while
    /// stopped.
    private func isDipped(at now: Instant) -> Bool {
        guard !pattern.lanes.isEmpty, state.rules == .box else { return false }
        guard state.isPlaying else { return now.microseconds % 1_000_000 < Glow.pulse.microseconds }
        guard let playhead = state.transport.playhead, pattern.metre.weight(of: playhead.step) == .strong else {
            return false
        }
        return now - playhead.since < Glow.pulse
    }

    /// The steps of the window at which `track` has any of `notes`, as even bits.
    func steps(of track: Track, notes: NoteSet) -> UInt64 { steps(of: track, notes: notes, in: window) }

    /// The same in `window`.
    private func steps(of track: Track, notes: NoteSet, in window: StepWindow) -> UInt64 {
        var bits: UInt64 = 0
        notes.notes(of: track).forEach { bits |= lowBits(pattern.cells(track, note: $0, window: window.index)) }
        return bits
    }

    /// The steps at which each other track has any of `notes`, top to bottom. Under the rules of the box drums neither
    /// cast nor receive ghosts, because they have no pitch.
    private func ghosts(of track: Track, notes: NoteSet) -> (UInt64, UInt64, UInt64) {
        let others = track.others
        if state.rules == .box {
            // Rhythm is the last of the others.
            return track == .rhythm
                ? (0, 0, 0) : (steps(of: others.0, notes: notes), steps(of: others.1, notes: notes), 0)
        }
        return (steps(of: others.0, notes: notes), steps(of: others.1, notes: notes), steps(of: others.2, notes: notes))
    }

    /// The note of `notes` that an LED shows at `step`: accent before normal before sustain, then the higher note.
    private func winner(_ track: Track, notes: NoteSet, step: Int) -> (note: Int, cell: Cell) {
        var best = (note: 0, cell: Cell.empty)
        notes.forEach { note in
            let cell = pattern[track, note: note, step: step]
            if cell != .empty, cell.rank >= best.cell.rank { best = (note, cell) }
        }
        return best
    }

    /// Position of the sustain cell at `step` within its held note, and the note's length. Sustain cells without a head
    /// count from the first of them.
    private func heldRun(_ track: Track, _ note: Int, _ step: Int) -> (place: Int, length: Int) {
        let length = pattern.length
        guard let run = pattern.run(track, note: note, step: step, in: length) else { return (0, 1) }
        return ((step - run.start + length) % length, run.count)
    }

    // MARK: Rows 22 and 23, and previews

    private func drawOverview(silent: TrackSet, into frame: inout Frame) {
        if state.rules == .box {
            drawCorner(into: &frame)
        } else {
            frame.fill(columns: origin..<origin + 4, rows: 22..<23, RGB(0x222222))
            frame.fill(columns: origin..<origin + 4, rows: 23..<24, RGB(0x111111))
        }
        // A column is one step, or as many as let the whole pattern fit.
        let length = pattern.length
        let size = pattern.shownWindows
        let playhead = state.transport.playhead?.step
        // The steps of each track with notes, by track and window, as even bits: no array, which would allocate.
        var lit = SIMD16<UInt64>()
        for track in Track.allCases where !silent.contains(track) {
            for index in 0..<min(pattern.filledWindows, size) {
                let window = StepWindow(index: index)
                lit[Pattern.windows * track.rawValue + index] = steps(of: track, notes: NoteSet(of: track), in: window)
            }
        }
        for (place, first) in stride(from: 0, to: length, by: size).enumerated() {
            let column = origin + Grid.column(ofStep: place)
            let steps = first..<min(first + size, length)
            let isShown = size == 1 || steps.overlaps(window.steps(of: length))
            func light(_ row: Int, _ colour: RGB) {
                frame[column, row] =
                    isShown ? colour : Palette.background.blended(towards: colour, Opacity.hiddenWindow)
            }
            if let (track, note) = firstNote(at: steps, lit: lit) {
                light(22, Palette.track(track, state.session.colourMode))
                light(23, Palette.note(note, state.session.colourMode))
            } else {
                frame[column, 22] =
                    playhead.map(steps.contains) == true
                    ? RGB(0x222222) : size > 1 && isShown ? RGB(0x161616) : Palette.background
                frame[column, 23] = RGB(0x050505)
            }
        }
        // Each track that has left the pattern's step shows its own.
        for track in Track.allCases.reversed() where !pattern.isPlain(track) {
            guard let step = state.playhead(of: track)?.step, step != playhead, step / size < Pattern.window else {
                continue
            }
            frame[origin + Grid.column(ofStep: step / size), 22] = Palette.track(track, state.session.colourMode)
                .blended(towards: .white, Opacity.trackPlayhead)
        }
    }

    /// The first audible track, top to bottom, with a note at one of `steps`, and its lowest note at the first of them
    /// that has one; nil for none. `lit` has the steps with notes, by track and window, as even bits.
    private func firstNote(at steps: Range<Int>, lit: SIMD16<UInt64>) -> (track: Track, note: Int)? {
        for track in Track.allCases {
            for step in steps {
                let bits = lit[Pattern.windows * track.rawValue + step / Pattern.window]
                guard bits >> UInt64(2 * (step % Pattern.window)) & 1 == 1 else { continue }
                return (track, track.notes.first { pattern[track, note: $0, step: step] != .empty } ?? 0)
            }
        }
        return nil
    }

    private func drawPreviews(into frame: inout Frame, at now: Instant) {
        for contact in state.fingers.contacts {
            guard case .gesture(let gesture) = contact.role else { continue }
            if contact.recording == .nothing, gesture.shape == .tap { continue }
            // The page may have changed since the finger landed.
            let map = map(gesture.track)
            drawPulse(of: contact, gesture, map, into: &frame, at: now)
            let isMove = gesture.shape == .move
            // Two notes of a preview on the same LED light it once. A move shows where the notes go.
            for (index, placement) in contact.placements.enumerated() {
                guard let row = map.row(of: placement.note) else { continue }
                let isOld = isMove && placement.cell == .empty
                let isDouble = contact.placements[..<index].contains {
                    $0.step == placement.step && (isMove && $0.cell == .empty) == isOld && map.row(of: $0.note) == row
                }
                if isDouble || !window.contains(placement.step) { continue }
                let column = origin + window.column(ofStep: placement.step)
                frame.blend(
                    column, gesture.track.rows.upperBound - 1 - row, towards: isOld ? Palette.background : .white,
                    Opacity.preview)
            }
        }
    }
}

extension Instrument {
    /// Draws the pulse of the notes under a finger that has been held long enough to move them.
    private func drawPulse(
        of contact: Contact, _ gesture: Gesture, _ map: PageMap, into frame: inout Frame, at now: Instant
    ) {
        guard gesture.shape == .accent, !isFrozen else { return }
        let part = 1 - (now - (contact.motion.down + Limits.hold)).fraction(of: Glow.hold)
        guard part > 0 else { return }
        gesture.lit.forEach { note in
            guard let row = map.row(of: note),
                let run = pattern.run(gesture.track, note: note, step: gesture.start.step, in: gesture.length)
            else { return }
            for place in 0..<run.count {
                let step = (run.start + place) % gesture.length
                guard window.contains(step) else { continue }
                let column = origin + window.column(ofStep: step)
                frame.blend(column, gesture.track.rows.upperBound - 1 - row, towards: .white, part)
            }
        }
    }
}

extension Track {
    /// The other tracks, in the order of their ghosts' priority.
    fileprivate var others: (Track, Track, Track) {
        switch self {
        case .melody: (.chords, .bass, .rhythm)
        case .chords: (.melody, .bass, .rhythm)
        case .bass: (.melody, .chords, .rhythm)
        case .rhythm: (.melody, .chords, .bass)
        }
    }
}

extension Cell {
    /// Priority of a cell on an LED shared by two cells; higher wins.
    fileprivate var rank: Int {
        switch self {
        case .accent: 3
        case .normal: 2
        case .sustain: 1
        case .empty: 0
        }
    }
}
