import FoundationEssentials
import Library

/// A temporary copy of a library and its samples, removed with this object.
package final class LibraryCopy {
    /// Its path.
    package let path: String

    private let folder: URL

    /// A copy of the library at `path`; without one a place for a new library. Throws if it cannot be read, or there is no
    /// room.
    package init(of path: String?) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "pixelboop-\(UUID().uuidString)")
        try Files.makeFolder(folder.path)
        self.path = folder.appending(path: "library.sqlite").path
        guard let path else { return }
        try Libraries.open(path, as: .reader).backup(to: self.path)
        let (own, copies) = (SampleFolder(ofLibrary: path), SampleFolder(ofLibrary: self.path))
        for sample in try own.samples() { try copies.keep(try own.read(sample.name), as: sample.name) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
