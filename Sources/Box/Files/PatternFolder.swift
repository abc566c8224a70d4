import Documents
import FoundationEssentials
import Library

/// Writes a bank into a folder, one file per pattern.
package enum PatternFolder {
    /// Writes each pattern of `bank` into `folder`, by names that sort as the bank does; returns how many there were.
    /// `progress` receives the part that is written.
    package static func write(
        _ bank: Bank, of library: Library, to folder: @autoclosure () throws -> Folder,
        _ progress: Library.Progress = { _ in }
    ) throws -> Int {
        let entries = try library.patterns(in: bank)
        guard !entries.isEmpty else { return 0 }
        let folder = try folder()
        let digits = max(3, String(entries.count).count)
        for (number, entry) in entries.enumerated() {
            progress(Double(number) / Double(entries.count))
            let document = try library.document(of: entry.number)
            let file = try OutputFile(name(of: entry, number + 1, digits: digits), in: folder)
            try Files.write(Array(document.text().utf8), to: file)
        }
        return entries.count
    }

    /// File name of the pattern at `place` in its bank: the place in this many digits, then the name without characters
    /// that file systems refuse.
    private static func name(of entry: PatternEntry, _ place: Int, digits: Int) -> String {
        // A letter is at most four bytes, and a file's name at most 255.
        let letters = entry.name.unicodeScalars.prefix(40).map { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" ? scalar : "-"
        }
        return "\(entry.bank.letter)\(String(place, digits: digits))-\(String(String.UnicodeScalarView(letters))).json"
    }
}
