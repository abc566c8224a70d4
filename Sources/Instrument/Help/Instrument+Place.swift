import InputEvents
import Display

/// What a finger at a place of the panel would touch.
public struct PanelPlace: Hashable, Sendable {
    /// Its name, for example `D4 STEP 3` or UNDO; empty where there is nothing.
    public var name = ""
    /// The track, of a step and of what stands beside the steps.
    public var track: Track?
    /// The step, from 0.
    public var step: Int?
    /// The row of the track's page, from its lowest.
    public var degree: Int?
    /// The index of the note on its track, 0-11.
    public var note: Int?
}

// The names of places, for those who cannot see them, and for tests that look for them.

extension Instrument {
    /// What a finger at `column` and `row` would touch, in LEDs of the panel.
    public func place(column: Int, row: Int) -> PanelPlace {
        let position = Position(column: Float(column - origin), row: Float(row))
        let led = position.led
        if state.box.stickPrompt != nil, StickPrompt.covers(led) {
            return PanelPlace(name: StickPrompt.answer(at: led).map { $0 == .take ? "IN" : "OUT" } ?? "USB")
        }
        if let spot = spot(at: position) { return PanelPlace(name: name(of: spot, at: position)) }
        if case .song = state.view.screen, let slot = SongSheet.slot(at: position) {
            return PanelPlace(name: name(ofScene: slot))
        }
        return state.view.screen == .grid ? gridPlace(at: position) : PanelPlace()
    }

    /// The name of what the cursor's finger would touch; empty without a cursor.
    var placeName: String {
        let cursor = state.view.cursor
        return cursor.isShown && !isNaming ? place(column: cursor.column, row: cursor.row).name : ""
    }

    private func gridPlace(at position: Position) -> PanelPlace {
        let led = position.led
        if Menu.isHandle(led) { return PanelPlace(name: "MENU") }
        if isUnderMenu(led) { return PanelPlace() }
        if led.row == 0 {
            guard let control = Control.at(column: position.column, state.rules), !isUnderMenu(control) else {
                return PanelPlace()
            }
            return PanelPlace(name: control.placeName)
        }
        if isOnFX(led) { return PanelPlace(name: FXZone.at(led)?.fx.title ?? "") }
        if state.view.keys.isShown, led.row > 1 || Grid.sceneColumns.contains(led.column) { return keyPlace(at: led) }
        if Grid.sceneColumns.contains(led.column) {
            let chain = position.row < SceneTouch.top ? "" : "CHAIN"
            if state.rules == .box, let part = PartTouch(at: position) { return PanelPlace(name: part.name) }
            return PanelPlace(name: SceneTouch.slot(atRow: position.row).map(name(ofScene:)) ?? chain)
        }
        guard let step = window.step(atColumn: led.column), step < pattern.length else {
            return Track(row: led.row).map { place(beside: $0, column: led.column) } ?? PanelPlace()
        }
        guard let track = Track(row: led.row) else { return PanelPlace(name: "STEP \(step + 1)", step: step) }
        return place(of: track, row: track.rows.upperBound - 1 - led.row, step: step)
    }

    /// The key at `led` while the panel shows the keys.
    private func keyPlace(at led: Position.LED) -> PanelPlace {
        guard KeyMap.columns.contains(led.column) else {
            return Track(row: led.row).map { place(beside: $0, column: led.column) } ?? PanelPlace()
        }
        let map = keyMap
        guard let place = map.place(at: led) else { return PanelPlace() }
        let note = map.note(at: place)
        return PanelPlace(name: Word.name(ofNote: note, on: map.track) + " KEY", track: map.track, note: note)
    }

    private func place(beside track: Track, column: Int) -> PanelPlace {
        let page = state.view.keys.isShown ? "KEYS" : "PAGE"
        let parts = ["MUTE", "SOLO", page, page]
        guard parts.indices.contains(column) else { return PanelPlace() }
        return PanelPlace(name: "\(parts[column]) \(track.name.uppercased())", track: track)
    }

    private func place(of track: Track, row: Int, step: Int) -> PanelPlace {
        let map = PageMap(state.rules, track, page: state.session.pages[track.rawValue], pattern.tonality)
        guard let note = map.note(atRow: row) else { return PanelPlace() }
        let isLit = steps(of: track, notes: map.notes(atRow: row)) & (1 << UInt64(2 * (step - window.first))) != 0
        let name = "\(Word.name(ofNote: note, on: track)) STEP \(step + 1)\(isLit ? " ON" : "")"
        return PanelPlace(name: name, track: track, step: step, degree: row, note: note)
    }

    private func name(ofScene slot: Int) -> String {
        "SCENE \(slot + 1)\(state.session.sounds.isOwn(slot) ? " OWN SOUND" : "")"
    }

    private func name(of spot: Spot, at position: Position) -> String {
        switch spot {
        case .menu(let item): item.name.text
        case .back: "BACK"
        case .play: state.isPlaying ? "STOP" : "PLAY"
        case .done: "DONE"
        case .fader(let fader), .letter(let fader): name(of: fader).text
        case .track(let track): track.name.uppercased()
        case .lanesLight: "LANES"
        case .fill: "FILL"
        case .holdKeys: state.view.keys.isHolding ? "HOLD ON" : "HOLD"
        case .twelveKeys: state.view.keys.hasAllTwelve ? "12 KEYS ON" : "12 KEYS"
        case .laneChooser: laneName(at: position)
        case .laneSteps: laneValueName(at: position)
        case .laneOverview: "LENGTH"
        case .laneNote(let row): laneNoteName(atRow: row)
        case .clearLane: "CLEAR LANE"
        case .keep: "KEEP"
        case .openTrack: "TRACK"
        case .chordKind: "CHORDS " + TrackSheet.name(of: pattern[shape: .chords].chordKind).text
        case .soundName: "SOUND NAME"
        case .saveSound: "SAVE"
        case .deleteSound: "DELETE"
        case .takeLight, .openTake: "TAKE"
        case .takeWave: "WAVE"
        case .removeEntry: "REMOVE \(sheetName(of: spot)?.text ?? "")"
        case .tapTempo: "TAP TEMPO"
        case .tempo(let step): step == .slower ? "SLOWER" : "FASTER"
        case .source(let source): name(of: source)
        case .record: state.recording.isOn ? "REC ON" : "REC"
        case .syncErrors: "ERRORS \(sheetName(of: spot)?.text ?? "")"
        case .a4: "A4 \(sheetName(of: spot)?.text ?? "")"
        case .tuning: "TUNING \(sheetName(of: spot)?.text ?? "")"
        case .stay: "STAY"
        case .switchOff: "OFF"
        case .ground: sheetLook?.hasHeader == false ? "PICTURE" : ""
        case .rules(let rules): rules == .box ? "BOX" : "PHONE"
        default: sheetName(of: spot)?.text ?? ""
        }
    }

    private func laneName(at position: Position) -> String {
        if case .lanes(let sheet) = state.view.screen { sheet.choice(at: position).title } else { "" }
    }

    private func laneValueName(at position: Position) -> String {
        guard case .lanes(let sheet) = state.view.screen else { return "" }
        let step = laneStep(at: position, laneWindow)
        let value = pattern.laneValue(sheet.track, sheet.lane, sheet.note, step: step)
        let note = sheet.note.map { Word.name(ofNote: $0, on: sheet.track) + " " } ?? ""
        return note + (value.map { sheet.lane.word(for: $0) } ?? sheet.lane.title) + " STEP \(step + 1)"
    }

    private func laneNoteName(atRow row: Int) -> String {
        guard case .lanes(let sheet) = state.view.screen, let first = pageMap(of: sheet.track).note(atRow: row) else {
            return ""
        }
        let isChosen = sheet.note.map { pageMap(of: sheet.track).notes(atRow: row).contains($0) } ?? false
        return Word.name(ofNote: isChosen ? sheet.note ?? first : first, on: sheet.track) + (isChosen ? " ON" : "")
    }

    /// The name of `source`, with its state if it is chosen.
    private func name(of source: SyncSource) -> String {
        let name =
            switch source {
            case .internal: "INTERNAL"
            case .midi: "MIDI CLOCK"
            case .clock: "CLOCK JACK"
            case .link: "LINK"
            }
        guard source == state.sync.source else { return name }
        let status = state.transport.syncStatus
        if source == .link, status.peers > 0 { return "\(name) ON \(status.peers) PEER\(status.peers == 1 ? "" : "S")" }
        guard source != .internal else { return "\(name) ON" }
        return switch status.lock {
        case .waiting: "\(name) WAITING"
        case .settling, .locked: "\(name) ON"
        case .lost: "\(name) LOST"
        }
    }
}

extension Control {
    /// Its name under the cursor.
    fileprivate var placeName: String {
        switch self {
        case .play: "PLAY"
        case .undo: "UNDO"
        case .redo: "REDO"
        case .ghosts: "GHOSTS"
        case .slower: "SLOWER"
        case .tapTempo: "TAP TEMPO"
        case .faster: "FASTER"
        case .shorter: "SHORTER"
        case .length: "LENGTH"
        case .longer: "LONGER"
        case .clear: "CLEAR"
        case .keys: "KEYS"
        case .fx: "FX"
        case .scale(let scale): scale.kind.title
        case .root(let root): Tonality.name(ofPitchClass: root)
        }
    }
}
