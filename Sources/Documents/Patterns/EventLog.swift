import Instrument

/// One note that the sequencer started (docs/spec.md, section 7, "Event log").
public struct NoteEvent: Hashable, Sendable {
    /// Time of its start, in milliseconds.
    public var milliseconds: Double
    /// Step of its start.
    public var step: Int
    /// Track.
    public var track: Track
    /// Index on the track, 0-11.
    public var note: Int
    /// MIDI velocity, 1-127.
    public var velocity: Int
    /// Length in steps.
    public var steps: Double

    /// A note that starts at `milliseconds`.
    public init(milliseconds: Double, step: Int, track: Track, note: Int, velocity: Int, steps: Double) {
        self.milliseconds = milliseconds
        self.step = step
        self.track = track
        self.note = note
        self.velocity = velocity
        self.steps = steps
    }

    /// Line of the event log: MIDI note, or drum index for rhythm. The velocity is 1 for a normal note and 2 for an
    /// accent; another one is followed by the velocity of MIDI.
    public var line: String { JSON.object(keys).text(pretty: false) + "\n" }

    /// The line's keys.
    package var keys: [String: JSON] {
        let strength = Track.velocity(ofMIDI: velocity)
        var parts: [String: JSON] = [
            "at": JSON.number(milliseconds: milliseconds),
            "step": .integer(step),
            "track": .string(track.name),
            "note": .integer((track.firstMIDINote ?? 0) + note),
            "velocity": .integer(strength),
            "steps": JSON.number(steps: steps),
        ]
        if velocity != Track.midiVelocity(of: strength) { parts["midiVelocity"] = .integer(velocity) }
        return parts
    }
}

extension JSON {
    /// A length in steps with six decimals at most.
    fileprivate static func number(steps: Double) -> JSON {
        let millionths = Int64((steps * 1_000_000).rounded())
        guard millionths % 1_000_000 != 0 else { return .number(String(millionths / 1_000_000)) }
        var text = String(millionths, places: 6)
        while text.hasSuffix("0") { text.removeLast() }
        return .number(text)
    }

    /// A time in milliseconds with three decimals; whole milliseconds without decimals.
    public static func number(milliseconds: Double) -> JSON {
        let microseconds = Int64((milliseconds * 1000).rounded())
        return .number(
            microseconds % 1000 == 0 ? String(microseconds / 1000) : String(microseconds, places: 3))
    }
}
