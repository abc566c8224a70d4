import Formats
/// Exit statuses, as sysexits.h numbers them.
enum ExitStatus: Int32 {
    case ok = 0
    /// The command line is wrong.
    case usage = 64
    /// A document is wrong.
    case badData = 65
    /// An input is not there.
    case noInput = 66
    /// A device or service is not to be had.
    case unavailable = 69
    /// A bug.
    case software = 70
    /// An output cannot be made.
    case cannotCreate = 73
    /// Reading or writing failed.
    case ioError = 74
    /// The user may not do that.
    case noPermission = 77
    /// The configuration is wrong.
    case badConfiguration = 78
}

/// Why a command ended: one line for the user, and the status for the shell.
struct CommandError: Error, CustomStringConvertible {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    var description: String { message }
}

/// One command of the executable.
struct Command: Sendable {
    /// The word that names it.
    let name: String
    /// What stands after the name in its usage line.
    let usage: String
    /// What it does, and its options, for `--help`.
    let help: String
    /// Options that take a value.
    let options: [String]
    /// Options that take two values.
    let pairs: [String]
    /// Options that take none.
    let flags: [String]
    /// How many operands it takes.
    let operands: ClosedRange<Int>
    /// Does it.
    let run: @Sendable (Arguments) throws -> Void

    init(
        _ name: String, usage: String, help: String, options: [String] = [], pairs: [String] = [],
        flags: [String] = [], operands: ClosedRange<Int> = 0...0, run: @escaping @Sendable (Arguments) throws -> Void
    ) {
        self.name = name
        self.usage = usage
        self.help = help
        self.options = options
        self.pairs = pairs
        self.flags = flags
        self.operands = operands
        self.run = run
    }

    var usageLine: String { "pixelboop \(name) \(usage)" }
}

/// The command line of one command, taken apart: `--name value`, `--name=value`, `--name one other`, `--flag`, operands; `--`
/// ends the options and `-` is an operand.
struct Arguments {
    private(set) var operands: [String] = []
    private var values: [String: String] = [:]
    private var pairs: [String: (String, String)] = [:]
    private var flags: Set<String> = []

    init(_ words: ArraySlice<String>, of command: Command) throws {
        var rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0]
            if command.flags.contains(name), parts.count == 1 {
                flags.insert(name)
            } else if command.options.contains(name) {
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    throw Self.misused(command, "\(name) needs a value")
                }
                guard values.updateValue(value, forKey: name) == nil else {
                    throw Self.misused(command, "\(name) stands twice")
                }
            } else if command.pairs.contains(name), parts.count == 1 {
                guard let one = rest.popFirst(), let other = rest.popFirst() else {
                    throw Self.misused(command, "\(name) needs two values")
                }
                guard pairs.updateValue((one, other), forKey: name) == nil else {
                    throw Self.misused(command, "\(name) stands twice")
                }
            } else {
                throw Self.misused(command, "unknown option \(word)")
            }
        }
        guard command.operands.contains(operands.count) else {
            let problem = operands.count < command.operands.lowerBound ? "an operand is missing" : "too many operands"
            throw Self.misused(command, problem)
        }
    }

    private static func misused(_ command: Command, _ problem: String) -> CommandError {
        CommandError(.usage, "\(problem); usage: \(command.usageLine)")
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    subscript(option: String) -> String? { values[option] }

    func pair(_ option: String) -> (String, String)? { pairs[option] }

    /// The option's value as a day, written as in 2026-03-29, in days since 1970-01-01.
    func day(_ option: String) throws -> Int? {
        guard let text = values[option] else { return nil }
        guard let day = LocalTime.day(ofDate: text) else {
            throw CommandError(.usage, "\(option) is \(text), should be a date as 2026-03-29")
        }
        return day
    }

    /// The option's value as a whole number in `range`.
    func integer(_ option: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = values[option] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw CommandError(
                .usage, "\(option) is \(text), should be a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return value
    }

    /// The option's value as one of the choices, by its word.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ option: String) throws -> Choice? {
        guard let word = self[option] else { return nil }
        guard let choice = Choice(rawValue: word) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandError(.usage, "\(option) is \(word), should be one of \(words)")
        }
        return choice
    }
}
