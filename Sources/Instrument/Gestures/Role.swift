import InputEvents

// The functions of a finger. A new one is a case here, and what it does when the finger moves, rests and lifts, and
// when its screen or its pattern goes.

extension Contact {
    /// The function of a finger.
    enum Role: Hashable, Sendable {
        /// Draws in a track.
        case gesture(Gesture)
        /// Touches a control.
        case control(Control)
        /// Landed on an item of the menu or of a sheet; whether it is still over it.
        case spot(Spot, isOver: Bool)
        /// Is on the guide, which keeps the details.
        case guide
        /// Is on the LED at 0, 0: Play/Stop on release, colour mode when held.
        case colourHold
        /// Is on an answer to the USB-stick question; nil beside both answers.
        case stickPrompt(StickPrompt.Answer?)
        /// Is on Play's other LEDs: recording when held; whether the release stops the transport.
        case play(stops: Bool)
        /// Is on a scene.
        case scene(SceneTouch)
        /// Is on a part of a scene, or slid away from one.
        case part(PartTouch)
        /// Drags this scene of the SONG sheet into the order.
        case ordering(Int)
        /// Is on the switch that chains scenes.
        case chain
        /// Is on a track's note page.
        case page(PageTouch)
        /// Draws values of a lane.
        case lane(LaneTouch)
        /// Has picked up these tracks on the LANES screen: other fingers copy them.
        case pickedUp(TrackSet)
        /// Says where tracks that another finger has picked up are copied.
        case copy(CopyTouch)
        /// Is on the overview of a lane.
        case laneLength(LaneLengthTouch)
        /// Is on rows 1, 22 or 23, where a double tap is Play/Stop.
        case outsideTracks
        /// Scrolls the window, beside a second finger that does.
        case scrolling
        /// Is on a key of the panel.
        case key(KeyTouch)
        /// Is on the light of FX.
        case fxLight
        /// Plays an effect.
        case fx(FX)
        /// Has no function.
        case nothing
    }
}

// MARK: When its screen or its pattern goes

extension Contact.Role {
    /// Whether it ends when another screen is shown.
    var isOnScreen: Bool {
        switch self {
        case .spot, .guide, .scene, .part, .ordering, .page, .lane, .laneLength, .pickedUp, .copy, .scrolling, .key,
            .fxLight, .fx:
            true
        case .gesture, .control, .colourHold, .stickPrompt, .play, .chain, .outsideTracks, .nothing: false
        }
    }

    /// Whether it ends when another pattern plays.
    var isOnPattern: Bool {
        switch self {
        case .gesture, .control, .lane, .laneLength, .copy: true
        case .spot, .guide, .colourHold, .stickPrompt, .play, .scene, .part, .ordering, .chain, .page, .pickedUp,
            .outsideTracks, .scrolling, .key, .fxLight, .fx, .nothing:
            false
        }
    }

    /// The tracks whose part it changes; none if it is not on one.
    var tracks: TrackSet {
        switch self {
        case .gesture(let gesture): TrackSet(gesture.track)
        case .lane(let touch): touch.lane == .harmony ? TrackSet() : TrackSet(touch.track)
        case .laneLength(let touch): touch.track.map { TrackSet($0) } ?? TrackSet()
        case .copy(let touch):
            if case .track(let target) = touch.place { touch.tracks.union(TrackSet(target)) } else { touch.tracks }
        case .control, .spot, .guide, .colourHold, .stickPrompt, .play, .scene, .part, .ordering, .chain, .page,
            .pickedUp, .outsideTracks, .scrolling, .key, .fxLight, .fx, .nothing:
            TrackSet()
        }
    }

    /// The entry of the song on which it landed, or on whose repeats.
    var entry: Int? {
        switch self {
        case .spot(.songEntry(let entry), _), .spot(.songRepeats(let entry), _): entry
        case .gesture, .control, .spot, .guide, .colourHold, .stickPrompt, .play, .scene, .part, .ordering, .chain,
            .page, .lane, .pickedUp, .copy, .laneLength, .outsideTracks, .scrolling, .key, .fxLight, .fx, .nothing:
            nil
        }
    }

    /// Whether it is on the scenes, or on the switch that chains them.
    var isOnScenes: Bool {
        switch self {
        case .scene, .part, .chain: true
        case .gesture, .control, .spot, .guide, .colourHold, .stickPrompt, .play, .ordering, .page, .lane, .pickedUp,
            .copy, .laneLength, .outsideTracks, .scrolling, .key, .fxLight, .fx, .nothing:
            false
        }
    }

    /// Whether it is on the order of the SONG sheet.
    var isOnOrder: Bool {
        if case .ordering = self { true } else { entry != nil }
    }
}

extension Contact {
    /// Another pattern plays: what began on the previous one must not change it.
    mutating func leavePattern() {
        // A fader of the sound goes on, because the sound may belong to all patterns.
        if case .spot(.fader(.sound), _)? = role {} else { action = nil }
        if role?.isOnPattern == true { leave() } else { leaveCopy() }
    }

    /// Others' parts of `tracks` play: what began on the previous ones must not change them.
    mutating func leave(_ tracks: TrackSet) {
        guard let role, !role.tracks.isDisjoint(with: tracks) else { return leaveCopy() }
        action = nil
        leave()
    }

    private mutating func leave() {
        (role, due) = (.nothing, nil)
        placements.removeAll(keepingCapacity: true)
    }

    /// The finger may still select a scene or a part, but what it would have copied is gone.
    private mutating func leaveCopy() {
        switch role {
        case .scene(let touch) where touch.hold != nil: due = nil
        case .part: due = nil
        default: break
        }
    }

    /// The song's entries have moved: a finger on one stays on it, and what it changes from then on is another undo
    /// step, because the compositions before it have its entry at another place.
    mutating func moveEntry(_ moved: (Int) -> Int) {
        guard let entry = role?.entry, case .spot(let spot, let isOver)? = role else { return }
        let next: Spot = if case .songEntry = spot { .songEntry(moved(entry)) } else { .songRepeats(moved(entry)) }
        (role, action) = (.spot(next, isOver: isOver), nil)
    }

    /// Reversals of the finger, 0 if it cannot shake.
    var reversals: Int {
        switch role {
        case .gesture, .outsideTracks: motion.reversals
        case .control, .spot, .guide, .colourHold, .stickPrompt, .play, .scene, .part, .ordering, .chain, .page, .lane,
            .pickedUp, .copy, .laneLength, .scrolling, .key, .fxLight, .fx, .nothing, nil:
            0
        }
    }

    /// Whether the finger is on − or + of the tempo.
    var changesTempo: Bool { role == .control(.slower) || role == .control(.faster) }

    /// Whether the finger is on a fader.
    var isOnFader: Bool { if case .spot(.fader, _)? = role { true } else { false } }

    /// The menu or sheet spot under the finger.
    var spot: Spot? {
        if case .spot(let spot, true)? = role { spot } else { nil }
    }

    /// Whether the finger is on `spot` now.
    func isOn(_ spot: Spot) -> Bool { self.spot == spot }

    /// Whether `tooltip` stays as long as the finger does.
    func keeps(_ tooltip: Tooltip) -> Bool {
        switch role {
        case .gesture, .lane, .laneLength: tooltip.isAmongSteps
        case .spot(_, let isOver): isOver
        case .control, .guide, .colourHold, .stickPrompt, .play, .scene, .part, .ordering, .chain, .page, .pickedUp,
            .copy, .outsideTracks, .scrolling, .key, .fxLight, .fx, .nothing, nil:
            false
        }
    }
}

// MARK: When the finger moves, rests and lifts

extension Instrument {
    /// Handles contact `id`, which is now at `position`.
    mutating func move(_ id: Int, to position: Position) {
        guard let role = state.fingers[id].role, role != .nothing else { return }
        let previous = state.fingers[id].motion.position
        state.fingers[id].motion.move(to: position, at: now)
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
            if state.fingers[id].motion.hasLeftFirstLED { state.fingers[id].due = nil }
            shake(id)
        case .scrolling:
            scroll(contact: id)
        case .guide:
            touchGuide(.move, contact: id)
        case .spot(let spot, _):
            self.move(spot, contact: id, to: position)
        case .control(let control):
            slide(control, contact: id, to: position)
        case .colourHold:
            if !Control.play.isNear(position.column) || position.led.row > 1 { state.fingers[id].role = .nothing }
            if state.fingers[id].motion.hasLeftFirstLED { state.fingers[id].due = nil }
        case .play:
            if !Control.play.isNear(position.column) || position.led.row > 1 {
                state.fingers[id].role = .nothing
                state.fingers[id].due = nil
            }
        case .copy(let touch):
            self.move(touch, contact: id)
        case .key(let touch):
            move(touch, contact: id)
        case .fxLight:
            if state.fingers[id].motion.hasWandered { state.fingers[id].due = nil }
        case .pickedUp, .ordering, .fx: break
        case .stickPrompt:
            state.fingers[id].role = .stickPrompt(StickPrompt.answer(at: position.led))
        case .scene(let touch):
            guard !touch.isNear(position) else { break }
            state.fingers.release(id)
            if touch.isOnSheet { drag(scene: touch.slot, contact: id) }
        case .part(let part):
            self.move(part, contact: id, to: position)
        case .chain:
            if !SceneTouch.isNearChain(position, state.rules) { state.fingers.release(id) }
        case .nothing:
            break
        }
    }

    /// Handles contact `id`, which has held still until its hold is due.
    mutating func hold(_ id: Int) {
        state.fingers[id].due = nil
        switch state.fingers[id].role {
        case .gesture(let gesture):
            hold(id, gesture)
        case .control(let control):
            holdControl(control, contact: id)
        case .play(let stops):
            holdPlay(stops ? .stop : .start, contact: id)
        case .spot(.play, _):
            holdPlay(.either, contact: id)
        case .spot(.takeLight, _):
            holdTakeLight(contact: id)
        case .spot(.letter(let fader), _):
            holdLetter(of: fader, contact: id)
        case .spot(let spot, _):
            touchSheet(spot, .hold, contact: id)
        case .colourHold:
            if isFrozen { return holdPlay(.either, contact: id) }
            state.fingers[id].role = .nothing
            state.session.colourMode = state.session.colourMode.next
            showTooltip(state.session.colourMode.word)
        case .scene(let touch):
            holdScene(touch, contact: id)
        case .part(let part):
            holdPart(part, contact: id)
        case .page(let touch):
            if !touch.hasLeftRow { show(.lanes(LanesSheet(of: touch.track))) }
        case .laneLength(let touch):
            holdLaneOverview(touch, contact: id)
        case .copy(let touch):
            copy(touch, moves: true, contact: id)
        case .outsideTracks:
            holdOutsideTracks(id)
        case .key(let touch):
            hold(touch, contact: id)
        case .fxLight:
            holdFX(contact: id)
        case .lane, .stickPrompt, .guide, .ordering, .pickedUp, .chain, .scrolling, .fx, .nothing, nil:
            break
        }
    }

    /// Handles contact `id`, which lifts.
    mutating func lift(finger id: Int) {
        let contact = state.fingers[id]
        switch contact.role {
        case .colourHold:
            pressPlay()
        case .play(let stops):
            if stops, state.isPlaying { pressPlay() }
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
            guard state.box.stickPrompt != nil else { return }
            state.box.stickPrompt = nil
            effects.append(.job(answer == .take ? .importPatterns : .exportPatterns))
        case .scene(let touch):
            liftFromScene(touch, held: now - contact.motion.down)
        case .part(let part):
            liftFromPart(part, contact: id)
        case .ordering(let slot):
            drop(scene: slot, contact: id)
        case .chain:
            chooseNextMode()
        case .fxLight:
            liftFromFX(contact: id)
        case .control, .stickPrompt, .lane, .pickedUp, .scrolling, .key, .fx, .nothing, nil:
            break
        }
    }
}
