import Box
import Documents
import Instrument
import Library

extension Main {
    static let library = Command(
        "library",
        usage:
            "list|show|export|import|presets|export-sound|import-sound|remove-sound|tunings|export-tuning|import-tuning|remove-tuning|takes|export-take|remove-take|samples|export-sample|remove-sample|check|repair|backup|restore|reset-settings [PATTERN…|SOUND|TUNING|TAKE|SAMPLE|PATH] [--bank A-H] [--revision N] [-o F.json|F.mid|F.wav|F.jsonl|FOLDER] [--json] "
            + "[--library FILE]",
        help: """
            Lists, exports and imports the library's patterns, whether the box runs or not. PATTERN is a pattern's place in its
            bank (A1, B12), its name, or its number.

            library list                      lists the patterns by bank; --bank A lists one bank
            library show PATTERN              describes it and lists its kept revisions
            library export PATTERN -o FILE    writes it as a document, MIDI or sound, by the extension: .json, .mid, .wav; - is a
                                              document on standard output
            library export A -o FOLDER        writes a whole bank, one document per pattern
            library import FILE|FOLDER…       adds documents and MIDI files, or those of a folder: all or none. Sound files (.wav, .flac,
                                              .ogg, .opus, .aiff) become samples, named by the beginning of the file's name; one
                                              that is there is not replaced
            library import FILE --name NAME   makes the sound file the sample NAME, in place of one of that name
            library import FILE --slices onsets|N  also cuts it into a kit of that name, where sounds begin in it, or at the
                                              strongest of N equal steps
            library presets                   lists your own sounds and kits
            library export-sound NAME -o FILE  writes one as a .json file; - is standard output
            library import-sound FILE…        adds sounds: all or none; one of the same name is replaced
            library remove-sound NAME         removes one; patterns that use it keep its values
            library tunings                   lists your own tunings: the cents of the twelve notes above C
            library export-tuning NAME -o FILE  writes one as a Scala .scl file, and beside it a .kbm if it says where A4 is; - is
                                              the scale on standard output
            library import-tuning FILE…       adds Scala scales (.scl) of twelve notes and an octave, each with the keyboard
                                              mapping (.kbm) of its file's name, if named: all or none; one of the same name is
                                              replaced. The name is the scale's description, or the beginning of the file's name
            library remove-tuning NAME        removes one; patterns that use it keep it
            library takes                     lists the takes, and how long another may be: sound that was kept on the panel
            library export-take NUMBER -o FILE  writes one as .wav, or its touches as .jsonl for replay; - is the sound on standard output
            library remove-take NUMBER        removes one
            library samples                   lists the samples, and how much of their room they fill
            library export-sample NAME -o FILE  writes one as a .wav file; - is standard output
            library remove-sample NAME        removes one
            library check                     reads everything; if there are problems, prints them and exits with 65
            library repair                    sets a damaged file aside and starts a new one with all readable patterns; stop the
                                              box first. The box does this itself when it starts
            library backup FILE|FOLDER        copies the library to a file; in a folder, under a name with the date
            library backup --all FOLDER       copies it with its takes and samples to a new folder, or into one that is there
            library restore FILE|FOLDER       replaces the library by a backup; stop the box first. The old library is kept beside it
            library reset-settings            resets volume, brightness, hints and the like to the first start's; stop the box first.
                                              All music stays

                -o FILE           the file to write; its extension selects the format
                --name NAME       the name of the sample, one to eight letters
                --slices CUT      onsets: cut the sample where sounds begin; or a number of equal steps, 2-128, 16 of them a bar
                --bank A          the bank to list, or to import to (default A)
                --revision N      an earlier revision, by its number in show
                --loops N         times that a .mid or .wav plays it, 1-1000 (default 1), or meet: until its tracks meet again
                --song            a .mid or .wav of its song
                --rate HZ         sample rate of a .wav
                --all             backup: also takes and samples
                --kit             the kit of this name, for export-sound and remove-sound
                --json            list, show, presets, tunings, takes, samples, check and what was imported as JSON
                --library FILE    this library (default: the configuration's, else the system's)
                --config FILE     read this configuration
            """,
        options: ["--name", "--slices", "--bank", "--revision", "-o", "--loops", "--rate", "--library", "--config"],
        flags: ["--json", "--kit", "--song", "--all"],
        operands: 1...1000
    ) { arguments in try Action(arguments).run(arguments) }
}

/// A parsed subcommand.
private enum Action {
    case list
    case show(String)
    case export(String, to: String)
    case exportBank(Bank, to: String)
    case importFiles([String])
    case importSamples([String], as: SoundName?, SliceCut?)
    case presets
    case exportSound(String, to: String)
    case importSounds([String])
    case removeSound(String)
    case tunings
    case exportTuning(String, to: String)
    case importTunings([String])
    case removeTuning(String)
    case takes
    case exportTake(Int, to: String)
    case removeTake(Int)
    case samples
    case exportSample(SoundName, to: String)
    case removeSample(SoundName)
    case check
    case repair
    case backup(String, isWhole: Bool)
    case restore(String)
    case resetSettings

    /// The subcommand of `arguments`.
    init(_ arguments: Arguments) throws {
        let word = arguments.operands[0]
        if arguments.has("--all"), word != "backup" { throw CommandError(.usage, "--all is for backup") }
        let operands = Array(arguments.operands.dropFirst())
        switch word {
        case "list":
            guard operands.isEmpty else { throw CommandError(.usage, "list takes no pattern; list one with --bank") }
            self = .list
        case "show": self = .show(try Self.one(operands, for: word))
        case "export": self = try Self.export(try Self.one(operands, for: word), arguments)
        case "import":
            guard !operands.isEmpty else {
                throw CommandError(.usage, "an operand is missing; name files or folders to import")
            }
            self = try Self.importAction(operands, arguments)
        case "presets":
            guard operands.isEmpty else { throw CommandError(.usage, "presets takes no operand; it lists all sounds") }
            self = .presets
        case "export-sound":
            guard let path = arguments["-o"] else { throw CommandError(.usage, "-o is missing; name the output file") }
            self = .exportSound(try Self.sound(operands, for: word), to: path)
        case "import-sound":
            guard !operands.isEmpty else { throw CommandError(.usage, "an operand is missing; name files to import") }
            self = .importSounds(operands)
        case "remove-sound": self = .removeSound(try Self.sound(operands, for: word))
        case "tunings":
            guard operands.isEmpty else {
                throw CommandError(.usage, "tunings takes no operand; it lists all tunings")
            }
            self = .tunings
        case "export-tuning":
            guard let path = arguments["-o"] else { throw CommandError(.usage, "-o is missing; name the output file") }
            self = .exportTuning(try Self.tuning(operands, for: word), to: path)
        case "import-tuning":
            guard !operands.isEmpty else { throw CommandError(.usage, "an operand is missing; name files to import") }
            self = .importTunings(operands)
        case "takes":
            guard operands.isEmpty else { throw CommandError(.usage, "takes takes no operand; it lists all takes") }
            self = .takes
        case "export-take":
            guard let path = arguments["-o"] else { throw CommandError(.usage, "-o is missing; name the output file") }
            guard path == "-" || path.hasSuffix(".wav") || path.hasSuffix(".jsonl") else {
                throw CommandError(.usage, "-o is \(path), should end in .wav, or in .jsonl for the touches")
            }
            self = .exportTake(try Self.takeNumber(operands, for: word), to: path)
        case "remove-take": self = .removeTake(try Self.takeNumber(operands, for: word))
        case "remove-tuning": self = .removeTuning(try Self.tuning(operands, for: word))
        case "samples":
            guard operands.isEmpty else {
                throw CommandError(.usage, "samples takes no operand; it lists all samples")
            }
            self = .samples
        case "export-sample":
            guard let path = arguments["-o"] else { throw CommandError(.usage, "-o is missing; name the output file") }
            guard path == "-" || path.hasSuffix(".wav") else {
                throw CommandError(.usage, "-o is \(path), should end in .wav")
            }
            self = .exportSample(try Self.sample(operands, for: word), to: path)
        case "remove-sample": self = .removeSample(try Self.sample(operands, for: word))
        case "check", "repair":
            guard operands.isEmpty else {
                throw CommandError(.usage, "\(word) takes no pattern; it reads all of them")
            }
            self = word == "check" ? .check : .repair
        case "backup": self = .backup(try Self.path(operands, for: word), isWhole: arguments.has("--all"))
        case "restore": self = .restore(try Self.path(operands, for: word))
        case "reset-settings":
            guard operands.isEmpty else { throw CommandError(.usage, "reset-settings takes no operand") }
            self = .resetSettings
        default:
            throw CommandError(
                .usage,
                "library \(word): should be library list, show, export, import, presets, export-sound, import-sound, remove-sound, tunings, export-tuning, import-tuning, remove-tuning, takes, export-take, remove-take, samples, export-sample, remove-sample, check, repair, backup, restore or reset-settings"
            )
        }
    }

    private static func one(_ operands: [String], for word: String) throws -> String {
        guard operands.count == 1 else {
            throw CommandError(.usage, "\(word) takes one pattern: its place, such as A1, its name or number")
        }
        return operands[0]
    }

    private static func sound(_ operands: [String], for word: String) throws -> String {
        guard operands.count == 1 else { throw CommandError(.usage, "\(word) takes one name of a sound") }
        return operands[0]
    }

    private static func tuning(_ operands: [String], for word: String) throws -> String {
        guard operands.count == 1 else { throw CommandError(.usage, "\(word) takes one name of a tuning") }
        return operands[0]
    }

    private static func takeNumber(_ operands: [String], for word: String) throws -> Int {
        guard operands.count == 1, let number = Int(operands[0]), number > 0 else {
            throw CommandError(.usage, "\(word) takes the number of one take")
        }
        return number
    }

    private static func sample(_ operands: [String], for word: String) throws -> SoundName {
        guard operands.count == 1 else { throw CommandError(.usage, "\(word) takes one name of a sample") }
        guard let name = SoundName(operands[0]) else {
            throw CommandError(
                .noInput, "there is no sample \(operands[0]); pixelboop library samples shows all of them")
        }
        return name
    }

    /// The cut of `--slices`; nil for none.
    private static func cut(_ arguments: Arguments) throws -> SliceCut? {
        if arguments["--slices"] == "onsets" { return .onsets }
        return try arguments.integer("--slices", in: 2...128, or: "onsets").map { .steps($0) }
    }

    /// The import of files: of sounds, or of anything else.
    private static func importAction(_ paths: [String], _ arguments: Arguments) throws -> Action {
        let cut = try cut(arguments)
        guard let text = arguments["--name"] else {
            let sounds = paths.filter { FileKind.of($0) == .sound }
            guard let sound = sounds.first else {
                guard cut == nil else { throw CommandError(.usage, "--slices is for sound files; name one") }
                return .importFiles(paths)
            }
            if let other = paths.first(where: { FileKind.of($0) != .sound }) {
                throw CommandError(.usage, "\(sound) is a sound, and \(other) is not; import them one after the other")
            }
            return .importSamples(sounds, as: nil, cut)
        }
        guard paths.count == 1 else { throw CommandError(.usage, "--name is for one sound file; name one") }
        guard let name = SoundName(text) else {
            throw CommandError(
                .usage,
                "--name is \(text), should be one to eight of the panel's letters: A to Z, 0 to 9 and signs")
        }
        return .importSamples(paths, as: name, cut)
    }

    private static func path(_ operands: [String], for word: String) throws -> String {
        guard operands.count == 1, operands[0] != "-" else {
            throw CommandError(.usage, "\(word) takes one path, of the backup")
        }
        return operands[0]
    }

    private static func export(_ word: String, _ arguments: Arguments) throws -> Action {
        guard let path = arguments["-o"] else { throw CommandError(.usage, "-o is missing; name the output file") }
        guard let bank = Bank(letter: word) else { return .export(word, to: path) }
        guard arguments["--revision"] == nil else {
            throw CommandError(.usage, "--revision is for a pattern, not a bank")
        }
        guard !arguments.has("--song") else {
            throw CommandError(.usage, "--song is for a pattern, not a bank, of which documents are written")
        }
        guard path != "-", PatternFile.kind(of: path) == nil else {
            throw CommandError(.usage, "-o is \(path), should be a folder: bank \(bank.letter) is one file per pattern")
        }
        return .exportBank(bank, to: path)
    }

    /// Runs the subcommand.
    func run(_ arguments: Arguments) throws {
        switch self {
        case .list: try LibraryActions(arguments).list()
        case .show(let word): try LibraryActions(arguments).show(word)
        case .export(let word, let path): try LibraryActions(arguments).export(word, to: path)
        case .exportBank(let bank, let folder): try LibraryActions(arguments).export(bank, to: folder)
        case .importFiles(let paths):
            // Files are read before a library is created: if one is invalid, nothing is created.
            let bank = try Bank(arguments) ?? .a
            var patterns = PatternImport()
            let bar = ProgressBar("importing \(paths[0])")
            defer { bar.end() }
            // Reading takes most of the time.
            let reading = 0.9
            for (place, path) in paths.enumerated() {
                try patterns.add(path, to: bank) { bar.show(reading * (Double(place) + $0) / Double(paths.count)) }
            }
            let additions = patterns.additions
            try LibraryActions(arguments, as: .visitor, mayBegin: true).add(additions) { part in
                if part < 1 { bar.show(reading + (1 - reading) * part) } else { bar.end() }
            }
        case .presets: try LibraryActions(arguments).presets()
        case .exportSound(let name, let path): try LibraryActions(arguments).exportSound(name, to: path)
        case .importSounds(let paths):
            let presets = try paths.map { try SoundFiles.read($0) }
            try LibraryActions(arguments, as: .visitor, mayBegin: true).keep(presets)
        case .removeSound(let name): try LibraryActions(arguments, as: .visitor).removeSound(name)
        case .tunings: try LibraryActions(arguments).tunings()
        case .exportTuning(let name, let path): try LibraryActions(arguments).exportTuning(name, to: path)
        case .importTunings(let paths):
            let tunings = try TuningFiles.read(paths)
            try LibraryActions(arguments, as: .visitor, mayBegin: true).keep(tunings)
        case .removeTuning(let name): try LibraryActions(arguments, as: .visitor).removeTuning(name)
        case .takes: try TakeActions(arguments).list()
        case .exportTake(let number, let path): try TakeActions(arguments).export(number, to: path)
        case .removeTake(let number): try TakeActions(arguments).remove(number)
        case .importSamples(let paths, let name, let cut):
            let kits = try SampleActions(arguments).importFiles(paths, as: name, cut)
            if !kits.isEmpty { try LibraryActions(arguments, as: .visitor, mayBegin: true).keep(kits) }
        case .samples: try SampleActions(arguments).list()
        case .exportSample(let name, let path): try SampleActions(arguments).export(name, to: path)
        case .removeSample(let name): try SampleActions(arguments).remove(name)
        case .check: try LibraryActions(arguments).check()
        case .repair: try LibraryActions(arguments, as: .visitor).repair()
        case .backup(let path, let isWhole):
            let library = try LibraryActions(arguments)
            if isWhole { try library.backupWhole(to: path) } else { try library.backup(to: path) }
        case .restore(let path): try LibraryActions.restore(arguments, from: path)
        case .resetSettings: try LibraryActions(arguments, as: .visitor).resetSettings()
        }
    }
}
