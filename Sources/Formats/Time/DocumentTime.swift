import FoundationEssentials

/// Conversion between seconds since 1970 and the times in documents.
public enum DocumentTime {
    /// The times that a document can contain: the years 1 to 9999.
    public static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// Formats a time, such as `2026-03-29T18:30:00Z`.
    public static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }

    /// Parses an ISO 8601 `text`; nil if it is invalid.
    public static func seconds(_ text: String) -> Int64? {
        let date =
            (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        let seconds = date.flatMap { Int64(exactly: $0.timeIntervalSince1970.rounded(.down)) }
        return seconds.flatMap { range.contains($0) ? $0 : nil }
    }
}
