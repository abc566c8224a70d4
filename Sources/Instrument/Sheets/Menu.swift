import Display

/// The menu: icons over the leftmost columns of the grid, or beside it on a panel that has columns for them (SPEC 8).
enum Menu {
    /// What it leads to, from the top.
    enum Item: CaseIterable, Hashable, Sendable {
        case library, sound, song, sync, settings, lock, power
    }

    /// Columns of its icons.
    static let columns = 5
    /// The same with the divider.
    static let width = columns + 1
    /// It opens and closes in this time.
    static let slide = Instant.Span.milliseconds(180)
    /// The handle's LEDs of row 1; the one above the last is its own too.
    static let handle = 0...3

    /// Whether a finger on `led` is on the handle.
    static func isHandle(_ led: Position.LED) -> Bool {
        led.row == 1 && handle.contains(led.column) || led == Position.LED(column: 3, row: 0)
    }

    /// The item that a finger at `row`, and in the right or the left half of the columns, is on.
    static func item(row: Float, isRight: Bool) -> Item? {
        guard row >= 1.5 else { return nil }
        if row >= 20.5 { return isRight ? .power : .lock }
        return [.library, .sound, .song, .sync, .settings][min(Int((row - 1.5) / 4), 4)]
    }

    /// How an item looks.
    struct Look: Hashable, Sendable {
        var isTouched = false
        var hasFault = false
        /// The performance lock is set.
        var isLocked = false
        /// The red of a fault is lit now; it blinks.
        var isLit = true
    }

    /// Draws `item`; the menu's first column is `left`, and it has `width` columns for the icons: 5, or 1 for bars.
    static func draw(
        _ item: Item, _ look: Look, into frame: inout Frame, left: Int, width: Int = columns, clip: Range<Int>
    ) {
        let (colour, alpha) = ink(of: item, look)
        if width == 1 {
            for row in item.bar where clip.contains(left) { frame.blend(left, row, towards: colour, alpha) }
            return
        }
        item.icon(isLocked: look.isLocked).draw(
            into: &frame, column: left + (item == .power ? 3 : 0), row: item.top, colour: colour, alpha: alpha,
            clip: clip)
        if look.hasFault, look.isLit, clip.contains(left + width) {
            frame[left + width, item.top + 1] = .white
        }
    }

    private static func ink(of item: Item, _ look: Look) -> (RGB, Float) {
        if look.isTouched { return (.white, 1) }
        if look.hasFault { return (Palette.danger, look.isLit ? 1 : 0.15) }
        switch item {
        case .library: return (Palette.library, idle)
        case .sound: return (Palette.sound, idle)
        case .song: return (Palette.song, idle)
        case .sync: return (Palette.sync, idle)
        case .settings: return (Palette.settings, idle)
        case .lock: return (look.isLocked ? Palette.warning : Palette.quiet, 1)
        case .power: return (Palette.danger, 0.55)
        }
    }

    private static let idle: Float = 0.8
}

extension Menu.Item {
    /// The row of its top.
    fileprivate var top: Int {
        switch self {
        case .library: 2
        case .sound: 6
        case .song: 10
        case .sync: 14
        case .settings: 18
        case .lock, .power: 22
        }
    }

    /// Its rows where it is a bar of one column.
    fileprivate var bar: ClosedRange<Int> {
        switch self {
        case .lock: 22...22
        case .power: 23...23
        default: top...top + 2
        }
    }

    /// Its name on the panel.
    var name: String {
        switch self {
        case .library: "LIBRARY"
        case .sound: "SOUND"
        case .song: "SONG"
        case .sync: "SYNC"
        case .settings: "SETTINGS"
        case .lock: "LOCK"
        case .power: "POWER"
        }
    }

    fileprivate func icon(isLocked: Bool) -> Icon {
        switch self {
        case .library: Self.tiles
        case .sound: Self.wave
        case .song: Self.stair
        case .sync: Self.pulse
        case .settings: Self.sliders
        case .lock: isLocked ? Self.closed : Self.open
        case .power: Self.closed
        }
    }

    private static let tiles = Icon("##.## ..... ##.##")
    private static let wave = Icon(".#... #.#.# ...#.")
    private static let stair = Icon("##... .###. ...##")
    private static let pulse = Icon(".###. .#.#. ##.##")
    private static let sliders = Icon("ooo#o ..... o#ooo")
    private static let open = Icon("#. ##")
    private static let closed = Icon("## ##")
}
