import Box

extension Main {
    static let completion = Command(
        "completion", usage: "bash|zsh|fish",
        help: """
            Prints the completions of this command line for a shell. The package installs all three.

            completion bash    for bash: source <(pixelboop completion bash)
            completion zsh     for zsh: save it as _pixelboop in a folder of fpath
            completion fish    for fish: pixelboop completion fish | source
            """,
        operands: 1...1
    ) { arguments in
        let word = arguments.operands[0]
        guard let shell = Completion(rawValue: word) else {
            throw CommandError(
                .usage, "the shell is \(word), should be \(String(oneOf: Completion.allCases.map(\.rawValue)))")
        }
        print(shell.script(commands, first: run), terminator: "")
    }

    static let manual = Command(
        "manual", usage: "",
        help: "Prints the man page, in roff; the package installs it."
    ) { _ in print(ManualPage.text(commands), terminator: "") }
}
