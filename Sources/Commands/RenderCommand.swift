import Box

extension Main {
    static let render = Command(
        "render",
        usage: "PATTERN.json [-o F.wav|F.mid|F.png] [--stems FOLDER] [--loops N|meet | --song] [--rate HZ] "
            + "[--library FILE]",
        help: """
            Writes a pattern, or the song of its scenes, as sound, MIDI or a picture, by the file's extension.

                -o F.wav      48 kHz, 32-bit float, stereo; the last notes ring out; levels are comparable between files
                -o F.mid      Standard MIDI File, type 1: one track for each of the four, channels 1, 2, 3 and 10
                -o F.png      the panel with the pattern, one pixel per LED
                --stems FOLDER  the parts of the mix, of the same length as F.wav: melody.wav, chords.wav, bass.wav and
                              rhythm.wav, and sends.wav with delay and reverberation; 24-bit, before the master's
                              compressor, tone, volume and limiter; with -o F.wav both are written
                --loops N     times that the pattern is played, 1-1000 (default 1); meet: until its tracks, whatever their
                              lengths and divisions, begin together again, at most 1000 times
                --song        the song of its scenes, with their repeats, from its start to its end, as sound or MIDI
                --rate HZ     sample rate: 44100, 48000 or 96000
                --library FILE  the library whose samples the pads play
                --config FILE  accepted, as by every command; has no effect here
            """,
        options: ["-o", "--stems", "--loops", "--rate", "--library", "--config"], flags: ["--song"], operands: 1...1
    ) { arguments in
        let (path, stems) = (arguments["-o"], arguments["--stems"])
        if let path, stems != nil, PatternFile.kind(of: path) != .wav {
            throw CommandError(.usage, "--stems is for sound, and -o is \(path); name a .wav file, or leave out -o")
        }
        guard path != nil || stems != nil else {
            throw CommandError(.usage, "-o is missing; name the output file, or a folder by --stems")
        }
        let options = try PatternFile.Options(arguments)
        let pattern = arguments.operands[0]
        let document = try Files.pattern(try Files.read(pattern, sizeMax: Files.documentSizeMax), from: pattern)
        if let stems {
            try PatternFile.writeStems(document, named: Files.name(pattern), to: stems, mix: path, options)
        } else if let path {
            try PatternFile.write(document, named: Files.name(pattern), to: path, as: [.wav, .mid, .png], options)
        }
    }
}
