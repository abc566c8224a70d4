import Display
import InputEvents

/// Another machine whose pictures the panel can show.
public struct LightSource: Hashable, Sendable {
    /// Its number, that no later source has.
    public let number: Int
    /// Its name on the panel.
    public let name: TextLine
    /// Whether it wants to know of fingers on its picture.
    public let takesTouches: Bool

    /// A source of that number and name.
    public init(number: Int, name: String, takesTouches: Bool = false) {
        self.number = number
        self.takesTouches = takesTouches
        self.name = TextLine(name)
    }
}

/// The pictures of the sources: the instrument knows who sends, and only draws what they send.
public protocol LightPictures: AnyObject, Sendable {
    /// Draws the newest picture of the source with this number over `columns` and `rows` of `frame`, scaled to them;
    /// nothing if there is no such source any more. Allocates nothing.
    func draw(_ source: Int, into frame: inout Frame, columns: Range<Int>, rows: Range<Int>)
}

extension Instrument {
    /// The number of the source whose picture the panel shows; nil for none.
    public var shownSource: Int? {
        if case .picture(let sheet) = state.view.screen { sheet.source } else { nil }
    }

    /// Takes the sources that are heard now.
    mutating func list(_ sources: [LightSource]) {
        state.lights.sources = sources
        if case .picture(let sheet) = state.view.screen, !sources.contains(where: { $0.number == sheet.source }) {
            show(.lights(LightSheet()))
        }
    }

    /// Passes a touch on to the source whose picture the panel shows, if it wants to know of it. Call it before a
    /// finger lifts, and after it has landed.
    mutating func passOn(_ touch: Touch) {
        guard let number = shownSource, sharesTouches else { return }
        if state.fingers[touch.contact].isOn(.ground) { effects.append(.touchPicture(number, touch)) }
    }

    /// Whether the panel shows a source that wants to know of fingers.
    var sharesTouches: Bool { state.lights.takesTouches(shownSource) }

    /// Shows the picture at `place` of the list of sources; the instrument is the first.
    mutating func chooseLight(place: Int) {
        guard state.lights.isPlace(place) else { return }
        show(state.lights.choose(place: place).map { .picture(PictureSheet(of: $0)) } ?? .grid)
    }

    /// Says how to return from a picture, once a minute.
    mutating func remindOfReturn() {
        guard !sharesTouches, state.lights.isReminderDue(at: now) else { return }
        showTooltip(PictureSheet.returnLine)
    }
}
