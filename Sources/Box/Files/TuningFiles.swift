import Documents
import FoundationEssentials
import Instrument
import Library

/// The player's own tunings as files of Scala: in a folder on a stick, and named on the command line. A keyboard
/// mapping, `.kbm`, belongs to the scale, `.scl`, of the same name.
package enum TuningFiles {
    /// Name of their folder beside the banks' on a stick.
    static let folder = "tunings"
    private static let (scale, mapping) = (".scl", ".kbm")
    private static let kinds: [FileKind?] = [.scale, .mapping]

    /// A file.
    private struct File {
        let path: String
        let bytes: [UInt8]

        /// Whether it is a keyboard mapping; any other file is a scale.
        var isMapping: Bool { FileKind.of(path) == .mapping }

        /// The path without the ending.
        var stem: String {
            TuningFiles.kinds.contains(FileKind.of(path)) ? String(path.dropLast(TuningFiles.scale.count)) : path
        }
    }

    /// Reads the tunings in the files at `paths`: scales, and mappings of their names; `-` is standard input. A mapping
    /// without its scale is refused.
    package static func read(_ paths: [String]) throws -> [OwnTuning] {
        let files = try paths.map { File(path: $0, bytes: try Files.read($0, sizeMax: Files.documentSizeMax)) }
        for file in files where file.isMapping {
            guard files.contains(where: { !$0.isMapping && $0.stem == file.stem }) else {
                throw CommandError(
                    .usage, "\(file.path): is a mapping; name the scale that it belongs to too, \(file.stem)\(scale)")
            }
        }
        return try tunings(in: files)
    }

    /// Reads the tunings in `folder`, in the order of their names. A mapping without a scale is ignored.
    static func read(_ folder: Folder) throws -> [OwnTuning] {
        let names = try folder.names().filter { name in
            !name.text.hasPrefix(".") && kinds.contains(FileKind.of(name.text))
        }
        return try tunings(
            in: names.sorted { $0.text < $1.text }.map { name in
                File(
                    path: "\(folder.path)/\(name.text)",
                    bytes: try folder.read(name, sizeMax: Files.documentSizeMax))
            })
    }

    /// The tuning in the scale `bytes`, which came from `path`.
    static func tuning(in bytes: [UInt8], from path: String) throws -> OwnTuning {
        try tunings(in: [File(path: path, bytes: bytes)])[0]
    }

    private static func tunings(in files: [File]) throws -> [OwnTuning] {
        var names: Set<SoundName> = []
        return try files.filter { !$0.isMapping }.map { file in
            let scale = try Files.parse(file.bytes, from: file.path) { bytes throws(FormatError) in
                try ScalaScale(parsing: bytes)
            }
            let mapping = try files.first { $0.isMapping && $0.stem == file.stem }.map { file in
                try Files.parse(file.bytes, from: file.path) { bytes throws(FormatError) in
                    try ScalaMapping(parsing: bytes)
                }
            }
            // Standard input has no name.
            guard let name = scale.name(orOf: file.path == "-" ? nil : Files.parts(of: file.stem).name) else {
                throw CommandError(.badData, "\(Files.name(file.path)): has no name that the panel can show; rename it")
            }
            let own = name.numbered(notIn: names)
            names.insert(own)
            return try Files.parse(file.bytes, from: file.path) { _ throws(FormatError) in
                try scale.tuning(named: own, mapping)
            }
        }
    }

    /// Writes `tuning` to `path` as a scale, and its mapping beside it; `-` is standard output, for the scale alone.
    package static func write(_ tuning: OwnTuning, to path: String) throws {
        try Files.write(Array(ScalaScale.text(of: tuning).utf8), to: path)
        guard path != "-", let a4 = tuning.a4 else { return }
        try Files.write(
            Array(ScalaMapping.text(a4: a4).utf8), to: File(path: path, bytes: []).stem + mapping)
    }

    /// Writes each of `tunings` into `folder`.
    static func write(_ tunings: [OwnTuning], to folder: Folder) throws {
        func write(_ text: String, _ name: String) throws {
            try Files.write(Array(text.utf8), to: try OutputFile(name, in: folder))
        }
        for (place, tuning) in tunings.enumerated() {
            // The number keeps names apart that differ only in letters that file systems refuse.
            let letters = tuning.name.text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
            let stem = "\(String(place + 1, digits: 3))-\(String(letters))"
            try write(ScalaScale.text(of: tuning), stem + scale)
            if let a4 = tuning.a4 { try write(ScalaMapping.text(a4: a4), stem + mapping) }
        }
    }
}
