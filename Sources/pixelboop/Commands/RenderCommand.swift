import Box
import Formats

extension Main {
    static let render = Command(
        "render", usage: "PATTERN.json -o F.wav|F.mid|F.png [--loops N] [--rate HZ]",
        help: """
            Writes a pattern as sound, notes or a picture, by the ending of the file's name.

                -o F.wav      48 kHz, 32-bit float, stereo; the last notes ring out; levels compare between files
                -o F.mid      Standard MIDI File, type 1: one track for each of the four, channels 1, 2, 3 and 10
                -o F.png      the panel with the pattern, one pixel an LED
                --loops N     times that the pattern is played, 1-1000; else once
                --rate HZ     frames a second of the sound: 44100, 48000 or 96000
                --config FILE changes nothing here: it is taken as by every command
            """,
        options: ["-o", "--loops", "--rate", "--config"], operands: 1...1
    ) { arguments in
        guard let path = arguments["-o"] else { throw CommandError(.usage, "-o is missing; say where to write to") }
        let options = try PatternFile.Options(arguments)
        let document = try Files.document(arguments.operands[0]) { bytes throws(FormatError) in
            try PatternDocument(parsing: bytes)
        }
        try PatternFile.write(document, to: path, as: [.wav, .mid, .png], options)
    }
}
