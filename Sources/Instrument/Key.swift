/// A key of a USB keyboard or of the simulated panel, or a physical button with the same function.
public enum Key: String, CaseIterable, Sendable {
    /// Play or stop.
    case space
    /// Undo one step.
    case undo
    /// Redo one step.
    case redo
    /// Clear the four tracks.
    case clear
    /// Five BPM faster.
    case up
    /// Five BPM slower.
    case down
}
