import Box
import Devices
import FoundationEssentials
import Glibc

/// The commands.
public enum Main {
    static let commands: [Command] = [
        run, replay, drive, render, sounds, library, guide, setup, doctor, devices, panel, touch, clock, bench,
        completion, manual, version,
    ]

    /// Runs the command that the words of the command line name. Ends the process with its exit status if it fails.
    public static func main() {
        signal(SIGPIPE, SIG_IGN)
        do {
            try dispatch(words(of: CommandLine.arguments))
            // A full disk shows only when the buffer of standard output is flushed.
            guard fflush(nil) == 0 else { throw Files.cannotWrite("standard output", errno) }
        } catch let error as CommandError {
            Log.post(error.message)
            exit(error.status.rawValue)
        } catch let error as DeviceError {
            Log.post("\(error)")
            exit(ExitStatus.unavailable.rawValue)
        } catch {
            Log.post("\(error); this is a bug, please report it")
            exit(ExitStatus.software.rawValue)
        }
    }

    /// The words of a command line behind the program's name. Swift reads it from /proc: without that it has not even
    /// the name.
    static func words(of commandLine: [String]) throws -> [String] {
        guard !commandLine.isEmpty else {
            throw CommandError(.unavailable, "the command line cannot be read: is /proc mounted?")
        }
        return Array(commandLine.dropFirst())
    }

    private static func dispatch(_ words: [String]) throws {
        if words.first == "--help" || words.first == "help" { return print(overview) }
        // Without a command, or with options only, run the box.
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

    /// Prints `text` and a line's end at once, for a reader who follows or answers.
    static func post(_ text: String) {
        print(text)
        fflush(nil)
    }

    private static var overview: String {
        """
        PixelBoop: a music sequencer on a panel of 44 × 24 LEDs.

        Usage:
        \(commands.map { "    " + $0.usageLine }.joined(separator: "\n"))

        Each command explains itself with --help. "-" is standard input or output.
        """
    }
}
