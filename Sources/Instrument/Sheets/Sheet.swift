import Display

/// A screen behind the menu: a header, and the sheet's content below it. A sheet draws itself, locates the spot under a finger
/// and handles its actions; the header, the fingers and the faders are common to all sheets.
protocol Sheet {
    /// The title in the header; nil if the sheet draws its own header, down to the row of the steps.
    var title: TextLine? { get }
    /// The colour of its section.
    var accent: RGB { get }
    /// The screen behind the back button.
    var parent: Screen { get }
    /// The spot at the top right; nil leaves the room to the title.
    var corner: Spot? { get }

    /// The spot at `position` below the header; `position` counts from the left of the 44 columns.
    func spot(at position: Position) -> Spot?
    /// Draws the content below the header, over the 44 columns from `origin`.
    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant)
    /// The text for the touched `spot`; nil for none.
    func name(of spot: Spot, _ instrument: Instrument) -> TextLine?

    /// Handles contact `id` that lands on `spot`.
    func touch(_ spot: Spot, contact id: Int, _ instrument: inout Instrument, at now: Instant)
    /// Handles contact `id`, which landed on `spot` and has moved.
    func drag(_ spot: Spot, contact id: Int, _ instrument: inout Instrument, at now: Instant)
    /// Handles a finger that landed on `spot` and lifts anywhere.
    func release(_ spot: Spot, _ instrument: inout Instrument, at now: Instant)
    /// Handles a finger that landed on `spot` and lifts from it.
    func press(_ spot: Spot, _ instrument: inout Instrument, at now: Instant, _ effects: inout [Effect])
    /// Handles contact `id`, which has held `spot` until it was `due`.
    func hold(_ spot: Spot, contact id: Int, _ instrument: inout Instrument, at due: Instant, _ effects: inout [Effect])
}

extension Sheet {
    var parent: Screen { .grid }
    var corner: Spot? { .play }

    func name(of spot: Spot, _ instrument: Instrument) -> TextLine? { nil }
    func touch(_ spot: Spot, contact id: Int, _ instrument: inout Instrument, at now: Instant) {}
    func drag(_ spot: Spot, contact id: Int, _ instrument: inout Instrument, at now: Instant) {}
    func release(_ spot: Spot, _ instrument: inout Instrument, at now: Instant) {}
    func press(_ spot: Spot, _ instrument: inout Instrument, at now: Instant, _ effects: inout [Effect]) {}
    func hold(
        _ spot: Spot, contact id: Int, _ instrument: inout Instrument, at due: Instant, _ effects: inout [Effect]
    ) {}
}
