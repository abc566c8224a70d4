/// The kinds of files that a library takes in, by the endings of their names: from a stick, by a command, dropped on
/// the page.
package enum FileKind: CaseIterable, Sendable {
    /// A sound for a sample.
    case sound
    /// A scale of Scala.
    case scale
    /// A keyboard mapping of Scala.
    case mapping
    /// A pattern's document.
    case pattern
    /// A MIDI file, which becomes a pattern.
    case midi

    private var endings: [String] {
        switch self {
        case .sound:
            [
                ".wav", ".wave", ".bwf", ".rf64", ".bw64", ".w64", ".flac", ".ogg", ".oga", ".opus", ".aif", ".aiff",
                ".aifc", ".au", ".snd", ".caf",
            ]
        case .scale: [".scl"]
        case .mapping: [".kbm"]
        case .pattern: [".json"]
        case .midi: [".mid", ".midi", ".rmi"]
        }
    }

    /// Maximum bytes of a file that comes over the network, where it is in memory until it is kept: a minute of 32-bit
    /// stereo at 96 kHz has 46 MB.
    var sizeMax: Int { self == .sound ? 48 << 20 : Files.documentSizeMax }

    /// The kind of the file at `path`; nil for another ending.
    package static func of(_ path: String) -> FileKind? {
        let path = path.lowercased()
        return allCases.first { $0.endings.contains(where: path.hasSuffix) }
    }

    /// The error for a file that the page or a command names and that is of no kind.
    static func unknown(_ name: String) -> CommandError {
        CommandError(
            .badData,
            "\(name): is no sound (.wav, .flac, .ogg, .aiff), scale (.scl), pattern (.json) or MIDI file (.mid)")
    }

    /// Throws if a file of this kind, which came from `name`, may not have `size` bytes.
    func check(size: Int, of name: String) throws {
        guard size <= sizeMax else { throw Files.tooLarge(name, sizeMax: sizeMax) }
    }
}
