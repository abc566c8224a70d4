import Formats
import FoundationEssentials
import Glibc

/// Library files that made room for another. Each lies beside it, with its companions, as `….WORD-YYYYMMDD-HHMMSS`.
enum SetAside {
    /// So many of one word are kept: of a damaged one, what could be read is in each that came after it.
    static let countMax = 10

    /// Renames the file at `path` and its companions, so that SQLite's tools still find them together; returns the new
    /// name, or nil where there is no file.
    static func rename(_ path: String, _ damage: Damage, as word: String) throws(LibraryError) -> String? {
        let stem = "\(path).\(word)-\(timestamp(at: time(nil)))"
        // Two within one second must not overwrite each other.
        var aside = stem
        for number in 2...99 where access(aside, F_OK) == 0 { aside = "\(stem)-\(number)" }
        // What is not there has been renamed already, when this was cut short; the file itself goes last.
        let isThere = access(path, F_OK) == 0
        for suffix in databaseSuffixes {
            guard Glibc.rename(path + suffix, aside + suffix) == 0 || errno == ENOENT else {
                throw .notSetAside(path: path, damage: damage.reason, reason: LibraryError.Reason())
            }
        }
        synchronise(folder: parent(of: path))
        return isThere ? aside : nil
    }

    /// Removes the oldest files that made room at `path` under `word`, so that `countMax` are left. The one at `newest` is
    /// among these, whatever the clock said when it was named.
    static func removeOldest(of path: String, as word: String, besides newest: String) {
        let (folder, stem) = (parent(of: path), name(of: path) + ".\(word)-")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let others = names.filter { $0 != name(of: newest) }.compactMap { name -> (name: String, moment: [Int])? in
            guard name.hasPrefix(stem), let moment = moment(name.dropFirst(stem.count)) else { return nil }
            return (name, moment)
        }.sorted { $0.moment.lexicographicallyPrecedes($1.moment) }
        for old in others.dropLast(countMax - 1) { removeFile("\(folder)/\(old.name)") }
    }

    private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The numbers of a timestamp and of what `rename` puts behind it; nil for anything else, such as a companion's name.
    private static func moment(_ text: Substring) -> [Int]? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.map(\.count).starts(with: [8, 6]) else { return nil }
        let numbers = parts.compactMap { UInt32($0).map(Int.init) }
        return numbers.count == parts.count ? numbers : nil
    }

    /// The time of day at `moment` for a file's name, YYYYMMDD-HHMMSS as the wall clock shows it.
    static func timestamp(at moment: time_t) -> String {
        var seconds = moment
        var date = tm()
        localtime_r(&seconds, &date)
        let day = [(date.tm_year + 1900, 4), (date.tm_mon + 1, 2), (date.tm_mday, 2)]
        let clock = [(date.tm_hour, 2), (date.tm_min, 2), (date.tm_sec, 2)]
        return [day, clock].map { $0.map { String($0, digits: $1) }.joined() }.joined(separator: "-")
    }
}
