/// The sounds that every box has: the table below, and the lists made of it.
public enum FactorySounds {
    /// A sound of the table.
    struct Entry: Sendable {
        let name: String
        let model: SoundModel
        /// The sound's own level on melody, chords and bass, in tenths of a decibel: as loud as the plain sound.
        let levels: [Int]
        /// The model's own controls, in the order of `SoundModel.timbres`.
        let timbre: [Int]
        /// The other controls that differ from the neutral sound: an open low-pass, no modulation.
        let controls: [TrackControl: Int]

        init(
            _ name: String, _ model: SoundModel, levels: [Int], timbre: [Int], _ controls: [TrackControl: Int]
        ) {
            self.name = name
            self.model = model
            self.levels = levels
            self.timbre = timbre
            self.controls = controls
        }
    }

    /// A kit of the table.
    struct KitEntry: Sendable {
        let name: String
        let kit: SoundKit
        /// The kit's own level in tenths of a decibel.
        let level: Int
        /// The controls that differ from the plain kit's.
        let controls: [TrackControl: Int]

        init(_ name: String, _ kit: SoundKit, level: Int, _ controls: [TrackControl: Int] = [:]) {
            self.name = name
            self.kit = kit
            self.level = level
            self.controls = controls
        }
    }

    /// The sounds to choose from for `track`: the plain one, the track's home sounds, then the others; for rhythm the
    /// kits.
    public static func list(for track: Track) -> [SoundPreset] { lists[track.rawValue] }

    private static let lists = Track.allCases.map { track in
        track == .rhythm ? kits.map(preset) : [plain(track)] + entries(for: track).map { preset($0, for: track) }
    }

    /// The sounds made for `track`, a part of its list; for rhythm all kits.
    public static func home(_ track: Track) -> [SoundPreset] {
        let list = list(for: track)
        return track == .rhythm ? list : Array(list.dropFirst().prefix(homeEntries(of: track).count))
    }

    /// Whether `name` belongs to a factory sound of `kind`.
    public static func has(_ name: SoundName, _ kind: SoundPreset.Kind) -> Bool {
        list(for: kind.track).contains { $0.name == name }
    }

    /// The factory sound of this name for `track`; nil if there is none.
    static func sound(_ name: String, for track: Track) -> SoundPreset? {
        list(for: track).first { $0.name.text == name }
    }

    private static func entries(for track: Track) -> [Entry] {
        let others = [Track.melody, .chords, .bass].filter { $0 != track }
        return ([track] + others).flatMap(homeEntries)
    }

    private static func homeEntries(of track: Track) -> [Entry] {
        switch track {
        case .melody: melody
        case .chords: chords
        case .bass: bass
        case .rhythm: []
        }
    }

    private static func name(_ text: String) -> SoundName {
        guard let name = SoundName(text) else { preconditionFailure("\(text) is no name of a sound") }
        return name
    }

    private static func plain(_ track: Track) -> SoundPreset {
        SoundPreset(SoundSettings(), of: track, named: name("PLAIN"))
    }

    private static func preset(_ entry: Entry, for track: Track) -> SoundPreset {
        var settings = SoundSettings()
        settings[.track(track, .model)] = entry.model.rawValue
        settings[.track(track, .cutoff)] = TrackControl.cutoff.range.upperBound
        settings[.track(track, .level)] = entry.levels[track.rawValue]
        for (control, value) in entry.controls { settings[.track(track, control)] = value }
        for control in TrackControl.allCases {
            guard let place = control.timbre, place < entry.timbre.count else { continue }
            settings[.track(track, control)] = entry.timbre[place]
        }
        return SoundPreset(settings, of: track, named: name(entry.name))
    }

    private static func preset(_ entry: KitEntry) -> SoundPreset {
        var settings = SoundSettings()
        settings[.track(.rhythm, .model)] = entry.kit.rawValue
        settings[.track(.rhythm, .level)] = entry.level
        for (control, value) in entry.controls { settings[.track(.rhythm, control)] = value }
        return SoundPreset(settings, of: .rhythm, named: name(entry.name))
    }
}

extension SoundSettings {
    /// The sound of a new pattern: a sound for each track, a place for each in the room, and compression. The volumes
    /// make a typical pattern as loud as a record for streaming, −16 LUFS, with little work for the limiter; the tone
    /// leaves room for melody and hats above bass and kick.
    public static let factory: SoundSettings = {
        var settings = SoundSettings()
        for (track, name) in [(Track.melody, "PLUCK"), (.chords, "EPIANO"), (.bass, "ROUND"), (.rhythm, "ANALOG")] {
            guard let sound = FactorySounds.sound(name, for: track) else { preconditionFailure("there is no \(name)") }
            settings.choose(sound, for: track)
        }
        let mix: [(Track, TrackControl, Int)] = [
            (.melody, .volume, 66), (.melody, .pan, 16), (.melody, .delay, 20), (.melody, .reverb, 16),
            (.chords, .volume, 32), (.chords, .pan, -14), (.chords, .delay, 6), (.chords, .reverb, 22),
            (.bass, .volume, 64),
            (.rhythm, .reverb, 6),
        ]
        for (track, control, value) in mix { settings[.track(track, control)] = value }
        settings[.delayWidth] = 100
        settings[.compression] = 95
        settings[.tone] = 20
        return settings
    }()
}
