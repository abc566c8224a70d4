import FoundationEssentials
import Library

/// A temporary copy of a library and its samples, removed with this object.
package final class LibraryCopy {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "pixelboop-\(UUID().uuidString)")

    /// Its path.
    package var path: String { folder.appending(path: "library.sqlite").path }

    /// A copy of the library at `path`; without one a place for a new library. Throws if it cannot be read, or there is no
    /// room.
    package init(of path: String?) throws {
        try Files.makeFolder(folder.path)
        guard let path else { return }
        try Libraries.open(path, as: .reader).backup(to: self.path)
        let (own, copies) = (SampleFolder(ofLibrary: path), SampleFolder(ofLibrary: self.path))
        for sample in try own.samples() { try copies.keep(try own.read(sample.name), as: sample.name) }
    }

    /// What a power cut leaves of the library at `path`, in a folder of its own: the files as they lie on the disk.
    package init(leftAt path: String) throws {
        try FileManager.default.copyItem(at: URL(fileURLWithPath: path).deletingLastPathComponent(), to: folder)
        // SQLite's memory that processes share, not a part of the disk.
        try? FileManager.default.removeItem(atPath: self.path + "-shm")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
