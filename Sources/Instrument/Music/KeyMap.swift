/// The notes on the panel's keys (docs/spec.md, section 15). The keys of a melodic track are the degrees of its scale from
/// the lowest on, or all twelve notes; a row begins three degrees above the row below it, or a fourth. Places count along
/// these.
struct KeyMap: Hashable, Sendable {
    let track: Track
    private let tonality: Tonality
    /// Whether the keys are all twelve notes, or drums.
    let isChromatic: Bool

    /// The keys of `track`; all twelve notes if that is chosen, or if the scale has too many for a third to be a step up.
    init(_ track: Track, _ tonality: Tonality, allTwelve: Bool) {
        self.track = track
        self.tonality = tonality
        isChromatic = track == .rhythm || allTwelve || tonality.scale.count > Self.scaleMax
    }

    /// Columns and rows of the keys.
    static let (columns, rows) = (4..<Grid.columns, 2..<Grid.overviewRows.lowerBound)
    /// Columns and rows of a key of a melodic track.
    static let (width, height) = (2, 4)
    /// Columns and rows of a pad of the rhythm track, and the rows of all pads.
    static let (padWidth, padHeight, padRows) = (10, 6, 4..<Grid.overviewRows.lowerBound)

    private static let scaleMax = 10
    private static let padsOfRow = columns.count / padWidth

    /// The places with notes of the track.
    var places: ClosedRange<Int> { isChromatic ? track.notes : tonality.degrees(within: track.notes) }

    /// The note at `place`, which may lie outside the track's notes.
    func note(at place: Int) -> Int { isChromatic ? place : tonality.note(ofDegree: place) }

    /// The place of the key at `led`; nil where no key has a note. Of the rhythm track it is the drum.
    func place(at led: Position.LED) -> Int? {
        guard Self.columns.contains(led.column), Self.rows.contains(led.row) else { return nil }
        let column = led.column - Self.columns.lowerBound
        if track == .rhythm {
            guard Self.padRows.contains(led.row) else { return nil }
            return (Self.padRows.upperBound - 1 - led.row) / Self.padHeight * Self.padsOfRow + column / Self.padWidth
        }
        let row = (Self.rows.upperBound - 1 - led.row) / Self.height
        let place = places.lowerBound + column / Self.width + row * rise
        return places.contains(place) ? place : nil
    }

    /// Columns and rows of a key.
    var size: (columns: Int, rows: Int) {
        track == .rhythm ? (Self.padWidth, Self.padHeight) : (Self.width, Self.height)
    }

    /// Calls `body` with the column and the row of the top left LED of each key at `place`: two rows of keys share some.
    func forEachKey(at place: Int, _ body: (_ column: Int, _ row: Int) -> Void) {
        if track == .rhythm {
            let (row, column) = place.quotientAndRemainder(dividingBy: Self.padsOfRow)
            return body(
                Self.columns.lowerBound + column * Self.padWidth, Self.rows.upperBound - (row + 1) * Self.padHeight)
        }
        for row in 0..<Self.rows.count / Self.height {
            let column = place - places.lowerBound - row * rise
            guard (0..<Self.columns.count / Self.width).contains(column) else { continue }
            body(Self.columns.lowerBound + column * Self.width, Self.rows.upperBound - (row + 1) * Self.height)
        }
    }

    /// Places between a key and the one above it.
    private var rise: Int { isChromatic ? 5 : 3 }

    /// The MIDI velocity of a finger that lands at `row`: the higher on its key, the louder.
    func velocity(atRow row: Int) -> Int {
        let rise = Self.rows.upperBound - 1 - row
        return track == .rhythm ? Self.padVelocities[rise % Self.padHeight] : Self.velocities[rise % Self.height]
    }

    private static let velocities = [50, 80, 104, 127]
    private static let padVelocities = [40, 60, 80, 96, 112, 127]

    /// The bend from the note at `first` to `place`, in hundredths of a cent; between two places it is between their
    /// notes in `tuning`. The track's lowest and highest notes end it.
    func bend(from first: Int, to place: Float, in tuning: Tuning) -> Int {
        let place = min(max(place, Float(places.lowerBound)), Float(places.upperBound))
        let below = place.rounded(.down)
        let (low, high) = (pitch(at: Int(below), in: tuning), pitch(at: Int(below) + 1, in: tuning))
        return low - pitch(at: first, in: tuning) + Int((Float(high - low) * (place - below)).rounded())
    }

    /// The pitch of the note at `place`, in hundredths of a cent.
    private func pitch(at place: Int, in tuning: Tuning) -> Int {
        let note = note(at: place)
        return (note * Tuning.semitone + tuning.offset(ofPitchClass: Pattern.pitchClass(of: note))) / 10
    }
}
