// Tracks, notes and velocities as MIDI numbers, in files and on ports.

extension Track {
    /// The track's MIDI channel in files, from 0: 1, 2, 3 and 10 in MIDI's own count. General MIDI's drums are on the
    /// tenth.
    public var midiChannel: Int { self == .rhythm ? 9 : rawValue }

    /// General MIDI's keys for the drums, as in section 6 of docs/spec.md.
    public static let drumKeys = [36, 35, 45, 38, 40, 37, 39, 42, 46, 49, 51, 56]

    /// The MIDI key of `note`.
    public func midiKey(of note: Int) -> Int { firstMIDINote.map { $0 + note } ?? Self.drumKeys[note] }

    /// The note of `key`. A key outside a melodic track's three octaves moves to the nearest of them; a drum that the
    /// box does not have becomes the most similar one.
    public func note(ofMIDIKey key: Int) -> Int {
        guard let first = firstMIDINote else { return Self.drum(key) }
        var note = key - first
        while note < notes.lowerBound { note += Pattern.octave }
        while note > notes.upperBound { note -= Pattern.octave }
        return note
    }

    /// The drum of a key of General MIDI's percussion map.
    private static func drum(_ key: Int) -> Int {
        if let same = drumKeys.firstIndex(of: key) { return same }
        return switch key {
        case ..<35: 0
        case 41, 43, 47, 48, 50, 60...66: 2
        case 44, 54, 69, 70, 82: 7
        case 52, 55, 57: 9
        case 53, 59, 80, 81: 10
        case 58, 67, 68: 11
        default: 5
        }
    }

    /// The MIDI velocity of a note or of an accent, velocity 1 or 2.
    public static func midiVelocity(of velocity: Int) -> Int { velocity == 2 ? 127 : 80 }

    /// The velocity of a key that was played with `velocity`, 1-127: an accent from half-way between the two on.
    public static func velocity(ofMIDI velocity: Int) -> Int { velocity > 103 ? 2 : 1 }
}
