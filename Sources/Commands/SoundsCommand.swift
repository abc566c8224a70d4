import Box
import Instrument
import Replay

extension Main {
    static let sounds = Command(
        "sounds", usage: "FOLDER [--rate HZ]",
        help: """
            Writes a phrase with each factory sound and kit as a WAV file: bass-ROUND.wav, rhythm-ANALOG.wav. Each sound plays
            the phrase of the track that it was made for; PLAIN plays all four.

                FOLDER        for the files; created if missing
                --rate HZ     sample rate: 44100, 48000 or 96000
                --config FILE  accepted, as by every command; has no effect here
            """,
        options: ["--rate", "--config"], operands: 1...1
    ) { arguments in
        let options = try PatternFile.Options(arguments)
        let folder = arguments.operands[0]
        try Files.makeFolder(folder)
        let sounds = Track.allCases.flatMap { track in
            let plain = FactorySounds.list(for: track).prefix(track == .rhythm ? 0 : 1)
            return (plain + FactorySounds.home(track)).map { (track: track, sound: $0) }
        }
        let bar = ProgressBar("writing \(folder)")
        defer { bar.end() }
        for (number, (track, sound)) in sounds.enumerated() {
            bar.show(Double(number) / Double(sounds.count))
            let path = "\(folder)/\(track.name)-\(sound.name.text).wav"
            try PatternFile.write(
                SoundPhrase.document(track, sound), named: sound.name.text, to: path, as: [.wav], options)
        }
    }
}
