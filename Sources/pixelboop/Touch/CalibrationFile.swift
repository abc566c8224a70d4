import Formats
import FoundationEssentials
import Overlay

/// The configuration that a calibration is written to.
enum CalibrationFile {
    /// Where it is, or will be.
    static func path(_ arguments: Arguments) throws -> String {
        let path = Configuration.path(arguments) ?? Configuration.newPath
        guard Files.isFileOrNothing(path), path != "-" else {
            throw CommandError(.usage, "\(Files.name(path)): is no file; name one for the matrix with --config FILE")
        }
        return path
    }

    /// Sets the matrix of the overlay, or of entry `overlay` of several, in the file at `path`.
    static func write(_ matrix: [Double], overlay: Int?, to path: String) throws {
        let isThere = FileManager.default.fileExists(atPath: path)
        let text = isThere ? try Files.read(path) : []
        let place = overlay.map { ["touch", "overlays", "\($0)", "matrix"] } ?? ["touch", "matrix"]
        let edited = try Files.parse(text, from: path, status: .badConfiguration) { text throws(FormatError) in
            try Configuration.setting(place, to: .numbers(matrix), in: text)
        }
        if !isThere { try Files.makeFolder(Files.parts(of: path).folder) }
        try Files.write(edited, to: path, isDurable: true)
    }
}
