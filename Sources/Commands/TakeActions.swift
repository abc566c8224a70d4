import Box
import Documents
import Formats

/// The library commands for takes. Takes are files beside the library, so none of them opens it.
struct TakeActions {
    private let folder: TakeFolder
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        folder = TakeFolder(ofLibrary: try LibraryActions.path(arguments))
        isJSON = arguments.has("--json")
    }

    func list() throws {
        let takes = try folder.takes()
        if isJSON {
            return print(
                JSON.object(["takes": .array(takes.map(\.json)), "room": .orNull(folder.room)]).text(pretty: true))
        }
        for take in takes {
            print(
                "\(take.number)".padded(6) + "\(take.seconds) s".padded(10)
                    + "kept \(DocumentTime.text(take.kept))")
        }
        guard let room = folder.room else { return }
        // Five minutes, 16 bits and stereo, at the usual rate.
        let minutes = room / (60 * 48_000 * 4)
        print("\(folder.path): \(String(takes.count, of: "take")), room for \(String(minutes, of: "minute"))")
    }

    func export(_ number: Int, to path: String) throws {
        guard path == "-" || !path.hasPrefix(folder.path + "/") else {
            throw CommandError(.usage, "\(path): is in the folder of the takes; name a file elsewhere")
        }
        try folder.copy(number, script: path.hasSuffix(".jsonl"), to: try OutputFile(path))
    }

    func remove(_ number: Int) throws { try folder.remove(number) }
}

extension TakeFolder.Take {
    fileprivate var json: JSON {
        .object([
            "number": .integer(number), "frames": .integer(frames), "rate": .integer(rate),
            "keptAt": .string(DocumentTime.text(kept)), "bytes": .integer(size),
        ])
    }
}
