import FoundationEssentials
import Glibc
import Library

/// A backup of all that a box keeps: a folder with a copy of the library, and beside it its takes and its samples, as beside
/// any library. The library is written last: a folder without it is no backup.
package struct WholeBackup {
    /// Its folder.
    package let path: String
    private var library: String { "\(path)/library.sqlite" }

    /// The backup at `path`; nil if none is there.
    package init?(at path: String) {
        self.path = path
        guard Files.isFolder(path), Files.size(library) != nil else { return nil }
    }

    /// Writes the backup of `source`, which is at `own`, to a new folder at `path`, or in it if it is there.
    package init(of source: Library, at own: String, to path: String, _ progress: @escaping Library.Progress) throws {
        let name = Library.backupName(at: Int64(time(nil)))
        self.path = Files.isFolder(path) ? "\(path)/\(name.dropLast(".sqlite".count))" : path
        guard access(self.path, F_OK) != 0 else {
            throw CommandError(.cannotCreate, "\(self.path): is there already; name another folder")
        }
        var isWhole = false
        defer { if !isWhole { try? FileManager.default.removeItem(atPath: self.path) } }
        try Files.makeFolder(self.path)
        try Self.named {
            try Self.checkRoom(in: self.path, for: own)
            try SampleFolder(ofLibrary: own).copyAll(to: SampleFolder(ofLibrary: library))
            try TakeFolder(ofLibrary: own).copyAll(to: TakeFolder(ofLibrary: library))
            // What the library names is on the medium before it.
            sync()
            try source.backup(to: library, progress)
        }
        isWhole = true
    }

    /// Puts the samples, the takes and the library back, for the library at `own`, which no other process may have open.
    /// Returns the new name of the old library; nil if there was none. After a power cut it can be done again.
    package func restore(to own: String) throws -> String? {
        try Self.named {
            try Files.makeFolder(Files.parts(of: own).folder)
            try Self.checkRoom(in: Files.parts(of: own).folder, for: library)
            try SampleFolder(ofLibrary: library).copyAll(to: SampleFolder(ofLibrary: own))
            try TakeFolder(ofLibrary: library).copyAll(to: TakeFolder(ofLibrary: own))
            sync()
            return try Library.restore(own, from: library)
        }
    }

    /// Throws if the disk of `folder` has no room for the takes and samples of the library at `library`.
    private static func checkRoom(in folder: String, for library: String) throws {
        let takes = try TakeFolder(ofLibrary: library).takes().reduce(0) { $0 + $1.size }
        let needed = try SampleFolder(ofLibrary: library).samples().reduce(takes) { $0 + $1.size }
        guard let free = FolderBesideLibrary.freeBytes(folder), needed > free else { return }
        let (has, needs) = (free >> 20, (needed >> 20) + 1)
        throw CommandError(
            .cannotCreate, "\(folder): has \(has) MB free, and takes and samples need \(needs); make room")
    }

    /// What `act` returns; its errors are those of commands.
    private static func named<Result>(_ act: () throws -> Result) throws -> Result {
        do {
            return try act()
        } catch let error as LibraryError {
            throw CommandError(error.status ?? .ioError, "\(error)")
        } catch let refusal as SampleFolder.Refusal {
            throw CommandError(.cannotCreate, "\(refusal)")
        }
    }
}
