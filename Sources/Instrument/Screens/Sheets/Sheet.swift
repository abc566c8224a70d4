import InputEvents
import Display

/// A screen behind the menu: a header, and the sheet's content below it. A sheet is a value: it locates the spot under
/// a finger, takes touches of its spots, returns acts and draws itself. The header, the fingers and the faders are
/// common to all sheets.
protocol Sheet {
    /// The sheet as a screen.
    var screen: Instrument.Screen { get }
    /// The title in the header; nil if the sheet draws its own header, down to the row of the steps.
    var title: TextLine? { get }
    /// Whether it has the header that is common to sheets.
    var hasHeader: Bool { get }
    /// The colour of its section.
    var accent: RGB { get }
    /// The same in a mode of colours.
    func accent(_ mode: ColourMode) -> RGB
    /// The screen behind the back button.
    var parent: Instrument.Screen { get }
    /// The spot at the top right; nil leaves the room to the title.
    var corner: Spot? { get }
    /// The spot of the title; nil if a finger there does nothing.
    var header: Spot? { get }

    /// The spot at `position` below the header; `position` counts from the left of the 44 columns.
    func spot(at position: Position) -> Spot?
    /// Handles one action of a finger; appends its requests to `acts`.
    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct])
    /// Limits the sheet to what `state` has. Called when the sheet is shown and after every touch.
    mutating func limit(to state: Instrument.State)
    /// Draws the title from `column` on.
    func drawTitle(_ instrument: Instrument, into frame: inout Frame, column: Int)
    /// Draws the content below the header, over the 44 columns from `origin`.
    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant)
    /// The text for the touched `spot`; nil for none.
    func name(of spot: Spot, _ state: Instrument.State) -> TextLine?
}

extension Sheet {
    var hasHeader: Bool { true }
    func accent(_ mode: ColourMode) -> RGB { accent }
    var parent: Instrument.Screen { .grid }
    var corner: Spot? { .play }
    var header: Spot? { nil }

    mutating func limit(to state: Instrument.State) {}

    func drawTitle(_ instrument: Instrument, into frame: inout Frame, column: Int) {
        title?.draw(into: &frame, column: column, row: 0, colour: Palette.text)
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? { nil }
}

extension Icon {
    /// The cross of a button that removes something when it is held.
    static let cross = Icon("#.# .#. #.#")
    /// The arrow of a button that keeps what was heard.
    static let keep = Icon(".#. ### .#. ... ###")
}
