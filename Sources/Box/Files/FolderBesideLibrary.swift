import Glibc
import Library

/// A folder of sound files beside a library: `box.sqlite` has `box.takes` and `box.samples`.
struct FolderBesideLibrary: Sendable {
    /// Its path.
    let path: String
    /// Free bytes of the disk that has the folder at a path; nil if that is unknown.
    private let freeBytes: @Sendable (_ path: String) -> Int?

    /// Bytes that stay free for the library, whatever sounds there are.
    static let roomMin = 64 << 20

    /// The folder with this `ending` beside the library at `library`.
    init(_ ending: String, ofLibrary library: String, freeBytes: (@Sendable (String) -> Int?)? = nil) {
        path = (library.hasSuffix(".sqlite") ? String(library.dropLast(7)) : library) + ending
        self.freeBytes = freeBytes ?? Self.freeBytes
    }

    /// Bytes that its files may still fill; nil if that is unknown.
    var room: Int? {
        freeBytes(Files.isFolder(path) ? path : Files.parts(of: path).folder).map { max(0, $0 - Self.roomMin) }
    }

    /// Opens it; nil if there is none yet.
    func open() throws -> Folder? {
        guard let folder = Folder(path) else {
            if errno == ENOENT { return nil }
            throw Files.cannotRead(path, errno)
        }
        return folder
    }

    /// Opens it for another file; creates it if missing. Removes the file that a power cut interrupted.
    func made() throws -> Folder {
        let folder = try Folder.made(path)
        Self.tidy(folder)
        return folder
    }

    /// Removes the file that a power cut interrupted, if there is one.
    func tidy() throws { try open().map(Self.tidy) }

    private static func tidy(_ folder: Folder) {
        for name in (try? folder.names()) ?? [] where isPartialFileName(name.text) { folder.remove(name.text) }
    }

    /// Free bytes for this user of the disk that has `path`; nil if that is unknown.
    static func freeBytes(_ path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}
