import Display
import Documents
import InputEvents
import Instrument
import Replay
import Runtime

/// The library of a box in a browser: tunes in banks, own sounds and tunings, and the session, each a document that the
/// page keeps. A closed page costs at most the last two seconds. The history of undo and earlier versions of a tune are
/// not kept; `BrowserSamples` has the samples.
package final class BrowserLibrary: Store {
    /// The session to begin with.
    package private(set) var session = Session.first
    /// The time of day at the box's time 0, in seconds since 1970.
    package var begin: Int64
    /// The offset of local time, in seconds.
    private let offset: Int64
    private var nextNumber: Int64

    private var tunes: [StoredTune] = []
    private var sounds: [SoundPreset] = []
    /// By name.
    private var tunings: [OwnTuning] = []
    /// The tune that was deleted last.
    private var removed: StoredTune?

    /// The newest session, and the sessions of tunes that were left, oldest first; their music is not written yet.
    private var kept: Session
    private var left: [Session] = []
    private var schedule = WriteSchedule()
    private var now = Instant.zero
    /// The settings that were written last, and documents that wait to be written: names with texts, nil to remove one.
    private var writtenSettings = ""
    private var unwritten: [(name: String, text: String?)] = []

    /// Keeps a document: its name and content. Without a content it is removed.
    package typealias Keeper = (_ name: String, _ bytes: [UInt8]) -> Void

    /// Names of the documents of own sounds and tunings begin so.
    private static let (soundPrefix, tuningPrefix) = ("sound/", "tuning/")
    /// Maximum number of tunes, of own sounds and of tunings: browsers keep a few megabytes for a page without asking.
    private static let tunesMax = 999

    /// A library with the stored `documents`, by their names; those that cannot be read are left out, and `problems`
    /// names them. Without any, the tune that plays has the patterns that `demos` draw as its scenes. `begin` is the
    /// time of day in seconds since 1970, `offset` is the local time's in seconds; `seed` is a random number.
    package init(
        documents: [(name: String, bytes: [UInt8])], demos: [[UInt8]], begin: Int64, offset: Int64, seed: Int64,
        problems: inout [String]
    ) {
        (self.begin, self.offset) = (begin, offset)
        nextNumber = seed & StoredTune.numbers.upperBound
        var settings: [UInt8]?
        kept = session
        for (name, bytes) in documents where !BrowserSamples.isSample(name) {
            do throws(FormatError) {
                if name == StoredSettings.key {
                    settings = bytes
                } else if name.hasPrefix(Self.soundPrefix) {
                    sounds.append(try SoundDocument(parsing: bytes).preset)
                } else if let tuning = SoundName(trimming: name, Self.tuningPrefix) {
                    insert(try OwnTuning(text: String(decoding: bytes, as: UTF8.self), named: tuning))
                } else {
                    tunes.append(try StoredTune(parsing: bytes))
                }
            } catch {
                problems.append("\(name): \(error.description)")
            }
        }
        if let settings {
            do throws(FormatError) {
                var stored = Session()
                try StoredSettings.read(settings, into: &stored)
                session = stored
            } catch {
                problems.append("\(StoredSettings.key): \(error.description)")
            }
        }
        if settings == nil {
            // The page ended before its first settings, which name the tune, were kept: the newest one plays.
            var newest = Int64.min
            for place in tunes.indices where tunes[place].modified > newest {
                (newest, session.pattern) = (tunes[place].modified, tunes[place].number)
            }
        }
        if let number = session.pattern, let tune = tune(number) {
            session.takeMusic(of: self.session(of: tune))
        } else if settings == nil {
            session = session.withScenes(drawnBy: demos)
        } else {
            session.sound = .factory
        }
        session.pattern = session.pattern ?? newNumber()
        kept = session
        // The first settings are written with the first tune, which they name.
        writtenSettings = settings == nil ? "" : StoredSettings.text(session)
        // Browsers compile a function at its first call, which takes longer than a block of sound.
        _ = document(of: session).json.bytes(pretty: false)
    }

    // MARK: Keeping

    /// Keeps the session of `state`, to be written soon.
    package func keep(_ state: Instrument.State, at now: Instant) {
        self.now = now
        let session = state.session
        guard session != kept else { return }
        if session.pattern != kept.pattern { left.append(kept) }
        kept = session
        _ = schedule.change(at: now)
    }

    /// Writes what is due at `now`.
    package func write(at now: Instant, _ keeper: Keeper) {
        self.now = now
        while let timer = schedule.timer, now >= timer { if schedule.timerEnded() == .write { flush(keeper) } }
        give(keeper)
    }

    /// Writes everything.
    package func flush(_ keeper: Keeper) {
        schedule.beginWrite()
        keepMusic()
        let settings = StoredSettings.text(kept)
        if settings != writtenSettings {
            writtenSettings = settings
            unwritten.append((StoredSettings.key, settings))
        }
        schedule.endWrite()
        give(keeper)
    }

    private func give(_ keeper: Keeper) {
        for (name, text) in unwritten { keeper(name, Array((text ?? "").utf8)) }
        unwritten.removeAll()
    }

    /// Puts the music of all sessions that are not written into their tunes.
    private func keepMusic() {
        for session in left + [kept] { keepMusic(of: session) }
        left = []
    }

    /// Puts the music of `session` into its tune, if it differs. A tune without music is none yet.
    private func keepMusic(of session: Session) {
        guard let number = session.pattern else { return }
        if let place = tunes.firstIndex(where: { $0.number == number }) {
            var document = tunes[place].document
            document.replaceMusic(by: session)
            guard document != tunes[place].document else { return }
            tunes[place].document = document
            tunes[place].modified = moment
            unwritten.append((tunes[place].key, tunes[place].text))
        } else if session.hasMusic {
            // The playing tune was deleted: its music is a tune again once it changes.
            if let removed, removed.number == number {
                var document = removed.document
                document.replaceMusic(by: session)
                if document == removed.document { return }
            }
            add(document(of: session), number: number, to: .a)
        }
    }

    private var moment: Int64 { begin + now.microseconds / 1_000_000 }

    private func day(of moment: Int64) -> Int { Int((moment + offset) / 86_400) }

    private func newNumber() -> Int64 {
        repeat {
            nextNumber = nextNumber % StoredTune.numbers.upperBound + 1
        } while tune(nextNumber) != nil
        return nextNumber
    }

    private func tune(_ number: Int64) -> StoredTune? { tunes.first { $0.number == number } }

    // MARK: Tunes

    /// The music of `session` as a document, with the name of its tune.
    package func document(of session: Session) -> PatternDocument {
        let tune = session.pattern.flatMap { self.tune($0) }
        var document = tune?.document ?? PatternDocument(pattern: Pattern())
        document.replaceMusic(by: session)
        document.name = tune?.name ?? document.name
        return document
    }

    @discardableResult
    private func add(_ document: PatternDocument, number: Int64, to bank: Bank, name: String? = nil) -> StoredTune {
        let tune = StoredTune(
            number: number, bank: bank, name: name ?? document.name ?? freeName(after: "TUNE", numberedFrom: 1),
            modified: moment, document: document)
        tunes.append(tune)
        unwritten.append((tune.key, tune.text))
        return tune
    }

    /// Adds the document in `bytes`, and returns its session.
    package func add(_ bytes: [UInt8], at now: Instant) throws(FormatError) -> Session {
        self.now = now
        return session(of: add(try PatternDocument(parsing: bytes), number: newNumber(), to: .a))
    }

    private func session(of tune: StoredTune) -> Session {
        var session = Session(tune.document)
        session.pattern = tune.number
        return session
    }

    /// `name`, without a number at its end, followed by the next free number.
    private func freeName(after name: String, numberedFrom first: Int) -> String {
        let stem = PatternName.stem(of: name)
        var last = first - 1
        for tune in tunes where tune.name.hasPrefix(stem) {
            if let number = Int(tune.name.dropFirst(stem.count)), number < Int.max { last = max(last, number) }
        }
        return stem + "\(last + 1)"
    }

    // MARK: The panel's requests

    /// Performs `job` at `now`, and returns the events for the box.
    package func run(_ job: Instrument.Job, at now: Instant) -> [Instrument.Event] {
        self.now = now
        // Unsaved music counts too.
        keepMusic()
        switch job {
        case .showLibrary: break
        case .showSounds: return [.sounds(sounds)]
        case .keepSound(let preset):
            guard sounds.count < Self.tunesMax else { return [.notice(.libraryFailed)] }
            sounds.removeAll { $0.kind == preset.kind && $0.name == preset.name }
            sounds.append(preset)
            unwritten.append((Self.key(preset.kind, preset.name), SoundDocument(preset).text()))
            return [.sounds(sounds)]
        case .removeSound(let kind, let name):
            sounds.removeAll { $0.kind == kind && $0.name == name }
            unwritten.append((Self.key(kind, name), nil))
            return [.sounds(sounds)]
        case .open(let number, let asked):
            guard let tune = tune(number) else { return [.notice(.libraryFailed)] }
            return [.opened(session(of: tune), tune: asked)]
        case .begin(let bank, let asked):
            var session = Session.begun
            session.pattern = newNumber()
            if let bank, let number = session.pattern {
                guard tunes.count < Self.tunesMax else { return [.notice(.libraryFailed)] }
                add(document(of: session), number: number, to: Bank(rawValue: bank) ?? .a)
            }
            return [.opened(session, tune: asked)]
        case .duplicate(let number):
            guard let tune = tune(number), tunes.count < Self.tunesMax else { return [.notice(.libraryFailed)] }
            add(
                tune.document, number: newNumber(), to: tune.bank,
                name: freeName(after: tune.name, numberedFrom: 2))
        case .rename(let number, let name):
            guard let place = tunes.firstIndex(where: { $0.number == number }) else {
                return [.notice(.libraryFailed)]
            }
            tunes[place].name = name
            unwritten.append((tunes[place].key, tunes[place].text))
        case .delete(let number):
            guard let place = tunes.firstIndex(where: { $0.number == number }) else {
                return [.notice(.libraryFailed)]
            }
            let tune = tunes.remove(at: place)
            removed = tune
            unwritten.append((tune.key, nil))
        case .restore(let number):
            guard let tune = removed, tune.number == number else { return [.notice(.libraryFailed)] }
            // Music that was played as this tune since then stays.
            if self.tune(number) == nil {
                tunes.append(tune)
                unwritten.append((tune.key, tune.text))
            }
        case .showTunings: return [.tunings(tunings)]
        // A browser has no stick and no listings; the others have takes and samples.
        case .importPatterns, .exportPatterns, .showListings, .setWatched, .keepTake, .showSamples, .loadSample,
            .removeSample, .slice, .sliceSample:
            return job.refusal
        }
        return [.guide(guide())]
    }

    private static func key(_ kind: SoundPreset.Kind, _ name: SoundName) -> String {
        "\(soundPrefix)\(kind.rawValue)/\(name.text)"
    }

    private func guide() -> GuideContent {
        let placed = tunes.inOrder { ($0.modified, $1.number) > ($1.modified, $0.number) }.map { tune in
            let look = GuideContent.Look.thumbnail(GuideThumbnail(tune.document.pattern))
            let entry = GuideContent.Entry(id: tune.number, title: Font.spelling(tune.name), look: look)
            return GuideContent.Placed(channel: tune.bank.rawValue, day: day(of: tune.modified), entry: entry)
        }
        return GuideContent(library: placed, today: day(of: moment))
    }

    // MARK: Files

    /// Imports the file `bytes`, called `name`, at `now`: a pattern, a MIDI file or a scale. Returns a line about it, and
    /// the events for the box.
    package func importFile(
        _ bytes: [UInt8], name: String, at now: Instant
    ) throws(FormatError) -> (line: String, events: [Instrument.Event]) {
        self.now = now
        if name.lowercased().hasSuffix(".scl") { return try importScale(bytes, name: name) }
        guard tunes.count < Self.tunesMax else {
            throw FormatError("", "the library is full: delete a tune in the guide")
        }
        var document: PatternDocument
        if MIDIImport.recognises(bytes) {
            document = try MIDIImport(parsing: bytes).document
        } else {
            document = try PatternDocument(parsing: bytes)
        }
        document.name = document.name ?? PatternName.ofFile(name)
        let isKnown = tunes.contains { $0.name == document.name && $0.document.hasSameMusic(as: document) }
        if isKnown { return ("\(name): is in the library already", []) }
        let tune = add(document, number: newNumber(), to: .a)
        return ("\(tune.name) is a pattern of bank A", [.notice(.imported(1))])
    }

    private func importScale(
        _ bytes: [UInt8], name file: String
    ) throws(FormatError) -> (line: String, events: [Instrument.Event]) {
        let scale = try ScalaScale(parsing: bytes)
        guard let name = scale.name(orOf: PatternName.ofFile(file)) else {
            throw FormatError("", "has no name that the panel can show; rename it")
        }
        let tuning = try scale.tuning(named: name, nil)
        tunings.removeAll { $0.name == name }
        guard tunings.count < Self.tunesMax else { throw FormatError("", "the library has no room for another tuning") }
        insert(tuning)
        unwritten.append((Self.tuningPrefix + name.text, tuning.values.text(pretty: false)))
        return ("\(name.text) is a tuning of the SCALE sheet", [.tunings(tunings)])
    }

    private func insert(_ tuning: OwnTuning) {
        let place = tunings.firstIndex { $0.name.text > tuning.name.text } ?? tunings.count
        tunings.insert(tuning, at: place)
    }
}

extension SoundName {
    /// The name in `text` behind `prefix`; nil without the prefix, or for no name.
    init?(trimming text: String, _ prefix: String) {
        guard text.hasPrefix(prefix) else { return nil }
        self.init(String(text.dropFirst(prefix.count)))
    }
}

extension Session {
    /// Whether its tune has a note or a scene.
    fileprivate var hasMusic: Bool {
        composition.scenes != Scenes()
            || Track.allCases.contains { track in
                track.notes.contains { note in
                    (0..<Pattern.windows).contains { composition.pattern.cells(track, note: note, window: $0) != 0 }
                }
            }
    }
}

extension PatternDocument {
    fileprivate func hasSameMusic(as other: PatternDocument) -> Bool {
        var (mine, others) = (sounds, other.sounds)
        (mine.tune.muted, others.tune.muted) = (TrackSet(), TrackSet())
        return pattern == other.pattern && scenes == other.scenes && song == other.song && mine == others
    }
}
