import Box
import Display
import Documents
import Formats
import Instrument
import Replay
import Runtime

/// Writes a pattern, or a song, in the format of the file name's extension; the sound also as the parts of its mix.
struct PatternFile {
    /// Settings for sound and MIDI.
    struct Options {
        /// The part of the document that sounds.
        let extent: Extent
        /// Sample rate.
        let rate: Int
        /// Path of the library whose samples the pads play; nil for none.
        let library: String?

        /// The part of a document that sounds.
        enum Extent: Hashable {
            /// Its pattern, this many times.
            case loops(Int)
            /// Its pattern, until its tracks meet again.
            case meet
            /// Its song.
            case song
        }

        /// Range of the loops.
        static let loops = 1...1000
        private static let meet = "meet"

        /// The settings of `--loops`, `--song` and `--rate`. The pads play samples of the library at `library`, or of
        /// the library of `--library`.
        init(_ arguments: Arguments, library: String? = nil) throws {
            self.library = library ?? arguments["--library"]
            if arguments.has("--song"), let loops = arguments["--loops"] {
                throw CommandError(
                    .usage, "--song plays the song once, and --loops \(loops) is for one pattern; leave one of them out"
                )
            }
            if arguments.has("--song") {
                extent = .song
            } else if arguments["--loops"] == Self.meet {
                extent = .meet
            } else {
                extent = .loops(try arguments.integer("--loops", in: Self.loops, or: Self.meet) ?? 1)
            }
            rate = try arguments.integer("--rate", oneOf: Configuration.AudioSettings.rates) ?? 48_000
        }
    }

    /// The formats of a pattern.
    enum Kind: String, CaseIterable {
        case json, wav, mid, png
    }

    /// The format for the extension of `path`; nil if unknown.
    static func kind(of path: String) -> Kind? {
        path.split(separator: ".").last.flatMap { Kind(rawValue: $0.lowercased()) }
    }

    /// Writes `document`, which the player knows as `name`, to `path`, as one of `kinds`.
    static func write(
        _ document: PatternDocument, named name: String, to path: String, as kinds: [Kind], _ options: Options
    ) throws {
        let kind = kind(of: path)
        // The formats that sound.
        let loops = kind == .wav || kind == .mid ? try loops(of: document, named: name, options.extent) : nil
        if options.extent == .song, kind == .json || kind == .png {
            throw CommandError(.usage, "--song is for sound and MIDI, and -o is \(path); name a .wav or .mid file")
        }
        switch kind {
        case .json where kinds.contains(.json): try Files.write(Array(document.text().utf8), to: path)
        case .wav where kinds.contains(.wav):
            let file = try WaveWriter(path, rate: options.rate)
            render(document, loops: loops, options, title: path, take: file.append)
            try file.finish()
        case .mid where kinds.contains(.mid):
            let bytes = loops.map { MIDIFile.bytes(document, loops: $0) } ?? MIDIFile.songBytes(document)
            try Files.write(bytes, to: path)
        case .png where kinds.contains(.png):
            var instrument = Instrument()
            instrument.load(document)
            var frame = Frame(columns: instrument.columns, rows: Instrument.rows)
            instrument.draw(into: &frame, at: .zero)
            try Files.write(Picture.png(frame), to: path)
        default:
            let words = String(oneOf: kinds.map { ".\($0.rawValue)" })
            throw CommandError(.usage, "-o is \(path); its extension selects the format: \(words)")
        }
    }

    /// Writes the parts of the mix of `document`, which the player knows as `name`, to files in `folder`; the mix too, as
    /// a WAV file at `path`, unless that is nil.
    static func writeStems(
        _ document: PatternDocument, named name: String, to folder: String, mix path: String?, _ options: Options
    ) throws {
        let loops = try loops(of: document, named: name, options.extent)
        var stems: StemFiles? = try StemFiles(folder, rate: options.rate)
        if let path, StemFiles.areIn(folder, path) {
            throw CommandError(.usage, "-o is \(path), which --stems writes; choose another name")
        }
        let mix = try path.map { try WaveWriter($0, rate: options.rate) }
        render(
            document, loops: loops, options, title: folder, stems: { stems?.append($0) }, take: { mix?.append($0) })
        if let halvings = stems?.halvings, halvings > 0 {
            // The level is known only now: rendered again, as integers nothing is lost.
            stems = nil
            stems = try StemFiles(folder, rate: options.rate, halvings: halvings)
            render(
                document, loops: loops, options, title: folder, logs: false, stems: { stems?.append($0) },
                take: { _ in })
            let decibels = Double(602 * halvings) / 100
            Log.post("\(folder): every file is \(decibels) dB lower; at its own level a sample exceeds full scale")
        }
        try stems?.finish()
        try mix?.finish()
    }

    /// Renders `loops` of the pattern of `document`, or its song if that is nil, with a progress bar.
    private static func render(
        _ document: PatternDocument, loops: Int?, _ options: Options, title: String, logs: Bool = true,
        stems: Bounce.StemTaking? = nil, take: @escaping (UnsafeMutableBufferPointer<Float>) -> Void
    ) {
        let bar = ProgressBar("writing \(title)")
        func append(_ samples: UnsafeMutableBufferPointer<Float>, _ part: Double) {
            take(samples)
            bar.show(part)
        }
        func load(_ name: SoundName, into engine: Engine) -> LoadedSample? {
            Self.load(name, ofLibrary: options.library, into: engine, logs: logs)
        }
        if let loops {
            Bounce.render(document, loops: loops, rate: options.rate, load: load, stems: stems, take: append)
        } else {
            Bounce.renderSong(document, rate: options.rate, load: load, stems: stems, take: append)
        }
        bar.end()
    }

    /// Loads a sample; nil, and a message if it `logs`, if it cannot be loaded: its pads then play their drums.
    private static func load(
        _ name: SoundName, ofLibrary library: String?, into engine: Engine, logs: Bool
    ) -> LoadedSample? {
        func post(_ message: String) { if logs { Log.post(message) } }
        guard let library else {
            post("the sample \(name.text) is left out; --library FILE names the library that has it")
            return nil
        }
        do {
            return try EngineJobs.load(name, of: SampleFolder(ofLibrary: library), into: engine)
        } catch {
            post("\(error)")
            return nil
        }
    }

    /// The loops of the pattern of `document` that are played; nil for its song.
    private static func loops(
        of document: PatternDocument, named name: String, _ extent: Options.Extent
    ) throws -> Int? {
        switch extent {
        case .loops(let count): return count
        case .meet:
            let count = document.pattern.loopsToMeet
            guard Options.loops.contains(count) else {
                throw CommandError(
                    .badData,
                    "\(name): its tracks meet again after \(count) loops, more than \(Options.loops.upperBound); give a number "
                        + "to --loops")
            }
            return count
        case .song:
            guard !document.songPatterns.isEmpty else {
                throw CommandError(
                    .badData,
                    document.song.isEmpty
                        ? "\(name): has no song; put scenes in an order on the song sheet, or leave out --song"
                        : "\(name): all scenes of its song are empty; fill one, or leave out --song")
            }
            return nil
        }
    }
}
