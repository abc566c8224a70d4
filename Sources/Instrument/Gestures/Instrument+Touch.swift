import InputEvents

// Fingers: the function of each, and the effects of moving, holding still and lifting (SPEC 3).

extension Instrument {
    /// Processes one report of one finger.
    mutating func take(_ touch: Touch) {
        guard state.contacts.indices.contains(touch.contact) else { return }
        let id = touch.contact
        defer { state.contacts[id].isDown = touch.phase == .down || touch.phase == .move && state.contacts[id].isDown }
        let position = Position(column: touch.column - Float(origin), row: touch.row)
        if touch.phase != .down { passOn(touch) }
        switch touch.phase {
        case .down:
            if state.contacts[id].role == .guide { touchGuide(.cancel, contact: id) }
            release(id)
            state.contacts[id].soundDelay = touch.delay
            land(id, at: position)
            passOn(touch)
        case .move:
            move(id, to: position)
        case .up:
            move(id, to: position)
            lift(id)
            release(id)
        case .cancel:
            if state.contacts[id].role == .guide { touchGuide(.cancel, contact: id) }
            release(id)
        }
    }

    private mutating func release(_ id: Int) {
        state.contacts[id].role = nil
        state.contacts[id].due = nil
        state.contacts[id].isShaking = false
        state.contacts[id].recording = nil
        state.contacts[id].action = nil
        if !state.transpositions.isEmpty { state.transpositions[id] = nil }
        state.contacts[id].grip = nil
        state.contacts[id].placements.removeAll(keepingCapacity: true)
    }

    // MARK: Landing

    private mutating func land(_ id: Int, at position: Position) {
        let led = position.led
        state.contacts[id].motion = Motion(at: position, time: now, state.rules)
        state.landings += 1
        state.contacts[id].landingNumber = state.landings
        state.contacts[id].landedAlone = state.contacts.indices.allSatisfy { $0 == id || !state.contacts[$0].isDown }
        if state.stickPrompt != nil, StickPrompt.covers(led) {
            state.contacts[id].role = .stickPrompt(StickPrompt.answer(at: led))
            return
        }
        state.stickPrompt = nil
        if let spot = spot(at: position) {
            touch(spot, contact: id)
        } else if case .song = state.screen, let slot = SongSheet.slot(at: position) {
            landOnScene(slot, isOnSheet: true, contact: id)
        } else if state.screen == .guide {
            state.contacts[id].role = .guide
            touchGuide(.down, contact: id)
        } else if state.screen != .grid {
            state.contacts[id].role = .nothing
        } else if Menu.isHandle(led) {
            state.contacts[id].role = .nothing
            toggleMenu()
        } else if isUnderMenu(led) {
            state.contacts[id].role = .nothing
        } else if led == Position.LED(column: 0, row: 0) {
            state.contacts[id].role = .colourHold
            state.contacts[id].due = now + Limits.colourHold
        } else if led.row == 0, let control = Control.at(column: position.column), !isUnderMenu(control) {
            state.contacts[id].role = .control(control)
            touch(control, contact: id)
        } else if let gesture = Gesture(
            state.rules, at: led, pages: state.session.pages, state.session.composition.pattern)
        {
            state.playedTrack = gesture.track
            state.touchedNotes[gesture.track.rawValue] = gesture.map.note(atRow: gesture.start.row) ?? 0
            land(id, gesture)
        } else if let track = Track(row: led.row), (0...3).contains(led.column) {
            state.contacts[id].role = .nothing
            state.playedTrack = track
            touchTrack(track, column: led.column, contact: id)
        } else if Grid.sceneColumns.contains(led.column), led.row > 0 {
            landOnScenes(id, at: position)
        } else if isOutsideTracks(led) {
            state.contacts[id].role = .outsideTracks
        } else {
            state.contacts[id].role = .nothing
        }
    }

    // MARK: Moving

    private mutating func move(_ id: Int, to position: Position) {
        guard let role = state.contacts[id].role, role != .nothing else { return }
        let previous = state.contacts[id].motion.position
        state.contacts[id].motion.move(to: position, at: now)
        switch role {
        case .gesture(let gesture):
            follow(id, gesture, from: previous)
            shake(id)
        case .page(let touch):
            drag(touch, contact: id, to: position.led.row)
        case .lane(let touch):
            drawLane(touch, contact: id)
        case .laneLength(let touch):
            dragLaneLength(touch, contact: id)
        case .outsideTracks:
            shake(id)
        case .guide:
            touchGuide(.move, contact: id)
        case .spot(let spot, _):
            self.move(spot, contact: id, to: position)
        case .control(let control):
            slide(control, contact: id, to: position)
        case .colourHold:
            if !Control.play.isNear(position.column) || position.led.row > 1 { state.contacts[id].role = .nothing }
            if state.contacts[id].motion.hasLeftFirstLED { state.contacts[id].due = nil }
        case .play:
            if !Control.play.isNear(position.column) || position.led.row > 1 {
                state.contacts[id].role = .nothing
                state.contacts[id].due = nil
            }
        case .copy(let touch):
            self.move(touch, contact: id)
        case .pickedUp, .ordering: break
        case .stickPrompt:
            state.contacts[id].role = .stickPrompt(StickPrompt.answer(at: position.led))
        case .scene(let touch):
            guard !touch.isNear(position) else { break }
            release(id)
            if touch.isOnSheet { drag(scene: touch.slot, to: position, contact: id) }
        case .chain:
            if !SceneTouch.isNearChain(position, state.rules) { release(id) }
        case .nothing:
            break
        }
    }

    // MARK: Holding still

    /// Handles contact `id`, which held still until it was `due`.
    mutating func hold(_ id: Int) {
        state.contacts[id].due = nil
        switch state.contacts[id].role {
        case .gesture(let gesture):
            hold(id, gesture)
        case .control(let control):
            holdControl(control, contact: id)
        case .play, .spot(.play, _):
            holdPlay(contact: id)
        case .spot(.takeLight, _):
            holdTakeLight(contact: id)
        case .spot(.letter(let fader), _):
            holdLetter(of: fader)
        case .spot(let spot, _):
            touchSheet(spot, .hold, contact: id)
        case .colourHold:
            state.contacts[id].role = .nothing
            state.session.colourMode = state.session.colourMode.next
            showTooltip(state.session.colourMode.word)
        case .scene(let touch):
            holdScene(touch, contact: id)
        case .page(let touch):
            if !touch.hasLeftRow { show(.lanes(LanesSheet(of: touch.track))) }
        case .laneLength(let touch):
            holdLaneOverview(touch, contact: id)
        case .copy(let touch):
            copy(touch, moves: true, contact: id)
        case .outsideTracks, .lane, .stickPrompt, .guide, .ordering, .pickedUp, .chain, .nothing, nil:
            break
        }
    }

    // MARK: Lifting

    private mutating func lift(_ id: Int) {
        let contact = state.contacts[id]
        switch contact.role {
        case .colourHold:
            togglePlay()
        case .play(let stops):
            if stops, state.isPlaying { togglePlay() }
        case .guide:
            touchGuide(.up, contact: id)
        case .spot(let spot, let isOver):
            lift(spot, isOver: isOver, contact: id)
        case .gesture(let gesture):
            lift(id, gesture)
        case .outsideTracks:
            liftOutsideTracks(id)
        case .page(let touch):
            lift(touch)
        case .laneLength(let touch):
            liftFromLaneOverview(touch, contact: id)
        case .copy(let touch):
            copy(touch, moves: false, contact: id)
        case .stickPrompt(let answer?):
            guard state.stickPrompt != nil else { return }
            state.stickPrompt = nil
            effects.append(.job(answer == .take ? .importPatterns : .exportPatterns))
        case .scene(let touch):
            liftFromScene(touch, held: now - contact.motion.down)
        case .ordering(let slot):
            drop(scene: slot, contact: id)
        case .chain:
            chooseNextMode()
        case .control, .stickPrompt, .lane, .pickedUp, .nothing, nil:
            break
        }
    }
}
