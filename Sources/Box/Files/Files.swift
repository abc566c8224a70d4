import Documents
import Glibc
import Library

/// Reads and writes the commands' files: `-` is standard input or output; errors name the file, the reason and the
/// remedy.
package enum Files {
    /// Maximum bytes read of a file: far above any document, and below the memory of a small board.
    package static let sizeMax = 64 << 20
    /// Maximum bytes of a pattern or a configuration, as parsing takes about twenty times as much memory. The largest
    /// document that the box writes is a tenth of it.
    package static let documentSizeMax = 1 << 20

    package static func read(_ path: String, sizeMax: Int = sizeMax) throws -> [UInt8] {
        if path == "-" { return try read(STDIN_FILENO, of: name(path), sizeMax: sizeMax) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw cannotRead(path, errno) }
        defer { close(descriptor) }
        return try read(descriptor, of: path, sizeMax: sizeMax)
    }

    /// Reads `descriptor` to its end, at most `sizeMax` bytes.
    static func read(_ descriptor: Int32, of name: String, sizeMax: Int = sizeMax) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= sizeMax {
            let count = Glibc.read(descriptor, &part, part.count)
            if count > 0 {
                bytes += part[..<count]
            } else if count == 0 {
                return bytes
            } else if errno == EISDIR {
                throw CommandError(.noInput, "\(name): is a folder; name a file in it")
            } else if errno != EINTR {
                throw CommandError(.ioError, "\(name): cannot be read: \(reason(errno))")
            }
        }
        throw tooLarge(name, sizeMax: sizeMax)
    }

    /// The error for a file of more than `sizeMax` bytes.
    static func tooLarge(_ name: String, sizeMax: Int) -> CommandError {
        CommandError(.badData, "\(name): is larger than \(sizeMax >> 20) MiB")
    }

    /// Reads a document with `parse`; errors name its path.
    package static func document<Document>(
        _ path: String, status: ExitStatus = .badData, sizeMax: Int = documentSizeMax,
        _ parse: ([UInt8]) throws(FormatError) -> Document
    ) throws -> Document {
        try self.parse(try read(path, sizeMax: sizeMax), from: path, status: status, parse)
    }

    /// Parses `bytes`, read from `path`, with `parse`; errors name the path.
    package static func parse<Document>(
        _ bytes: [UInt8], from path: String, status: ExitStatus = .badData,
        _ parse: ([UInt8]) throws(FormatError) -> Document
    ) throws -> Document {
        do throws(FormatError) {
            return try parse(bytes)
        } catch {
            throw CommandError(status, "\(name(path)): \(error)")
        }
    }

    /// Parses the pattern document in `bytes`, read from `path`. Logs parts of it that the pattern does not include.
    package static func pattern(_ bytes: [UInt8], from path: String) throws -> PatternDocument {
        var remarks: [String] = []
        let document = try parse(bytes, from: path) { bytes throws(FormatError) in
            try PatternDocument(parsing: bytes, remarks: &remarks)
        }
        for remark in remarks { Log.post("\(name(path)): \(remark)") }
        return document
    }

    /// The name of the input at `path` for messages.
    package static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

    /// Writes a file completely or not at all.
    package static func write(_ bytes: [UInt8], to path: String, isDurable: Bool = false) throws {
        try write(bytes, to: try OutputFile(path), isDurable: isDurable)
    }

    static func write(_ bytes: [UInt8], to file: OutputFile, isDurable: Bool = false) throws {
        file.append(bytes)
        try file.finish(isDurable: isDurable)
    }

    /// Whether `path` is a regular file or nothing. Anything else is never replaced.
    package static func isFileOrNothing(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// Bytes of the file at `path`; nil if there is none.
    package static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether both paths name the same file.
    package static func areSame(_ path: String, _ other: String) -> Bool {
        var (one, two) = (stat(), stat())
        return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_ino == two.st_ino && one.st_dev == two.st_dev
    }

    /// Splits `path` into its folder and its name.
    static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = slash == path.startIndex ? "/" : path[..<slash]
        return (String(folder), String(path[path.index(after: slash)...]))
    }

    /// Creates the folder at `path` and missing folders above it.
    package static func makeFolder(_ path: String) throws {
        do throws(FolderError) {
            try makeFolders(path)
        } catch {
            throw cannotMakeFolder(error.path, error.errno)
        }
    }

    /// The error for an input that cannot be opened.
    static func cannotRead(_ path: String, _ errno: Int32) -> CommandError {
        switch errno {
        case ENOENT, ENOTDIR: CommandError(.noInput, "\(path): there is no such file; check the name")
        case EACCES, EPERM: CommandError(.noPermission, "\(path): may not be read; check its permissions")
        default: CommandError(.ioError, "\(path): cannot be read: \(reason(errno))")
        }
    }

    /// The error for a file that cannot be created.
    static func cannotMake(_ path: String, _ errno: Int32) -> CommandError {
        CommandError(.cannotCreate, "\(path): cannot be made: \(reason(errno))")
    }

    /// The error for a folder that cannot be created.
    static func cannotMakeFolder(_ path: String, _ errno: Int32) -> CommandError {
        CommandError(outputStatus(errno), "\(path): the folder cannot be made: \(reason(errno))")
    }

    /// The error for an output that cannot be written.
    package static func cannotWrite(_ path: String, _ errno: Int32) -> CommandError {
        CommandError(outputStatus(errno), "\(path): cannot be written: \(reason(errno))")
    }

    /// The exit status for an errno of an output: a full disk is not the path's fault.
    private static func outputStatus(_ errno: Int32) -> ExitStatus {
        errno == ENOSPC || errno == EDQUOT ? .ioError : .cannotCreate
    }

    /// The system's message for an errno.
    package static func reason(_ errno: Int32) -> String { String(cString: strerror(errno)) }
}
