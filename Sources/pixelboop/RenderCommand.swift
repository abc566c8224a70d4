import Display
import Formats
import Instrument
import Simulator

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
            """,
        options: ["-o", "--loops", "--rate", "--config"], operands: 1...1
    ) { arguments in
        guard let path = arguments["-o"] else { throw CommandError(.usage, "-o is missing; say where to write to") }
        let loops = try arguments.integer("--loops", in: 1...1000) ?? 1
        let rate = try arguments.integer("--rate", in: 44_100...96_000) ?? 48_000
        guard [44_100, 48_000, 96_000].contains(rate) else {
            throw CommandError(.usage, "--rate is \(rate), should be 44100, 48000 or 96000")
        }
        let document = try Files.document(arguments.operands[0]) { bytes throws(FormatError) in
            try PatternDocument(parsing: bytes)
        }
        switch path.split(separator: ".").last {
        case "wav":
            let file = try WaveWriter(path, rate: rate)
            Bounce.render(document, loops: loops, rate: rate) { file.append($0) }
            try file.finish()
        case "mid": try Files.write(MIDIFile.bytes(document, loops: loops), to: path)
        case "png":
            var instrument = Instrument()
            instrument.load(document)
            var frame = Frame(columns: instrument.columns, rows: Instrument.rows)
            instrument.draw(into: &frame, at: .zero)
            try Files.write(Picture.png(frame), to: path)
        default:
            throw CommandError(.usage, "-o is \(path); its ending says what to write: .wav, .mid or .png")
        }
    }
}
