import Instrument

extension TrackControllers {
    /// Reads the numbers by the names of the tracks and of their controls; null is none.
    package mutating func read(_ field: JSONField) throws(FormatError) {
        try field.only(Track.allCases.map { $0.name })
        for track in Track.allCases {
            guard let part = try field.part(track.name) else { continue }
            if part.value == .null {
                for control in Self.controls { self[track, control] = nil }
            } else {
                try read(part, of: track)
            }
        }
    }

    private mutating func read(_ field: JSONField, of track: Track) throws(FormatError) {
        try field.only(Self.controls.map { $0.key })
        for control in Self.controls {
            guard let part = try field.part(control.key) else { continue }
            self[track, control] = part.value == .null ? nil : try Self.number(part)
        }
        let used = Self.controls.compactMap { self[track, $0] }
        for (index, number) in used.enumerated() where used[..<index].contains(number) {
            throw field.refused("has controller \(number) twice, should have another one for each control")
        }
    }

    private static func number(_ field: JSONField) throws(FormatError) -> Int {
        let number = try field.integer(in: 1...119)
        if !allows(number) {
            throw field.refused("is \(number), which has another function in MIDI; take another controller")
        }
        return number
    }

    /// All numbers as a document.
    package var json: JSON {
        .object(
            Dictionary(
                pairs: Track.allCases.map { track in
                    let numbers = Self.controls.map { ($0.key, self[track, $0].map { JSON.integer($0) } ?? .null) }
                    return (track.name, .object(Dictionary(pairs: numbers)))
                }))
    }
}
