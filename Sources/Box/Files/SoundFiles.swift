import Documents
import FoundationEssentials
import Instrument
import Library

/// The player's own sounds as files: in a folder on a stick, and named on the command line.
package enum SoundFiles {
    /// Name of their folder beside the banks' on a stick.
    static let folder = "sounds"

    /// Reads the sound in the file at `path`; `-` is standard input. A factory sound's name is refused.
    package static func read(_ path: String) throws -> SoundPreset {
        try preset(in: try Files.read(path, sizeMax: Files.documentSizeMax), from: path)
    }

    /// Reads the sounds in the .json files of `folder`, in the order of their names.
    static func read(_ folder: Folder) throws -> [SoundPreset] {
        let names = try folder.names().filter { !$0.text.hasPrefix(".") && $0.text.lowercased().hasSuffix(".json") }
        return try names.sorted { $0.text < $1.text }.map { name in
            try preset(
                in: try folder.read(name, sizeMax: Files.documentSizeMax), from: "\(folder.path)/\(name.text)")
        }
    }

    private static func preset(in bytes: [UInt8], from path: String) throws -> SoundPreset {
        let preset = try Files.parse(bytes, from: path) { bytes throws(FormatError) in
            try SoundDocument(parsing: bytes)
        }.preset
        guard !FactorySounds.has(preset.name, preset.kind) else {
            throw CommandError(
                .badData,
                "\(Files.name(path)): name is \(preset.name.text), which is a factory sound; choose another name")
        }
        return preset
    }

    /// Writes each of `presets` into `folder`.
    static func write(_ presets: [SoundPreset], to folder: Folder) throws {
        for (number, preset) in presets.enumerated() {
            let file = try OutputFile(name(of: preset, number + 1), in: folder)
            try Files.write(Array(SoundDocument(preset).text().utf8), to: file)
        }
    }

    /// File name of a sound: its number, because names may differ only in characters that file systems refuse, then its
    /// name without such characters.
    private static func name(of preset: SoundPreset, _ number: Int) -> String {
        let letters = preset.name.text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return "\(String(number, digits: 3))-\(String(letters)).json"
    }
}
