import Display

/// The words on the panel, for those who cannot see it, and what a keyboard does there.
public struct PanelWords: Hashable, Sendable {
    /// The word shown now, for example PLAY or C MAJOR; empty for none.
    public var word = ""
    /// The title of the screen, and the name that is being written; empty on the grid.
    public var title = ""
    /// The name of the place under the cursor; empty without a cursor.
    public var place = ""
    /// Whether the panel asks for a name.
    public var isNaming = false

    /// No words.
    public init() {}
}

extension Instrument {
    /// The words on the panel.
    public var words: PanelWords {
        var words = PanelWords()
        words.word = state.view.tooltip?.text ?? ""
        words.place = placeName
        switch state.view.screen.layout {
        case .grid:
            let isMenu = state.session.isMenuOpen && origin == 0
            words.title = isMenu ? "MENU" : showsFX ? "FX" : state.view.keys.isShown ? "KEYS" : ""
        case .guide: words.title = state.shelf.guide.content.source == .library ? "LIBRARY" : "LISTINGS"
        case .sheet: words.title = sheetLook?.title?.text ?? ""
        }
        // It has a header of its own, without a title.
        if case .lanes = state.view.screen { words.title = "LANES" }
        if case .letters(let sheet) = state.view.screen {
            words.title = "NAME " + sheet.name.map { $0.text }.joined()
            words.isNaming = true
        }
        return words
    }
}
