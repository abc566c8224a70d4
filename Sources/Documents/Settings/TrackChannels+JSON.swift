import Instrument

extension TrackChannels {
    /// Reads the channels by the names of the tracks, counted from 1; null is none.
    package mutating func read(_ field: JSONField) throws(FormatError) {
        try field.only(Track.allCases.map { $0.name })
        for track in Track.allCases {
            guard let part = try field.part(track.name) else { continue }
            self[track] = part.value == .null ? nil : try part.integer(in: 1...16) - 1
        }
        for (index, channel) in used.enumerated() where used[..<index].contains(channel) {
            throw field.refused("has channel \(channel + 1) twice, should be a channel of its own for each track")
        }
    }

    /// All channels as a document.
    package var json: JSON {
        .object(
            Dictionary(
                pairs: Track.allCases.map { ($0.name, self[$0].map { .integer($0 + 1) } ?? .null) }))
    }
}
