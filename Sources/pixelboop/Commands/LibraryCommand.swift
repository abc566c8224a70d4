import Box
import Library

extension Main {
    static let library = Command(
        "library",
        usage:
            "list|show|export|import|check|repair|backup|restore|reset-settings [PATTERN…|PATH] [--bank A-H] [--revision N] [-o F.json|F.mid|F.wav|FOLDER] [--json] "
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
            library repair                    sets a damaged file aside and begins a new one with what can be read of it; the
                                              box, which does so by itself when it starts, may not run
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
    ) { arguments in try Action(arguments).run(arguments) }
}

/// What is to be done.
private enum Action {
    case list
    case show(String)
    case export(String, to: String)
    case exportBank(Bank, to: String)
    case take([String])
    case check
    case repair
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
        case "check", "repair":
            guard operands.isEmpty else {
                throw CommandError(.usage, "\(word) takes no pattern: it reads them all")
            }
            self = word == "check" ? .check : .repair
        case "backup": self = .backup(try Self.path(operands, for: word))
        case "restore": self = .restore(try Self.path(operands, for: word))
        case "reset-settings":
            guard operands.isEmpty else { throw CommandError(.usage, "reset-settings takes nothing more") }
            self = .resetSettings
        default:
            throw CommandError(
                .usage,
                "library \(word): should be library list, show, export, import, check, repair, backup, restore or reset-settings"
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

    /// Does it.
    func run(_ arguments: Arguments) throws {
        switch self {
        case .list: try Shelf(arguments).list()
        case .show(let word): try Shelf(arguments).show(word)
        case .export(let word, let path): try Shelf(arguments).export(word, to: path)
        case .exportBank(let bank, let folder): try Shelf(arguments).export(bank, to: folder)
        case .take(let paths):
            // These are read before there is a library: if one of them is wrong, nothing is begun.
            let bank = try Bank(arguments) ?? .a
            var patterns = PatternImport()
            for path in paths { try patterns.add(path, to: bank) }
            try Shelf(arguments, as: .visitor, mayBegin: true).take(patterns.additions)
        case .check: try Shelf(arguments).check()
        case .repair: try Shelf(arguments, as: .visitor).repair()
        case .backup(let path): try Shelf(arguments).backup(to: path)
        case .restore(let path): try Shelf.restore(arguments, from: path)
        case .resetSettings: try Shelf(arguments, as: .visitor).resetSettings()
        }
    }
}
