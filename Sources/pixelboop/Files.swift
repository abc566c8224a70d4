import Formats
import Foundation

/// Files as the commands take and give them: `-` is standard input or output, errors say what, where and what to do.
enum Files {
    /// The most that is read of a file: far more than any document, and not all of memory.
    private static let sizeMax = 64 << 20

    static func read(_ path: String) throws -> [UInt8] {
        if path == "-" { return Array(FileHandle.standardInput.readDataToEndOfFile().prefix(sizeMax)) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandError(.noInput, "\(path): there is no such file; check the name")
        }
        if isFolder.boolValue { throw CommandError(.noInput, "\(path): is a folder; name a file in it") }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw CommandError(.noPermission, "\(path): may not be read; check its permissions")
        }
        do {
            let data = try file.read(upToCount: sizeMax + 1) ?? Data()
            if data.count > sizeMax { throw CommandError(.badData, "\(path): is larger than \(sizeMax >> 20) MiB") }
            return Array(data)
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError(.ioError, "\(path): cannot be read: \(reason(error))")
        }
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
            throw CommandError(.cannotCreate, "\(path): the folder cannot be made: \(reason(error))")
        }
    }

    static func cannotWrite(_ path: String, _ error: any Error) -> CommandError {
        let full = (error as? CocoaError)?.code == .fileWriteOutOfSpace || posixCode(error) == ENOSPC
        return CommandError(full ? .ioError : .cannotCreate, "\(path): cannot be written: \(reason(error))")
    }

    /// The system's own word for what went wrong, where there is one.
    private static func reason(_ error: any Error) -> String {
        posixCode(error).map { String(cString: strerror($0)) } ?? error.localizedDescription
    }

    private static func posixCode(_ error: any Error) -> Int32? {
        let error = error as NSError
        if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        return underlying.flatMap { $0.domain == NSPOSIXErrorDomain ? Int32($0.code) : nil }
    }
}
