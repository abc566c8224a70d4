import Formats
import FoundationEssentials
import Library

/// A folder of patterns.
enum PatternFolder {
    /// The files that `path` stands for: itself, or those in it that may be patterns, in the order of their names.
    static func files(_ path: String) throws -> [String] {
        var isFolder = false
        guard path != "-", FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder else {
            return [path]
        }
        let files = try patterns(in: path)
        guard !files.isEmpty else {
            throw CommandError(.noInput, "\(path): has no .json or .mid files; name another folder, or a file")
        }
        return files
    }

    /// The files in `folder` that may be patterns, in the order of their names.
    static func patterns(in folder: String) throws -> [String] {
        try Files.names(in: folder).sorted().filter { name in
            !name.hasPrefix(".") && [".json", ".mid", ".midi"].contains { name.lowercased().hasSuffix($0) }
        }.map { "\(folder)/\($0)" }
    }

    /// Writes each pattern of `bank` into `folder`, by names that sort as the bank does; says how many there were.
    static func write(_ bank: Bank, of library: Library, to folder: String) throws -> Int {
        let entries = try library.patterns(in: bank)
        guard !entries.isEmpty else { return 0 }
        try Files.makeFolder(folder)
        let digits = max(3, String(entries.count).count)
        for (number, entry) in entries.enumerated() {
            let document = try library.document(of: entry.number)
            try Files.write(Array(document.text().utf8), to: "\(folder)/\(name(of: entry, number + 1, digits: digits))")
        }
        return entries.count
    }

    /// The pattern in the file at `path`: notes, if it is a MIDI file, else a document.
    static func document(_ path: String) throws -> PatternDocument {
        let bytes = try Files.read(path)
        guard
            MIDIImport.recognises(bytes) || path.lowercased().hasSuffix(".mid") || path.lowercased().hasSuffix(".midi")
        else {
            return try Files.parse(bytes, from: path) { bytes throws(FormatError) in try PatternDocument(parsing: bytes)
            }
        }
        let found = try Files.parse(bytes, from: path) { bytes throws(FormatError) in try MIDIImport(parsing: bytes) }
        for remark in found.remarks { Main.tell("\(Files.name(path)): \(remark)") }
        return found.document
    }

    /// What the pattern in a file is called, if it does not say so itself: as the file, without ending.
    static func title(of path: String) -> String? {
        guard path != "-", let file = path.split(separator: "/").last else { return nil }
        return file.lastIndex(of: ".").map { String(file[..<$0]) } ?? String(file)
    }

    /// The name of the file of a pattern at `place` of its bank: place first, in so many digits, and nothing that a file
    /// system refuses.
    private static func name(of entry: PatternEntry, _ place: Int, digits: Int) -> String {
        // A letter is at most four bytes, and a file's name at most 255.
        let letters = entry.name.unicodeScalars.prefix(40).map { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" ? scalar : "-"
        }
        return "\(entry.bank.letter)\(String(place, digits: digits))-\(String(String.UnicodeScalarView(letters))).json"
    }
}
