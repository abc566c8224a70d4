import Testing

@testable import Instrument

@Suite("Dates")
struct CalendarDateTests {
    @Test(
        "match known days",
        arguments: [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (59, 1970, 3, 1), (789, 1972, 2, 29), (11_016, 2000, 2, 29),
            (-25_509, 1900, 2, 28), (-25_508, 1900, 3, 1), (20_717, 2026, 9, 21), (2_932_896, 9999, 12, 31),
            (-719_162, 1, 1, 1), (-719_528, 0, 1, 1),
        ])
    func known(number: Int, year: Int, month: Int, day: Int) {
        let date = CalendarDate(year: year, month: month, day: day)
        #expect(CalendarDate(dayNumber: number) == date)
        #expect(date.dayNumber == number)
    }

    @Test("are consecutive for 2000 years")
    func succession() {
        var last = CalendarDate(dayNumber: -400_000)
        for number in -399_999...400_000 {
            let date = CalendarDate(dayNumber: number)
            let isNext = date == CalendarDate(year: last.year, month: last.month, day: last.day + 1)
            let isNextMonth = date.day == 1 && (date.month == last.month + 1 || (date.month, last.month) == (1, 12))
            guard isNext || isNextMonth, date.dayNumber == number, last.day <= 31 else {
                Issue.record("\(date) follows \(last)")
                return
            }
            last = date
        }
    }

    @Test("outside the calendar are rejected")
    func invalid() {
        #expect(!CalendarDate(year: 2026, month: 2, day: 29).isValid)
        #expect(!CalendarDate(year: 2026, month: 13, day: 1).isValid)
        #expect(!CalendarDate(year: 2026, month: 4, day: 31).isValid)
        #expect(CalendarDate(year: 2024, month: 2, day: 29).isValid)
    }
}
