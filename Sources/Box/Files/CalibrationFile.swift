import Documents
import Formats
import FoundationEssentials
import Glibc
import Library

/// The file that stores the calibration of the touch overlay.
package enum CalibrationFile {
    /// A configuration that the user named: its own `matrix`.
    case configuration(String)
    /// `calibration.json` in the state folder at this path, beside the library.
    ///
    /// The folder of the service is its user's, and root calibrates there too: no link in it is followed, no pipe
    /// waited for.
    case state(folder: String)

    private static let name = "calibration.json"
    /// Eight overlays take a tenth of it.
    private static let sizeMax = 1 << 14

    /// The file for a command whose user named this configuration, or none.
    package init(configuration path: String?) {
        if let path {
            self = .configuration(path)
        } else {
            self = .state(folder: Library.stateFolder(environment: ProcessInfo.processInfo.environment))
        }
    }

    /// The file's path.
    package var path: String {
        switch self {
        case .configuration(let path): path
        case .state(let folder): "\(folder)/\(Self.name)"
        }
    }

    /// Throws if the path cannot be a file.
    package func check() throws {
        guard case .configuration(let path) = self else { return }
        guard Files.isFileOrNothing(path), path != "-" else {
            throw CommandError(.usage, "\(Files.name(path)): is no file; name one for the matrix with --config FILE")
        }
    }

    /// `configuration` with the matrices stored in the state folder. An invalid file is logged and ignored.
    package func calibrated(_ configuration: Configuration) -> Configuration {
        do {
            return try document().map(configuration.calibrated(by:)) ?? configuration
        } catch {
            Log.post("\(error); the configuration's matrix is used, calibrate again")
            return configuration
        }
    }

    /// Reads the calibration in the state folder; nil if there is none, or if the configuration stores it.
    package func document() throws -> CalibrationDocument? {
        guard case .state(let folder) = self,
            let bytes = try Folder.content(of: Self.name, inUntrusted: folder, sizeMax: Self.sizeMax)
        else { return nil }
        return try Files.parse(bytes, from: path) { bytes throws(FormatError) in
            try CalibrationDocument(parsing: bytes)
        }
    }

    /// Stores `matrix` for overlay `number` of `configuration`, which is as in its file.
    package func write(_ matrix: [Double], overlay number: Int, of configuration: Configuration) throws {
        switch self {
        case .configuration(let path):
            let isOnly = configuration.touch.overlays.count == 1
            try Self.write(
                matrix, at: isOnly ? ["touch", "matrix"] : ["touch", "overlays", "\(number)", "matrix"], of: path)
        case .state(let path):
            try Files.makeFolder(path)
            guard let folder = Folder(path, isTrusted: false) else { throw Files.cannotRead(path, errno) }
            // An unreadable file is replaced.
            var document = (try? document()) ?? CalibrationDocument()
            document.set(matrix, overlay: number, of: configuration.touch)
            let file = try OutputFile(Self.name, in: folder)
            file.giveToOwnerOfFolder()
            try Files.write(Array(document.text.utf8), to: file, isDurable: true)
        }
    }

    /// Sets the matrix at `place` in the configuration at `path`.
    private static func write(_ matrix: [Double], at place: [String], of path: String) throws {
        let isThere = FileManager.default.fileExists(atPath: path)
        let text = isThere ? try Files.read(path) : []
        let edited = try Files.parse(text, from: path, status: .badConfiguration) { text throws(FormatError) in
            try Configuration.setting(place, to: .numbers(matrix), in: text)
        }
        if !isThere { try Files.makeFolder(Files.parts(of: path).folder) }
        try Files.write(edited, to: path, isDurable: true)
    }
}
