import Documents
import Formats
import FoundationEssentials
import Library

/// Reads patterns for one import into a library: documents and MIDI files, from files and folders.
package struct PatternImport {
    /// The patterns that were read, in order.
    package private(set) var additions: [Library.Addition] = []
    /// Bytes read so far.
    private var size = 0

    /// Maximum bytes of all files together: several thousand patterns, on a board with 512 MB.
    private static let sizeMax = 64 << 20

    /// An import without patterns.
    package init() {}

    /// Reads the file at `path`, or the patterns in the folder there; `-` is standard input. `progress` receives the
    /// part of the files that is read.
    package mutating func add(_ path: String, to bank: Bank, _ progress: Library.Progress = { _ in }) throws {
        guard path != "-", let folder = Folder(path) else {
            return try add(try Files.read(path, sizeMax: Files.documentSizeMax), path, to: bank)
        }
        let count = try add(folder, to: bank, progress)
        let sounds = try folder.names().count { !$0.text.hasPrefix(".") && FileKind.of($0.text) == .sound }
        guard count > 0 else {
            throw CommandError(
                .noInput,
                "\(path): has no .json or .mid files; name "
                    + (sounds > 0 ? "its sounds, \(path)/*" : "another folder, or a file"))
        }
        if sounds > 0 {
            Log.post("\(path): \(String(sounds, of: "sound")) left out; name them to import them as samples")
        }
    }

    /// Reads the files in `folder` that may be patterns, in the order of their names; returns how many there are.
    @discardableResult
    mutating func add(_ folder: Folder, to bank: Bank, _ progress: Library.Progress = { _ in }) throws -> Int {
        let names = try folder.names()
            .filter { !$0.text.hasPrefix(".") && Self.kinds.contains(FileKind.of($0.text)) }
            .sorted { $0.text < $1.text }
        for (place, name) in names.enumerated() {
            progress(Double(place) / Double(names.count))
            try add(try folder.read(name, sizeMax: Files.documentSizeMax), "\(folder.path)/\(name.text)", to: bank)
        }
        return names.count
    }

    /// Reads the file with the content `bytes` that came from `path`.
    mutating func add(_ bytes: [UInt8], _ path: String, to bank: Bank) throws {
        size += bytes.count
        guard size <= Self.sizeMax else {
            throw CommandError(
                .badData, "\(path): with it the files are more than \(Self.sizeMax >> 20) MiB; take in fewer at a time")
        }
        additions.append(Library.Addition(try document(in: bytes, path), name: Self.title(of: path), to: bank))
    }

    private func document(in bytes: [UInt8], _ path: String) throws -> PatternDocument {
        guard MIDIImport.recognises(bytes) || FileKind.of(path) == .midi else {
            if SampleFile.recognises(bytes) {
                throw CommandError(
                    .badData, "\(Files.name(path)): is a sound; give its name the ending of its kind, such as .wav")
            }
            return try Files.pattern(bytes, from: path)
        }
        let found = try Files.parse(bytes, from: path) { bytes throws(FormatError) in try MIDIImport(parsing: bytes) }
        for remark in found.remarks { Log.post("\(Files.name(path)): \(remark)") }
        return found.document
    }

    private static let kinds: [FileKind?] = [.pattern, .midi]

    /// Name for a pattern without one: the file name without the extension.
    private static func title(of path: String) -> String? {
        guard path != "-", let file = path.split(separator: "/").last else { return nil }
        return file.lastIndex(of: ".").map { String(file[..<$0]) } ?? String(file)
    }
}
