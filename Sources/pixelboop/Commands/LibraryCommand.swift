import Formats
import FoundationEssentials
import Glibc
import Instrument
import Library

extension Main {
    static let library = Command(
        "library",
        usage:
            "list|show|export|import|check|backup|restore|reset-settings [PATTERN…|PATH] [--bank A-H] [--revision N] [-o F.json|F.mid|F.wav|FOLDER] [--json] "
            + "[--library FILE]",
        help: """
            Looks at the library, and takes patterns out of it and into it, while the box runs or not. A PATTERN is its place in
            its bank (A1, B12), its name, or its number.

            library list                      the patterns, bank by bank; --bank A only those of one
            library show PATTERN              what it is, and the states of it that are kept
            library export PATTERN -o FILE    writes it as a document, notes or sound, by the ending: .json, .mid, .wav; - is
                                              standard output, as a document
            library export A -o FOLDER        writes a whole bank, a document a pattern
            library import FILE|FOLDER…       takes in documents and MIDI files, or all that a folder holds: all or none
            library check                     reads everything; ends with 65 and says what is wrong if something is
            library backup FILE|FOLDER        copies the whole library to a file, in a folder under a name with the date
            library restore FILE              puts a backup in the library's place; the box may not run. What was there is kept
                                              beside it
            library reset-settings            volume, brightness, hints and the like as at the first start; the box may not
                                              run. All music stays

                --bank A          the bank to list, or to import to; else A
                --revision N      the pattern as it was, by a number that show tells
                --loops N         times that a .mid or .wav plays it, 1-1000; else once
                --rate HZ         frames a second of a .wav
                --json            list and show as JSON
                --library FILE    this library; else the one that the configuration or the system has
                --config FILE     read this configuration
            """,
        options: ["--bank", "--revision", "-o", "--loops", "--rate", "--library", "--config"], flags: ["--json"],
        operands: 1...1000
    ) { arguments in
        let action = try Action(arguments)
        if case .restore(let path) = action { return try Shelf.restore(arguments, from: path) }
        // These are read before there is a library: if one of them is wrong, nothing is begun.
        let additions = try action.additions(arguments)
        let shelf = try Shelf(arguments, mayBegin: !additions.isEmpty)
        switch action {
        case .list: try shelf.list()
        case .show(let word): try shelf.show(word)
        case .export(let word, let path): try shelf.export(word, to: path)
        case .exportBank(let bank, let folder): try shelf.export(bank, to: folder)
        case .take: try shelf.take(additions)
        case .check: try shelf.check()
        case .backup(let path): try shelf.backup(to: path)
        case .restore: break
        case .resetSettings: try shelf.resetSettings()
        }
    }
}

/// What is to be done.
private enum Action {
    case list
    case show(String)
    case export(String, to: String)
    case exportBank(Bank, to: String)
    case take([String])
    case check
    case backup(String)
    case restore(String)
    case resetSettings

    /// What `arguments` ask for.
    init(_ arguments: Arguments) throws {
        let word = arguments.operands[0]
        let operands = Array(arguments.operands.dropFirst())
        switch word {
        case "list":
            guard operands.isEmpty else { throw CommandError(.usage, "list takes no pattern; list one bank by --bank") }
            self = .list
        case "show": self = .show(try Self.one(operands, for: word))
        case "export": self = try Self.export(try Self.one(operands, for: word), arguments)
        case "import":
            guard !operands.isEmpty else {
                throw CommandError(.usage, "an operand is missing; name files or folders to import")
            }
            self = .take(operands)
        case "check":
            guard operands.isEmpty else {
                throw CommandError(.usage, "check takes no pattern: it reads them all")
            }
            self = .check
        case "backup": self = .backup(try Self.path(operands, for: word))
        case "restore": self = .restore(try Self.path(operands, for: word))
        case "reset-settings":
            guard operands.isEmpty else { throw CommandError(.usage, "reset-settings takes nothing more") }
            self = .resetSettings
        default:
            throw CommandError(
                .usage,
                "library \(word): should be library list, show, export, import, check, backup, restore or reset-settings"
            )
        }
    }

    private static func one(_ operands: [String], for word: String) throws -> String {
        guard operands.count == 1 else {
            throw CommandError(.usage, "\(word) takes one pattern: its place, such as A1, its name or number")
        }
        return operands[0]
    }

    private static func path(_ operands: [String], for word: String) throws -> String {
        guard operands.count == 1, operands[0] != "-" else {
            throw CommandError(.usage, "\(word) takes one path: the backup's")
        }
        return operands[0]
    }

    private static func export(_ word: String, _ arguments: Arguments) throws -> Action {
        guard let path = arguments["-o"] else { throw CommandError(.usage, "-o is missing; say where to write to") }
        guard let bank = Bank(letter: word) else { return .export(word, to: path) }
        guard arguments["--revision"] == nil else {
            throw CommandError(.usage, "--revision is of a pattern, not of a bank")
        }
        guard path != "-", PatternFile.kind(of: path) == nil else {
            throw CommandError(.usage, "-o is \(path), should be a folder: bank \(bank.letter) is a file a pattern")
        }
        return .exportBank(bank, to: path)
    }

    /// What there is to import; nothing, if that is not what is to be done.
    func additions(_ arguments: Arguments) throws -> [Library.Addition] {
        guard case .take(let paths) = self else { return [] }
        let bank = try Bank(arguments) ?? .a
        return try paths.flatMap(PatternFolder.files).map { path in
            Library.Addition(try PatternFolder.document(path), name: PatternFolder.title(of: path), to: bank)
        }
    }
}

extension Bank {
    /// The bank that `--bank` names, if it is there.
    fileprivate init?(_ arguments: Arguments) throws {
        guard let letter = arguments["--bank"] else { return nil }
        guard let bank = Bank(letter: letter) else {
            throw CommandError(.usage, "--bank is \(letter), should be a letter from A to H")
        }
        self = bank
    }
}

/// The library of one command.
private struct Shelf {
    private let arguments: Arguments
    private let library: Library
    private let path: String
    private let bank: Bank?
    private let revision: Int64?
    /// What was wrong with the library, a line each.
    private let notices: [String]

    /// The library that is meant; if there is none, one is begun if it `mayBegin`.
    init(_ arguments: Arguments, mayBegin: Bool) throws {
        self.arguments = arguments
        bank = try Bank(arguments)
        revision = try arguments.integer("--revision", in: 1...Int.max).map { Int64($0) }
        path = try Self.path(arguments)
        guard mayBegin || FileManager.default.fileExists(atPath: path) else {
            throw CommandError(.noInput, "\(path): there is no library yet; play, or import something")
        }
        library = try Libraries.open(path)
        notices = library.takeNotices()
        for notice in notices { Main.tell(notice) }
    }

    /// Where the library is that is meant.
    private static func path(_ arguments: Arguments) throws -> String {
        let configuration = try Configuration.load(arguments)
        return arguments["--library"] ?? configuration.library
            ?? Library.defaultPath(environment: ProcessInfo.processInfo.environment)
    }

    // MARK: Which

    /// A pattern, and its place in its bank, from 1.
    private typealias Placed = (entry: PatternEntry, place: Int)

    private func placed(in bank: Bank? = nil) throws -> [Placed] {
        let entries = try read { library throws(LibraryError) in try library.patterns(in: bank) }
        var places: [Bank: Int] = [:]
        return entries.map { entry in
            places[entry.bank, default: 0] += 1
            return (entry, places[entry.bank, default: 0])
        }
    }

    /// The one pattern that is meant.
    private func pattern(_ word: String) throws -> Placed {
        let all = try placed()
        if let found = all.first(where: { "\($0.entry.bank.letter)\($0.place)" == word.uppercased() }) { return found }
        let named = all.filter { $0.entry.name == word || "\($0.entry.number)" == word }
        if named.count > 1 {
            let places = named.map { "\($0.entry.bank.letter)\($0.place)" }.joined(separator: ", ")
            throw CommandError(.usage, "several patterns are called \(word): say which by its place, \(places)")
        }
        guard let found = named.first else {
            throw CommandError(.noInput, "\(LibraryError.noPattern(word))")
        }
        return found
    }

    private func read<Value>(_ body: (Library) throws(LibraryError) -> Value) throws -> Value {
        try Self.attempt { () throws(LibraryError) in try body(library) }
    }

    private static func attempt<Value>(_ body: () throws(LibraryError) -> Value) throws -> Value {
        do throws(LibraryError) {
            return try body()
        } catch {
            switch error {
            case .noPattern: throw CommandError(.noInput, "\(error)")
            case .damaged, .badBackup: throw CommandError(.badData, "\(error)")
            case .inUse: throw CommandError(.unavailable, "\(error)")
            default: throw CommandError(.ioError, "\(error)")
            }
        }
    }

    // MARK: What

    func list() throws {
        let placed = try placed(in: bank)
        if arguments.has("--json") {
            return print(JSON.array(placed.map(json)).text(pretty: true))
        }
        for (entry, place) in placed {
            let name = entry.name.onOneLine.padded(16)
            print(
                "\(entry.bank.letter)\(place)".padded(6) + name
                    + "  changed \(entry.modified.date)  begun \(entry.created.date)")
        }
    }

    private func json(_ placed: Placed) -> JSON {
        let entry = placed.entry
        return .object([
            "place": .string("\(entry.bank.letter)\(placed.place)"), "number": .number("\(entry.number)"),
            "bank": .string(entry.bank.letter), "name": .string(entry.name),
            "createdAt": .string(entry.created.date), "modifiedAt": .string(entry.modified.date),
        ])
    }

    func show(_ word: String) throws {
        let placed = try pattern(word)
        let document = try document(placed)
        let revisions = try read { library throws(LibraryError) in try library.revisions(of: placed.entry.number) }
        if arguments.has("--json") {
            guard case .object(var parts) = json(placed) else { return }
            parts["revisions"] = .array(
                revisions.map { .object(["number": .number("\($0.number)"), "savedAt": .string($0.saved.date)]) })
            parts["document"] = try JSON(parsing: Array(document.text().utf8))
            return print(JSON.object(parts).text(pretty: true))
        }
        let (entry, pattern) = (placed.entry, document.pattern)
        print("\(entry.bank.letter)\(placed.place)  \(entry.name.onOneLine), number \(entry.number)")
        print("begun \(entry.created.date), changed \(entry.modified.date)")
        let key = "\(Tonality.rootNames[pattern.tonality.root]) \(pattern.tonality.scale.name)"
        print("\(pattern.bpm) BPM, \(pattern.length) steps, \(key)")
        for track in Track.allCases {
            let count = (0..<Pattern.notes).reduce(0) { sum, note in
                sum + (0..<pattern.length).count { pattern[track, note: note, step: $0] != .empty }
            }
            let silence = document.muted.contains(track) ? ", muted" : document.soloed == track ? ", soloed" : ""
            print("\(track.name): \(count) cell\(count == 1 ? "" : "s")\(silence)")
        }
        for revision in revisions { print("revision \(revision.number), saved \(revision.saved.date)") }
    }

    private func document(_ placed: Placed) throws -> PatternDocument {
        let known = try read { library throws(LibraryError) in try library.revisions(of: placed.entry.number) }
        if let revision, !known.contains(where: { $0.number == revision }) {
            throw CommandError(
                .noInput, "\(placed.entry.name) has no revision \(revision); library show tells those it has")
        }
        return try read { library throws(LibraryError) in
            try library.document(of: placed.entry.number, revision: revision)
        }
    }

    func export(_ word: String, to path: String) throws {
        let document = try document(try pattern(word))
        if path == "-" { return try Files.write(Array(document.text().utf8), to: path) }
        try PatternFile.write(document, to: path, as: [.json, .mid, .wav], PatternFile.Options(arguments))
    }

    /// Writes each pattern of `bank` into `folder`, by names that sort as the bank does.
    func export(_ bank: Bank, to folder: String) throws {
        do {
            if try PatternFolder.write(bank, of: library, to: folder) == 0 {
                throw CommandError(.noInput, "bank \(bank.letter) is empty: there is nothing to export")
            }
        } catch let error as LibraryError {
            throw CommandError(.ioError, "\(error)")
        }
    }

    func take(_ additions: [Library.Addition]) throws {
        let added = Set(
            try read { library throws(LibraryError) in try library.add(additions) }.map(\.number))
        for (entry, place) in try placed() where added.contains(entry.number) {
            print("\(entry.bank.letter)\(place)".padded(6) + entry.name.onOneLine)
        }
    }

    func check() throws {
        let problems = try read { library throws(LibraryError) in try library.check() }
        for problem in problems { print(problem) }
        guard problems.isEmpty else {
            throw CommandError(
                .badData,
                "\(path): \(problems.count) problem\(problems.count == 1 ? "" : "s"); "
                    + "what can be read can still be exported")
        }
        let count = try placed().count
        print("\(path): \(count) pattern\(count == 1 ? "" : "s"), all well")
        // The line that says what was wrong has been told.
        if !notices.isEmpty { exit(ExitStatus.badData.rawValue) }
    }

    func backup(to place: String) throws {
        let name = Library.backupName(at: Int64(time(nil)))
        let file = Files.isFolder(place) ? "\(place)/\(name)" : place
        guard Files.isFileOrNothing(file), !Files.areSame(file, path) else {
            throw CommandError(.cannotCreate, "\(file): is not to be replaced; name another file, or a folder")
        }
        try read { library throws(LibraryError) in try library.backup(to: file) }
        let count = try placed().count
        print("\(file): \(count) pattern\(count == 1 ? "" : "s")")
    }

    static func restore(_ arguments: Arguments, from backup: String) throws {
        let path = try path(arguments)
        guard access(backup, R_OK) == 0, Files.isFileOrNothing(backup) else {
            let reason =
                Files.isFolder(backup) ? "is a folder; name a file in it" : "cannot be read: \(Files.reason(errno))"
            throw CommandError(.noInput, "\(backup): \(reason)")
        }
        guard !Files.areSame(backup, path) else {
            throw CommandError(.usage, "\(backup): is the library itself; name a backup")
        }
        let aside = try attempt { () throws(LibraryError) in try Library.restore(path, from: backup) }
        print("\(path): restored" + (aside.map { "; what was there is kept as \($0)" } ?? ""))
    }

    func resetSettings() throws {
        try read { library throws(LibraryError) in try library.resetSettings() }
        print("\(path): settings as at the first start")
    }
}

extension String {
    /// With a space for whatever would do something else on a terminal than be seen.
    fileprivate var onOneLine: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}

extension Int64 {
    /// The date that so many seconds since 1970 are, ISO 8601.
    fileprivate var date: String { Date(timeIntervalSince1970: TimeInterval(self)).formatted(.iso8601) }
}
