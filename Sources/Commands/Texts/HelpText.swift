/// The parts of a command's help: paragraphs, and entries of options, operands and subcommands.
struct HelpText {
    /// A term and its explanation.
    struct Entry: Hashable {
        /// Such as `--loops N`; several terms are separated by commas.
        let term: String
        let description: String
    }

    /// Paragraphs, each on one line.
    let paragraphs: [String]
    let entries: [Entry]

    /// The parts of the help of `command`. Entries begin with four spaces or with the command's name, and have two
    /// spaces or more before the explanation; its further lines are indented.
    init(_ command: Command) {
        var paragraphs: [String] = []
        var entries: [Entry] = []
        /// Whether the line before was of an entry.
        var isEntry = false
        var isNew = true
        for line in command.help.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = String(line.drop { $0 == " " })
            let indent = line.count - text.count
            let begins = indent == 4 || (indent == 0 && text.hasPrefix("\(command.name) "))
            if text.isEmpty {
                isNew = true
                isEntry = false
            } else if indent == 4, text.hasPrefix("--"), !text.contains("  ") {
                // A long term; its explanation begins on the next line.
                entries.append(Entry(term: text, description: ""))
                isEntry = true
            } else if begins, let entry = Self.entry(text) {
                entries.append(entry)
                isEntry = true
            } else if isEntry, indent > 0 {
                let last = entries.removeLast()
                let description = last.description.isEmpty ? text : "\(last.description) \(text)"
                entries.append(Entry(term: last.term, description: description))
            } else if isNew || paragraphs.isEmpty {
                paragraphs.append(text)
                isNew = false
            } else {
                paragraphs[paragraphs.count - 1] += " \(text)"
            }
        }
        self.paragraphs = paragraphs
        self.entries = entries
    }

    /// The entry on a line; nil without a gap of two spaces.
    private static func entry(_ line: String) -> Entry? {
        let letters = Array(line)
        guard let gap = letters.indices.dropLast().first(where: { letters[$0] == " " && letters[$0 + 1] == " " }) else {
            return nil
        }
        return Entry(
            term: String(letters[..<gap]), description: String(String(letters[gap...]).drop { $0 == " " }))
    }

    /// The first sentence of the first paragraph, without its full stop.
    var summary: String {
        let first = paragraphs.first ?? ""
        let letters = Array(first)
        let end = letters.indices.first { letters[$0] == "." && ($0 + 1 == letters.count || letters[$0 + 1] == " ") }
        return String(letters[..<(end ?? letters.count)])
    }
}

extension Command {
    /// An option as a shell completes it.
    struct Option: Hashable {
        /// Such as `--loops`.
        let name: String
        /// The first explanation of it; empty without one.
        let description: String
        let value: Value
    }

    /// The value of an option.
    enum Value: Hashable {
        case none
        /// One of these words.
        case choice([String])
        case file
        case folder
        /// Anything else; such as `HZ`.
        case text(String)
    }

    /// Options in the order of the help. An option that works as for run is described there.
    var completions: [Option] {
        let terms = HelpText(self).entries.flatMap { entry in
            entry.term.split(separator: ",").map { part in
                (words: part.split(separator: " ").map(String.init), description: entry.description)
            }
        }
        let described = terms.compactMap(\.words.first).filter { $0.hasPrefix("-") }
        let names = (described + options + pairs + flags).reduce(into: [String]()) { names, name in
            if !names.contains(name), options.contains(name) || pairs.contains(name) || flags.contains(name) {
                names.append(name)
            }
        }
        return names.map { name in
            let own = terms.filter { $0.words.first == name }
            if own.first?.description == "as for run",
                let option = Main.run.completions.first(where: { $0.name == name })
            {
                return option
            }
            let values = own.compactMap { $0.words.dropFirst().first }
            return Option(
                name: name, description: own.first?.description ?? "",
                value: flags.contains(name) ? .none : Self.value(values))
        }
    }

    /// The value that the help writes as `words`.
    private static func value(_ words: [String]) -> Value {
        guard let first = words.first else { return .file }
        let choices = words.flatMap { $0.split(separator: "|").map(String.init) }
            .filter { $0.allSatisfy { $0.isLowercase || $0 == "-" } }
        if !choices.isEmpty { return .choice(choices) }
        if first == "FOLDER" { return .folder }
        return first == "FILE" || first.contains(".") ? .file : .text(first)
    }

    /// The words that the help explains as the first operand, such as `list` of `library list`.
    var subcommands: [(name: String, description: String)] {
        var all: [(name: String, description: String)] = []
        for entry in HelpText(self).entries {
            let words = entry.term.split(separator: " ").map(String.init)
            guard words.count > 1, words[0] == name, !all.contains(where: { $0.name == words[1] }) else { continue }
            all.append((words[1], entry.description))
        }
        return all
    }
}
