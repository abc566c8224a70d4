import Box
import Devices
import FoundationEssentials
import Glibc

@main
enum Main {
    static let commands: [Command] = [run, replay, render, library, guide, doctor, panel, touch, bench, version]

    static func main() {
        signal(SIGPIPE, SIG_IGN)
        do {
            try dispatch(Array(CommandLine.arguments.dropFirst()))
            // A full disk shows only when the buffer of standard output is written.
            guard fflush(nil) == 0 else { throw Files.cannotWrite("standard output", errno) }
        } catch let error as CommandError {
            tell(error.message)
            exit(error.status.rawValue)
        } catch let error as DeviceError {
            tell("\(error)")
            exit(ExitStatus.unavailable.rawValue)
        } catch {
            tell("\(error); this is a bug, please report it")
            exit(ExitStatus.software.rawValue)
        }
    }

    /// One line on standard error.
    static func tell(_ message: String) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        let text = "pixelboop: \(line)\n"
        // Nobody is left to be told that nobody can be told.
        _ = write(STDERR_FILENO, text, text.utf8.count)
    }

    private static func dispatch(_ words: [String]) throws {
        if words.first == "--help" || words.first == "help" { return print(overview) }
        // Without a command, or with options only, the box runs.
        let isCommand = words.first.map { !$0.hasPrefix("-") } ?? false
        let name = isCommand ? words[0] : run.name
        guard let command = commands.first(where: { $0.name == name }) else {
            let names = commands.map(\.name).joined(separator: ", ")
            throw CommandError(.usage, "there is no command \"\(name)\"; the commands are \(names)")
        }
        let rest = words.dropFirst(isCommand ? 1 : 0)
        if rest.contains("--help") { return print("Usage: \(command.usageLine)\n\n\(command.help)") }
        try command.run(try Arguments(rest, of: command))
    }

    private static var overview: String {
        """
        PixelBoop: a music sequencer on a panel of 44 × 24 lights.

        Usage:
        \(commands.map { "    " + $0.usageLine }.joined(separator: "\n"))

        Each command explains itself with --help. "-" is standard input or output.
        """
    }
}
