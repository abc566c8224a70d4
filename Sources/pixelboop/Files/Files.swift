import Formats
import Glibc

/// Files as the commands take and give them: `-` is standard input or output, errors say what, where and what to do.
enum Files {
    /// The most that is read of a file: far more than any document, and not all of memory.
    private static let sizeMax = 64 << 20

    static func read(_ path: String) throws -> [UInt8] {
        if path == "-" { return try read(STDIN_FILENO, of: name(path)) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw cannotRead(path, errno) }
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
        try self.parse(try read(path), from: path, status: status, parse)
    }

    /// The document in `bytes`, which were read from `path`, by `parse`; what is wrong with it is reported with its path.
    static func parse<Document>(
        _ bytes: [UInt8], from path: String, status: ExitStatus = .badData,
        _ parse: ([UInt8]) throws(FormatError) -> Document
    ) throws -> Document {
        do throws(FormatError) {
            return try parse(bytes)
        } catch {
            throw CommandError(status, "\(name(path)): \(error)")
        }
    }

    /// What a user calls the input at `path`.
    static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

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

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether both are names of one file.
    static func areSame(_ path: String, _ other: String) -> Bool {
        var (one, two) = (stat(), stat())
        return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_ino == two.st_ino && one.st_dev == two.st_dev
    }

    /// The folder that `path` is in.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    /// Makes the folder at `path`, and those above it, where they are missing.
    static func makeFolder(_ path: String) throws {
        let slashes = path.indices.filter { path[$0] == "/" && $0 > path.startIndex }
        for end in slashes + [path.endIndex] {
            let folder = String(path[..<end])
            if isFolder(folder) { continue }
            guard mkdir(folder, 0o777) == 0 else {
                throw CommandError(outputStatus(errno), "\(folder): the folder cannot be made: \(reason(errno))")
            }
        }
    }

    /// The names of what is in `folder`, in no order.
    static func names(in folder: String) throws -> [String] {
        guard let stream = opendir(folder) else { throw cannotRead(folder, errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }

    /// The error for what could not be opened to be read, by its errno.
    private static func cannotRead(_ path: String, _ errno: Int32) -> CommandError {
        switch errno {
        case ENOENT, ENOTDIR: CommandError(.noInput, "\(path): there is no such file; check the name")
        case EACCES, EPERM: CommandError(.noPermission, "\(path): may not be read; check its permissions")
        default: CommandError(.ioError, "\(path): cannot be read: \(reason(errno))")
        }
    }

    /// The error for what could not be written to `path`, by its errno.
    static func cannotWrite(_ path: String, _ errno: Int32) -> CommandError {
        CommandError(outputStatus(errno), "\(path): cannot be written: \(reason(errno))")
    }

    /// A full disk is no fault of the place.
    private static func outputStatus(_ errno: Int32) -> ExitStatus {
        errno == ENOSPC || errno == EDQUOT ? .ioError : .cannotCreate
    }

    /// The system's own words for what went wrong.
    static func reason(_ errno: Int32) -> String { String(cString: strerror(errno)) }
}
