import Instrument

extension TrackChannels {
    /// Reads the channels by the names of the tracks, counted from 1; null is none. `mpe` is the chords'.
    package mutating func read(_ field: JSONField) throws(FormatError) {
        try field.only(Track.allCases.map { $0.name } + ["mpe"])
        try field.read("mpe", into: &isChordsMPE)
        for track in Track.allCases {
            guard let part = try field.part(track.name) else { continue }
            self[track] = part.value == .null ? nil : try part.integer(in: 1...16) - 1
        }
        for (index, channel) in named.enumerated() where named[..<index].contains(channel) {
            throw field.refused("has channel \(channel + 1) twice, should be a channel of its own for each track")
        }
        for track in Track.allCases where isChordsMPE && track != .chords {
            guard let channel = self[track], channel >= Self.members.lowerBound else { continue }
            throw field.refused("has \(track.name) on channel \(channel + 1), should be 1 to 10: mpe takes 11 to 16")
        }
    }

    /// All channels as a document.
    package var json: JSON {
        let tracks = Track.allCases.map { ($0.name, self[$0].map { JSON.integer($0 + 1) } ?? .null) }
        return .object(Dictionary(pairs: tracks + [("mpe", .bool(isChordsMPE))]))
    }
}
