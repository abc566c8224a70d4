import Devices
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
        try Self.copySounds(of: own, to: library)
        do throws(LibraryError) { try source.backup(to: library, progress) } catch { throw CommandError(error) }
        isWhole = true
    }

    /// Puts the samples, the takes and the library back, for the library at `own`, which no other process may have open.
    /// Returns the new name of the old library; nil if there was none. After a power cut it can be done again.
    package func restore(to own: String) throws -> String? {
        try Self.copySounds(of: library, to: own)
        do throws(LibraryError) { return try Library.restore(own, from: library) } catch { throw CommandError(error) }
    }

    /// Copies the samples and takes of the library at `library` to those of the one at `other`. They reach the disk before
    /// the library that names them.
    private static func copySounds(of library: String, to other: String) throws {
        let folder = Files.parts(of: other).folder
        try Files.makeFolder(folder)
        try checkRoom(in: folder, for: library)
        do {
            try SampleFolder(ofLibrary: library).copyAll(to: SampleFolder(ofLibrary: other))
        } catch let refusal as SampleFolder.Refusal {
            throw CommandError(.cannotCreate, "\(refusal)")
        }
        try TakeFolder(ofLibrary: library).copyAll(to: TakeFolder(ofLibrary: other))
        guard Sticks.sync(folder) else { throw CommandError(.ioError, "\(folder): could not be written to its end") }
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
}
