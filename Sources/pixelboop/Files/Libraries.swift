import Library

/// Libraries that somebody names.
enum Libraries {
    /// The library at `path`, begun if there is none.
    static func open(_ path: String) throws -> Library {
        do throws(LibraryError) {
            return try Library(path: path)
        } catch {
            throw CommandError(.cannotCreate, "\(error)")
        }
    }
}
