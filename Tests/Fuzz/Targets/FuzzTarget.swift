/// A parser of untrusted bytes. For any bytes it must not crash, and its results must be consistent.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Reports of touch devices, through the overlays' decoders into the instrument.
    case reports
    /// Recordings of touch devices.
    case recording
    /// Touch scripts, and the replay of short ones.
    case script
    /// Patterns.
    case pattern
    /// Sounds.
    case sound
    /// Scales and keyboard mappings of Scala: a scale, and after a null byte a mapping.
    case scala
    /// Configurations, and values set in their text.
    case configuration
    /// MIDI files.
    case midi
    /// Bytes of a MIDI port, and the clock in them.
    case stream
    /// Television listings, and their guide.
    case listings
    /// Sound files, and their slices.
    case sample
    /// Packets of light from other machines.
    case light
    /// Messages of programs to the panel as a grid.
    case grid
    /// Requests of a program to a bench of boxes, a line each.
    case drive
    /// Documents with numbers at the ends of their ranges.
    case ends

    /// The problem in the handling of `bytes`; nil if there is none.
    public func problem(with bytes: [UInt8]) -> String? {
        do throws(Violation) {
            switch self {
            case .reports:
                var session = TouchSession(bytes)
                try session.run()
            case .recording: try checkRecording(bytes)
            case .script: try checkScript(bytes)
            case .pattern: try checkPattern(bytes)
            case .sound: try checkSound(bytes)
            case .scala: try checkScala(bytes)
            case .configuration: try checkConfiguration(bytes)
            case .midi: try checkMIDI(bytes)
            case .stream: try checkStream(bytes)
            case .listings: try checkListings(bytes)
            case .sample: try checkSample(bytes)
            case .light: try checkLight(bytes)
            case .grid: try checkGrid(bytes)
            case .drive: try checkDrive(bytes)
            case .ends: try checkEnds(bytes)
            }
            return nil
        } catch { return error.problem }
    }
}

/// A violated requirement.
struct Violation: Error {
    let problem: String
}

/// Throws `problem` unless `condition` holds.
func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws(Violation) {
    if !condition { throw Violation(problem: problem()) }
}
