import Box
import InputEvents
import Display
import Documents
import Drive
import Formats
import FoundationEssentials
import Glibc
import Instrument
import Library
import Panel
import Replay
import Runtime

extension Main {
    static let replay = Command(
        "replay",
        usage:
            "SCRIPT|RECORDING [--range X Y] [--start PATTERN.json] [--library FILE [--today YYYY-MM-DD] [--listings FILE.xml]] "
            + "[--until MS] [--loops N] [--pattern F.json] [--events F.jsonl] [--midi F.jsonl] [--frame F.png] [--picture F.png] [--film F.png] [--frames F.jsonl] [--wire FOLDER] [--wav F.wav] [--config FILE]",
        help: """
            Runs a touch script through the whole box on a virtual clock, as fast as possible, and writes the requested
            files. The same script always gives the same bytes, sound included. A recording of a touch device, by evemu-record
            or libinput record, takes the same path: a bug report is a test.

                --range X Y            largest values of a recording's axes, if it lacks them
                --start PATTERN.json   start with this pattern instead of an empty one
                --library FILE         start with this library's session, and save changes to it
                --today YYYY-MM-DD     today's date in its guide (default: the clock's)
                --listings FILE.xml    start on the guide with these television listings
                --until MS             end at this time (default: two seconds after the last line)
                --loops N              then press Play and run the pattern N times
                --pattern F.json       write the final pattern
                --events F.jsonl       write the notes started by the sequencer
                --midi F.jsonl         write the MIDI messages that the box sends
                --frame F.png          write the last frame, one pixel per LED
                --picture F.png        write the last frame as a picture of the panel
                --film F.png           write all frames as an animated PNG, up to 25 per second
                --frames F.jsonl       write every frame that the box draws: its time, and three bytes for each LED in base64
                --wire FOLDER          write the bytes for each LED chain: chain-0.bin and chain-0.jsonl, …
                --wav F.wav            write the sound: 48 kHz, 32-bit float, stereo, or with a channel of pulses
                --config FILE          the box of this configuration
            """,
        options: [
            "--start", "--library", "--today", "--listings", "--until", "--loops", "--pattern", "--events", "--midi",
            "--frame",
            "--picture", "--film", "--frames", "--wire", "--wav", "--config",
        ],
        pairs: [Arguments.range], operands: 1...1
    ) { arguments in
        let configuration = CalibrationFile(configuration: arguments["--config"]).calibrated(
            try Configuration.load(arguments["--config"]))
        var plan = try Replay.Plan(arguments, configuration)
        plan.start = try arguments["--start"].map { path in
            try Files.pattern(try Files.read(path, sizeMax: Files.documentSizeMax), from: path)
        }
        let rate = plan.script.rate ?? plan.rate
        // A recorded session is repeated on a copy: the next time begins with the same music.
        let copy = try plan.script.start == nil ? nil : arguments["--library"].map { try LibraryCopy(of: $0) }
        let library = try (copy?.path ?? arguments["--library"]).map { try Libraries.player($0, configuration) }
        if let library, let path = copy?.path ?? arguments["--library"] {
            let today = try arguments.day("--today")
            let listings = try arguments["--listings"].map { path in
                let listings = try ListingsFile.read(path)
                return { watched in ListingsFile.guide(listings, today: today, watched: watched) } as Librarian.Listings
            }
            if listings != nil { plan.initialEvents.append(.listings) }
            // The takes of a recorded session were kept by its own box.
            plan.play(library, at: path, today: today, listings: listings, keepsTakes: copy == nil)
        } else if let option = ["--today", "--listings"].first(where: { arguments[$0] != nil }) {
            throw CommandError(.usage, "\(option) is for a library's guide; name the library with --library FILE")
        }
        plan.until = try arguments.integer("--until", in: 0...86_400_000).map { Instant(milliseconds: Int64($0)) }
        plan.loops = try arguments.integer("--loops", in: 0...1000) ?? 0

        var observers = Replay.Observers()
        let events = try arguments["--events"].map { try OutputFile($0) }
        if let events { observers.note = { events.append(Array($0.line.utf8)) } }
        let midi = try arguments["--midi"].map { try OutputFile($0) }
        if let midi { observers.midi = { midi.append(Array($0.line(rate: rate).utf8)) } }
        let wires = try arguments["--wire"].map { try WireFolder($0, chains: configuration.panel.chains) }
        if let wires { observers.wire = { wires.append($0, chain: $1, at: $2) } }
        let channels = plan.channels
        let wave = try arguments["--wav"].map { try WaveWriter($0, rate: rate, channels: channels) }
        let bar = ProgressBar("replaying \(arguments.operands[0])")
        let length = Double(plan.expectedEnd.microseconds) / 1e6 * Double(rate)
        var heard = 0
        observers.sound = { samples in
            wave?.append(samples)
            heard += samples.count / channels
            bar.show(Double(heard) / max(1, length))
        }

        var film = Film()
        let frames = try arguments["--frames"].map { try OutputFile($0) }
        let isFilmed = arguments["--film"] != nil
        observers.frame = { frame, time in
            if isFilmed { film.show(frame, at: Int(time.microseconds / 1000)) }
            frames?.append(Array(frame.line(at: time).utf8))
        }

        let outcome = try Replay.run(plan, observers)
        bar.end()
        library?.flush()
        for notice in library?.drainNotices() ?? [] { Log.post(notice) }
        if let failure = library?.lastFailure { throw CommandError(.ioError, "\(failure)") }

        if let path = arguments["--pattern"] { try Files.write(Array(outcome.document.text().utf8), to: path) }
        try events?.finish()
        try midi?.finish()
        if let path = arguments["--frame"] { try Files.write(Picture.png(outcome.frame), to: path) }
        if let path = arguments["--film"] {
            try Files.write(film.png(until: Int(outcome.end.microseconds / 1000)) ?? [], to: path)
        }
        if let path = arguments["--picture"] { try Files.write(Picture.portrait(outcome.frame), to: path) }
        try frames?.finish()
        try wires?.finish()
        try wave?.finish()
    }
}

extension Replay.Plan {
    /// The plan for the named script or recording, on the box of `configuration`.
    fileprivate init(_ arguments: Arguments, _ configuration: Configuration) throws {
        let path = arguments.operands[0]
        let bytes = try Files.read(path)
        if TouchRecording.looksLikeRecording(bytes) {
            self.init(TouchScript([]))
            recording = try RecordedTouch(bytes, from: path, axes: try arguments.axes(), configuration)
        } else if arguments.pair(Arguments.range) != nil {
            throw CommandError(.usage, "\(Files.name(path)) is a touch script; \(Arguments.range) is for recordings")
        } else {
            self.init(
                try Files.parse(bytes, from: path) { bytes throws(FormatError) in try TouchScript(parsing: bytes) })
        }
        configure(configuration)
        initialEvents = [.facts(Facts(version: Main.versionNumber))]
    }
}

/// The bytes for each chain as files: `chain-N.bin`, all messages end to end, and `chain-N.jsonl`, one line per frame.
private final class WireFolder {
    private var files: [(bytes: OutputFile, lines: OutputFile, hertz: Int, offset: Int)] = []

    init(_ path: String, chains: [PanelConfiguration.Chain]) throws {
        try Files.makeFolder(path)
        for (number, chain) in chains.enumerated() {
            let name = "\(path)/chain-\(number)"
            files.append((try OutputFile(name + ".bin"), try OutputFile(name + ".jsonl"), chain.hertz, 0))
        }
    }

    func append(_ message: [UInt8], chain: Int, at: Instant) {
        let line = JSON.object([
            "at": .number(milliseconds: Double(at.microseconds) / 1000), "offset": .integer(files[chain].offset),
            "length": .integer(message.count), "hertz": .integer(files[chain].hertz),
        ])
        files[chain].bytes.append(message)
        files[chain].lines.append(Array((line.text(pretty: false) + "\n").utf8))
        files[chain].offset += message.count
    }

    func finish() throws {
        for file in files {
            try file.bytes.finish()
            try file.lines.finish()
        }
    }
}

extension Frame {
    /// Line of a file of frames: time in milliseconds, and three bytes for each LED, row by row.
    fileprivate func line(at time: Instant) -> String {
        JSON.object([
            "at": JSON.number(milliseconds: Double(time.microseconds) / 1000),
            "rgb": .string(Data(bytes).base64EncodedString()),
        ]).text(pretty: false) + "\n"
    }
}

extension MIDISender.Message {
    /// Line of a file of sent messages: time in milliseconds, engine frame and bytes in hexadecimal.
    fileprivate func line(rate: Int) -> String {
        return JSON.object([
            "at": JSON.number(milliseconds: Double(frame) * 1000 / Double(rate)),
            "frame": .integer(Int(frame)),
            "bytes": .string(String(midi: bytes)),
        ]).text(pretty: false) + "\n"
    }
}
