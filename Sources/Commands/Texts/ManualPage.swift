/// The man page, in roff (groff_man(7)), from the texts of `--help`.
enum ManualPage {
    /// The page for `commands`.
    static func text(_ commands: [Command]) -> String {
        let sections = commands.map { section($0) }.joined()
        return """
            .\\" Made by `pixelboop manual`, which `make command-texts` runs: change the help of the commands instead.
            .TH PIXELBOOP 1
            .SH NAME
            pixelboop \\- music sequencer on a panel of 44 by 24 LEDs
            .SH SYNOPSIS
            .B pixelboop
            .RI [ command ]
            .RI [ option ...]
            .br
            .B pixelboop
            .RI [ command ]
            .B \\-\\-help
            .SH DESCRIPTION
            .B pixelboop run
            is the box: it drives an LED panel, touch overlay, buttons, knobs and sound, or serves a page if there is no panel.
            This is the default command. The service
            .I pixelboop.service
            runs it from the machine's start on. Other commands replay, render, list and check, also on a machine without a box.
            .SH COMMANDS
            \(sections).SH EXIT STATUS
            0 on success; else that of
            .IR sysexits.h ,
            with one line on standard error that names the fix: 64 for a wrong command line, 65 for bad data, 66 for a missing
            file, 69 for something missing on this machine, 73 and 74 for write and read errors, 77 for a missing permission, 78
            for an invalid configuration.
            .SH FILES
            .TP
            .I /etc/pixelboop/config.json5
            the configuration of the service
            .TP
            .I /etc/default/pixelboop
            options of the service
            .TP
            .I /var/lib/pixelboop
            the library of the service, and
            .IR calibration.json ,
            the matrix of the touch overlay
            .TP
            .I /usr/share/doc/pixelboop
            every key of the configuration, and complete configurations
            .SH SEE ALSO
            .BR pixelboop-update (8),
            .BR pixelboop-reset (8)

            """
    }

    private static func section(_ command: Command) -> String {
        let help = HelpText(command)
        var lines = [".SS pixelboop \(escaped("\(command.name) \(command.usage)"))"]
        for (number, paragraph) in help.paragraphs.enumerated() {
            if number > 0 { lines.append(".PP") }
            lines.append(escaped(paragraph))
        }
        for entry in help.entries { lines += [".TP", ".B \(escaped(entry.term))", escaped(entry.description)] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// `text` on one line of roff: its backslashes and hyphens are themselves, and it begins no request.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for letter in text.drop(while: { $0 == " " }) {
            switch letter {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "\"": escaped += "\\(dq"
            case ".", "'": escaped += escaped.isEmpty ? "\\&\(letter)" : "\(letter)"
            default: escaped.append(letter)
            }
        }
        while escaped.hasSuffix(" ") { escaped.removeLast() }
        return escaped
    }
}
