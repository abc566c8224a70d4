import Box
import Display
import Formats
import Instrument
import Replay

/// Writes a pattern in the format of the file name's extension.
struct PatternFile {
    /// Settings for sound and MIDI.
    struct Options {
        /// Number of loops.
        var loops = 1
        /// Sample rate.
        var rate = 48_000

        /// The settings of `--loops` and `--rate`.
        init(_ arguments: Arguments) throws {
            loops = try arguments.integer("--loops", in: 1...1000) ?? loops
            rate = try arguments.integer("--rate", oneOf: Configuration.AudioSettings.rates) ?? rate
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

    /// Writes `document` to `path`, as one of `kinds`.
    static func write(
        _ document: PatternDocument, to path: String, as kinds: [Kind], _ options: Options
    ) throws {
        switch kind(of: path) {
        case .json where kinds.contains(.json): try Files.write(Array(document.text().utf8), to: path)
        case .wav where kinds.contains(.wav):
            let file = try WaveWriter(path, rate: options.rate)
            let bar = ProgressBar("writing \(path)")
            Bounce.render(document, loops: options.loops, rate: options.rate) { samples, part in
                file.append(samples)
                bar.show(part)
            }
            bar.end()
            try file.finish()
        case .mid where kinds.contains(.mid): try Files.write(MIDIFile.bytes(document, loops: options.loops), to: path)
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
}
