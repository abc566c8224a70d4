import Instrument

// The sound in a document: a nested object by the words of `SoundControl.path`, with only the values that differ from
// the defaults. Models, kits, LFO shapes and targets are words, and a model's own controls have the names that it gives
// them.

extension SoundSettings {
    /// Reads the settings in `field`; missing ones have their defaults, and unknown ones are ignored. Throws
    /// `FormatError` with the path of the first value that is out of range or of the wrong type.
    init(_ field: JSONField) throws(FormatError) {
        self.init()
        for track in Track.allCases {
            if let field = try field.part(track.name) { try read(field, of: track) }
        }
        for control in SoundControl.shared {
            if let value = try field.part(at: control.path) { self[control] = try value.integer(in: control.range) }
        }
    }

    /// Reads the settings of `track` in `field`, the track's object.
    mutating func read(_ field: JSONField, of track: Track) throws(FormatError) {
        // The model decides which of the others there are.
        for control in [.model] + TrackControl.allCases.filter({ $0 != .model }) {
            guard let key = key(of: control, on: track), let value = try field.part(key) else { continue }
            let control = SoundControl.track(track, control)
            guard let words = words(of: control) else {
                self[control] = try value.integer(in: range(of: control))
                continue
            }
            self[control] = try value.choice(words.enumerated().map { (word: $1, choice: $0) })
        }
        if let name = try field.part(Self.nameKey) { self[nameOf: track] = try name.soundName() }
        guard track == .rhythm, let pads = try field.part(Self.padsKey) else { return }
        for pad in track.notes {
            guard let field = try pads.part("\(pad + 1)") else { continue }
            if let sample = try field.part(Self.sampleKey) { self[sampleOf: pad] = try sample.soundName() }
            for control in PadControl.allCases {
                guard let value = try field.part(control.key) else { continue }
                self[.pad(pad, control)] = try value.integer(in: control.range)
            }
        }
    }

    private static let (nameKey, padsKey, sampleKey) = ("name", "pads", "sample")

    /// Key of `control` in the object of `track`; nil for one that the track's model lacks.
    private func key(of control: TrackControl, on track: Track) -> String? {
        guard let timbre = control.timbre else { return SoundControl.track(track, control).path.last }
        let timbres = model(of: track).timbres
        return timbres.indices.contains(timbre) ? timbres[timbre].key : nil
    }

    /// The words for the values of `control` from 0 on; nil if its value is a number.
    private func words(of control: SoundControl) -> [String]? {
        switch control {
        case .track(.rhythm, .model): SoundKit.words
        case .track(_, .model): SoundModel.words
        case .track(_, .lfoShape): LFOShape.words
        case .track(let track, .lfoTarget), .track(let track, .envelopeTarget): ModulationTarget.words(model(of: track))
        default: nil
        }
    }

    /// The settings that differ from their defaults and have an effect with their model, as paths and values; the
    /// drums' fixed envelopes are among them.
    private var written: [(path: [String], value: JSON)] {
        Track.allCases.flatMap { track in
            written(of: track).map { (path: [track.name, $0.key], value: $0.value) }
        }
            + SoundControl.shared.filter { self[$0] != $0.defaultValue }
            .map { (path: $0.path, value: .integer(self[$0])) }
    }

    /// The keys and values of `track` that differ from the defaults.
    func written(of track: Track) -> [(key: String, value: JSON)] {
        let values = TrackControl.allCases.compactMap { control -> (key: String, value: JSON)? in
            let whole = SoundControl.track(track, control)
            guard self[whole] != whole.defaultValue, let key = key(of: control, on: track) else { return nil }
            return (key, value(of: whole))
        }
        let pads = track == .rhythm ? pads.map { [(key: Self.padsKey, value: $0)] } ?? [] : []
        return values + pads + (self[nameOf: track].map { [(Self.nameKey, .string($0.text))] } ?? [])
    }

    /// The pads that differ from the defaults, by the number of their drum from 1; nil if none does.
    private var pads: JSON? {
        let values = SoundControl.pads.filter { self[$0] != $0.defaultValue }.reduce(nil) { pads, control in
            JSON.setting(pads, control.path.suffix(2), to: .integer(self[control]))
        }
        return Track.rhythm.notes.reduce(values) { pads, pad in
            guard let name = self[sampleOf: pad] else { return pads }
            return JSON.setting(pads, ["\(pad + 1)", Self.sampleKey], to: .string(name.text))
        }
    }

    /// The value of `control` as in a document.
    func value(of control: SoundControl) -> JSON {
        words(of: control).map { .string($0[self[control]]) } ?? .integer(self[control])
    }

    /// `others` with all settings that differ from their defaults; nil if the result is empty.
    func written(beside others: JSON?) -> JSON? {
        written.reduce(others) { JSON.setting($0, $1.path[...], to: $1.value) }
    }

    /// The parts that are not known settings; nil if there are none. The own controls of all models are known.
    static func others(in parts: JSON?) -> JSON? { known.reduce(parts) { JSON.setting($0, $1[...], to: nil) } }

    private static let known: [[String]] =
        SoundControl.allCases.filter { control in
            switch control {
            case .track(_, let control): control.timbre == nil
            case .pad: false
            default: true
            }
        }.map { $0.path } + [[Track.rhythm.name, padsKey]]
        + Track.allCases.flatMap { track in
            ([nameKey] + Set(SoundModel.allCases.flatMap { $0.timbres.map { $0.key } })).map { [track.name, $0] }
        }
}

extension JSONField {
    /// The name of a sound.
    func soundName() throws(FormatError) -> SoundName {
        guard let name = SoundName(try string()) else {
            throw refused("is \(shown), should be 1 to \(SoundName.lettersMax) letters that the panel has")
        }
        return name
    }

    /// The part at `path`, from the outside in; nil if it does not exist.
    fileprivate func part(at path: [String]) throws(FormatError) -> JSONField? {
        var field = self
        for name in path {
            guard let part = try field.part(name) else { return nil }
            field = part
        }
        return field
    }
}

extension JSON {
    /// `object` with `value` at `path`; a nil `value` removes the part, and objects that become empty.
    fileprivate static func setting(_ object: JSON?, _ path: ArraySlice<String>, to value: JSON?) -> JSON? {
        guard let name = path.first else { return value }
        var parts: [String: JSON] = [:]
        if case .object(let found)? = object { parts = found }
        parts[name] = setting(parts[name], path.dropFirst(), to: value)
        return parts.isEmpty ? nil : .object(parts)
    }
}
