import InputEvents

// Playing the song, and changing its order.

extension Instrument {
    // MARK: Playing

    /// Chooses what plays at the pattern's end. Chosen while the music is stopped, the song begins with its first
    /// entry.
    mutating func choose(_ mode: SceneMode) {
        if mode == .song, !state.isPlaying { state.songPlay.rewind() }
        state.session.sceneMode = mode
        showTooltip(mode.word)
    }

    /// Chooses the next mode that has an effect: the mode SONG has none while the song is empty.
    mutating func chooseNextMode() {
        let next = state.session.sceneMode.next
        choose(next == .song && state.song.isEmpty ? next.next : next)
    }

    /// Plays the song from `entry` on, or from its start if it is the place after the last: from the next bar on while
    /// the transport runs, else from the next Play on. The queued one is cancelled.
    mutating func choose(entry: Int) {
        let entry = entry == state.song.entries.count ? state.song.next(after: nil, in: scenes) ?? 0 : entry
        guard state.song.entries.indices.contains(entry) else { return }
        guard scenes.isFilled(state.song.entries[entry].scene) else { return showTooltip("EMPTY") }
        state.session.sceneMode = .song
        guard state.isPlaying else { return begin(entry: entry) }
        state.songPlay.queue(entry: entry)
    }

    /// Lets the current pattern be the song's when the transport begins.
    mutating func beginSong() {
        state.songPlay.beginPasses()
        guard state.session.sceneMode == .song, state.songPlay.place == .start,
            let first = state.songPlay.nextEntry(in: state.session.composition)
        else { return }
        begin(entry: first)
    }

    /// Makes `entry` and its scene current.
    private mutating func begin(entry: Int) {
        play(scene: state.song.entries[entry].scene)
        state.songPlay.begin(entry: entry)
    }

    private var scenes: Scenes { state.session.composition.scenes }

    /// Shows the playing entry on the SONG sheet, unless a finger is on the order.
    mutating func followSong() {
        guard case .song(var sheet) = state.view.screen, case .entry(let entry) = state.songPlay.place,
            !state.fingers.contacts.contains(where: { $0.role?.isOnOrder == true })
        else { return }
        sheet.reveal(entry)
        state.view.screen = .song(sheet)
    }

    // MARK: The order

    /// Handles contact `id` that has left scene `slot` of the SONG sheet: it drags the scene, by whatever path, until
    /// it lifts.
    mutating func drag(scene slot: Int, contact id: Int) {
        guard scenes.isFilled(slot), !isRefused() else { return }
        state.fingers[id].role = .ordering(slot)
    }

    /// The first scene that a finger drags over the order of `sheet`, and the place to which it would go.
    func draggedScene(on sheet: SongSheet) -> (slot: Int, place: Int)? {
        for contact in state.fingers.contacts {
            guard case .ordering(let slot) = contact.role, SongSheet.isInOrder(contact.motion.position) else {
                continue
            }
            return (slot, sheet.insertion(at: contact.motion.position, count: state.song.entries.count))
        }
        return nil
    }

    /// Handles contact `id` that lifts with scene `slot`: over the order it inserts the scene there.
    mutating func drop(scene slot: Int, contact id: Int) {
        let position = state.fingers[id].motion.position
        guard case .song(let sheet) = state.view.screen, SongSheet.isInOrder(position) else { return }
        let place = sheet.insertion(at: position, count: state.song.entries.count)
        guard insert(scene: slot, atEntry: place, contact: id) else { return }
        state.songPlay.touchedEntry = place
        showName(ofEntry: place)
    }

    /// Handles contact `id` that lands on the entry at `place`, or on its repeats.
    mutating func land(onEntry place: Int, contact id: Int) {
        guard state.song.entries.indices.contains(place) else { return }
        state.songPlay.touchedEntry = place
        state.fingers[id].remembered = state.song.entries[place].repeats
    }

    private mutating func showName(ofEntry place: Int) {
        if let name = state.song.name(ofEntry: place) { showTooltip(name) }
    }

    /// Inserts `scene` into the order at `place`, as an act of contact `id`; returns whether it did.
    mutating func insert(scene: Int, atEntry place: Int, contact id: Int) -> Bool {
        guard !isRefused() else { return false }
        guard state.song.entries.count < Song.entriesMax else {
            showTooltip("NO ROOM")
            return false
        }
        let place = place.clamped(to: 0...state.song.entries.count)
        perform("SONG", inTouch: id) { _ = $0.song.insert(scene: scene, at: place) }
        moveEntries(from: place, by: 1)
        return true
    }

    /// Removes the entry that was touched last.
    mutating func removeEntry(contact id: Int) {
        guard let place = state.songPlay.entryToRemove(from: state.song), let name = state.song.name(ofEntry: place)
        else { return }
        let count = state.song.entries.count
        remove(entry: place, contact: id)
        if state.song.entries.count < count { showTooltip("\(name) OFF") }
    }

    /// Removes the entry at `place` from the order. If it plays, its pattern goes on to its end, and the song with the
    /// entry after it.
    mutating func remove(entry place: Int, contact id: Int) {
        guard !isRefused(), state.song.entries.indices.contains(place) else { return }
        for id in state.fingers.contacts.indices where state.fingers[id].role?.entry == place {
            state.fingers[id].role = .nothing
        }
        perform("SONG", inTouch: id) { $0.song.remove(at: place) }
        state.songPlay.remove(entry: place)
        moveEntries(from: place + 1, by: -1)
    }

    /// Sets the repeats of the entry at `place`.
    mutating func setRepeats(_ repeats: Int, ofEntry place: Int, contact id: Int) {
        guard !isRefused(), state.song.entries.indices.contains(place) else { return }
        perform("SONG", inTouch: id) { $0.song.setRepeats(repeats, at: place) }
        showName(ofEntry: place)
    }

    /// Adds a repeat to the entry at `place`; after the most it begins with one again.
    mutating func addRepeat(toEntry place: Int, contact id: Int) {
        guard state.song.entries.indices.contains(place) else { return }
        let repeats = state.song.entries[place].repeats
        let next = repeats == Song.repeats.upperBound ? Song.repeats.lowerBound : repeats + 1
        setRepeats(next, ofEntry: place, contact: id)
    }

    /// Keeps the place, the queue and the fingers at their entries while those from `first` on move by `distance`
    /// places. What a finger changes from then on is another undo step: the compositions before it have its entry at
    /// another place.
    private mutating func moveEntries(from first: Int, by distance: Int) {
        func moved(_ place: Int) -> Int { place >= first ? place + distance : place }
        state.songPlay.moveEntries(from: first, by: distance)
        for id in state.fingers.contacts.indices { state.fingers[id].moveEntry(moved) }
    }
}
