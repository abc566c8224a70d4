/// The function of a key of a USB keyboard or of the simulated panel, or of a physical button. The raw value is its word in scripts
/// and event logs.
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
}
