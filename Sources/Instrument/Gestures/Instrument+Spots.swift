import InputEvents
import Display

// Fingers on the menu and on the sheets. Icons, buttons and letters show their name when touched and act when the
// finger lifts from them; sliding off cancels. Faders act while touched. Each sheet handles its own spots.

extension Instrument {
    /// The spot of the menu or of a sheet at `position`; nil for none.
    func spot(at position: Position) -> Spot? {
        if let item = menuItem(at: position) { return .menu(item) }
        if state.view.screen == .grid, state.rules == .box {
            if let spot = keySpot(at: position.led) ?? laneSpot(at: position.led) { return spot }
        }
        return sheetSpot(at: position)
    }

    /// Handles contact `id` that lands on `spot`.
    mutating func touch(_ spot: Spot, contact id: Int) {
        // A fader follows one finger only, and so does A4.
        if spot.followsOneFinger, isTouched(spot) {
            state.fingers[id].role = .nothing
            return
        }
        if case .lanes = state.view.screen, landOnCopy(spot, contact: id) { return }
        state.fingers[id].role = .spot(spot, isOver: true)
        switch spot {
        case .fader(let fader): grip(fader, contact: id)
        case .letter(let fader) where isAvailable(fader):
            tapLetter(of: fader, contact: id)
            if fader.hasHold { state.fingers[id].due = now + Limits.letterHold }
        case .play: state.fingers[id].due = now + Limits.recordHold
        case .takeLight: state.fingers[id].due = now + Limits.takeHold
        case .laneSteps, .laneOverview: landOnLanes(spot, contact: id)
        default: touchSheet(spot, .down, contact: id)
        }
        showName(of: spot)
    }

    /// Handles contact `id`, which landed on `spot` and is now at `position`.
    mutating func move(_ spot: Spot, contact id: Int, to position: Position) {
        if case .fader(let fader) = spot { return drag(fader, contact: id, to: position.row) }
        let under = self.spot(at: position)
        if case .key = spot, case .key? = under, let under {
            // A finger slides from key to key.
            state.fingers[id].role = .spot(under, isOver: true)
        } else if state.fingers[id].role != .spot(spot, isOver: under == spot) {
            state.fingers[id].role = .spot(spot, isOver: under == spot)
            if under == spot { showName(of: spot) } else { state.fingers[id].due = nil }
        }
        touchSheet(spot, .move, contact: id)
    }

    /// Handles contact `id` that lifts; it landed on `spot`, and `isOver` says whether it is still over it.
    mutating func lift(_ spot: Spot, isOver: Bool, contact id: Int) {
        switch spot {
        // The text stays for a while after the finger has lifted.
        case .fader(.track(let track, let control)) where control.isEuclid:
            writeHits(on: track, contact: id)
            showName(of: spot)
        case .fader, .letter:
            endWriting(id)
            showName(of: spot)
        case .menu(let item): if isOver { press(item) }
        case .back: if isOver, let look = sheetLook { show(look.parent) }
        case .play: if isOver { pressPlay() }
        case .lanesLight: if isOver { toggleLanes() }
        case .holdKeys, .twelveKeys: if isOver { press(keySpot: spot) }
        case .record where state.view.screen == .grid: if isOver { toggleRecording() }
        case .takeLight, .openTake: if isOver { show(.take(TakeSheet())) }
        default:
            touchSheet(spot, .up(isOver: isOver), contact: id)
            // The name of a switch is its new state.
            if isOver, case .toggle = spot { showName(of: spot) }
            if isOver, [.source(.link), .lightOut].contains(spot) { showName(of: spot) }
        }
    }

    /// Shows the name of `spot`, if it has one.
    mutating func showName(of spot: Spot) {
        let name: TextLine? =
            switch spot {
            case .menu(let item): item.name
            case .fader(let fader): name(of: fader)
            case .letter(let fader): words(of: fader)
            case .lanesLight: Lanes.title
            case .fill: Lanes.fillTitle
            case .holdKeys: KeySpots.hold
            case .twelveKeys: KeySpots.twelve
            case .record where state.view.screen == .grid: KeySpots.record
            case .takeLight, .openTake: TakeSheet.titleLine
            default: sheetName(of: spot)
            }
        if let name { showTooltip(name) }
    }

    /// Whether a finger is on `spot`.
    func isTouched(_ spot: Spot) -> Bool { state.fingers.contacts.contains { $0.isOn(spot) } }
}

extension Spot {
    /// Whether further fingers on it have no function.
    fileprivate var followsOneFinger: Bool {
        switch self {
        case .fader, .a4: true
        default: false
        }
    }
}
