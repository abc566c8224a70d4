/// A key of a keyboard or of the simulated panel, or a physical button. The raw value is its word in scripts and event
/// logs.
///
/// The first six are functions: they act at once, on every screen. The others are keys whose meaning depends on the
/// screen.
public enum Key: String, CaseIterable, Sendable {
    /// Play or stop.
    case playStop = "space"
    /// Undo one step.
    case undo
    /// Redo one step.
    case redo
    /// Clear the four tracks.
    case clear
    /// Five BPM faster.
    case faster = "up"
    /// Five BPM slower.
    case slower = "down"

    /// The space bar: play or stop; the finger at the cursor, while there is one; in a name, a space.
    case spaceBar = "spacebar"
    /// Enter: the finger at the cursor; confirms a name.
    case enter
    /// Presses the finger at the cursor, and lifts it when pressed again: for keyboards that do not report releases.
    case latch
    /// Escape: back.
    case escape
    /// Delete or Backspace: clears the four tracks when held on the grid; in a name, removes the last letter.
    case erase = "backspace"
    /// An arrow: moves the cursor. Up and down change the tempo by five BPM while there is no cursor.
    case arrowUp, arrowDown, arrowLeft, arrowRight

    /// The keys that act at once, whatever the panel shows.
    public static let functions: Set<Key> = [.playStop, .undo, .redo, .clear, .faster, .slower]

    /// Whether the key has an effect while it is held, so that its release matters.
    public var isHeld: Bool {
        switch self {
        case .playStop, .spaceBar, .enter, .erase: true
        case .undo, .redo, .clear, .faster, .slower, .latch, .escape, .arrowUp, .arrowDown, .arrowLeft, .arrowRight:
            false
        }
    }
    /// Whether it acts again and again while it is held.
    public var repeats: Bool {
        switch self {
        case .faster, .slower, .erase, .arrowUp, .arrowDown, .arrowLeft, .arrowRight: true
        case .playStop, .undo, .redo, .clear, .spaceBar, .enter, .latch, .escape: false
        }
    }
}
