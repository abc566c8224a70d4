/// A sound to choose for a track. It contains all controls of a track but the player's mix: volume, pan and the sends
/// to delay and reverberation stay as they are when a sound is chosen.
public struct SoundPreset: Hashable, Sendable {
    /// Its name.
    public let name: SoundName
    /// The tracks for which it can be chosen.
    public let kind: Kind
    /// The values of `controls`, in their order, and the values of a kit's pads.
    private let values: [Int]
    /// The samples of a kit's pads; empty for a kit of drums.
    private let samples: [SoundName?]

    /// The kinds of tracks.
    public enum Kind: String, CaseIterable, Sendable {
        /// For melody, chords and bass.
        case melodic
        /// For rhythm.
        case kit

        /// The kind for `track`.
        public init(_ track: Track) { self = track == .rhythm ? .kit : .melodic }

        /// A track of this kind, as which a file has the sound.
        public var track: Track { self == .kit ? .rhythm : .melody }
    }

    /// The controls of `track` that belong to a sound.
    private static func controls(of track: Track) -> [SoundControl] { controls[track.rawValue] }
    private static let controls: [[SoundControl]] = Track.allCases.map { track in
        TrackControl.allCases.filter { ![.volume, .pan, .delay, .reverb].contains($0) }.map { .track(track, $0) }
            + (track == .rhythm ? SoundControl.pads : [])
    }

    /// The sound of `track` in `settings`, under `name`.
    public init(_ settings: SoundSettings, of track: Track, named name: SoundName) {
        self.name = name
        kind = Kind(track)
        values = Self.controls(of: track).map { settings[$0] }
        let samples = track == .rhythm ? track.notes.map { settings[sampleOf: $0] } : []
        self.samples = samples.contains { $0 != nil } ? samples : []
    }

    /// The sound of docs/spec.md, section 6.
    private var isPlain: Bool { name == Self.plainName }

    private static let plainName = SoundName("PLAIN")

    fileprivate func apply(to settings: inout SoundSettings, _ track: Track) {
        // The order of the controls puts the model before those that depend on it.
        for (control, value) in zip(Self.controls(of: track), values) { settings[control] = value }
        if track == .rhythm {
            for pad in track.notes { settings[sampleOf: pad] = samples.isEmpty ? nil : samples[pad] }
        }
        settings[nameOf: track] = isPlain ? nil : name
    }
}

extension SoundSettings {
    /// Replaces the sound of `track` by `preset`, which is of its kind; the track's mix stays.
    public mutating func choose(_ preset: SoundPreset, for track: Track) { preset.apply(to: &self, track) }
}

/// The player's own sounds, by name.
public struct OwnSounds: Hashable, Sendable {
    /// Those for melody, chords and bass.
    public let melodic: [SoundPreset]
    /// Those for rhythm.
    public let kits: [SoundPreset]

    /// Sorts `presets` by kind.
    public init(_ presets: [SoundPreset] = []) {
        melodic = presets.filter { $0.kind == .melodic }
        kits = presets.filter { $0.kind == .kit }
    }

    /// Those of `kind`.
    public subscript(kind: SoundPreset.Kind) -> [SoundPreset] { kind == .kit ? kits : melodic }
}

extension Instrument.State {
    /// Number of sounds to choose from for `track`: the factory's, then the player's own.
    func soundCount(for track: Track) -> Int {
        FactorySounds.list(for: track).count + shelf.sounds[SoundPreset.Kind(track)].count
    }

    /// The sound at `place` of the list for `track`.
    func sound(at place: Int, for track: Track) -> SoundPreset {
        let factory = FactorySounds.list(for: track)
        return place < factory.count ? factory[place] : shelf.sounds[SoundPreset.Kind(track)][place - factory.count]
    }

    /// The place in its list of the sound that `track` plays, by its name; nil if the list has none of that name.
    func soundPlace(of track: Track) -> Int? {
        let factory = FactorySounds.list(for: track)
        guard let name = session.sound[nameOf: track] else {
            return session.sound[.track(track, .model)] == 0 ? 0 : nil
        }
        if let place = factory.firstIndex(where: { $0.name == name }) { return place }
        return shelf.sounds[SoundPreset.Kind(track)].firstIndex { $0.name == name }.map { factory.count + $0 }
    }

    /// Whether the sound that `track` plays is one of the player's own.
    func playsOwnSound(_ track: Track) -> Bool {
        soundPlace(of: track).map { $0 >= FactorySounds.list(for: track).count } ?? false
    }
}
