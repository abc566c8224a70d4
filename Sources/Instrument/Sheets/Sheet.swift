import Display

/// A screen behind the menu: a header, and what stands below it. It says how it looks, what a finger on it is on and what
/// becomes of that; the header, the fingers and the faders are the same on all of them.
protocol Sheet {
    /// The words of its header; nil where the header is the sheet's own, down to the row of the steps.
    var title: TextLine? { get }
    /// The colour of its section.
    var accent: RGB { get }
    /// Where its top left corner leads.
    var parent: Screen { get }
    /// What its top right corner is; nil where the title has that room.
    var corner: Spot? { get }

    /// What a finger at `position`, below the header, is on; `position` is counted from the left of the 44 columns.
    func spot(at position: Position) -> Spot?
    /// Draws what stands below the header, over the 44 columns from `origin`.
    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant)
    /// The words for `spot`, which a finger is on; nil for none.
    func name(of spot: Spot, _ instrument: Instrument) -> TextLine?

    /// Contact `id` has landed on `spot`.
    func touch(_ spot: Spot, contact id: Int, _ instrument: inout Instrument, at now: Instant)
    /// Contact `id`, which landed on `spot`, has moved.
    func drag(_ spot: Spot, contact id: Int, _ instrument: inout Instrument, at now: Instant)
    /// A finger that landed on `spot` has lifted, wherever it is.
    func release(_ spot: Spot, _ instrument: inout Instrument, at now: Instant)
    /// A finger that landed on `spot` has lifted from it.
    func press(_ spot: Spot, _ instrument: inout Instrument, at now: Instant, _ effects: inout [Effect])
    /// Contact `id` has held `spot` until it was `due`.
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
