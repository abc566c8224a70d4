import InputEvents
import Display

/// The menu: icons over the leftmost columns of the grid, or beside it on a panel that has columns for them
/// (docs/spec.md, section 8).
enum Menu {
    /// The items, from the top.
    enum Item: Int, CaseIterable, Hashable, Sendable {
        case library, sound, song, sync, settings, lock, power

        /// Its name on the panel.
        var name: TextLine { row.name }
        /// The colour of its section.
        var colour: RGB { row.colour }
        /// Rows of its icon.
        var rows: ClosedRange<Int> { row.top...min(row.top + 2, Instrument.rows - 1) }
        /// Columns of its icon in the open menu: the lock and the power share a line.
        var columns: ClosedRange<Int> {
            switch self {
            case .library, .sound, .song, .sync, .settings: 0...Menu.columns - 1
            case .lock, .power: row.column...row.column + 1
            }
        }
        fileprivate var row: Row { Menu.rows[rawValue] }
    }

    /// Columns of the icons.
    static let columns = 5
    /// Columns of the menu, including the divider.
    static let width = columns + 1
    /// Time for opening and closing.
    static let slide = Instant.Span.milliseconds(180)
    /// The handle's LEDs in row 1. The LED above the last one also belongs to it.
    static let handle = 0...3

    /// An item of the menu.
    fileprivate struct Row {
        let name: TextLine
        let colour: RGB
        /// Opacity of the icon.
        let alpha: Float
        /// First row of the icon, and the rows of the one-column bar that replaces it on narrow panels.
        let top: Int
        let bar: ClosedRange<Int>
        /// First column of the icon within the menu.
        let column: Int
        let icon: Icon
        /// The part of the box whose fault the item shows.
        let part: Facts.Faults

        init(
            _ name: String, _ colour: RGB, alpha: Float = 0.8, top: Int, bar: ClosedRange<Int>? = nil, column: Int = 0,
            _ icon: String, _ part: Facts.Faults = []
        ) {
            self.name = TextLine(name)
            self.colour = colour
            self.alpha = alpha
            self.top = top
            self.bar = bar ?? top...top + 2
            self.column = column
            self.icon = Icon(icon)
            self.part = part
        }
    }

    fileprivate static let rows = [
        Row("LIBRARY", Palette.library, top: 2, "##.## ..... ##.##", .library),
        Row("SOUND", Palette.sound, top: 6, ".#... #.#.# ...#.", .sound),
        Row("SONG", Palette.song, top: 10, "##... .###. ...##"),
        Row("SYNC", Palette.sync, top: 14, ".###. .#.#. ##.##"),
        Row("SETTINGS", Palette.settings, top: 18, "ooo#o ..... o#ooo", .hardware),
        Row("LOCK", Palette.quiet, alpha: 1, top: 22, bar: 22...22, "#. ##"),
        Row("POWER", Palette.danger, alpha: 0.55, top: 22, bar: 23...23, column: 3, "## ##"),
    ]
    private static let closedLock = Icon("## ##")

    /// Whether `led` belongs to the handle.
    static func isHandle(_ led: Position.LED) -> Bool {
        led.row == 1 && handle.contains(led.column) || led == Position.LED(column: 3, row: 0)
    }

    /// The item at `row`, in the right or left half of the columns.
    static func item(row: Float, isRight: Bool) -> Item? {
        guard row >= 1.5 else { return nil }
        if row >= 20.5 { return isRight ? .power : .lock }
        return Item(rawValue: min(Int((row - 1.5) / 4), Item.settings.rawValue))
    }

    /// State of an item for drawing.
    struct Look: Hashable, Sendable {
        var isTouched = false
        var hasFault = false
        /// Whether it is the performance lock, and locked.
        var isLocked = false
        /// Whether the blinking red of a fault is lit now.
        var isLit = true
    }

    /// Draws `item`. `left` is the menu's first column; `width` is the number of icon columns: 5, or 1 for bars.
    static func draw(
        _ item: Item, _ look: Look, into frame: inout Frame, left: Int, width: Int = columns, clip: Range<Int>
    ) {
        let (colour, alpha) = ink(of: item, look)
        let row = item.row
        if width == 1 {
            for place in row.bar where clip.contains(left) { frame.blend(left, place, towards: colour, alpha) }
            return
        }
        (look.isLocked ? closedLock : row.icon).draw(
            into: &frame, column: left + row.column, row: row.top, colour: colour, alpha: alpha, clip: clip)
        if look.hasFault, look.isLit, clip.contains(left + width) { frame[left + width, row.top + 1] = .white }
    }

    private static func ink(of item: Item, _ look: Look) -> (RGB, Float) {
        if look.isTouched { return (.white, 1) }
        if look.hasFault { return (Palette.danger, look.isLit ? 1 : 0.15) }
        return (look.isLocked ? Palette.warning : item.row.colour, item.row.alpha)
    }
}

extension Instrument {
    /// Whether the menu is beside the sequencer. The picture of another machine covers it.
    var isMenuBeside: Bool { origin > 0 && shownSource == nil }

    /// The menu item at `position`.
    func menuItem(at position: Position) -> Menu.Item? {
        if isMenuBeside {
            guard position.column < -0.5 else { return nil }
            // Where icons are bars, the lower one of the last two counts as the right one.
            let isRight = origin < Menu.width ? position.row >= 22.25 : position.column + Float(origin) >= 2.5
            return Menu.item(row: position.row, isRight: isRight)
        }
        guard state.session.isMenuOpen, state.view.screen == .grid, position.column < Float(Menu.width) - 0.5 else {
            return nil
        }
        return Menu.item(row: position.row, isRight: position.column >= 2.5)
    }

    /// Whether the open menu covers `led` of rows 0 and 1: what is not drawn does not act.
    func isUnderMenu(_ led: Position.LED) -> Bool {
        guard coversGrid, led.column < Menu.width else { return false }
        return led.row == 1 || led.row == 0 && led.column > Control.play.columns.upperBound
    }

    /// Whether the open menu covers `control`.
    func isUnderMenu(_ control: Control) -> Bool {
        coversGrid && control != .play && control.columns.upperBound < Menu.width
    }

    private var coversGrid: Bool { origin == 0 && state.session.isMenuOpen && state.view.screen == .grid }

    /// Opens or closes the menu, unless it is beside the grid and always open.
    mutating func toggleMenu() {
        guard origin == 0 else { return }
        state.session.isMenuOpen.toggle()
        follow(Hint.menu)
        state.view.menuSince = now
    }

    /// Handles a finger that lifts from `item`.
    mutating func press(_ item: Menu.Item) {
        switch item {
        case .library: showGuide(.library)
        case .sound: showSound()
        case .song: show(.song(SongSheet(showing: state.songPlay.place.last)))
        case .sync: show(.sync)
        case .settings: show(.settings)
        case .power: show(.power)
        case .lock:
            state.session.isLocked.toggle()
            showTooltip(state.session.isLocked ? "LOCKED" : "UNLOCKED")
        }
    }

    /// Draws the menu: over the grid, as far as it is open, or beside it on a panel with extra columns.
    func drawMenu(into frame: inout Frame, at now: Instant) {
        let isBeside = isMenuBeside
        let open = isBeside ? Menu.width : menuColumns(at: now)
        guard open > 0 else { return }
        let left = isBeside ? 0 : open - Menu.width
        let width = isBeside ? origin - 1 : Menu.columns
        if !isBeside {
            frame.fill(columns: 0..<open, rows: 1..<frame.rows, .black)
            frame.fill(columns: 3..<max(open, 3), rows: 0..<1, .black)
        }
        let isLit = isLit(at: now)
        for item in Menu.Item.allCases {
            let look = Menu.Look(
                isTouched: isTouched(.menu(item)), hasFault: !item.row.part.isDisjoint(with: state.box.facts.faults),
                isLocked: item == .lock && state.session.isLocked, isLit: isLit)
            Menu.draw(item, look, into: &frame, left: left, width: width, clip: 0..<(isBeside ? origin : open))
        }
    }

    /// Visible columns of the menu, divider included: 0 when closed, 6 when open.
    private func menuColumns(at now: Instant) -> Int {
        let way = min(1, max(0, (now - state.view.menuSince).fraction(of: Menu.slide)))
        let open = state.session.isMenuOpen ? way * (2 - way) : (1 - way) * (1 - way)
        return Int((open * Float(Menu.width)).rounded())
    }

    /// Whether the menu is opening or closing.
    func isMenuMoving(at now: Instant) -> Bool { now - state.view.menuSince < Menu.slide }
}
