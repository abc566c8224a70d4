import Documents
import Formats
import FoundationEssentials
import Glibc
import Instrument

/// Reads television listings from a file or standard input.
package enum ListingsFile {
    /// The listings in the file at `path`, in the reader's language. Logs what was left out.
    package static func read(_ path: String) throws -> TVListings {
        let listings = try Files.document(path, sizeMax: Files.sizeMax) { bytes throws(FormatError) in
            try TVListings(parsing: bytes, languages: languages)
        }
        for remark in listings.remarks { Log.post("\(Files.name(path)): \(remark)") }
        return listings
    }

    /// `listings` as a guide, on the day `today` (days since 1970-01-01) if it is given, else at the present moment;
    /// the programmes whose numbers are in `watched` are marked.
    package static func guide(_ listings: TVListings, today: Int? = nil, watched: Set<Int64> = []) -> GuideContent {
        if let today { return GuideContent(listings, today: today, watched: watched) }
        let now = Int64(time(nil))
        return GuideContent(listings, today: LocalTime.system.day(of: now), now: now, watched: watched)
    }

    /// The reader's language, as locale(7) says where it stands: `de` of `de_DE.UTF-8`.
    private static var languages: [String] {
        let environment = ProcessInfo.processInfo.environment
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let language = locale?.prefix { $0 != "_" && $0 != "." && $0 != "@" }.lowercased() ?? ""
        return ["", "c", "posix"].contains(language) ? [] : [language]
    }
}
