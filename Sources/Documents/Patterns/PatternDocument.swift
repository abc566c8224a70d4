import Instrument

/// A pattern in the exchange format of the web, phone and box versions (docs/spec.md, section 7).
public struct PatternDocument: Hashable, Sendable {
    /// The music: the current scene's own pattern, also where other scenes' parts play.
    public var pattern: Pattern
    /// The sounds of the tune and of its scenes, with their mutes.
    public var sounds: TuneSounds
    /// The soloed track.
    public var soloed: Track?
    /// The stored scenes.
    public var scenes: Scenes
    /// The scenes from which tracks of the pattern are borrowed.
    public var parts: Parts
    /// The order of the scenes in the song.
    public var song: Song
    /// What plays when the pattern has reached its end.
    public var sceneMode: SceneMode
    /// Name, if known.
    public var name: String?
    /// Creation time in ISO 8601, if known.
    public var createdAt: String?
    /// Time of the last change in ISO 8601, if known.
    public var modifiedAt: String?
    /// Unknown keys of the document, which are written back unchanged. Those within its `sound` are under that key.
    public var unknown: [String: JSON]

    /// A document of `pattern`, all of whose scenes have the same sound.
    public init(
        pattern: Pattern, sound: SoundSettings = SoundSettings(), muted: TrackSet = TrackSet(), soloed: Track? = nil,
        scenes: Scenes = Scenes(), parts: Parts = Parts(), song: Song = Song(), sceneMode: SceneMode = .one,
        name: String? = nil, createdAt: String? = nil, modifiedAt: String? = nil, unknown: [String: JSON] = [:]
    ) {
        self.pattern = pattern
        sounds = TuneSounds(SceneSound(sound, muted: muted))
        self.soloed = soloed
        self.scenes = scenes
        self.parts = parts
        self.song = song
        self.sceneMode = sceneMode
        self.name = name
        self.createdAt = createdAt
        self.modifiedAt = modifiedAt
        self.unknown = unknown
    }

    private static let known =
        ["name", "createdAt", "modifiedAt", "muted", "soloed", "scenes", "scenesMore", "scene", "parts", "own"]
        + songKeys
    private static let music = ["bpm", "length", "rootNote", "scale", "tracks", "octaves", "more"] + PatternExtras.keys

    // MARK: Reading

    /// Reads a document, completely or not at all. Throws `FormatError` with the path of the first value that is out of
    /// range, missing, of the wrong type or in a list of the wrong length.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var remarks: [String] = []
        try self.init(parsing: bytes, remarks: &remarks)
    }

    /// Reads a document as `init(parsing:)`; appends a line to `remarks` for each part of it that the pattern does not
    /// include.
    public init(parsing bytes: [UInt8], remarks: inout [String]) throws(FormatError) {
        try self.init(JSONField(try JSON(parsing: bytes)), remarks: &remarks)
        if bytes.count > Self.othersMax { try checkOthers() }
    }

    /// Maximum bytes of what is no music: a library keeps it in one row of two megabytes.
    private static let othersMax = 256 << 10

    private func checkOthers() throws(FormatError) {
        let texts = [JSON.object(unknown).text(pretty: false), createdAt, modifiedAt].compactMap { $0 }
        let size = texts.reduce(0) { $0 + $1.utf8.count }
        guard size <= Self.othersMax else {
            throw FormatError(
                "",
                "the keys that are none of a pattern's have \((size + 1023) >> 10) KiB, should have at most \(Self.othersMax >> 10)"
            )
        }
    }

    /// Reads the document in `root`.
    package init(_ root: JSONField) throws(FormatError) {
        var remarks: [String] = []
        try self.init(root, remarks: &remarks)
    }

    private init(_ root: JSONField, remarks: inout [String]) throws(FormatError) {
        pattern = try Self.readPattern(root, &remarks)
        scenes = try Self.readScenes(root, &remarks)
        parts = try Self.readParts(root, current: scenes.current, &remarks)
        (song, sceneMode) = try Self.readSong(root)
        sounds = TuneSounds(try Self.readSound(root))
        try Self.readOwnSounds(root, of: scenes, into: &sounds, &remarks)
        if let field = try root.part("soloed"), field.value != .null { soloed = try field.choice(Self.tracks) }
        name = try root.part("name")?.stringOrNull()?.visible(Self.nameMax)
        createdAt = try root.part("createdAt")?.stringOrNull()
        modifiedAt = try root.part("modifiedAt")?.stringOrNull()
        unknown = try root.object().filter { !Self.music.contains($0.key) && !Self.known.contains($0.key) }
        unknown["sound"] = SoundSettings.others(in: unknown["sound"])
    }

    /// Maximum characters of a name; the rest is left out.
    static let nameMax = 200

    private static let tracks = Track.allCases.map { (word: $0.name, choice: $0) }
    private static let scales: [(word: String, choice: Scale)] =
        Scale.shared.map { (word: $0.name, choice: $0) } + [("pentatonic", .penta)]
    private static let roots: [(word: String, choice: Int)] =
        Tonality.rootNames.enumerated().map { (word: $1, choice: $0) }
        + [("Db", 1), ("Eb", 3), ("Gb", 6), ("Ab", 8), ("Bb", 10)]

    private static func pitchClass(_ field: JSONField) throws(FormatError) -> Int {
        if case .number = field.value { return try field.integer(in: 0...11) }
        return try field.choice(roots)
    }

    /// Reads the pattern in `field`.
    private static func readPattern(_ field: JSONField, _ remarks: inout [String]) throws(FormatError) -> Pattern {
        var pattern = Pattern()
        pattern.tempo = Tempo(
            try field.needed("bpm").integer(in: Tempo.range.lowerBound.whole...Tempo.range.upperBound.whole))
        pattern.length = try field.needed("length").integer(in: Pattern.lengths)
        pattern.tonality = Tonality(
            root: try pitchClass(field.needed("rootNote")), scale: try field.needed("scale").choice(scales))
        try readWindow(0, field, into: &pattern, &remarks)
        let scale = pattern.tonality.scale
        try PatternExtras.readOlder(field, into: &pattern)
        if pattern.tonality.scale.nearestShared != scale {
            remarks.append("the scale was changed by a program that knows three: scaleName and scaleNotes are left out")
            pattern.tonality.scale = scale
        }
        try readNew(field, into: &pattern, &remarks)
        return pattern
    }

    /// The keys of a pattern that version 0.1.0 refuses in a scene.
    private static let newKeys = PatternExtras.newKeys + ["more"]

    /// Reads the values of `newKeys`. A tempo and a length count if they are what other programs know.
    private static func readNew(
        _ field: JSONField, into pattern: inout Pattern, _ remarks: inout [String]
    ) throws(FormatError) {
        let (tempo, length, shapes) = (pattern.tempo, pattern.length, Track.allCases.map { pattern[shape: $0] })
        try PatternExtras.readNew(field, into: &pattern)
        for (track, shape) in zip(Track.allCases, shapes) {
            guard pattern[shape: track].length.map({ min($0, Pattern.window) }) != shape.length else { continue }
            remarks.append(
                "trackLengths of \(track.name) was changed by a program that knows 1 to 32: trackSteps is left out")
            pattern[shape: track].length = shape.length
        }
        if pattern.tempo.nearestShared != tempo.nearestShared {
            remarks.append("bpm was changed by a program that knows whole numbers: tempo is left out")
            pattern.tempo = tempo
        }
        if Pattern.nearestSharedLength(to: pattern.length) != Pattern.nearestSharedLength(to: length) {
            remarks.append("length was changed by a program that knows 8 to 32: steps is left out")
            pattern.length = length
        }
        for (place, part) in (try field.part("more")?.list(counts: 0...Pattern.windows - 1) ?? []).enumerated() {
            try part.only(["tracks", "octaves", "lanes", PatternExtras.noteLanes])
            try readWindow(1 + place, part, into: &pattern, &remarks)
            if let lanes = try part.part("lanes") {
                try PatternExtras.readLanes(lanes, window: 1 + place, into: &pattern)
            }
            if let notes = try part.part(PatternExtras.noteLanes) {
                let steps = Pattern.steps(ofWindow: 1 + place)
                try PatternExtras.readNoteLanes(notes, steps.lowerBound, steps.count, into: &pattern)
            }
        }
    }

    /// The notes of a window: `tracks` and `octaves` of `field`.
    private static func readWindow(
        _ window: Int, _ field: JSONField, into pattern: inout Pattern, _ remarks: inout [String]
    ) throws(FormatError) {
        let tracks = try field.needed("tracks")
        try tracks.only(Track.allCases.map { $0.name })
        for track in Track.allCases {
            let field = try tracks.needed(track.name)
            if case .object = field.value, window == 0 {
                try readNotes(field, of: track, into: &pattern)
            } else {
                try readRows(field, of: track, window, into: &pattern)
            }
        }
        if let octaves = try field.part("octaves") { try readOctaves(octaves, window, into: &pattern, &remarks) }
    }

    /// The octaves of the melodic tracks in a window, in `Octaves.names` from the lowest. They count for a track if its rows in
    /// `tracks` are what they fold into; else another program has changed those since, and its notes are in the middle
    /// octave.
    private static func readOctaves(
        _ field: JSONField, _ window: Int, into pattern: inout Pattern, _ remarks: inout [String]
    ) throws(FormatError) {
        try field.only(Octaves.names)
        let melodic = Track.allCases.filter { $0 != .rhythm }
        var spread = pattern
        for track in melodic {
            for note in track.notes { spread.setCells(track, note: note, window: window, to: 0) }
        }
        for (octave, name) in Octaves.names.enumerated() {
            guard let tracks = try field.part(name) else { continue }
            try tracks.only(melodic.map { $0.name })
            for track in melodic {
                guard let rows = try tracks.part(track.name) else { continue }
                try readRows(rows, of: track, window, into: &spread, from: Octaves.lowest(octave))
            }
        }
        for track in melodic {
            let isFolded = (0..<Pattern.octave).allSatisfy {
                spread.foldedCells(track, pitchClass: $0)[window: window]
                    == pattern.cells(track, note: $0, window: window)
            }
            guard isFolded else {
                remarks.append("\(track.name) was changed by a program that knows one octave: its octaves are left out")
                continue
            }
            for note in track.notes {
                pattern.setCells(
                    track, note: note, window: window, to: spread.cells(track, note: note, window: window))
            }
        }
    }

    /// The three octaves of a melodic track in files.
    private enum Octaves {
        static let names = ["low", "middle", "high"]

        /// The lowest note of the octave with this index in `names`.
        static func lowest(_ index: Int) -> Int { (index - 1) * Pattern.octave }
    }

    /// The scenes, each a pattern or null. For programs without scenes, the document's own pattern is the current
    /// scene; it takes precedence over that entry of the list.
    private static func readScenes(_ root: JSONField, _ remarks: inout [String]) throws(FormatError) -> Scenes {
        var patterns: [Pattern?] = []
        for field in try root.part("scenes")?.list(counts: Scenes.count...Scenes.count) ?? [] {
            guard field.value != .null else {
                patterns.append(nil)
                continue
            }
            try field.only(music)
            patterns.append(try readPattern(field, &remarks))
        }
        if let field = try root.part("scenesMore") {
            for (slot, more) in try field.list(counts: Scenes.count...Scenes.count).enumerated() {
                guard more.value != .null else { continue }
                try more.only(newKeys)
                // Another program may have emptied the scene.
                guard patterns.indices.contains(slot), var pattern = patterns[slot] else { continue }
                try readNew(more, into: &pattern, &remarks)
                patterns[slot] = pattern
            }
        }
        guard let field = try root.part("scene"), field.value != .null else { return Scenes(patterns) }
        let scene = try field.integer(in: 0...Scenes.count - 1)
        guard patterns.indices.contains(scene), patterns[scene] != nil else {
            throw field.refused("is \(scene), and scenes[\(scene)] is no pattern")
        }
        return Scenes(patterns, current: scene)
    }

    /// The scenes of borrowed tracks. Another program may have made a scene current, or none.
    private static func readParts(
        _ root: JSONField, current: Int?, _ remarks: inout [String]
    ) throws(FormatError) -> Parts {
        guard let field = try root.part("parts") else { return Parts() }
        var parts = try Parts(field)
        if current == nil, !parts.isEmpty {
            remarks.append("no scene is the current one: parts is left out")
            return Parts()
        }
        for track in Track.allCases where parts[track] == current { parts[track] = nil }
        return parts
    }

    /// The values of `sound` and `muted` in `field`.
    private static func readSound(_ field: JSONField) throws(FormatError) -> SceneSound {
        var sound = SceneSound()
        if let settings = try field.part("sound") { sound.settings = try SoundSettings(settings) }
        var muted: [Track] = []
        for track in try field.part("muted")?.list(counts: 0...4) ?? [] { muted.append(try track.choice(tracks)) }
        sound.muted = TrackSet(muted)
        return sound
    }

    /// The scenes' own sounds. Another program may have emptied a scene.
    private static func readOwnSounds(
        _ root: JSONField, of scenes: Scenes, into sounds: inout TuneSounds, _ remarks: inout [String]
    ) throws(FormatError) {
        guard let field = try root.part("own") else { return }
        for (slot, own) in try field.list(counts: Scenes.count...Scenes.count).enumerated() where own.value != .null {
            try own.only(["sound", "muted"])
            let sound = try readSound(own)
            if scenes.isFilled(slot) {
                sounds[own: slot] = sound
            } else {
                remarks.append("scenes[\(slot)] is empty: own[\(slot)] is left out")
            }
        }
    }

    /// Rows of cells: twelve rows of 32 cells, the first for the note `lowest`.
    private static func readRows(
        _ field: JSONField, of track: Track, _ window: Int, into pattern: inout Pattern, from lowest: Int = 0
    ) throws(FormatError) {
        for (note, row) in try field.list(counts: Pattern.octave...Pattern.octave).enumerated() {
            var word: UInt64 = 0
            for (place, cell) in try row.list(counts: Pattern.window...Pattern.window).enumerated() {
                word |= try cell.integer(in: UInt64(0)...3) << UInt64(2 * place)
            }
            pattern.setCells(track, note: lowest + note, window: window, to: word)
        }
    }

    /// The older format: a list of notes by LED column and pitch.
    private static func readNotes(
        _ field: JSONField, of track: Track, into pattern: inout Pattern
    ) throws(FormatError) {
        if let type = try field.part("type"), try type.choice(tracks) != track {
            throw type.refused("does not match the track that it stands in")
        }
        for note in try field.needed("notes").list() {
            let column = try note.needed("col")
            guard let step = Pattern.step(atColumn: try column.integer(in: 4...38)) else {
                throw column.refused("is not a column of a step")
            }
            if let row = try note.part("row") {
                _ = try row.integer(in: track.rows.lowerBound...track.rows.upperBound - 1)
            }
            let pitch = try note.needed("pitch").integer(in: 0...127)
            let velocity = try note.needed("velocity").choice(
                [("normal", Cell.normal), ("accent", .accent), ("sustain", .sustain)])
            pattern[track, note: pitch % Pattern.octave, step: step] = velocity
        }
    }

    // MARK: Writing

    /// The document as text: pretty-printed, with sorted keys and a final line feed.
    public func text() -> String { json.text(pretty: true) + "\n" }

    /// The document as a value.
    package var json: JSON {
        var root = unknown
        root.merge(Self.written(pattern))
        if !scenes.isEmpty {
            let parts = scenes.patterns(playing: pattern).map { $0.map { Self.written($0) } }
            func part(_ isNew: Bool) -> [JSON] {
                parts.map { scene in
                    let keys = scene?.filter { Self.newKeys.contains($0.key) == isNew }
                    return keys.map { isNew && $0.isEmpty ? .null : .object($0) } ?? .null
                }
            }
            root["scenes"] = .array(part(false))
            let more = part(true)
            if more.contains(where: { $0 != .null }) { root["scenesMore"] = .array(more) }
            root["scene"] = .orNull(scenes.current)
            root["chain"] = .bool(sceneMode == .chain)
        }
        if !parts.isEmpty { root["parts"] = parts.json }
        root.merge(writtenSong)
        root["sound"] = sound.written(beside: unknown["sound"])
        root["muted"] = Self.written(muted)
        root["own"] = writtenOwnSounds
        root["soloed"] = .orNull(soloed?.name)
        root["name"] = name.map { .string($0) }
        root["createdAt"] = createdAt.map { .string($0) }
        root["modifiedAt"] = modifiedAt.map { .string($0) }
        return .object(root)
    }

    private static func written(_ muted: TrackSet) -> JSON { .array(muted.tracks.map { .string($0.name) }) }

    /// The scenes' own sounds; nil if none has one.
    private var writtenOwnSounds: JSON? {
        guard sounds.hasOwn else { return nil }
        return .array(
            (0..<Scenes.count).map { slot in
                guard scenes.isFilled(slot), let own = sounds[own: slot] else { return .null }
                return .object([
                    "sound": own.settings.written(beside: nil) ?? .object([:]), "muted": Self.written(own.muted),
                ])
            })
    }

    private static func written(_ pattern: Pattern) -> [String: JSON] {
        var parts = PatternExtras.writtenForAll(pattern)
        let music: [String: JSON] = [
            "bpm": .integer(pattern.tempo.nearestShared),
            "length": .integer(Pattern.nearestSharedLength(to: pattern.length)),
            "rootNote": .string(Tonality.rootNames[pattern.tonality.root]),
            "scale": .string(pattern.tonality.scale.nearestShared.name),
        ]
        parts.merge(music)
        parts.merge(written(pattern, window: 0))
        let lanes = (0..<Pattern.windows).map { PatternExtras.writtenLanes(pattern, window: $0) }
        let notes = (0..<Pattern.windows).map {
            PatternExtras.writtenNoteLanes(pattern, Pattern.steps(ofWindow: $0))
        }
        let windows = max(
            pattern.filledWindows, 1 + max(lanes.lastIndex { $0 != nil } ?? 0, notes.lastIndex { $0 != nil } ?? 0))
        if windows > 1 {
            parts["more"] = .array(
                (1..<windows).map { window in
                    var part = written(pattern, window: window)
                    part["lanes"] = lanes[window]
                    part[PatternExtras.noteLanes] = notes[window]
                    return .object(part)
                })
        }
        return parts
    }

    /// The notes of a window: `tracks`, and `octaves` if it has notes outside the middle one.
    private static func written(_ pattern: Pattern, window: Int) -> [String: JSON] {
        let tracks = Track.allCases.map { track in
            (track.name, rows { pattern.foldedCells(track, pitchClass: $0)[window: window] })
        }
        var parts: [String: JSON] = ["tracks": .object(Dictionary(pairs: tracks))]
        let hasOuterNotes = Track.allCases.contains { track in
            track.notes.contains {
                !Pattern.middleOctave.contains($0) && pattern.cells(track, note: $0, window: window) != 0
            }
        }
        if hasOuterNotes {
            let octaves = Octaves.names.enumerated().map { octave, name in
                (name, written(pattern, window: window, from: Octaves.lowest(octave)))
            }
            parts["octaves"] = .object(Dictionary(pairs: octaves))
        }
        return parts
    }

    /// The octave from `lowest` on of the melodic tracks that have notes in it in a window.
    private static func written(_ pattern: Pattern, window: Int, from lowest: Int) -> JSON {
        func cells(_ track: Track, _ place: Int) -> UInt64 {
            pattern.cells(track, note: lowest + place, window: window)
        }
        let filled = Track.allCases.filter { track in
            track != .rhythm && (0..<Pattern.octave).contains { cells(track, $0) != 0 }
        }
        return .object(Dictionary(pairs: filled.map { track in (track.name, rows { cells(track, $0) }) }))
    }

    /// Twelve rows of cells.
    private static func rows(cells: (Int) -> UInt64) -> JSON {
        .array(
            (0..<Pattern.octave).map { note in
                let word = cells(note)
                return .array((0..<Pattern.window).map { .integer(Int(word >> UInt64(2 * $0) & 3)) })
            })
    }
}

extension Session {
    /// A session with the document's music, without history, and with default settings.
    public init(_ document: PatternDocument) {
        self.init(
            Composition(
                pattern: document.pattern, scenes: document.scenes, song: document.song, parts: document.parts))
        sceneMode = document.sceneMode
        sounds = document.sounds
        soloed = document.soloed
    }
}

extension PatternDocument {
    /// The tune's sound.
    public var sound: SoundSettings {
        get { sounds.tune.settings }
        _modify { yield &sounds.tune.settings }
    }

    /// The tracks that are muted in scenes without their own sound.
    public var muted: TrackSet {
        get { sounds.tune.muted }
        set { sounds.tune.muted = newValue }
    }

    /// The sound of the pattern that plays.
    public var playedSound: SceneSound { sounds[of: sounds.owner(in: scenes.current)] }

    /// The pattern that plays: with the tracks that are borrowed from other scenes.
    public var played: Pattern { Composition(pattern: pattern, scenes: scenes, parts: parts).pattern }

    /// Replaces the music by the music of `session`; other fields stay.
    public mutating func replaceMusic(by session: Session) {
        pattern = session.composition.own
        scenes = session.composition.scenes
        parts = session.composition.parts
        song = session.composition.song
        sceneMode = session.sceneMode
        sounds = session.sounds
        soloed = session.soloed
    }
}

extension Instrument {
    /// Begins a session with the content of `document`.
    public mutating func load(_ document: PatternDocument) { load(Session(document)) }
}
