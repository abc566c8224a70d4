/// A date of the proleptic Gregorian calendar.
public struct CalendarDate: Hashable, Sendable {
    /// The year, astronomical: year 0 precedes year 1.
    public var year: Int
    /// The month, 1-12.
    public var month: Int
    /// The day of the month, 1-31.
    public var day: Int

    /// The date with this year, month and day.
    public init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date `dayNumber` days after 1970-01-01.
    public init(dayNumber: Int) {
        // Years that begin in March have the leap day last, so the months of all years begin on the same days.
        let days = dayNumber + Self.marchToEpoch
        let cycles = days.floorDivided(by: Self.daysOfCycle)
        var rest = days - cycles * Self.daysOfCycle
        let centuries = min(rest / Self.daysOfCentury, 3)
        rest -= centuries * Self.daysOfCentury
        let fours = rest / Self.daysOfFour
        rest -= fours * Self.daysOfFour
        let years = min(rest / 365, 3)
        rest -= years * 365
        var place = Self.monthStarts.count - 1
        while Self.monthStarts[place] > rest { place -= 1 }
        month = place < 10 ? place + 3 : place - 9
        day = rest - Self.monthStarts[place] + 1
        year = 400 * cycles + 100 * centuries + 4 * fours + years + (place < 10 ? 0 : 1)
    }

    /// Days since 1970-01-01.
    public var dayNumber: Int {
        let march = month < 3 ? year - 1 : year
        let leapDays = march.floorDivided(by: 4) - march.floorDivided(by: 100) + march.floorDivided(by: 400)
        return 365 * march + leapDays + Self.monthStarts[(month + 9) % 12] + day - 1 - Self.marchToEpoch
    }

    /// Whether the calendar contains this date.
    public var isValid: Bool { (1...12).contains(month) && CalendarDate(dayNumber: dayNumber) == self }

    /// The month's abbreviation, `JAN` to `DEC`.
    public var monthName: String { Self.monthNames[month - 1] }

    /// The months' abbreviations, January first.
    static let monthNames = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]

    /// Days from March 1 of the year 0 to 1970-01-01.
    private static let marchToEpoch = 719_468
    /// Days in 400 years, in 100 years without a leap day at the end, and in four years.
    private static let (daysOfCycle, daysOfCentury, daysOfFour) = (146_097, 36_524, 1461)
    /// Days from March 1 to the first of each month, March first.
    private static let monthStarts = [0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337]
}

extension Int {
    /// The quotient rounded down.
    fileprivate func floorDivided(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
