import Box
import Drive
import Formats
import FoundationEssentials
import Library
import Replay

/// The files of `drive`.
struct DriveFiles: BenchFiles {
    func useLibrary(
        at path: String, today: Int?, listings: String?, in plan: inout Replay.Plan
    ) throws -> any BenchLibrary {
        let library = try CopiedLibrary(of: path)
        let listings = try listings.map { path in
            let listings = try ListingsFile.read(path)
            return { watched in ListingsFile.guide(listings, today: today, watched: watched) } as Librarian.Listings
        }
        plan.play(library.library, at: library.copy.path, today: today, listings: listings)
        return library
    }

    func write(_ bytes: [UInt8], to path: String) throws { try Files.write(bytes, to: path) }
}

/// A box's own copy of a library.
private final class CopiedLibrary: BenchLibrary {
    let library: Library
    let copy: LibraryCopy

    /// A copy of the library at `path`; an empty one if no file is there.
    init(of path: String) throws {
        copy = try LibraryCopy(of: FileManager.default.fileExists(atPath: path) ? path : nil)
        library = try Libraries.player(copy.path, Configuration())
    }

    func patterns() throws -> [(number: Int64, name: String, bank: String)] {
        library.flush()
        return try library.patterns().map { ($0.number, $0.name, $0.bank.letter) }
    }

    func copy(to path: String) throws {
        library.flush()
        try library.backup(to: path)
    }

    func takeNotices() -> [String] { library.drainNotices() }
}
