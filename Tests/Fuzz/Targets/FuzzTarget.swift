/// Something that takes in bytes of anyone's making. Whatever they are, it must not crash, and what it says of them
/// must hold.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Reports of touch devices, through the overlays' decoders into the instrument.
    case reports
    /// Recordings of touch devices.
    case recording
    /// Touch scripts, and what the box does when a short one is replayed.
    case script
    /// Patterns.
    case pattern
    /// Configurations, and values set in their text.
    case configuration
    /// MIDI files.
    case midi
    /// Television listings, and the guide that shows them.
    case listings

    /// What is wrong with how `bytes` are dealt with; nil for nothing.
    public func problem(with bytes: [UInt8]) -> String? {
        do throws(Violation) {
            switch self {
            case .reports:
                var session = TouchSession(bytes)
                try session.run()
            case .recording: try checkRecording(bytes)
            case .script: try checkScript(bytes)
            case .pattern: try checkPattern(bytes)
            case .configuration: try checkConfiguration(bytes)
            case .midi: try checkMIDI(bytes)
            case .listings: try checkListings(bytes)
            }
            return nil
        } catch { return error.problem }
    }
}

/// Something that must hold and does not.
struct Violation: Error {
    let problem: String
}

/// Throws unless `condition` holds; `problem` says that it does not.
func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws(Violation) {
    if !condition { throw Violation(problem: problem()) }
}
