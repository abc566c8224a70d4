import Glibc
import Instrument

/// The time of day at one place: which day a moment belongs to there, also where clocks are put forward and back.
public struct LocalTime: Sendable {
    /// Seconds that its clocks are ahead of UTC at a moment in seconds since 1970.
    public let offset: @Sendable (_ moment: Int64) -> Int64

    /// The time of a place whose clocks are ahead of UTC by `offset`, in seconds.
    public init(offset: @escaping @Sendable (_ moment: Int64) -> Int64) { self.offset = offset }

    /// The time of this machine, as the environment variable `TZ` or /etc/localtime says (localtime_r(3)). Not of
    /// FoundationEssentials, whose `TimeZone.current` knows no zone but GMT.
    public static let system = LocalTime { moment in
        var (time, parts) = (time_t(moment), tm())
        return localtime_r(&time, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
    }

    /// The days from 1970-01-01 to the one that `moment` belongs to.
    public func day(of moment: Int64) -> Int { divided(moment).day }

    /// Seconds on the clock since its midnight at `moment`.
    public func secondOfDay(at moment: Int64) -> Int { divided(moment).second }

    private func divided(_ moment: Int64) -> (day: Int, second: Int) {
        let local = moment + offset(moment)
        let (day, second) = local.quotientAndRemainder(dividingBy: Self.daySeconds)
        return second < 0 ? (Int(day) - 1, Int(second + Self.daySeconds)) : (Int(day), Int(second))
    }

    /// `20:30`.
    public func clock(at moment: Int64) -> String {
        let second = secondOfDay(at: moment)
        return String(second / 3600, digits: 2) + ":" + String(second / 60 % 60, digits: 2)
    }

    /// `2026-03-29`.
    public static func date(ofDay day: Int) -> String {
        let date = CalendarDate(dayNumber: day)
        return String(date.year, digits: 4) + "-" + String(date.month, digits: 2) + "-" + String(date.day, digits: 2)
    }

    /// `2026-03-29T20:30:00+02:00`, ISO 8601.
    public func text(of moment: Int64) -> String {
        let minutes = abs(offset(moment)) / 60
        let sign = offset(moment) < 0 ? "-" : "+"
        return Self.date(ofDay: day(of: moment)) + "T" + clock(at: moment) + ":"
            + String(secondOfDay(at: moment) % 60, digits: 2) + sign + String(minutes / 60, digits: 2) + ":"
            + String(minutes % 60, digits: 2)
    }

    /// The days from 1970-01-01 to the date that `text` (`2026-03-29`) says; nil if it says none.
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
