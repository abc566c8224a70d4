/// Values of the sound sheet's faders, the names of the tracks' sounds and of the pads' samples, saved with the
/// pattern. The defaults are docs/spec.md, section 6.
///
/// One array holds all of it, because the loop copies and compares the settings on every pass.
public struct SoundSettings: Hashable, Sendable {
    /// The controls in the order of `SoundControl.allCases`, then the bits of each name, 0 for none: of the tracks'
    /// sounds, and of the pads' samples.
    private var values = Self.defaults

    private static let defaults = SoundControl.allCases.map { Int64($0.defaultValue) } + nameWords.map { _ in 0 }
    private static let nameWords =
        Track.allCases.map { $0.name + ".name" } + Track.rhythm.notes.map { "rhythm.pads.\($0 + 1).sample" }

    /// The default sound of docs/spec.md, section 6, without effects and swing.
    public init() {}

    /// The value of `control`, clamped to its range with the track's model. Another model clamps the controls that
    /// depend on it.
    public subscript(control: SoundControl) -> Int {
        get { Int(values[control.index]) }
        set {
            values[control.index] = Int64(newValue.clamped(to: range(of: control)))
            guard case .track(let track, .model) = control else { return }
            for control in TrackControl.allCases where control.dependsOnModel {
                let control = SoundControl.track(track, control)
                values[control.index] = Int64(Int(values[control.index]).clamped(to: range(of: control)))
            }
        }
    }

    /// The name of the sound of `track`, a label: the values are the sound. Nil for none.
    public subscript(nameOf track: Track) -> SoundName? {
        get { self[namePlace: track.rawValue] }
        set { self[namePlace: track.rawValue] = newValue }
    }

    /// The sample that `pad` of rhythm plays; nil for its drum.
    public subscript(sampleOf pad: Int) -> SoundName? {
        get { self[namePlace: Track.allCases.count + pad] }
        set { self[namePlace: Track.allCases.count + pad] = newValue }
    }

    private subscript(namePlace place: Int) -> SoundName? {
        get { SoundName(trusted: values[SoundControl.allCases.count + place]) }
        set { values[SoundControl.allCases.count + place] = newValue?.bits ?? 0 }
    }

    /// The model of `track`; plain for rhythm, which has a kit.
    public func model(of track: Track) -> SoundModel {
        track == .rhythm ? .plain : SoundModel(rawValue: self[.track(track, .model)]) ?? .plain
    }

    /// The range of `control` with the track's model; 0 only for an own control that the model lacks.
    public func range(of control: SoundControl) -> ClosedRange<Int> {
        guard case .track(let track, let control) = control, control.dependsOnModel else { return control.range }
        let model = model(of: track)
        guard let timbre = control.timbre else { return 0...ModulationTarget.highest(model) }
        return model.timbres.indices.contains(timbre) ? model.timbres[timbre].range : 0...0
    }

    /// Whether `control` has an effect with the track's model. The drums' envelopes are fixed, and each drum is one
    /// note.
    public func isAvailable(_ control: SoundControl) -> Bool {
        if case .pad(let pad, let control) = control { return !control.isOfSample || self[sampleOf: pad] != nil }
        guard case .track(let track, let control) = control else { return true }
        if let timbre = control.timbre { return model(of: track).timbres.indices.contains(timbre) }
        guard track == .rhythm else { return true }
        return ![.attack, .decay, .sustain, .release, .unison, .chorus].contains(control)
    }
}

extension SoundSettings {
    /// All that differs from the defaults as words and numbers, for a library: each control by its `word`, and the bits
    /// of each name as `TRACK.name` or `rhythm.pads.PAD.sample`.
    public var entries: [(word: String, value: Int64)] { difference(to: SoundSettings()).entries }

    /// Range of the value of an entry with this word; nil for an unknown word. Not every number in the range of a name
    /// is one.
    public static func range(ofEntry word: String) -> ClosedRange<Int64>? {
        if nameWords.contains(word) { return SoundName.bitsRange }
        return SoundControl(word: word).map { Int64($0.range.lowerBound)...Int64($0.range.upperBound) }
    }

    /// Maximum number of entries.
    public static let entriesMax = SoundControl.allCases.count + nameWords.count

    /// The settings of `entries`; nil if one has an unknown word or a value out of range. A word may occur once.
    public init?(entries: [(word: String, value: Int64)]) {
        self.init()
        for (word, value) in entries {
            guard let place = Self.place(of: word), Self.isValue(value, at: place),
                value != 0 || place < SoundControl.allCases.count
            else { return nil }
            values[place] = value
        }
        // Only now: the ranges depend on the models, and the order of the entries is free.
        limitToModels()
    }
}

/// The values of the sound settings that one action of the history changed.
public struct SoundChange: Hashable, Sendable {
    /// The places among the settings' values, ascending, and the values there.
    fileprivate var values: [Value] = []

    fileprivate struct Value: Hashable, Sendable {
        var place: Int
        var value: Int64
    }

    /// A change of nothing.
    public init() {}

    /// Whether it changes nothing.
    public var isEmpty: Bool { values.isEmpty }

    /// Adds `other`, an older change than this one ends with: of values that both have, those here stay.
    mutating func add(_ other: SoundChange) {
        values += other.values.filter { value in !values.contains { $0.place == value.place } }
        values = values.inOrder { $0.place < $1.place }
    }
}

extension SoundSettings {
    /// The values here that differ in `other`.
    func difference(to other: SoundSettings) -> SoundChange {
        var change = SoundChange()
        for place in values.indices where values[place] != other.values[place] {
            change.values.append(SoundChange.Value(place: place, value: values[place]))
        }
        return change
    }

    /// The present values at the places of `change`.
    func values(at change: SoundChange) -> SoundChange {
        var present = change
        for index in present.values.indices { present.values[index].value = values[present.values[index].place] }
        return present
    }

    /// Restores the values of `change`. Values that depend on the models stay within the ranges of the present ones.
    mutating func restore(_ change: SoundChange) {
        for value in change.values { values[value.place] = value.value }
        limitToModels()
    }

    private mutating func limitToModels() {
        for track in Track.allCases { self[.track(track, .model)] = self[.track(track, .model)] }
    }
}

extension SoundChange {
    /// The changed values as words and numbers, for a library: the words are the words of `SoundSettings.entries`, and
    /// a name that is absent is 0.
    public var entries: [(word: String, value: Int64)] {
        values.map { (SoundSettings.word(at: $0.place), $0.value) }
    }

    /// The change of `entries`; nil if one has an unknown word, occurs twice or has a value out of range.
    public init?(entries: [(word: String, value: Int64)]) {
        for (word, value) in entries {
            guard let place = SoundSettings.place(of: word), SoundSettings.isValue(value, at: place),
                !values.contains(where: { $0.place == place })
            else { return nil }
            values.append(Value(place: place, value: value))
        }
        values = values.inOrder { $0.place < $1.place }
    }
}

extension SoundSettings {
    fileprivate static func word(at place: Int) -> String {
        let names = place - SoundControl.allCases.count
        return names < 0 ? SoundControl.allCases[place].word : nameWords[names]
    }

    fileprivate static func place(of word: String) -> Int? {
        SoundControl(word: word)?.index ?? nameWords.firstIndex(of: word).map { SoundControl.allCases.count + $0 }
    }

    fileprivate static func isValue(_ value: Int64, at place: Int) -> Bool {
        guard place >= SoundControl.allCases.count else {
            return SoundControl.allCases[place].range.contains(Int(clamping: value))
        }
        return value == 0 || SoundName(bits: value) != nil
    }
}
