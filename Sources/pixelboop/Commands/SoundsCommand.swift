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
                --config FILE accepted, as by every command; has no effect here
            """,
        options: ["--rate", "--config"], operands: 1...1
    ) { arguments in
        let options = try PatternFile.Options(arguments)
        let folder = arguments.operands[0]
        try Files.makeFolder(folder)
        for track in Track.allCases {
            let plain = FactorySounds.list(for: track).prefix(track == .rhythm ? 0 : 1)
            for sound in plain + FactorySounds.home(track) {
                let path = "\(folder)/\(track.name)-\(sound.name.text).wav"
                try PatternFile.write(SoundPhrase.document(track, sound), to: path, as: [.wav], options)
            }
        }
    }
}
