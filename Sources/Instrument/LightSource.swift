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
    /// Draws the newest picture of the source with this number over `columns` and `rows` of `frame`, scaled to them; nothing if there
    /// is no such source any more. Allocates nothing.
    func draw(_ source: Int, into frame: inout Frame, columns: Range<Int>, rows: Range<Int>)
}

extension Instrument {
    /// The number of the source whose picture the panel shows; nil for none.
    public var shownSource: Int? {
        if case .picture(let sheet) = state.screen { sheet.source } else { nil }
    }

    /// Takes the sources that are heard now.
    mutating func take(_ sources: [LightSource]) {
        state.lightSources = sources
        if case .picture(let sheet) = state.screen, !sources.contains(where: { $0.number == sheet.source }) {
            show(.lights(LightSheet()))
        }
    }

    /// Passes a touch on to the source whose picture the panel shows, if it wants to know of it. Call it before a finger lifts, and after
    /// it has landed.
    mutating func passOn(_ touch: Touch) {
        guard let number = shownSource, sharesTouches else { return }
        if state.contacts[touch.contact].isOn(.ground) { effects.append(.touchPicture(number, touch)) }
    }

    /// Whether the panel shows a source that wants to know of fingers.
    var sharesTouches: Bool {
        for source in state.lightSources where source.number == shownSource { return source.takesTouches }
        return false
    }

    /// Shows the picture at `place` of the list of sources; the instrument is the first.
    mutating func chooseLight(place: Int) {
        guard place > 0 else {
            state.chosenLight = nil
            return show(.grid)
        }
        guard state.lightSources.indices.contains(place - 1) else { return }
        let number = state.lightSources[place - 1].number
        state.chosenLight = number
        show(.picture(PictureSheet(of: number)))
    }

    /// Says how to return from a picture, once a minute.
    mutating func remindOfReturn() {
        if sharesTouches { return }
        if let last = state.returnSaid, now - last < Limits.returnInterval { return }
        state.returnSaid = now
        showTooltip(PictureSheet.returnLine)
    }
}
