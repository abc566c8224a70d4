import Formats
import FoundationEssentials
import Glibc

/// Files as the commands take and give them: `-` is standard input or output, errors say what, where and what to do.
enum Files {
    /// The most that is read of a file: far more than any document, and not all of memory.
    private static let sizeMax = 64 << 20

    static func read(_ path: String) throws -> [UInt8] {
        if path == "-" { return try read(STDIN_FILENO, of: "standard input") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: throw CommandError(.noInput, "\(path): there is no such file; check the name")
            case EACCES, EPERM: throw CommandError(.noPermission, "\(path): may not be read; check its permissions")
            default: throw CommandError(.ioError, "\(path): cannot be read: \(reason(errno))")
            }
        }
        defer { close(descriptor) }
        return try read(descriptor, of: path)
    }

    private static func read(_ descriptor: Int32, of name: String) throws -> [UInt8] {
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
        throw CommandError(.badData, "\(name): is larger than \(sizeMax >> 20) MiB")
    }

    /// Reads a document by `parse`; what is wrong with it is reported with its path.
    static func document<Document>(
        _ path: String, status: ExitStatus = .badData, _ parse: ([UInt8]) throws(FormatError) -> Document
    ) throws -> Document {
        let bytes = try read(path)
        do throws(FormatError) {
            return try parse(bytes)
        } catch {
            throw CommandError(status, "\(path == "-" ? "standard input" : path): \(error)")
        }
    }

    /// Writes a file whole or not at all.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try OutputFile(path)
        file.append(bytes)
        try file.finish()
    }

    /// Whether `path` is a regular file, or may become one: what else is there is never replaced.
    static func isFileOrNothing(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    static func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandError(.cannotCreate, "\(path): the folder cannot be made: \(error)")
        }
    }

    /// The error for what could not be written to `path`, by its errno.
    static func cannotWrite(_ path: String, _ errno: Int32) -> CommandError {
        CommandError(
            errno == ENOSPC || errno == EDQUOT ? .ioError : .cannotCreate,
            "\(path): cannot be written: \(reason(errno))")
    }

    /// The system's own words for what went wrong.
    static func reason(_ errno: Int32) -> String { String(cString: strerror(errno)) }
}
