/// A key of a USB keyboard or of the simulated panel, or a physical button that stands for the same act.
public enum Key: String, CaseIterable, Sendable {
    /// Play or stop.
    case space
    /// One step back in the history.
    case undo
    /// One step forward in the history.
    case redo
    /// Empty the four tracks.
    case clear
    /// Five BPM faster.
    case up
    /// Five BPM slower.
    case down
}
