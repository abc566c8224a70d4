import Documents

/// The number of an episode in listings.
enum EpisodeNumber {
    /// `S2E3` from `text` in `system` (XMLTV's DTD, episode-num); empty if it has neither season nor episode.
    static func badge(_ text: String, system: String) -> String {
        switch system {
        case "xmltv_ns": badge(counted(text))
        case "", "onscreen": badge(onScreen(text))
        default: ""
        }
    }

    private static func badge(_ number: (season: Int?, episode: Int?)) -> String {
        (number.season.map { "S\($0)" } ?? "") + (number.episode.map { "E\($0)" } ?? "")
    }

    /// `1.2/13.0/1`: season, episode and part, each from zero, with an optional total; any may be missing.
    private static func counted(_ text: String) -> (season: Int?, episode: Int?) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { part -> Int? in
            let digits = part.prefix { $0 != "/" }.filter { !$0.isWhitespace }
            return number(digits[...]).map { $0 + 1 }
        }
        return (parts.first ?? nil, parts.count > 1 ? parts[1] : nil)
    }

    /// `S01E03`, `s1 ep 3`, `1x03`, `E3`, `S2`.
    private static func onScreen(_ text: String) -> (season: Int?, episode: Int?) {
        let words = text.uppercased().filter { !$0.isWhitespace && $0 != "." && $0 != "," && $0 != ":" }
        let parts = words.split(separator: "X", omittingEmptySubsequences: false)
        if parts.count == 2, let season = number(parts[0]), let episode = number(parts[1]) { return (season, episode) }
        var rest = words[...]
        let season =
            removeNumber(after: "SEASON", from: &rest) ?? removeNumber(after: "SERIES", from: &rest)
            ?? removeNumber(after: "S", from: &rest)
        let episode =
            removeNumber(after: "EPISODE", from: &rest) ?? removeNumber(after: "EP", from: &rest)
            ?? removeNumber(after: "E", from: &rest)
        return (season, episode)
    }

    /// Removes `word` and the number after it from the front of `text`, if present.
    private static func removeNumber(after word: String, from text: inout Substring) -> Int? {
        guard text.hasPrefix(word) else { return nil }
        let digits = text.dropFirst(word.count).prefix(while: \.isASCIIDigit)
        guard let number = number(digits) else { return nil }
        text = text.dropFirst(word.count + digits.count)
        return number
    }

    /// Maximum number, to keep a badge short; no series has more.
    private static let numberMax = 99_999

    private static func number(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit), let number = Int(digits), number <= numberMax else {
            return nil
        }
        return number
    }
}
