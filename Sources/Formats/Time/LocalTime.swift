import Documents
import Glibc
import Instrument

/// Local time of a time zone, including daylight saving time.
public struct LocalTime: Sendable {
    /// Offset from UTC in seconds, at a time in seconds since 1970.
    public let offset: @Sendable (_ moment: Int64) -> Int64

    /// A time zone with this offset from UTC, in seconds.
    public init(offset: @escaping @Sendable (_ moment: Int64) -> Int64) { self.offset = offset }

    /// The machine's time zone, from the environment variable `TZ` or /etc/localtime (localtime_r(3)).
    /// FoundationEssentials supports only GMT in `TimeZone.current`.
    public static let system = LocalTime { moment in
        var (time, parts) = (time_t(moment), tm())
        return localtime_r(&time, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
    }

    /// The local day of `moment`, in days since 1970-01-01.
    public func day(of moment: Int64) -> Int { divided(moment).day }

    /// Seconds since local midnight at `moment`.
    public func secondOfDay(at moment: Int64) -> Int { divided(moment).second }

    private func divided(_ moment: Int64) -> (day: Int, second: Int) {
        let local = moment + offset(moment)
        let (day, second) = local.quotientAndRemainder(dividingBy: Self.daySeconds)
        return second < 0 ? (Int(day) - 1, Int(second + Self.daySeconds)) : (Int(day), Int(second))
    }

    /// Local time, such as `20:30`.
    public func clock(at moment: Int64) -> String {
        let second = secondOfDay(at: moment)
        return String(second / 3600, digits: 2) + ":" + String(second / 60 % 60, digits: 2)
    }

    /// Date, such as `2026-03-29`.
    public static func date(ofDay day: Int) -> String {
        let date = CalendarDate(dayNumber: day)
        return String(date.year, digits: 4) + "-" + String(date.month, digits: 2) + "-" + String(date.day, digits: 2)
    }

    /// Local time in ISO 8601, such as `2026-03-29T20:30:00+02:00`.
    public func text(of moment: Int64) -> String {
        let minutes = abs(offset(moment)) / 60
        let sign = offset(moment) < 0 ? "-" : "+"
        return Self.date(ofDay: day(of: moment)) + "T" + clock(at: moment) + ":"
            + String(secondOfDay(at: moment) % 60, digits: 2) + sign + String(minutes / 60, digits: 2) + ":"
            + String(minutes % 60, digits: 2)
    }

    /// Parses a date such as `2026-03-29` into days since 1970-01-01; nil if it is invalid.
    public static func day(ofDate text: String) -> Int? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy(\.isASCIIDigit),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        let date = CalendarDate(year: year, month: month, day: day)
        return date.isValid ? date.dayNumber : nil
    }

    static let daySeconds: Int64 = 86_400
}
