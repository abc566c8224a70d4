import Display

// Fingers on the menu and on the sheets. Icons, buttons and letters say what they are when they are touched and act when the
// finger lifts from them; sliding off takes that back. Faders act while they are touched.

extension Instrument {
    /// What a finger at `position` is on, beside what the grid itself has.
    func spot(at position: Position) -> Spot? {
        if let item = menuItem(at: position) { return .menu(item) }
        return state.screen.spot(at: position)
    }

    private func menuItem(at position: Position) -> Menu.Item? {
        if origin > 0 {
            guard position.column < -0.5 else { return nil }
            // Where icons are bars, the lower of the last two is the right one.
            let isRight = origin < Menu.width ? position.row >= 22.25 : position.column + Float(origin) >= 2.5
            return Menu.item(row: position.row, isRight: isRight)
        }
        guard state.session.isMenuOpen, state.screen == .grid, position.column < Float(Menu.width) - 0.5 else {
            return nil
        }
        return Menu.item(row: position.row, isRight: position.column >= 2.5)
    }

    // MARK: Landing, moving, lifting

    /// Contact `id` has landed on `spot`.
    mutating func touch(_ spot: Spot, contact id: Int, at now: Instant) {
        // One finger has a fader.
        if case .fader = spot, isTouched(spot) {
            state.contacts[id].role = .nothing
            return
        }
        state.contacts[id].role = .spot(spot, isOver: true)
        switch spot {
        case .fader(let fader):
            state.contacts[id].grip = Fader.Grip(
                at: state.contacts[id].motion.position.row, level: fader.level(of: value(of: fader)), walk: fader.walk,
                now)
        case .letter(let fader) where fader.isAvailable:
            let tap = State.Tap(
                down: now, target: .letter(fader), led: state.contacts[id].motion.position.led)
            if let last = state.lastTap, last.target == tap.target, now - last.down < Limits.doubleTap {
                state.lastTap = nil
                set(fader, to: nil)
            } else {
                state.lastTap = tap
            }
        case .switchOff: state.contacts[id].due = now + PowerSheet.hold
        case .tempo(let step):
            nudgeTempo(step, contact: id, at: now)
            state.contacts[id].due = now + Limits.repeatDelay
        case .tapTempo: tapTempo(at: now)
        case .line(let number): scroll(number, to: state.contacts[id].motion.position.column, now)
        default: break
        }
        sayName(of: spot, at: now)
    }

    /// Contact `id`, which landed on `spot`, is at `position`.
    mutating func move(_ spot: Spot, contact id: Int, to position: Position, at now: Instant) {
        switch spot {
        case .fader(let fader):
            state.contacts[id].grip?.move(to: position.row, now)
            follow(fader, contact: id, at: now)
        case .line(let number): scroll(number, to: position.column, now)
        case .key:
            // Sliding goes from key to key.
            let next = self.spot(at: position)
            if case .key? = next, let next {
                state.contacts[id].role = .spot(next, isOver: true)
            } else {
                state.contacts[id].role = .spot(spot, isOver: false)
            }
        default:
            let isOver = self.spot(at: position) == spot
            if state.contacts[id].role != .spot(spot, isOver: isOver) {
                state.contacts[id].role = .spot(spot, isOver: isOver)
                if isOver { sayName(of: spot, at: now) } else { state.contacts[id].due = nil }
            }
        }
    }

    /// Contact `id` has lifted from `spot`.
    mutating func lift(_ spot: Spot, isOver: Bool, at now: Instant, _ effects: inout [Effect]) {
        switch spot {
        case .line(let number):
            guard case .about(var sheet) = state.screen else { return }
            sheet.release(number, now)
            state.screen = .about(sheet)
        // Words stand for a while after the finger has gone.
        case .fader, .letter: sayName(of: spot, at: now)
        default: if isOver, spot.actsAtLift { press(spot, at: now, &effects) }
        }
    }

    /// Contact `id` has held `spot` until it was `due`.
    mutating func hold(_ spot: Spot, contact id: Int, at due: Instant, _ effects: inout [Effect]) {
        switch spot {
        case .switchOff:
            state.contacts[id].role = .nothing
            effects.append(.powerOff)
        case .tempo(let step):
            nudgeTempo(step, contact: id, at: due)
            state.contacts[id].due = due + Limits.repeatInterval
        default: break
        }
    }

    /// Lets what time moves under fingers go on until `now`.
    mutating func advanceFaders(to now: Instant) {
        for id in state.contacts.indices {
            guard case .spot(.fader(let fader), _)? = state.contacts[id].role,
                state.contacts[id].grip?.isWalking == true
            else { continue }
            state.contacts[id].grip?.advance(to: now)
            follow(fader, contact: id, at: now)
        }
    }

    // MARK: What they do

    private mutating func follow(_ fader: Fader, contact id: Int, at now: Instant) {
        guard let level = state.contacts[id].grip?.level else { return }
        let value = fader.value(at: level)
        guard value != self.value(of: fader) else { return }
        set(fader, to: value)
        sayName(of: .fader(fader), at: now)
    }

    private mutating func scroll(_ number: Int, to column: Float, _ now: Instant) {
        guard case .about(var sheet) = state.screen else { return }
        sheet.hold(number, at: column, now)
        state.screen = .about(sheet)
    }

    private mutating func nudgeTempo(_ step: SyncSheet.Step, contact id: Int, at now: Instant) {
        perform(inTouch: id) { $0.pattern.changeTempo(byBPM: step == .faster ? 1 : -1) }
        sayTempo(at: now)
    }

    private mutating func press(_ spot: Spot, at now: Instant, _ effects: inout [Effect]) {
        switch spot {
        case .menu(let item): open(item, at: now, &effects)
        case .back: show(state.screen.parent, at: now)
        case .play: togglePlay(at: now)
        case .track(let track): choose(track, at: now)
        case .chain: toggleChain(at: now)
        case .toggle(let toggle): switchOver(toggle, at: now)
        case .button(let button): press(button, at: now, &effects)
        case .stay: show(.settings, at: now)
        case .key(let place):
            guard case .letters(var sheet) = state.screen else { return }
            sheet.press(sheet.key(place))
            state.screen = .letters(sheet)
        case .done:
            guard case .letters(let sheet) = state.screen else { return }
            if let name = sheet.result { effects.append(.errand(.rename(sheet.pattern, name))) }
            show(.guide, at: now)
        case .fader, .letter, .line, .switchOff, .tempo, .tapTempo: break
        }
    }

    private mutating func open(_ item: Menu.Item, at now: Instant, _ effects: inout [Effect]) {
        switch item {
        case .sound:
            var sheet = SoundSheet()
            sheet.track = state.soundTrack
            show(.sound(sheet), at: now)
        case .song: show(.song, at: now)
        case .sync: show(.sync, at: now)
        case .settings: show(.settings, at: now)
        case .power: show(.power, at: now)
        case .lock:
            state.session.isLocked.toggle()
            say(state.session.isLocked ? "LOCKED" : "UNLOCKED", at: now)
        case .library: showGuide(.library, at: now, &effects)
        }
    }

    /// Another track's faders; those of the chosen one again are its second row.
    private mutating func choose(_ track: Track, at now: Instant) {
        guard case .sound(var sheet) = state.screen else { return }
        if sheet.track == track {
            sheet.isSecond.toggle()
        } else {
            sheet.track = track
            state.soundTrack = track
        }
        show(.sound(sheet), at: state.screenSince)
    }

    private mutating func switchOver(_ toggle: SettingsSheet.Toggle, at now: Instant) {
        switch toggle {
        case .audition: state.session.auditions.toggle()
        case .tap: state.session.soundsTaps.toggle()
        case .ghosts: perform { $0.showsGhosts.toggle() }
        }
        sayName(of: .toggle(toggle), at: now)
    }

    private mutating func press(_ button: SettingsSheet.Button, at now: Instant, _ effects: inout [Effect]) {
        switch button {
        case .calibrate: effects.append(.calibrate)
        case .hints: showHints(at: now)
        case .about: show(.about(AboutSheet(now)), at: now)
        case .power: show(.power, at: now)
        }
    }

    /// Shows `screen`. Fingers that were on something of the last one mean nothing any more.
    mutating func show(_ screen: Screen, at now: Instant) {
        if state.screen == .guide, screen != .guide { state.guide.leave(at: now) }
        state.screen = screen
        state.screenSince = now
        state.tooltip = nil
        for id in state.contacts.indices {
            switch state.contacts[id].role {
            case .spot, .guide, .scene:
                state.contacts[id].role = .nothing
                state.contacts[id].due = nil
            default: continue
            }
        }
    }

    /// Opens or closes the menu, where it does not stand beside the grid for good.
    mutating func toggleMenu(at now: Instant) {
        guard origin == 0 else { return }
        state.session.isMenuOpen.toggle()
        state.menuSince = now
    }

    private mutating func sayName(of spot: Spot, at now: Instant) {
        switch spot {
        case .menu(let item): say(item.name, at: now)
        case .track(let track): say(track.name.uppercased(), at: now)
        case .fader(let fader), .letter(let fader):
            say(fader.isAvailable ? fader.text(of: value(of: fader)) : "NOT HERE", at: now)
        case .toggle(let toggle): say(name(of: toggle), at: now)
        case .button(let button): say(button.name, at: now)
        case .chain: say("CHAIN", at: now)
        case .back, .play, .line, .stay, .switchOff, .key, .done, .tempo, .tapTempo: break
        }
    }

    private func name(of toggle: SettingsSheet.Toggle) -> String {
        switch (toggle, isOn(toggle)) {
        case (.audition, true): "AUDITION"
        case (.audition, false): "NO AUD"
        case (.tap, true): "TAP SND"
        case (.tap, false): "NO TAP"
        case (.ghosts, true): "GHOSTS"
        case (.ghosts, false): "NO GHOST"
        }
    }
}

extension Contact {
    /// What of the menu or a sheet it is on now.
    var spot: Spot? {
        if case .spot(let spot, true)? = role { spot } else { nil }
    }

    /// Whether it is on `spot` now.
    func isOn(_ spot: Spot) -> Bool { role == .spot(spot, isOver: true) }
}
