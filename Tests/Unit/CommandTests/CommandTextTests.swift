import Foundation
import TestSupport
import TestTags
import Testing

@testable import Commands

/// The texts that are made from the help of the commands: the man page and the completions of shells.
@Suite("Texts of the commands", .tags(.live))
struct CommandTextTests {
    @Test("the package's man page and completions are those of the commands: `make command-texts`")
    func current() throws {
        #expect(try Checkout.text("deploy/debian/pixelboop.1") == ManualPage.text(Main.commands))
        for shell in Completion.allCases {
            let script = try Checkout.text("deploy/completions/pixelboop.\(shell.rawValue)")
            #expect(script == shell.script(Main.commands, first: Main.run), "\(shell)")
        }
    }

    @Test("every option of a command has a description in its help")
    func described() {
        for command in Main.commands {
            for option in command.completions { #expect(!option.description.isEmpty, "\(command.name) \(option.name)") }
            let known = Set(command.options + command.pairs + command.flags)
            #expect(Set(command.completions.map(\.name)) == known, "\(command.name)")
            #expect(!HelpText(command).summary.isEmpty, "\(command.name)")
        }
    }

    /// A command line whose last word is completed, and words among the proposals and not among them.
    struct Line: CustomTestStringConvertible, Sendable {
        let words: [String]
        let proposed: [String]
        let absent: [String]
        var testDescription: String { words.joined(separator: " ") }
    }

    static let lines: [Line] = [
        Line(words: ["pixelboop", ""], proposed: ["run", "library", "completion"], absent: ["--panel", "list"]),
        Line(words: ["pixelboop", "re"], proposed: ["replay", "render"], absent: ["run"]),
        Line(words: ["pixelboop", "--pa"], proposed: ["--panel"], absent: ["--config"]),
        Line(words: ["pixelboop", "--panel", ""], proposed: ["spi", "web", "terminal", "none"], absent: ["run"]),
        Line(words: ["pixelboop", "guide", "x.xml", "--panel", "w"], proposed: ["web"], absent: ["spi"]),
        Line(words: ["pixelboop", "library", ""], proposed: ["list", "export-sound", "repair"], absent: ["--bank"]),
        Line(words: ["pixelboop", "library", "list", "--"], proposed: ["--bank", "--json"], absent: ["list"]),
        Line(words: ["pixelboop", "render", "Pack"], proposed: ["Package.swift"], absent: ["README.md"]),
        Line(words: ["pixelboop", "replay", "s", "--wire", "Sou"], proposed: ["Sources"], absent: []),
        Line(words: ["pixelboop", "render", "--loops", ""], proposed: [], absent: ["run", "Package.swift"]),
    ]

    @Test("bash proposes commands, actions, options, values and files", arguments: lines)
    func bash(line: Line) throws {
        let script = """
            source deploy/completions/pixelboop.bash
            compopt() { :; }
            COMP_WORDS=("$@")
            COMP_CWORD=$(($# - 1))
            _pixelboop
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let proposals = try output("bash", ["-c", script, "bash"] + line.words).split(separator: "\n").map(String.init)
        for word in line.proposed { #expect(proposals.contains(word), "\(proposals)") }
        for word in line.absent { #expect(!proposals.contains(word), "\(proposals)") }
    }

    @Test("fish proposes commands, actions, options and values")
    func fish() throws {
        func proposals(_ line: String) throws -> [String] {
            try output("fish", ["-c", "source deploy/completions/pixelboop.fish; complete -C '\(line)'"])
                .split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        }
        let commands = try proposals("pixelboop re")
        #expect(Set(commands).isSuperset(of: ["replay", "render"]))
        let actions = try proposals("pixelboop library exp")
        #expect(actions.contains("export") && actions.contains("export-sound"))
        let options = try proposals("pixelboop replay --wi")
        #expect(options == ["--wire"])
        let values = try proposals("pixelboop panel walk --by r")
        #expect(values == ["rows"])
    }

    @Test("zsh takes its completions for a function without errors")
    func zsh() throws {
        let script = """
            autoload -Uz compinit && compinit -u -D
            fpath=(deploy/completions $fpath)
            functions[_test]="$(<deploy/completions/pixelboop.zsh)"
            print -r -- ${(k)functions[(I)_test]}
            """
        #expect(try output("zsh", ["-f", "-c", script]).split(separator: "\n") == ["_test"])
        #expect(try output("zsh", ["-n", "deploy/completions/pixelboop.zsh"]).isEmpty)
    }

    @Test("a progress bar shows the part that is done and the time left")
    func progress() {
        let bar = String(repeating: "#", count: 10) + String(repeating: ".", count: 20)
        #expect(ProgressBar.line("writing a.wav", 1 / 3, elapsed: 40) == "writing a.wav [\(bar)] 33 %, 1:20 left")
        #expect(ProgressBar.line("x", 0, elapsed: 2) == "x [\(String(repeating: ".", count: 30))]")
        #expect(ProgressBar.line("x", 1, elapsed: 9) == "x [\(String(repeating: "#", count: 30))] 100 %, 0:00 left")
    }

    /// Output of `program`, errors included.
    private func output(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = Checkout.root
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
