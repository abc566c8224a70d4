/// Completions of the command line for shells, from the texts of `--help`.
enum Completion: String, CaseIterable {
    case bash, zsh, fish

    private static let origin = "Made by `pixelboop completion`, which `make command-texts` runs."

    /// The script that completes `commands`; `first` is the command that runs without a name.
    func script(_ commands: [Command], first: Command) -> String {
        switch self {
        case .bash: Self.bashScript(commands, first)
        case .zsh: Self.zshScript(commands, first)
        case .fish: Self.fishScript(commands, first)
        }
    }

    // MARK: - bash

    private static func bashScript(_ commands: [Command], _ first: Command) -> String {
        let values = commands.flatMap { command in
            command.completions.compactMap { option -> String? in
                let words = "\(command.name):\(option.name)"
                switch option.value {
                case .none: return nil
                case .choice(let choices): return "    \(words)) words='\(choices.joined(separator: " "))' ;;"
                case .file: return "    \(words)) files=-f ;;"
                case .folder: return "    \(words)) files=-d ;;"
                case .text: return "    \(words)) return ;;"
                }
            }
        }
        let options = commands.map { command in
            "    \(command.name)) words='\((command.completions.map(\.name) + ["--help"]).joined(separator: " "))' ;;"
        }
        let subcommands = commands.filter { !$0.subcommands.isEmpty }.map { command in
            "    \(command.name)) words='\(command.subcommands.map(\.name).joined(separator: " "))' ;;"
        }
        return """
            # bash completion of pixelboop. \(origin)

            _pixelboop() {
                local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]} command=\(first.name) place=0 words='' files=''
                if [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} != -* ]]; then
                    command=${COMP_WORDS[1]}
                    place=$((COMP_CWORD - 1))
                fi
                case $command:$last in
            \(values.joined(separator: "\n"))
                esac
                if [[ -z $words$files && $word == -* ]]; then
                    case $command in
            \(indented(options).joined(separator: "\n"))
                    esac
                elif [[ -z $words$files && $COMP_CWORD -eq 1 ]]; then
                    words='\(commands.map(\.name).joined(separator: " "))'
                elif [[ -z $words$files && $place -eq 1 ]]; then
                    case $command in
            \(indented(subcommands).joined(separator: "\n"))
                    esac
                fi
                if [[ -n $words ]]; then
                    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
                else
                    mapfile -t COMPREPLY < <(compgen "${files:--f}" -- "$word")
                    compopt -o filenames
                fi
            }
            complete -F _pixelboop pixelboop

            """
    }

    private static func indented(_ lines: [String]) -> [String] { lines.map { "    \($0)" } }

    // MARK: - zsh

    private static func zshScript(_ commands: [Command], _ first: Command) -> String {
        let names = commands.map { "        \(quoted("\($0.name):\(HelpText($0).summary)"))" }
        let cases = commands.map { command in
            let options = command.completions.map { option in
                let head = "\(option.name)\(bracketed(option.description))"
                return switch option.value {
                case .none: head
                case .choice(let choices): "\(head):value:(\(choices.joined(separator: " ")))"
                case .file: "\(head):file:_files"
                case .folder: "\(head):folder:_files -/"
                case .text(let name): "\(head):\(name): "
                }
            }
            let words = command.subcommands.map { "\($0.name)\\:\(colonless(quoteless($0.description)))" }
            let operands = words.isEmpty ? [] : ["1:action:((\(words.map { "\"\($0)\"" }.joined(separator: " "))))"]
            let specs = (options + ["--help[Explains the command.]"] + operands + ["*:file:_files"]).map { quoted($0) }
            return "        \(command.name)) _arguments -S \\\n            "
                + specs.joined(separator: " \\\n            ") + " ;;"
        }
        return """
            #compdef pixelboop
            # zsh completion of pixelboop. \(origin)

            _pixelboop() {
                local -a commands=(
            \(names.joined(separator: "\n"))
                )
                local command=\(first.name)
                if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
                    _describe command commands
                    return
                fi
                if [[ $words[2] != -* ]]; then
                    command=$words[2]
                    shift words
                    ((CURRENT--))
                fi
                case $command in
            \(cases.joined(separator: "\n"))
                esac
            }
            _pixelboop "$@"

            """
    }

    private static func bracketed(_ description: String) -> String {
        let escaped = description.map { "[]\\".contains($0) ? "\\\($0)" : String($0) }.joined()
        return "[\(escaped)]"
    }

    private static func colonless(_ text: String) -> String {
        text.map { $0 == ":" ? "\\:" : String($0) }.joined()
    }

    private static func quoteless(_ text: String) -> String { text.filter { $0 != "\"" && $0 != "`" && $0 != "$" } }

    // MARK: - fish

    private static func fishScript(_ commands: [Command], _ first: Command) -> String {
        let names = commands.map { command in
            "complete -c pixelboop -f -n __fish_use_subcommand -a \(command.name) -d \(quoted(HelpText(command).summary))"
        }
        let lines = commands.flatMap { command in
            let seen = "__fish_seen_subcommand_from \(command.name)"
            let condition = command.name == first.name ? "__fish_use_subcommand; or \(seen)" : seen
            let head = "complete -c pixelboop -n \(quoted(condition))"
            let subcommands = command.subcommands.map { "\(head) -a \($0.name) -d \(quoted($0.description))" }
            let options = command.completions.map { option in
                let isLong = option.name.hasPrefix("--")
                let name = isLong ? "-l \(option.name.dropFirst(2))" : "-s \(option.name.dropFirst())"
                let value =
                    switch option.value {
                    case .none: ""
                    case .choice(let choices): " -x -a \(quoted(choices.joined(separator: " ")))"
                    case .file: " -r -F"
                    case .folder: " -x -a '(__fish_complete_directories)'"
                    case .text: " -x"
                    }
                let description = option.description.isEmpty ? "" : " -d \(quoted(option.description))"
                return "\(head) \(name)\(value)\(description)"
            }
            return subcommands + options
        }
        return (["# fish completion of pixelboop. \(origin)", ""] + names + lines).joined(separator: "\n") + "\n"
    }

    /// `text` between single quotes, for all three shells.
    private static func quoted(_ text: String) -> String {
        "'\(text.map { $0 == "'" ? "'\\''" : String($0) }.joined())'"
    }
}
