import Instrument

/// One note that the sequencer started (SPEC 7, "Event log").
public struct NoteEvent: Hashable, Sendable {
    /// Time of its start, in milliseconds.
    public var milliseconds: Double
    /// Step of its start.
    public var step: Int
    /// Track.
    public var track: Track
    /// Index on the track, 0-11.
    public var note: Int
    /// Velocity, 1 or 2.
    public var velocity: Int
    /// Length in steps.
    public var steps: Int

    /// A note that starts at `milliseconds`.
    public init(milliseconds: Double, step: Int, track: Track, note: Int, velocity: Int, steps: Int) {
        self.milliseconds = milliseconds
        self.step = step
        self.track = track
        self.note = note
        self.velocity = velocity
        self.steps = steps
    }

    /// Line of the event log: MIDI note, or drum index for rhythm.
    public var line: String {
        JSON.object([
            "at": JSON.number(milliseconds: milliseconds),
            "step": .integer(step),
            "track": .string(track.name),
            "note": .integer((track.firstMIDINote ?? 0) + note),
            "velocity": .integer(velocity),
            "steps": .integer(steps),
        ]).text(pretty: false) + "\n"
    }
}

extension JSON {
    /// A time in milliseconds with three decimals; whole milliseconds without decimals.
    public static func number(milliseconds: Double) -> JSON {
        let microseconds = Int64((milliseconds * 1000).rounded())
        return .number(
            microseconds % 1000 == 0 ? String(microseconds / 1000) : String(microseconds, places: 3))
    }
}
