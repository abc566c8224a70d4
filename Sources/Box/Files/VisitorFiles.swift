import Dispatch
import Documents
import Instrument
import Library
import Pages

/// Imports the files that are dropped on the page into the library, sounds, scales, patterns and MIDI files, and gives
/// the playing tune.
final class VisitorFiles: PageFiles {
    private let library: Library
    private let samples: SampleFolder
    private let post: @Sendable (Instrument.Event) -> Void
    private let queue = DispatchQueue(label: "dropped files", qos: .utility)

    /// Files for `library` and its `samples`; events go to `post`.
    init(_ library: Library, _ samples: SampleFolder, post: @escaping @Sendable (Instrument.Event) -> Void) {
        self.library = library
        self.samples = samples
        self.post = post
    }

    func keep(_ file: PageFile, answer: @escaping @Sendable (PageAnswer) -> Void) {
        queue.async { [self] in
            do {
                answer(.kept(try keep(file)))
            } catch {
                Log.post("\(error)")
                answer(.refused("\(error)"))
            }
        }
    }

    func give(_ form: PageTune, answer: @escaping @Sendable (PageAnswer) -> Void) {
        queue.async { [library] in
            let document = library.playing()
            switch form {
            case .json: answer(.tune(Array(document.text().utf8), form))
            case .midi: answer(.tune(MIDIFile.tuneBytes(document), form))
            }
        }
    }

    /// Keeps `file`; returns what it is now.
    private func keep(_ file: PageFile) throws -> String {
        let name = Self.shown(file.name)
        switch try Self.kind(of: name, size: file.bytes.count) {
        case .sound: return try keepSound(file, name)
        case .scale: return try keepScale(file, name)
        case .mapping: throw FileKind.unknown(name)
        case .pattern, .midi: return try keepPattern(file, name)
        }
    }

    func refusal(of name: String, size: Int) -> String? {
        do {
            _ = try Self.kind(of: Self.shown(name), size: size)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// The kind of a file; throws if the library takes in none of its kind and size.
    private static func kind(of name: String, size: Int) throws -> FileKind {
        guard let kind = FileKind.of(name) else { throw FileKind.unknown(name) }
        try kind.check(size: size, of: name)
        return kind
    }

    /// A name in one line and without folders.
    private static func shown(_ name: String) -> String {
        name.split { $0 == "/" || $0 == "\\" }.last.map { Log.line(String($0)) } ?? "the file"
    }

    private func keepSound(_ file: PageFile, _ name: String) throws -> String {
        var sounds = SampleImport()
        let sound = try SampleImport.parse(file.bytes, from: name)
        try sounds.add(sound, from: name)
        guard let sample = try sounds.keep(in: samples).first else {
            throw CommandError(.ioError, "\(name): is not kept; drop it again")
        }
        post(.samples(try samples.samples().map(\.name)))
        post(.dropped(SliceKit(sample.name, sound, .onsets), column: file.column, row: file.row))
        return "\(sample.name.text) is a sample of \(sample.seconds) s"
    }

    private func keepScale(_ file: PageFile, _ name: String) throws -> String {
        let tuning = try TuningFiles.tuning(in: file.bytes, from: name)
        try library.keep([tuning])
        post(.tunings(try library.tunings()))
        return "\(tuning.name.text) is a tuning of the SCALE sheet"
    }

    private func keepPattern(_ file: PageFile, _ name: String) throws -> String {
        var patterns = PatternImport()
        try patterns.add(file.bytes, name, to: .a)
        let added = try library.add(patterns.additions, onlyNew: true)
        post(.notice(.imported(added.count)))
        guard let pattern = added.first else { return "\(name): is in the library already" }
        return "\(pattern.name) is a pattern of bank A"
    }
}
