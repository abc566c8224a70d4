import Documents
import FoundationEssentials
import Glibc

/// Library files that were replaced. Each is kept beside the library, with its companions, as `….WORD-YYYYMMDD-HHMMSS`.
enum SetAside {
    /// Maximum number of files kept for each word. Each later file contains what could be read of the earlier ones.
    static let countMax = 10

    /// Renames the file at `path` with its companions, so that SQLite's tools still find them together. Returns the new
    /// name; nil if there is no file.
    static func rename(
        _ path: String, _ damage: Damage, as word: String, _ files: FileSystem = .linux
    ) throws(LibraryError) -> String? {
        let stem = "\(path).\(word)-\(timestamp(at: time(nil)))"
        // Two files of the same second need different names.
        var aside = stem
        for number in 2...99 where files.isThere(aside) { aside = "\(stem)-\(number)" }
        // A missing companion was renamed before an interruption; the database itself is renamed last.
        let isThere = files.isThere(path)
        for suffix in databaseSuffixes {
            if case .failure(let error) = files.rename(path + suffix, aside + suffix), error.errno != ENOENT {
                throw .notSetAside(
                    path: path, damage: damage.reason, reason: LibraryError.Reason(errno: error.errno))
            }
        }
        files.synchronise(folder: parent(of: path))
        return isThere ? aside : nil
    }

    /// Removes the oldest replaced files of `path` for `word`, so that `countMax` remain. The file `newest` always
    /// remains, whatever time is in its name.
    static func removeOldest(of path: String, as word: String, besides newest: String, _ files: FileSystem) {
        let (folder, stem) = (parent(of: path), name(of: path) + ".\(word)-")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let others = names.filter { $0 != name(of: newest) }.compactMap { name -> (name: String, moment: [Int])? in
            guard name.hasPrefix(stem), let moment = moment(name.dropFirst(stem.count)) else { return nil }
            return (name, moment)
        }.sorted { $0.moment.lexicographicallyPrecedes($1.moment) }
        for old in others.dropLast(countMax - 1) { files.removeDatabase("\(folder)/\(old.name)") }
    }

    private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The numbers of a timestamp and the counter that `rename` appends; nil for other names, such as a companion's.
    private static func moment(_ text: Substring) -> [Int]? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.map(\.count).starts(with: [8, 6]) else { return nil }
        let numbers = parts.compactMap { UInt32($0).map(Int.init) }
        return numbers.count == parts.count ? numbers : nil
    }

    /// Local time of `moment` for a file name, YYYYMMDD-HHMMSS.
    static func timestamp(at moment: time_t) -> String {
        var seconds = moment
        var date = tm()
        localtime_r(&seconds, &date)
        let day = [(date.tm_year + 1900, 4), (date.tm_mon + 1, 2), (date.tm_mday, 2)]
        let clock = [(date.tm_hour, 2), (date.tm_min, 2), (date.tm_sec, 2)]
        return [day, clock].map { $0.map { String($0, digits: $1) }.joined() }.joined(separator: "-")
    }
}
