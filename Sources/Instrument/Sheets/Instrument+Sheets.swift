import Display

// Drawing of what is not the sequencer: the menu, the sheets and what every sheet has at its top.

extension Instrument {
    /// Draws the sheet that is shown, over the 44 columns from `origin`.
    func drawSheet(into frame: inout Frame, at now: Instant) {
        if state.screen == .guide {
            state.guide.draw(
                into: &frame, origin: origin, at: now, isPlaying: state.isPlaying, mode: state.session.colourMode)
            state.tooltip?.drawOver(into: &frame, clip: origin + 12..<origin + 40, row: 0, at: now)
            return
        }
        frame.fill(columns: origin..<columns, rows: 0..<frame.rows, .black)
        switch state.screen {
        case .grid, .guide: break
        case .sound(let sheet): sheet.draw(self, into: &frame, origin: origin)
        case .song: SongSheet.draw(self, into: &frame, origin: origin, at: now)
        case .sync: SyncSheet.draw(self, into: &frame, origin: origin)
        case .settings: SettingsSheet.draw(self, into: &frame, origin: origin)
        case .about(let sheet):
            sheet.draw(state.aboutLines, warns: state.facts.problem != nil, into: &frame, origin: origin, at: now)
        case .power: PowerSheet.draw(progress: switchOffProgress(at: now), into: &frame, origin: origin)
        case .letters(let sheet): sheet.draw(self, into: &frame, origin: origin, at: now)
        }
        drawHeader(into: &frame, at: now)
    }

    /// The way back, the title, Play and Stop, and the steps, which come down from the grid's row 1.
    private func drawHeader(into frame: inout Frame, at now: Instant) {
        let all = 0..<frame.columns
        Header.back.draw(
            into: &frame, column: origin, row: 0, colour: isTouched(.back) ? .white : Palette.text, clip: all)
        let title = origin + 6..<origin + 37
        if let tooltip = state.tooltip {
            tooltip.drawOver(into: &frame, clip: title, row: 0, at: now)
        } else if state.screen == .power {
            // It takes the room of Play, which is not there.
            Header.power.draw(into: &frame, column: origin + 5, row: 0, colour: Palette.text, clip: all)
        } else {
            Header.title(of: state.screen)?.draw(
                into: &frame, column: title.lowerBound, row: 0, colour: Palette.text, clip: title)
        }
        switch state.screen {
        case .power: break
        case .letters:
            Header.done.draw(
                into: &frame, column: origin + 41, row: 0, colour: isTouched(.done) ? .white : Palette.go, clip: all)
        default: drawPlay(into: &frame)
        }
        let row = 1 + Int((4 * min(1, (now - state.screenSince).fraction(of: Header.slide))).rounded())
        frame.fill(columns: origin..<origin + 4, rows: row..<row + 1, state.screen.accent)
        if case .letters = state.screen { return }
        for step in 0..<state.session.composition.pattern.length {
            let isHeard = step == state.playhead?.step
            frame[origin + Grid.column(ofStep: step), row] =
                isHeard
                ? RGB(0xaaaaaa).blended(towards: .white, pulse(at: now))
                : RGB(step % 8 == 0 ? 0x444444 : step % 4 == 0 ? 0x262626 : 0x121212)
        }
    }

    private func drawPlay(into frame: inout Frame) {
        if state.isPlaying {
            frame.fill(
                columns: origin + 41..<origin + 44, rows: 1..<4, isTouched(.play) ? .white : Palette.stop)
        } else {
            Header.play.draw(
                into: &frame, column: origin + 41, row: 0, colour: isTouched(.play) ? .white : Palette.go,
                clip: 0..<frame.columns)
        }
    }

    /// The menu: over the grid, as far as it is open, or beside it on a panel that has the columns.
    func drawMenu(into frame: inout Frame, at now: Instant) {
        let isBeside = origin > 0
        let open = isBeside ? Menu.width : menuColumns(at: now)
        guard open > 0 else { return }
        let left = isBeside ? 0 : open - Menu.width
        let width = isBeside ? origin - 1 : Menu.columns
        if !isBeside {
            frame.fill(columns: 0..<open, rows: 1..<frame.rows, .black)
            frame.fill(columns: 3..<max(open, 3), rows: 0..<1, .black)
        }
        let isLit = isLit(at: now)
        for item in Menu.Item.allCases {
            let look = Menu.Look(
                isTouched: isTouched(.menu(item)), hasFault: state.facts.faults.affect(item),
                isLocked: item == .lock && state.session.isLocked, isLit: isLit)
            Menu.draw(item, look, into: &frame, left: left, width: width, clip: 0..<(isBeside ? origin : open))
        }
    }

    /// The columns of the menu that are seen, with its divider: 0 when it is closed, 6 when it is open.
    private func menuColumns(at now: Instant) -> Int {
        let way = min(1, max(0, (now - state.menuSince).fraction(of: Menu.slide)))
        let open = state.session.isMenuOpen ? way * (2 - way) : (1 - way) * (1 - way)
        return Int((open * Float(Menu.width)).rounded())
    }

    /// Whether the menu is on its way.
    func isMenuMoving(at now: Instant) -> Bool { now - state.menuSince < Menu.slide }

    /// Whether what blinks because something is broken is lit: twice a second, briefly.
    func isLit(at now: Instant) -> Bool {
        let place = now.microseconds % 1_000_000 / 1000
        return (0..<120).contains(place) || (240..<360).contains(place)
    }

    /// How long a finger has held the answer that switches the box off, as a part of what it takes.
    private func switchOffProgress(at now: Instant) -> Float {
        for contact in state.contacts where contact.isOn(.switchOff) {
            return min(1, (now - contact.motion.down).fraction(of: PowerSheet.hold))
        }
        return 0
    }

    /// Whether a finger is on `spot`.
    func isTouched(_ spot: Spot) -> Bool { state.contacts.contains { $0.isOn(spot) } }
}

/// What stands at the top of a sheet.
private enum Header {
    /// The steps come down to their row in this time.
    static let slide = Instant.Span.milliseconds(120)

    static let back = TextLine("<")
    static let done = TextLine("✓")
    static let play = TextLine("▶")
    static let power = TextLine("POWER OFF?")

    static func title(of screen: Screen) -> TextLine? {
        switch screen {
        case .grid, .guide, .power, .letters: nil
        case .sound: sound
        case .song: song
        case .sync: sync
        case .settings: settings
        case .about: about
        }
    }

    private static let sound = TextLine("SOUND")
    private static let song = TextLine("SONG")
    private static let sync = TextLine("SYNC")
    private static let settings = TextLine("SETTINGS")
    private static let about = TextLine("ABOUT")
}
