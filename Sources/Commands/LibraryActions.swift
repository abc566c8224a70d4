import Box
import Documents
import Formats
import FoundationEssentials
import Glibc
import Instrument
import Library

extension Bank {
    /// The bank named by `--bank`, if given.
    init?(_ arguments: Arguments) throws {
        guard let letter = arguments["--bank"] else { return nil }
        guard let bank = Bank(letter: letter) else {
            throw CommandError(.usage, "--bank is \(letter), should be a letter from A to H")
        }
        self = bank
    }
}

/// The library commands.
struct LibraryActions {
    private let arguments: Arguments
    private let library: Library
    private let path: String
    private let bank: Bank?
    private let revision: Int64?

    /// Opens the library for a command of that role; creates a missing one if `mayBegin`.
    init(_ arguments: Arguments, as role: Library.Role = .reader, mayBegin: Bool = false) throws {
        self.arguments = arguments
        bank = try Bank(arguments)
        revision = try arguments.integer("--revision", in: 1...Int.max).map { Int64($0) }
        path = try Self.path(arguments)
        let size = Files.size(path)
        guard mayBegin || size ?? 0 > 0 else {
            let state = size == nil ? "there is no library yet" : "is an empty file, and no library"
            throw CommandError(.noInput, "\(path): \(state); play, or import a pattern")
        }
        library = try Libraries.open(path, as: role)
        logNotices()
    }

    /// Path of the named or configured library.
    static func path(_ arguments: Arguments) throws -> String {
        let configuration = try Configuration.load(arguments["--config"])
        return arguments["--library"] ?? Libraries.path(configuration)
    }

    // MARK: Patterns

    /// A pattern, and its place in its bank, from 1.
    private struct Placed {
        var entry: PatternEntry
        var number: Int

        /// Its place, such as A1.
        var place: String { "\(entry.bank.letter)\(number)" }

        var json: [String: JSON] {
            [
                "place": .string(place), "number": .integer(Int(entry.number)), "bank": .string(entry.bank.letter),
                "name": .string(entry.name), "createdAt": .string(DocumentTime.text(entry.created)),
                "modifiedAt": .string(DocumentTime.text(entry.modified)),
            ]
        }
    }

    private func placed(in bank: Bank? = nil) throws -> [Placed] {
        let entries = try read { library throws(LibraryError) in try library.patterns(in: bank) }
        var places: [Bank: Int] = [:]
        return entries.map { entry in
            places[entry.bank, default: 0] += 1
            return Placed(entry: entry, number: places[entry.bank, default: 0])
        }
    }

    /// Finds a pattern by place, name or number.
    private func pattern(_ word: String) throws -> Placed {
        let all = try placed()
        if let found = all.first(where: { $0.place == word.uppercased() }) { return found }
        let named = all.filter { $0.entry.name == word || "\($0.entry.number)" == word }
        if named.count > 1 {
            let places = named.map(\.place).joined(separator: ", ")
            throw CommandError(.usage, "several patterns are called \(word): name one by its place: \(places)")
        }
        guard let found = named.first else {
            throw CommandError(.noInput, "\(LibraryError.noPattern(word))")
        }
        return found
    }

    private func read<Value>(_ body: (Library) throws(LibraryError) -> Value) throws -> Value {
        defer { logNotices() }
        return try Self.attempt { () throws(LibraryError) in try body(library) }
    }

    /// Logs the library's problems, one line each.
    private func logNotices() {
        for notice in library.drainNotices() { Log.post(notice) }
    }

    private static func attempt<Value>(_ body: () throws(LibraryError) -> Value) throws -> Value {
        do throws(LibraryError) {
            return try body()
        } catch {
            throw CommandError(error)
        }
    }

    // MARK: What

    func list() throws {
        let placed = try placed(in: bank)
        if arguments.has("--json") {
            return print(JSON.array(placed.map { .object($0.json) }).text(pretty: true))
        }
        for pattern in placed {
            let (entry, name) = (pattern.entry, pattern.entry.name.onOneLine.padded(16))
            print(
                pattern.place.padded(6) + name + "  changed \(DocumentTime.text(entry.modified))"
                    + "  begun \(DocumentTime.text(entry.created))")
        }
    }

    func show(_ word: String) throws {
        let placed = try pattern(word)
        let document = try document(placed)
        let revisions = try read { library throws(LibraryError) in try library.revisions(of: placed.entry.number) }
        if arguments.has("--json") {
            var parts = placed.json
            parts["revisions"] = .array(
                revisions.map {
                    .object(["number": .integer(Int($0.number)), "savedAt": .string(DocumentTime.text($0.saved))])
                })
            parts["document"] = try JSON(parsing: Array(document.text().utf8))
            return print(JSON.object(parts).text(pretty: true))
        }
        let (entry, pattern) = (placed.entry, document.pattern)
        print("\(placed.place)  \(entry.name.onOneLine), number \(entry.number)")
        print("begun \(DocumentTime.text(entry.created)), changed \(DocumentTime.text(entry.modified))")
        let key = "\(Tonality.rootNames[pattern.tonality.root]) \(pattern.tonality.scale.name)"
        print("\(pattern.tempo.text) BPM, \(pattern.length) steps, \(key)")
        for track in Track.allCases {
            let count = track.notes.reduce(0) { sum, note in
                sum + (0..<pattern.length).count { pattern[track, note: note, step: $0] != .empty }
            }
            let isMuted = document.playedSound.muted.contains(track)
            let silence = isMuted ? ", muted" : document.soloed == track ? ", soloed" : ""
            print("\(track.name): \(String(count, of: "cell"))\(silence)")
        }
        for revision in revisions { print("revision \(revision.number), saved \(DocumentTime.text(revision.saved))") }
    }

    private func document(_ placed: Placed) throws -> PatternDocument {
        let known = try read { library throws(LibraryError) in try library.revisions(of: placed.entry.number) }
        if let revision, !known.contains(where: { $0.number == revision }) {
            throw CommandError(
                .noInput, "\(placed.entry.name) has no revision \(revision); library show lists its revisions")
        }
        return try read { library throws(LibraryError) in
            try library.document(of: placed.entry.number, revision: revision)
        }
    }

    func export(_ word: String, to path: String) throws {
        let document = try document(try pattern(word))
        let options = try PatternFile.Options(arguments, library: self.path)
        if path == "-", options.extent != .song { return try Files.write(Array(document.text().utf8), to: path) }
        try PatternFile.write(document, named: word, to: path, as: [.json, .mid, .wav], options)
    }

    /// Writes each pattern of `bank` into `folder`, under names that sort in the bank's order.
    func export(_ bank: Bank, to folder: String) throws {
        defer { logNotices() }
        let bar = ProgressBar("writing \(folder)")
        defer { bar.end() }
        do {
            if try PatternFolder.write(bank, of: library, to: try Folder.made(folder), { bar.show($0) }) == 0 {
                throw CommandError(.noInput, "bank \(bank.letter) is empty; there is nothing to export")
            }
        } catch let error as LibraryError {
            throw CommandError(.ioError, "\(error)")
        }
    }

    /// Adds patterns; `progress` receives the part that is added.
    func add(_ additions: [Library.Addition], _ progress: @escaping Library.Progress) throws {
        let added = Set(
            try read { library throws(LibraryError) in try library.add(additions, progress) }.map(\.number))
        // The bar ends before the list.
        progress(1)
        let patterns = try placed().filter { added.contains($0.entry.number) }
        if arguments.has("--json") {
            return print(JSON.array(patterns.map { .object($0.json) }).text(pretty: true))
        }
        for pattern in patterns {
            print(pattern.place.padded(6) + pattern.entry.name.onOneLine)
        }
    }

    // MARK: Sounds

    func presets() throws {
        list(try read { library throws(LibraryError) in try library.presets() })
    }

    private func list(_ presets: [SoundPreset]) {
        if arguments.has("--json") {
            let list = presets.map { preset in
                JSON.object(["name": .string(preset.name.text), "kind": .string(preset.kind.rawValue)])
            }
            return print(JSON.array(list).text(pretty: true))
        }
        for preset in presets { print(preset.name.text.padded(10) + preset.kind.rawValue) }
    }

    /// The own sound of this name, or the kit with `--kit`.
    private func preset(_ name: String) throws -> SoundPreset {
        let presets = try read { library throws(LibraryError) in try library.presets() }
        let named = presets.filter { $0.name.text == name && (!arguments.has("--kit") || $0.kind == .kit) }
        guard let found = named.first else { throw CommandError(.noInput, "\(LibraryError.noSound(name))") }
        return found
    }

    func exportSound(_ name: String, to path: String) throws {
        try Files.write(Array(SoundDocument(try preset(name)).text().utf8), to: path)
    }

    func keep(_ presets: [SoundPreset]) throws {
        try read { library throws(LibraryError) in try library.keep(presets) }
        list(presets)
    }

    func removeSound(_ name: String) throws {
        let preset = try preset(name)
        try read { library throws(LibraryError) in try library.remove(preset.kind, preset.name) }
    }

    // MARK: Tunings

    func tunings() throws {
        list(try read { library throws(LibraryError) in try library.tunings() })
    }

    private func list(_ tunings: [OwnTuning]) {
        if arguments.has("--json") { return print(JSON.array(tunings.map(\.namedValues)).text(pretty: true)) }
        for tuning in tunings {
            let a4 = tuning.a4.map { "A4 \(String($0, places: 3)) Hz" } ?? ""
            let cents = tuning.cents.map { "\($0 < 0 ? "-" : "")\(String(($0.magnitude + 50) / 100, places: 1))" }
            print(tuning.name.text.padded(10) + cents.joined(separator: " ") + (a4.isEmpty ? "" : "  \(a4)"))
        }
    }

    /// The own tuning of this name.
    private func tuning(_ name: String) throws -> OwnTuning {
        let tunings = try read { library throws(LibraryError) in try library.tunings() }
        guard let found = tunings.first(where: { $0.name.text == name }) else {
            throw CommandError(.noInput, "\(LibraryError.noTuning(name))")
        }
        return found
    }

    func exportTuning(_ name: String, to path: String) throws {
        try TuningFiles.write(try tuning(name), to: path)
    }

    func keep(_ tunings: [OwnTuning]) throws {
        try read { library throws(LibraryError) in try library.keep(tunings) }
        list(tunings)
    }

    func removeTuning(_ name: String) throws {
        let name = try tuning(name).name
        try read { library throws(LibraryError) in try library.removeTuning(name) }
    }

    // MARK: Care

    func check() throws {
        let bar = ProgressBar("checking \(path)")
        defer { bar.end() }
        let problems = try read { library throws(LibraryError) in try library.check { bar.show($0) } }
        bar.end()
        if arguments.has("--json") {
            let report: [String: JSON] = [
                "library": .string(path), "patterns": .integer((try? placed().count) ?? 0),
                "problems": .array(problems.map { .string($0) }),
            ]
            print(JSON.object(report).text(pretty: true))
        } else {
            for problem in problems { print(problem) }
        }
        guard problems.isEmpty else {
            throw CommandError(
                .badData,
                "\(path): \(String(problems.count, of: "problem")); all readable patterns can still be exported, and "
                    + "pixelboop library repair keeps them")
        }
        if !arguments.has("--json") { try printCount() }
    }

    /// Repairs the library; prints the problems and the repairs.
    func repair() throws {
        let problems = try read { library throws(LibraryError) in try library.repair() }
        for problem in problems { print(problem) }
        try printCount()
    }

    private func printCount() throws {
        let count = try placed().count
        print("\(path): \(String(count, of: "pattern")), no problems")
    }

    func backup(to place: String) throws {
        let name = Library.backupName(at: Int64(time(nil)))
        let file = Files.isFolder(place) ? "\(place)/\(name)" : place
        guard Files.isFileOrNothing(file), !Files.areSame(file, path) else {
            throw CommandError(.cannotCreate, "\(file): cannot be replaced; name another file, or a folder")
        }
        let bar = ProgressBar("writing \(file)")
        defer { bar.end() }
        try read { library throws(LibraryError) in try library.backup(to: file) { bar.show($0) } }
        bar.end()
        let count = try placed().count
        print("\(file): \(String(count, of: "pattern"))")
    }

    func backupWhole(to place: String) throws {
        let bar = ProgressBar("writing \(place)")
        defer { bar.end() }
        let backup = try WholeBackup(of: library, at: path, to: place) { bar.show($0) }
        bar.end()
        logNotices()
        let (takes, samples) = (try TakeFolder(ofLibrary: path).takes(), try SampleFolder(ofLibrary: path).samples())
        print(
            "\(backup.path): \(String(try placed().count, of: "pattern")), \(String(takes.count, of: "take")), "
                + String(samples.count, of: "sample"))
    }

    static func restore(_ arguments: Arguments, from backup: String) throws {
        let path = try path(arguments)
        if let whole = WholeBackup(at: backup) {
            return printRestored(path, try whole.restore(to: path))
        }
        guard access(backup, R_OK) == 0, Files.isFileOrNothing(backup) else {
            let reason =
                Files.isFolder(backup) ? "is a folder; name a file in it" : "cannot be read: \(Files.reason(errno))"
            throw CommandError(.noInput, "\(backup): \(reason)")
        }
        guard !Files.areSame(backup, path) else {
            throw CommandError(.usage, "\(backup): is the library itself; name a backup")
        }
        let aside = try attempt { () throws(LibraryError) in try Library.restore(path, from: backup) }
        printRestored(path, aside)
    }

    private static func printRestored(_ path: String, _ aside: String?) {
        print("\(path): restored" + (aside.map { "; the old library is kept as \($0)" } ?? ""))
    }

    func resetSettings() throws {
        try read { library throws(LibraryError) in try library.resetSettings() }
        print("\(path): settings as at the first start")
    }
}

extension String {
    /// The string with control characters replaced by spaces.
    fileprivate var onOneLine: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isInvisible ? " " : $0 }))
    }
}
