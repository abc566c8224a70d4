import Documents
import Formats
import Glibc
import Instrument
import TestSupport
import Testing

@testable import Library

@Suite("The library as a guide")
struct GuideTests {
    let folder = Folder()
    private static let utc = LocalTime { _ in 0 }
    private static let today = CalendarDate(year: 2026, month: 9, day: 21).dayNumber

    private func open() throws -> Library { try Library(path: folder.library, timer: ManualTimer().timer) }

    private func document(_ name: String, note: Int = 0, modified: String) -> PatternDocument {
        var pattern = Pattern()
        pattern[.melody, note: note, step: 0] = .accent
        return PatternDocument(pattern: pattern, name: name, modifiedAt: modified)
    }

    @Test("has a channel for each bank, and each pattern on the day of its last change, the newest first")
    func cells() throws {
        let library = try open()
        let entries = try library.add(
            [
                (document("early", note: 1, modified: "2026-09-20T06:00:00Z"), nil),
                (document("late", note: 2, modified: "2026-09-20T23:30:00Z"), nil),
                (document("caf\u{e9}", note: 3, modified: "2026-09-21T00:30:00Z"), nil),
            ], to: .c)
        let guide = try library.guide(today: Self.today, zone: Self.utc)
        #expect(guide.source == .library)
        #expect(guide.channels.map(\.name) == ["A", "B", "C", "D", "E", "F", "G", "H"])
        #expect(guide.days == Self.today - 66..<Self.today + 1)
        #expect(guide[channel: 2, day: Self.today - 1].map(\.title) == ["LATE", "EARLY"])
        #expect(guide[channel: 2, day: Self.today].map(\.title) == ["CAFE"])
        #expect(guide[channel: 1, day: Self.today].isEmpty)
        #expect(guide[channel: 2, day: Self.today].map(\.id) == [entries[2].number])
        let look = GuideContent.Look.thumbnail(
            GuideThumbnail(document("", note: 3, modified: "").pattern))
        #expect(guide[channel: 2, day: Self.today].map(\.look) == [look])
        // Two hours to the east the day has begun earlier.
        let east = try library.guide(today: Self.today, zone: LocalTime { _ in 7200 })
        #expect(east[channel: 2, day: Self.today].map(\.title) == ["CAFE", "LATE"])
    }

    @Test("begins with the oldest pattern's day, and shows the newest music")
    func days() throws {
        let library = try open()
        try library.add([(document("old", modified: "2020-02-29T12:00:00Z"), nil)], to: .a)
        let first = CalendarDate(year: 2020, month: 2, day: 29).dayNumber
        #expect(try library.guide(today: Self.today, zone: Self.utc).days == first..<Self.today + 1)
        var played = session(bpm: 99)
        played.pattern = 7
        library.keep(state(played), at: .zero)
        library.flush()
        let today = Self.utc.day(of: Disk.now)
        let guide = try library.guide(zone: Self.utc)
        #expect(guide.today == today)
        let look = GuideContent.Look.thumbnail(GuideThumbnail(played.composition.pattern))
        #expect(guide[channel: 0, day: today].map(\.look) == [look])
    }

    @Test("of an empty library is 67 empty days")
    func empty() throws {
        let guide = try open().guide(today: Self.today, zone: Self.utc)
        #expect(guide.days.count == 67)
        #expect(
            guide.days.allSatisfy { day in guide.channels.indices.allSatisfy { guide[channel: $0, day: day].isEmpty } })
    }

    @Test("holds ten thousand patterns")
    func many() throws {
        let library = try open()
        for bank in Bank.allCases {
            try library.add(
                (0..<1250).map { number in
                    (document("P\(number)", modified: "2026-0\(1 + number % 8)-1\(number % 10)T12:00:00Z"), nil)
                }, to: bank)
        }
        let guide = try library.guide(today: Self.today, zone: Self.utc)
        let sum = guide.channels.indices.reduce(0) { sum, channel in
            sum + guide.days.reduce(0) { $0 + guide[channel: channel, day: $1].count }
        }
        #expect(sum == 10_000)
    }

    // MARK: Requests of the pattern card

    @Test("a duplicate has the newest music, the same bank and the next free number")
    func duplicate() throws {
        let library = try open()
        let entry = try library.add([(document("NIGHT", note: 5, modified: "2020-01-01T00:00:00Z"), nil)], to: .d)[0]
        let copies = try (0..<3).map { _ in try library.duplicate(entry.number) }
        #expect(copies.map(\.name) == ["NIGHT 2", "NIGHT 3", "NIGHT 4"])
        #expect(copies.allSatisfy { $0.bank == .d && $0.modified > entry.modified })
        #expect(try library.duplicate(copies[0].number).name == "NIGHT 5")
        #expect(try library.document(of: copies[0].number).pattern == library.document(of: entry.number).pattern)
        #expect(try library.revisions(of: copies[0].number).count == 1)
        #expect(thrown(LibraryError.self) { try library.duplicate(5) } == .noPattern("5"))
        // A name's characters are no wildcards.
        let odd = try library.add([(document("100% _", modified: "2020-01-01T00:00:00Z"), nil)], to: .a)[0]
        try library.add([(document("100X Y 9", modified: "2020-01-01T00:00:00Z"), nil)], to: .a)
        #expect(try library.duplicate(odd.number).name == "100% _ 2")
        #expect(try library.check() == [])
    }

    @Test("a removed pattern is restored with all its revisions")
    func restore() throws {
        let library = try open()
        for bpm in [90, 100, 110] {
            var played = session(bpm: bpm)
            played.pattern = 7
            library.keep(state(played), at: .zero)
            library.flush()
        }
        try library.rename(7, "mine", bank: .f)
        let before = try (library.patterns(), library.revisions(of: 7), library.document(of: 7).text())
        let removed = try library.remove(7)
        #expect(removed.name == "mine")
        #expect(try library.patterns().isEmpty)
        try library.restore(removed)
        #expect(try library.patterns() == before.0)
        #expect(try library.revisions(of: 7) == before.1)
        #expect(try library.document(of: 7).text() == before.2)
        // The restored pattern is the session's again, also for the next program that opens the library.
        #expect(try open().session()?.pattern == 7)
        #expect(try library.check() == [])
    }

    @Test("music played after a pattern was removed stays its newest revision")
    func restorePlayed() throws {
        let library = try open()
        func play(bpm: Int) {
            var played = session(bpm: bpm)
            played.pattern = 7
            library.keep(state(played), at: .zero)
            library.flush()
        }
        play(bpm: 90)
        try library.rename(7, "mine", bank: .f)
        let removed = try library.remove(7)
        play(bpm: 130)
        try library.restore(removed)
        try library.restore(removed)
        #expect(try library.patterns().map(\.name) == ["mine"])
        #expect(try library.revisions(of: 7).count == 2)
        #expect(try library.document(of: 7).pattern.tempo == 130)
        #expect(try library.check() == [])
    }

    // MARK: Marks

    @Test("watched marks can be set and removed, and survive a restart")
    func watched() throws {
        let library = try open()
        for number in [5, -7, .max] as [Int64] { try library.setWatched(number, true) }
        try library.setWatched(5, true)
        try library.setWatched(-7, false)
        try library.setWatched(9, false)
        #expect(try library.watched() == [5, .max])
        #expect(try open().watched() == [5, .max])
    }

    @Test("marks are recovered from a damaged library")
    func recovered() throws {
        do {
            let library = try open()
            try library.setWatched(5, true)
            try library.add([(document("A", modified: "2020-01-01T00:00:00Z"), nil)], to: .a)
            try library.run("PRAGMA user_version = 99")
        }
        let library = try open()
        #expect(library.notice != nil)
        #expect(try library.watched() == [5])
    }

    @Test("a library of the previous version gets its table of marks")
    func migration() throws {
        do {
            let library = try open()
            try library.add([(document("A", modified: "2020-01-01T00:00:00Z"), nil)], to: .a)
        }
        try folder.makeVersion4()
        let library = try open()
        #expect(library.notice == nil)
        try library.setWatched(1, true)
        #expect(try library.watched() == [1])
        #expect(try library.patterns().map(\.name) == ["A"])
    }
}
