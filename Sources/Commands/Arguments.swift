import Box
import Documents
import Formats

/// The parsed command line of one command: `--name value`, `--name=value`, `--name one other`, `--flag`, operands; `--`
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
                    throw Self.misused(command, "\(name) is given twice")
                }
            } else if command.pairs.contains(name), parts.count == 1 {
                guard let one = rest.popFirst(), let other = rest.popFirst() else {
                    throw Self.misused(command, "\(name) needs two values")
                }
                guard pairs.updateValue((one, other), forKey: name) == nil else {
                    throw Self.misused(command, "\(name) is given twice")
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

    /// The option's value as a date such as 2026-03-29, in days since 1970-01-01.
    func day(_ option: String) throws -> Int? {
        guard let text = values[option] else { return nil }
        guard let day = LocalTime.day(ofDate: text) else {
            throw CommandError(.usage, "\(option) is \(text), should be a date as 2026-03-29")
        }
        return day
    }

    /// The option's value as a whole number in `range`; `word` is what else it may be.
    func integer(_ option: String, in range: ClosedRange<Int>, or word: String? = nil) throws -> Int? {
        guard let text = values[option] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            let other = word.map { ", or \($0)" } ?? ""
            throw CommandError(
                .usage,
                "\(option) is \(text), should be a whole number from \(range.lowerBound) to \(range.upperBound)\(other)"
            )
        }
        return value
    }

    /// The option's value as one of `choices`, in rising order.
    func integer(_ option: String, oneOf choices: [Int]) throws -> Int? {
        guard let value = try integer(option, in: choices[0]...choices[choices.count - 1]) else { return nil }
        guard choices.contains(value) else {
            throw CommandError(.usage, "\(option) is \(value), should be \(String(oneOf: choices))")
        }
        return value
    }

    /// The option's value as a choice, by raw value.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ option: String) throws -> Choice? {
        guard let word = self[option] else { return nil }
        guard let choice = Choice(rawValue: word) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandError(.usage, "\(option) is \(word), should be one of \(words)")
        }
        return choice
    }
}
