import InputEvents

// FX: eight effects over the steps, while a finger holds their light (docs/spec.md, section 16).

/// The place of an effect on the panel.
struct FXZone {
    let fx: FX

    /// Columns and rows of a zone, and zones in a row.
    static let (width, height, ofRow) = (8, 10, 4)
    private static let firstRow = 2
    /// Rows of all zones.
    static let rows = firstRow..<firstRow + FX.allCases.count / ofRow * height

    private var left: Int { Grid.column(ofStep: fx.rawValue % Self.ofRow * Self.width) }
    private var top: Int { Self.firstRow + fx.rawValue / Self.ofRow * Self.height }

    /// Its columns and rows.
    var columns: Range<Int> { left..<left + Self.width }
    var rows: Range<Int> { top..<top + Self.height }

    /// The zone at `led`; nil between them.
    static func at(_ led: Position.LED) -> FXZone? {
        FX.allCases.lazy.map { FXZone(fx: $0) }.first { $0.columns.contains(led.column) && $0.rows.contains(led.row) }
    }

    /// How a finger at `position` plays the effect; beside the zone as at its edge. The middles of the outer columns and
    /// of the top row are the ends: a cursor is on middles. The lowest row is a tenth, so that each is heard.
    func play(at position: Position, waits: Bool) -> FXPlay {
        func part(_ place: Float, _ count: Int) -> Int {
            Int((place / Float(count) * 1000).rounded()).clamped(to: 0...1000)
        }
        return FXPlay(
            x: part(position.column - Float(left), Self.width - 1),
            y: part(Float(rows.upperBound) - position.row, Self.height), waits: waits)
    }
}

extension Instrument {
    /// Whether the panel shows the effects: a finger is on their light, or they were left open.
    var showsFX: Bool {
        state.view.screen == .grid
            && (state.view.fx.isOpen || state.fingers.contacts.contains { $0.role == .fxLight })
    }

    /// Whether `led` is among the effects, or between them.
    func isOnFX(_ led: Position.LED) -> Bool {
        showsFX && Grid.stepColumns.contains(led.column) && FXZone.rows.contains(led.row)
    }

    /// Handles contact `id` that lands at `led`; returns whether it is among the effects.
    mutating func landOnFX(_ id: Int, at led: Position.LED) -> Bool {
        guard isOnFX(led) else { return false }
        state.fingers[id].role = .nothing
        guard let zone = FXZone.at(led) else { return true }
        state.fingers[id].role = .fx(zone.fx)
        for other in state.fingers.contacts.indices where state.fingers[other].role == .fxLight {
            state.fingers[other].remembered = 1
        }
        showTooltip(zone.fx.title)
        return true
    }

    /// Handles contact `id` that has held the light of FX: the effects stay open.
    mutating func holdFX(contact id: Int) {
        guard state.fingers[id].remembered == 0 else { return }
        state.fingers[id].role = .nothing
        state.view.fx.isOpen = true
        showTooltip("FX")
    }

    /// Handles contact `id` that lifts from the light of FX. Without having played, a tap closes what was left open, or
    /// chooses when effects begin.
    mutating func liftFromFX(contact id: Int) {
        guard state.fingers[id].remembered == 0 else { return }
        if state.view.fx.isOpen {
            state.view.fx.isOpen = false
            return showTooltip("STEPS")
        }
        state.view.fx.waits.toggle()
        showTooltip(state.view.fx.waits ? "FX ON STEP" : "FX AT ONCE")
    }

    /// Follows the fingers on effects: of several on one the last to land counts.
    mutating func settleFX() {
        var plays = FXPlays()
        var newest = SIMD8<Int32>(repeating: -1)
        // By number: a loop over the contacts would copy each.
        for id in state.fingers.contacts.indices {
            guard case .fx(let fx)? = state.fingers.contacts[id].role else { continue }
            let landing = Int32(truncatingIfNeeded: state.fingers.contacts[id].landingNumber)
            guard landing > newest[fx.rawValue] else { continue }
            newest[fx.rawValue] = landing
            let position = state.fingers.contacts[id].motion.position
            plays[fx] = FXZone(fx: fx).play(at: position, waits: state.view.fx.waits)
        }
        if plays != state.fx { state.fx = plays }
    }
}
