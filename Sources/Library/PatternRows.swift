import Documents
import Formats
import Instrument

// Patterns and their revisions as rows.

extension Database {
    /// Keeps the music of `session` as the newest revision of the pattern `number` if it differs from that. Creates the
    /// pattern if necessary, unless the music is empty. Returns whether the pattern exists. Runs within a transaction.
    func keepMusic(of session: Session, as number: Int64, at seconds: Int64) throws(DatabaseError) -> Bool {
        let isNew = try !hasPattern(number)
        if isNew, session.composition.own == Pattern(), session.composition.scenes.isEmpty { return false }
        if isNew {
            let entry = PatternEntry(
                number: number, bank: .a, name: try freeName(), created: seconds, modified: seconds)
            try insert(entry, unknown: .null)
        }
        let music = RevisionRow.values(of: session)
        let newest = try run(
            "SELECT \(RevisionRow.columns), \(Checksum.column) FROM revision WHERE pattern = ? ORDER BY id DESC LIMIT 1",
            [.integer(number)])
        if newest.first != music + [Checksum.of(music)] {
            try addRevision(music, of: number, at: seconds, isNew: isNew)
        }
        return true
    }

    /// Whether the pattern `number` exists.
    func hasPattern(_ number: Int64) throws(DatabaseError) -> Bool {
        try !run("SELECT 1 FROM pattern WHERE id = ?", [.integer(number)]).isEmpty
    }

    /// Adds a pattern with its first revision. Runs within a transaction.
    func add(_ entry: PatternEntry, _ document: PatternDocument) throws(DatabaseError) {
        try insert(entry, unknown: EntryRow.unknown(of: document, entry).map(Value.text) ?? .null)
        try addRevision(RevisionRow.values(of: Session(document)), of: entry.number, at: entry.modified, isNew: true)
    }

    /// Adds a copy of the pattern `number`, if it exists, under the number `copy`. Runs within a transaction.
    func duplicate(_ number: Int64, as copy: Int64, at seconds: Int64) throws {
        guard var row = try patternRow(number), let state = try newestState(of: number) else { return }
        row.entry = PatternEntry(
            number: copy, bank: row.entry.bank, name: try freeName(after: row.entry.name), created: seconds,
            modified: seconds)
        for time in ["createdAt", "modifiedAt"] { row.unknown[time] = nil }
        try insert(row.entry, unknown: row.unknownValue)
        try insertRevision(state.music, of: copy, at: seconds)
    }

    /// Whether a pattern of this name currently has the music of `document`.
    func has(_ document: PatternDocument, named name: String?) throws(DatabaseError) -> Bool {
        guard let name else { return false }
        let music = RevisionRow.values(of: Session(document))
        let rows = try run(
            "SELECT \(RevisionRow.columns), \(Checksum.column) FROM revision WHERE id IN (SELECT max(revision.id) "
                + "FROM revision JOIN pattern ON pattern.id = revision.pattern WHERE pattern.name = ? GROUP BY pattern.id)",
            [.text(name)])
        return rows.contains(music + [Checksum.of(music)])
    }

    /// Inserts a row into `pattern`.
    func insert(_ entry: PatternEntry, unknown: Value) throws(DatabaseError) {
        let values = EntryRow.values(entry, unknown: unknown)
        try run("INSERT INTO pattern (\(EntryRow.row)) VALUES (\(places(values)))", values)
    }

    /// Changes the name and bank of the pattern `number`; nil keeps the current value. Returns whether the pattern
    /// exists. Runs within a transaction.
    func rename(_ number: Int64, _ name: String?, bank: Bank?) throws -> Bool {
        guard var row = try patternRow(number) else { return false }
        row.entry.name = name ?? row.entry.name
        row.entry.bank = bank ?? row.entry.bank
        try replace(row)
        return true
    }

    /// Updates the row of the same pattern to `row`.
    private func replace(_ row: PatternRow) throws(DatabaseError) {
        let values = EntryRow.values(row.entry, unknown: row.unknownValue)
        try run("UPDATE pattern SET (\(EntryRow.row)) = (\(places(values))) WHERE id = ?", values + [values[0]])
    }

    /// Inserts a row into `revision`.
    func insertRevision(_ music: [Value], of number: Int64, at seconds: Int64) throws(DatabaseError) {
        let values = [.integer(number), .integer(seconds), .integer(try played())] + music + [Checksum.of(music)]
        try run(
            "INSERT INTO revision (pattern, saved, played, \(RevisionRow.columns), \(Checksum.column)) "
                + "VALUES (\(places(values)))", values)
    }

    private func addRevision(
        _ music: [Value], of number: Int64, at seconds: Int64, isNew: Bool
    ) throws(DatabaseError) {
        try insertRevision(music, of: number, at: seconds)
        guard !isNew else { return }
        let found = try run(
            "UPDATE pattern SET modified = ? WHERE id = ? RETURNING unknown IS NOT NULL",
            [.integer(seconds), .integer(number)])
        if found == [[.integer(1)]] { try forgetDocumentTime(of: number) }
        let (rows, played) = (try revisionRows(of: number), try played())
        let revisions = rows.compactMap { row -> Thinning.Aged? in
            guard let revision = try? RevisionRow.revision(row) else { return nil }
            guard case .integer(let then)? = row.last else { return Thinning.Aged(revision) }
            return Thinning.Aged(revision, playedSince: max(0, played - then))
        }
        let dropped = try Thinning.dropped(revisions, now: seconds) { number throws(DatabaseError) in
            try isWhole(revision: number)
        }
        for old in dropped { try run("DELETE FROM revision WHERE id = ?", [.integer(old)]) }
    }

    /// Removes the modification time that the pattern's document contained, because it no longer applies.
    private func forgetDocumentTime(of number: Int64) throws(DatabaseError) {
        // A damaged row is left for a check.
        guard var row = try? patternRow(number), row.unknown.removeValue(forKey: "modifiedAt") != nil else { return }
        try replace(row)
    }

    private func isWhole(revision number: Int64) throws(DatabaseError) -> Bool {
        let row = try run(
            "SELECT \(RevisionRow.columns), \(Checksum.column) FROM revision WHERE id = ?", [.integer(number)])
        return row.first.map { SummedRow($0).isWhole } ?? false
    }

    /// The patterns of `bank`, or of all banks, by bank and creation time.
    func entries(of bank: Bank?) throws -> [PatternEntry] {
        let condition = bank.map { "WHERE bank = \($0.rawValue)" } ?? ""
        return try run("SELECT \(EntryRow.columns) FROM pattern \(condition) ORDER BY bank, created, id")
            .map(EntryRow.entry)
    }

    /// The pattern `number` without its music; nil if it does not exist.
    func entry(_ number: Int64) throws -> PatternEntry? {
        try run("SELECT \(EntryRow.columns) FROM pattern WHERE id = ?", [.integer(number)]).first.map(EntryRow.entry)
    }

    /// The stored revisions of the pattern `number`, oldest first.
    func revisions(of number: Int64) throws -> [PatternRevision] {
        try revisionRows(of: number).map(RevisionRow.revision)
    }

    private func revisionRows(of number: Int64) throws(DatabaseError) -> [[Value]] {
        try run("SELECT id, saved, played FROM revision WHERE pattern = ? ORDER BY id", [.integer(number)])
    }

    /// The pattern `number` as a document, in its current state or at `revision`; nil if it does not exist. A revision
    /// with a wrong checksum is noted as damage and replaced by the newest correct one, unless it was requested by
    /// number.
    func document(of number: Int64, revision: Int64? = nil) throws -> PatternDocument? {
        guard let pattern = try patternRow(number) else { return nil }
        let state = try revision.map { try self.state($0, of: number) } ?? newestState(of: number)
        guard let state else { return nil }
        var document = try RevisionRow.document(state.music)
        let name = "\(pattern.entry.name.shown), revision \(state.revision)"
        switch (state.isNewest || revision != nil, state.isWhole) {
        case (_, false): note("\(name), has a wrong checksum: used as it stands")
        case (false, true): note("\(name), is used in the place of a newer one with a wrong checksum")
        case (true, true): break
        }
        pattern.complete(&document)
        return document
    }

    /// A revision of a pattern.
    struct State {
        /// Number of the revision.
        var revision: Int64
        /// Music of the row.
        var music: [Value]
        /// Whether the row matches its checksum.
        var isWhole: Bool
        /// Whether there is no newer row.
        var isNewest: Bool
    }

    private static let states = "SELECT id, \(RevisionRow.columns), \(Checksum.column) FROM revision WHERE pattern = ?"

    /// The given revision of the pattern `number`; nil if it does not exist.
    func state(_ revision: Int64, of number: Int64) throws(DatabaseError) -> State? {
        try run("\(Self.states) AND id = ?", [.integer(number), .integer(revision)]).first.flatMap { Self.state($0) }
    }

    /// The newest revision of the pattern `number` that matches its checksum, otherwise the newest that can be read,
    /// otherwise the newest; nil if there is none.
    func newestState(of number: Int64) throws(DatabaseError) -> State? {
        let newest = try run("\(Self.states) ORDER BY id DESC LIMIT 1", [.integer(number)]).first
            .flatMap { Self.state($0) }
        guard let newest, !newest.isWhole else { return newest }
        let older = try run("\(Self.states) ORDER BY id DESC LIMIT -1 OFFSET 1", [.integer(number)])
            .compactMap { Self.state($0, isNewest: false) }
        if let whole = older.first(where: \.isWhole) { return whole }
        return ([newest] + older).first { (try? RevisionRow.document($0.music)) != nil } ?? newest
    }

    private static func state(_ row: [Value], isNewest: Bool = true) -> State? {
        guard case .integer(let revision)? = row.first else { return nil }
        let summed = SummedRow(row, keys: 1)
        return State(
            revision: revision, music: Array(summed.values.dropFirst()), isWhole: summed.isWhole, isNewest: isNewest)
    }

    /// The row of the pattern `number`; nil if it does not exist. Notes damage that affects no music.
    private func patternRow(_ number: Int64) throws -> PatternRow? {
        guard let found = try run("SELECT \(EntryRow.row) FROM pattern WHERE id = ?", [.integer(number)]).first else {
            return nil
        }
        let row = try PatternRow(found)
        if !row.isWhole { note("\(row.entry.name.shown): its name, bank or other notes have a wrong checksum") }
        return row
    }
}

/// A row of the table `pattern`.
struct PatternRow {
    /// The pattern, without its music.
    var entry: PatternEntry
    /// Other fields of its document; empty if they cannot be read.
    var unknown: [String: JSON] = [:]
    /// Whether the row matches its checksum.
    let isWhole: Bool

    /// A row with the columns `EntryRow.row`.
    init(_ row: [Value]) throws {
        var fields = Fields(row, of: "a pattern")
        entry = try EntryRow.entry(&fields)
        let text = try fields.orNull { try $0.text("unknown") }
        let read = try? text.map { try EntryRow.unknown($0) } ?? [:]
        unknown = read ?? [:]
        isWhole = read != nil && row.last == EntryRow.checksum(entry, unknown: row[row.count - 2])
    }

    /// Value of the column `unknown`.
    var unknownValue: Value { unknown.isEmpty ? .null : .text(JSON.object(unknown).text(pretty: false)) }

    /// Adds the fields that belong to the pattern rather than to a revision: the fields of the columns, overridden by
    /// `unknown`.
    func complete(_ document: inout PatternDocument) {
        var unknown = unknown
        document.name = entry.name
        document.createdAt = DocumentTime.text(entry.created)
        document.modifiedAt = DocumentTime.text(entry.modified)
        if case .string(let time)? = unknown.removeValue(forKey: "createdAt") { document.createdAt = time }
        if case .string(let time)? = unknown.removeValue(forKey: "modifiedAt") { document.modifiedAt = time }
        document.unknown = unknown
    }
}

/// The columns of the table `pattern`.
enum EntryRow {
    static let columns = "id, bank, name, created, modified"
    /// All columns.
    static let row = "\(columns), unknown, \(Checksum.column)"
    /// Columns of the checksum. `modified` is not one of them, so that saving changes only that column.
    static let summed = "bank, name, created, unknown"

    static func checksum(_ entry: PatternEntry, unknown: Value) -> Value {
        Checksum.of([.integer(Int64(entry.bank.rawValue)), .text(entry.name), .integer(entry.created), unknown])
    }

    static func values(_ entry: PatternEntry, unknown: Value) -> [Value] {
        [
            .integer(entry.number), .integer(Int64(entry.bank.rawValue)), .text(entry.name), .integer(entry.created),
            .integer(entry.modified), unknown, checksum(entry, unknown: unknown),
        ]
    }

    static func entry(_ row: [Value]) throws -> PatternEntry {
        var fields = Fields(row, of: "a pattern")
        return try entry(&fields)
    }

    static func entry(_ fields: inout Fields) throws -> PatternEntry {
        let number = try fields.number("id")
        let bank = Bank(rawValue: try fields.integer("bank", in: 0...Bank.allCases.count - 1)) ?? .a
        return PatternEntry(
            number: number, bank: bank, name: try fields.text("name"), created: try fields.time("created"),
            modified: try fields.time("modified"))
    }

    /// Fields of `document` besides its music, name and times; also its times if this program would write them
    /// differently.
    static func unknown(of document: PatternDocument, _ entry: PatternEntry) -> String? {
        var unknown = document.unknown
        for (key, text, seconds) in [
            ("createdAt", document.createdAt, entry.created), ("modifiedAt", document.modifiedAt, entry.modified),
        ] {
            if let text, text != DocumentTime.text(seconds) { unknown[key] = .string(text) }
        }
        return unknown.isEmpty ? nil : JSON.object(unknown).text(pretty: false)
    }

    /// Value of the column `unknown`, parsed.
    static func unknown(_ text: String) throws -> [String: JSON] {
        guard case .object(let unknown)? = try? JSON(parsing: Array(text.utf8)) else {
            throw Damage("holds a pattern whose unknown is no JSON object")
        }
        return unknown
    }
}

/// The music columns of the table `revision`.
enum RevisionRow {
    static let columns =
        "\(CompositionRow.shared), \(MuteRow.columns), sound, chain, octaves, extras, song, plays_song, "
        + "windows, parts, own"

    static func values(of session: Session) -> [Value] {
        CompositionRow.sharedValues(of: session.composition) + MuteRow.values(session.sounds.tune.muted, session.soloed)
            + [
                SoundText.value(of: session.sounds.tune.settings.entries),
                FlagRow.value(session.sceneMode == .chain && !session.composition.scenes.isEmpty),
                NotesBlob.octaves.value(of: session.composition), ExtrasText.value(of: session.composition),
                SongText.value(of: session.composition.song),
                FlagRow.value(session.sceneMode == .song && hasMode(session.composition)),
                NotesBlob.windows.value(of: session.composition), PartsRow.value(of: session.composition.parts),
                OwnSoundText.value(of: session.sounds),
            ]
    }

    /// Whether a revision contains the mode: without scenes and a song it has no effect.
    private static func hasMode(_ composition: Composition) -> Bool {
        !composition.scenes.isEmpty || !composition.song.isEmpty
    }

    /// Number and time of a revision.
    static func revision(_ row: [Value]) throws -> PatternRevision {
        var fields = Fields(row, of: "a revision")
        return PatternRevision(number: try fields.number("id"), saved: try fields.time("saved"))
    }

    /// Replaces the music of `session` by the music of `row`.
    static func restore(_ row: [Value], into session: inout Session) throws {
        var fields = Fields(row, of: "a revision")
        let document = try document(row)
        let showsGhosts = try CompositionRow.shared(&fields).showsGhosts
        session.composition = Composition(
            pattern: document.pattern, showsGhosts: showsGhosts, scenes: document.scenes, song: document.song,
            parts: document.parts)
        (session.sounds, session.soloed) = (document.sounds, document.soloed)
        if hasMode(session.composition) { session.sceneMode = document.sceneMode }
    }

    static func document(_ row: [Value]) throws -> PatternDocument {
        var fields = Fields(row, of: "a revision")
        var composition = try CompositionRow.shared(&fields)
        let (muted, soloed) = try MuteRow.read(&fields)
        let sound = try fields.orNull { try Self.sound($0.text("sound")) } ?? SoundSettings()
        let isChained = try FlagRow.read("chain", &fields)
        try NotesBlob.octaves.read(&fields, into: &composition)
        try ExtrasText.read(&fields, into: &composition)
        let song = try SongText.song(&fields)
        let playsSong = try FlagRow.read("plays_song", &fields)
        try NotesBlob.windows.read(&fields, into: &composition)
        composition.parts = try PartsRow.parts(&fields)
        var document = PatternDocument(
            pattern: composition.own, sound: sound, muted: muted, soloed: soloed, scenes: composition.scenes,
            parts: composition.parts, song: song, sceneMode: playsSong ? .song : isChained ? .chain : .one)
        try OwnSoundText.read(&fields, into: &document.sounds)
        return document
    }

    private static func sound(_ text: String) throws -> SoundSettings {
        guard let words = SoundText.words(of: text) else {
            throw Damage("holds a revision whose sound is no JSON object")
        }
        let entries = try words.map { word, value in
            guard let value, SoundSettings(entries: [(word: word, value: value)]) != nil else {
                throw Damage("holds a revision whose sound has a wrong \(word.shown)")
            }
            return (word: word, value: value)
        }
        return SoundSettings(entries: entries) ?? SoundSettings()
    }
}

/// Values of a sound in one text: a JSON object of whole numbers under the words of `SoundSettings.entries`.
enum SoundText {
    /// The text of `entries`; null for none.
    static func value(of entries: [(word: String, value: Int64)]) -> Value {
        entries.isEmpty ? .null : .text(json(of: entries).text(pretty: false))
    }

    /// The object of `entries`.
    static func json(of entries: [(word: String, value: Int64)]) -> JSON {
        .object(Dictionary(uniqueKeysWithValues: entries.map { ($0.word, JSON.integer(Int($0.value))) }))
    }

    /// The words of `text` and their values, nil for a value that is no whole number; nil if it is no JSON object.
    static func words(of text: String) -> [(word: String, value: Int64?)]? {
        (try? JSON(parsing: Array(text.utf8))).flatMap { words(in: $0) }
    }

    /// The words of an object, likewise.
    static func words(in json: JSON) -> [(word: String, value: Int64?)]? {
        guard case .object(let words) = json else { return nil }
        return words.map { word, value in
            guard case .number(let digits) = value else { return (word, nil) }
            return (word, Int64(digits))
        }
    }
}
