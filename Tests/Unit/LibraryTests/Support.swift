import InputEvents
import Glibc
import Documents
import Instrument
import Synchronization

@testable import Library

/// A test's own folder, removed with this value.
final class Folder: Sendable {
    let path: String
    /// Path of the tests' library.
    var library: String { path + "/library.sqlite" }

    /// A folder in memory if possible, where a sync takes no time; on the disk for a test that needs real syncs.
    init(onDisk: Bool = false) {
        let place = !onDisk && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(place)/pixelboop-library-XXXXXX".utf8CString)
        let made = mkdtemp(&template)
        path = made.map { String(cString: $0) } ?? "/nonexistent"
    }

    deinit { removeAll(path) }

    /// Names of the files that were set aside.
    var aside: [String] { names(in: path).filter { $0.contains(".damaged-") } }
    /// Paths of the databases that were set aside, without their companions.
    var databasesAside: [String] {
        aside.filter { name in !["-wal", "-shm", "-journal"].contains { name.hasSuffix($0) } }.map { path + "/" + $0 }
    }
}

/// The names in the folder at `path`, sorted.
func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}

private func removeAll(_ path: String) {
    if unlink(path) == 0 { return }
    for name in names(in: path) { removeAll(path + "/" + name) }
    rmdir(path)
}

func readBytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while true {
        let byte = getc(file)
        if byte == EOF { return bytes }
        bytes.append(UInt8(truncatingIfNeeded: byte))
    }
}

func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "wb") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

/// A timer that the test advances.
final class ManualTimer: Sendable {
    private struct Wait {
        var due: Instant
        var body: @Sendable () -> Void
    }

    private let state = Mutex((now: Instant.zero, waits: [Wait]()))

    /// The timers' current time.
    var now: Instant { state.withLock { $0.now } }
    /// Number of running timers.
    var count: Int { state.withLock { $0.waits.count } }

    /// The timer for a library.
    var timer: Library.Timer {
        { delay, body in
            self.state.withLock { $0.waits.append(Wait(due: $0.now + delay, body: body)) }
        }
    }

    /// Runs all timers that are due by `time`.
    func advance(to time: Instant) {
        while true {
            let next: Wait? = state.withLock { state in
                guard let index = state.waits.indices.min(by: { state.waits[$0].due < state.waits[$1].due }),
                    state.waits[index].due <= time
                else {
                    state.now = time
                    return nil
                }
                state.now = state.waits[index].due
                return state.waits.remove(at: index)
            }
            guard let next else { return }
            next.body()
        }
    }
}

/// The state of a box with `session`.
func state(_ session: Session) -> Instrument.State {
    var state = Instrument().state
    state.session = session
    return state
}

/// The session of a box with the tempo `bpm`.
func session(bpm: Int) -> Session {
    var session = Session()
    session.composition.pattern.tempo = Tempo(bpm)
    return session
}

/// A random undo step. A library without octaves has no words and no sounds in it either.
func randomStep(isWide: Bool, using random: inout some RandomNumberGenerator) -> History.Step {
    var step = History.Step(randomComposition(isWide: isWide, using: &random))
    guard isWide else { return step }
    step.word = ["", "RUN", "ROOT+5", "SCALE"].randomElement(using: &random) ?? ""
    let changes: [[(word: String, value: Int64)]] = [
        [], [("bass.cutoff", 500)], [("melody.name", 0), ("rhythm.pads.3.start", 7)],
    ]
    step.sound = SoundChange(entries: changes.randomElement(using: &random) ?? []) ?? step.sound
    if !step.sound.isEmpty, Bool.random(using: &random) { step.owner = .random(in: 0..<Scenes.count, using: &random) }
    if Int.random(in: 0..<3, using: &random) == 0 {
        step.own = History.OwnSound(
            slot: .random(in: 0..<Scenes.count, using: &random),
            sound: Bool.random(using: &random) ? randomSound(using: &random) : nil)
    }
    return step
}

/// A random sound with mutes.
private func randomSound(using random: inout some RandomNumberGenerator) -> SceneSound {
    var sound = SceneSound(muted: TrackSet(rawValue: .random(in: 0...15, using: &random)))
    for control in SoundControl.allCases where Int.random(in: 0..<8, using: &random) == 0 {
        sound.settings[control] = .random(in: control.range, using: &random)
    }
    sound.settings[nameOf: .bass] = SoundName(["DEEP", "MY ♯1", ""].randomElement(using: &random) ?? "")
    return sound
}

/// A random session with `depth` compositions to undo and as many to redo; `isWide`: with notes outside the middle
/// octave.
func randomSession(
    depth: Int, isWide: Bool = true, using random: inout some RandomNumberGenerator
) -> Session {
    var session = Session()
    session.composition = randomComposition(isWide: isWide, using: &random)
    session.history = History(
        past: (0..<depth).map { _ in randomStep(isWide: isWide, using: &random) },
        future: (0..<depth).map { _ in randomStep(isWide: isWide, using: &random) })
    session.sounds.tune.muted = TrackSet(rawValue: .random(in: 0...15, using: &random))
    session.soloed = (Track.allCases + [nil]).randomElement(using: &random) ?? nil
    session.rules = [.box, .phone, nil].randomElement(using: &random) ?? nil
    session.syncSource = (SyncSource.allCases + [nil]).randomElement(using: &random) ?? nil
    let controllers = ["", "1.7=volume 1.74=melody.pan", "16.119=countIn"].randomElement(using: &random) ?? ""
    session.learned = LearnedControllers(text: controllers) ?? LearnedControllers()
    session.wordCounts = WordCounts(bits: .random(in: 0...(1 << 36), using: &random))
    session.pages = Track.allCases.map { track in
        let hasOffset = track != .rhythm && session.rules != .phone
        return .random(in: hasOffset ? -40...40 : 0...Pattern.octave / track.rows.count, using: &random)
    }
    session.colourMode = ColourMode.allCases.randomElement(using: &random) ?? .harmonic
    session.auditions = .random(using: &random)
    for control in SoundControl.allCases where Bool.random(using: &random) {
        session.sounds.tune.settings[control] = .random(in: control.range, using: &random)
    }
    if isWide {
        for slot in 0..<Scenes.count
        where session.composition.scenes.isFilled(slot) && Int.random(in: 0..<3, using: &random) == 0 {
            session.sounds[own: slot] = randomSound(using: &random)
        }
    }
    session.metronome = .random(using: &random)
    session.countIn = .random(in: Session.countIns, using: &random)
    session.quantise = .random(in: Session.quantises, using: &random)
    session.sceneMode = SceneMode.allCases.randomElement(using: &random) ?? .song
    session.volume = .random(using: &random) ? .random(in: Session.volumes, using: &random) : nil
    session.isLocked = .random(using: &random)
    session.soundsTaps = .random(using: &random)
    session.brightness = .random(using: &random) ? .random(in: Session.brightnesses, using: &random) : nil
    session.isMenuOpen = .random(using: &random)
    session.hintsDue = HintSet(rawValue: .random(in: 0...HintSet.all.rawValue, using: &random))
    return session
}

/// A random composition; some have scenes, and some of those a current scene.
func randomComposition(
    isWide: Bool = true, using random: inout some RandomNumberGenerator
) -> Composition {
    let pattern = randomPattern(isWide, using: &random)
    let scenes = Bool.random(using: &random) ? Scenes() : randomScenes(isWide, using: &random)
    return Composition(
        pattern: pattern, showsGhosts: .random(using: &random), scenes: scenes,
        song: isWide ? randomSong(using: &random) : Song(), parts: isWide ? randomParts(using: &random) : Parts())
}

/// Random parts; without a current scene there are none.
private func randomParts(using random: inout some RandomNumberGenerator) -> Parts {
    var parts = Parts()
    for track in Track.allCases where Int.random(in: 0..<3, using: &random) == 0 {
        parts[track] = .random(in: 0..<Scenes.count, using: &random)
    }
    return parts
}

/// A random song; many have no entry, some as many as a song may have.
private func randomSong(using random: inout some RandomNumberGenerator) -> Song {
    let count = [0, 0, 1, 5, Song.entriesMax].randomElement(using: &random) ?? 0
    return Song(
        (0..<count).map { _ in
            Song.Entry(
                scene: .random(in: 0..<Scenes.count, using: &random), repeats: .random(in: Song.repeats, using: &random)
            )
        })
}

/// Random scenes; the first two may be empty patterns.
private func randomScenes(_ isWide: Bool, using random: inout some RandomNumberGenerator) -> Scenes {
    let patterns = (0..<Scenes.count).map { slot -> Pattern? in
        guard Bool.random(using: &random) else { return nil }
        return slot < 2 ? Pattern() : randomPattern(isWide, using: &random)
    }
    return Scenes(patterns, current: Bool.random(using: &random) ? .random(in: 0..<Scenes.count, using: &random) : nil)
}

private func randomPattern(_ isWide: Bool, using random: inout some RandomNumberGenerator) -> Pattern {
    var pattern = Pattern()
    pattern.tempo = Tempo(.random(in: Tempo.shared, using: &random))
    pattern.length = 4 * .random(in: 2...8, using: &random)
    // Libraries of older versions have one window of 32 steps.
    let isLong = isWide && Bool.random(using: &random)
    if isLong {
        pattern.tempo = Tempo(hundredths: .random(in: 2000...30000, using: &random))
        pattern.length = .random(in: Pattern.lengths, using: &random)
        pattern.metre = Metre(beats: .random(in: 1...16, using: &random), steps: 6)
    }
    // Libraries of older versions know three scales.
    let scales = isWide ? Scale.named + [Scale(user: [0, 1, 6])] : Scale.shared
    let scale = scales.randomElement(using: &random) ?? .penta
    pattern.tonality = Tonality(root: .random(in: 0...11, using: &random), scale: scale)
    if isWide, Bool.random(using: &random) {
        let cents = (0..<Pattern.octave).map { Int.random(in: Tuning.range(ofPitchClass: $0), using: &random) }
        pattern.tuning = Tuning(
            cents: cents, name: SoundName("OWN"), a4: .random(in: Tuning.references, using: &random))
    }
    if isWide, Bool.random(using: &random) {
        // Some have as many rows as there may be, few in all windows.
        let steps = [8, 8, 8, Pattern.steps].randomElement(using: &random) ?? 8
        for _ in 0..<([3, 3, 100].randomElement(using: &random) ?? 3) {
            let track = Track.allCases.randomElement(using: &random) ?? .bass
            let lane = Lane.ofNotes.randomElement(using: &random) ?? .velocity
            pattern.setValue(
                .random(in: lane.values, using: &random), track, lane, note: .random(in: track.notes, using: &random),
                step: .random(in: 0..<steps, using: &random))
        }
    }
    if isWide {
        pattern[program: .bass] = SoundProgram(.random(in: SoundProgram.numbers, using: &random), bank: 16_383)
        pattern[shape: .chords].chordKind = TrackShape.ChordKind.allCases.randomElement(using: &random) ?? .sus2
        pattern.lanes.harmony[.random(in: 0..<Pattern.steps, using: &random)] =
            .random(in: Harmony.values, using: &random)
    }
    for track in Track.allCases {
        // Some tracks have a few notes outside the middle octave.
        if isWide, Int.random(in: 0..<4, using: &random) == 0 {
            for _ in 0..<3 {
                let note = Int.random(in: track.notes, using: &random)
                pattern[track, note: note, step: .random(in: 0..<Pattern.window, using: &random)] = .sustain
            }
        }
        for note in 0..<Pattern.octave {
            var bits = random.next() & random.next()
            let first = isLong ? Pattern.window * .random(in: 0..<Pattern.windows, using: &random) : 0
            for step in first..<first + Pattern.window {
                if let cell = Cell(rawValue: UInt8(bits & 3)), cell != .empty {
                    pattern[track, note: note, step: step] = cell
                }
                bits >>= 2
            }
        }
    }
    return pattern
}

extension Library {
    /// The first message about a damaged file.
    var notice: String? { drainNotices().first }

    /// Adds documents to `bank`, with names for those without one.
    @discardableResult
    func add(_ documents: [(PatternDocument, String?)], to bank: Bank) throws(LibraryError) -> [PatternEntry] {
        try add(documents.map { Addition($0, name: $1, to: bank) })
    }

    /// Runs a statement on the library's connection.
    func run(_ sql: String) throws {
        try disk.withLock { disk in
            _ = try disk.use { try $0.run(sql) }
        }
    }
}

extension Folder {
    /// Damages the library: its first bytes are empty, so that only a scan of its pages finds something, or it has a
    /// table that is not of the program.
    func damageLibrary(isScanned: Bool) throws {
        guard isScanned else { return _ = try Database(path: library).run("CREATE TABLE constellation (star TEXT)") }
        var bytes = readBytes(library)
        for place in 0..<512 { bytes[place] = 0 }
        write(bytes, to: library)
    }
}

extension Folder {
    /// Converts the library to version 4.
    func makeVersion4() throws {
        let database = try Database(path: library)
        let added = [
            "composition": [
                "scenes", "checksum", "octaves", "extras", "song", "word", "sound", "windows", "parts", "own",
            ],
            "revision": [
                "scenes", "chain", "played", "checksum", "octaves", "extras", "song", "plays_song", "windows", "parts",
                "own",
            ],
            "session": [
                "sounds_taps", "brightness", "menu_open", "hints_left", "chain", "checksum", "rules", "word_counts",
                "clear_sight", "hints_due", "sync_source", "controllers", "plays_song", "quantise", "own",
            ],
            "pattern": ["checksum"], "sound": ["checksum"],
        ]
        for (table, columns) in added {
            for column in columns { try database.run("ALTER TABLE \(table) DROP COLUMN \(column)") }
        }
        for table in ["watched", "preset", "tuning"] { try database.run("DROP TABLE \(table)") }
        try database.run("PRAGMA user_version = 4")
    }
}
