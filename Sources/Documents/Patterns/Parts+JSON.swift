import Instrument

extension Parts {
    /// The parts in an object by the names of their tracks: `{"bass": 3}`. Throws `FormatError` for another track, and for a
    /// scene that does not exist.
    package init(_ field: JSONField) throws(FormatError) {
        self.init()
        try field.only(Track.allCases.map { $0.name })
        for track in Track.allCases {
            self[track] = try field.part(track.name)?.integer(in: 0...Scenes.count - 1)
        }
    }

    /// The parts as an object.
    package var json: JSON {
        .object(
            Dictionary(
                pairs: Track.allCases.compactMap { track in self[track].map { (track.name, .integer($0)) } }))
    }
}
