import Box
import Formats

extension Main {
    static let devices = Command(
        "devices",
        usage: "sound|touch [--test NAME] [--config FILE]",
        help: """
            Lists the devices that the configuration can name, one a line: its name, a tab, and what it is. The card's setup page
            offers these.

            devices sound   the sound devices, for audio.device
            devices touch   the touch devices, for touch.device

                --test NAME    sound: play a short, quiet tone through this device instead; a running box may keep it busy
                --config FILE  read this configuration
            """,
        options: ["--test", "--config"], operands: 1...1
    ) { arguments in
        let choices: [DeviceChoice]
        switch arguments.operands[0] {
        case "sound":
            let settings = try Configuration.load(arguments["--config"]).audio
            if let name = arguments["--test"] { return try TestTone.play(on: name, settings) }
            choices = DeviceChoice.sound(settings)
        case "touch":
            if arguments["--test"] != nil {
                throw CommandError(.usage, "--test is for devices sound; pixelboop touch monitor shows touches")
            }
            choices = DeviceChoice.touch()
        case let word: throw CommandError(.usage, "devices \(word): should be devices sound or devices touch")
        }
        for choice in choices { print("\(choice.name)\t\(choice.title)") }
    }
}
