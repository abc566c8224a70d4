import Display
import Documents
import Formats
import Foundation
import Instrument
import Testing

@Suite("XMLTV listings")
struct XMLTVTests {
    /// A document with one programme.
    private func document(start: String, stop: String? = nil, inside: String = "<title>T</title>") -> String {
        let stop = stop.map { " stop=\"\($0)\"" } ?? ""
        return "<tv><programme start=\"\(start)\"\(stop) channel=\"c\">\(inside)</programme></tv>"
    }

    private func read(_ text: String, languages: [String] = []) throws -> TVListings {
        try TVListings(parsing: Array(text.utf8), languages: languages)
    }

    private func refusal(_ bytes: [UInt8]) -> FormatError? {
        do {
            _ = try TVListings(parsing: bytes)
            return nil
        } catch {
            return error
        }
    }

    /// Seconds from 1970 to midnight UTC of 2026-09-21.
    private static let midnight: Int64 = 20_717 * 86_400

    @Test(
        "times in any precision and zone",
        arguments: [
            ("20260921203000 +0000", "2026-09-21T20:30:00"), ("20260921203000", "2026-09-21T20:30:00"),
            ("202609212030", "2026-09-21T20:30:00"), ("2026092120", "2026-09-21T20:00:00"),
            ("20260921", "2026-09-21T00:00:00"), ("202609", "2026-09-01T00:00:00"), ("2026", "2026-01-01T00:00:00"),
            ("20260921203015", "2026-09-21T20:30:15"), ("20260921203000 +0130", "2026-09-21T19:00:00"),
            ("20260921203000+0130", "2026-09-21T19:00:00"), ("20260921203000 -0530", "2026-09-22T02:00:00"),
            ("20260921203000 +01:30", "2026-09-21T19:00:00"), ("20260921203000 UTC", "2026-09-21T20:30:00"),
            ("20260921203000 GMT", "2026-09-21T20:30:00"), ("20260921203000 BST", "2026-09-21T19:30:00"),
            ("20260921203000 bst", "2026-09-21T19:30:00"), ("20260921203000 CEST", "2026-09-21T18:30:00"),
            ("20260921203000 EDT", "2026-09-22T00:30:00"), ("20260921203000 NST", "2026-09-22T00:00:00"),
            ("20260921203000Z", "2026-09-21T20:30:00"), (" 20260921203000  +0000 ", "2026-09-21T20:30:00"),
            ("20260921235960", "2026-09-22T00:00:00"), ("2026-09-21T20:30:15+01:30", "2026-09-21T19:00:15"),
            ("2026-09-21T20:30:15.250Z", "2026-09-21T20:30:15"), ("2026-09-21 20:30 +0130", "2026-09-21T19:00:00"),
            ("2026-09-21T20", "2026-09-21T20:00:00"), ("2026-09-21", "2026-09-21T00:00:00"),
            ("2026-09 -0530", "2026-09-01T05:30:00"), ("20260921T203015Z", "2026-09-21T20:30:15"),
            ("0001", "0001-01-01T00:00:00"), ("9999", "9999-01-01T00:00:00"),
        ] as [(String, String)])
    func times(text: String, moment: String) throws {
        let listings = try read(document(start: text))
        #expect(listings.programmes.map { LocalTime { _ in 0 }.text(of: $0.start) } == [moment + "+00:00"])
    }

    @Test(
        "a programme without a valid start is left out, and counted",
        arguments: [
            "", "soon", "20", "202", "20261", "20261301", "20260230", "2026092125", "202609212060", "20260921203",
            "20260921203000 XYZ", "20260921203000 +1", "20260921203000 +9999", "20260921203000 +0060", "２０２６",
            "20260921203000 +0100 x", "00000101", "202609212030001", "2026-9-21", "2026-0921", "2026-09-21T",
            "2026-09-21T2",
            "2026-09-21T20:3", "2026-09-21T20:30:15.", "2026-09-21T20:30:15.5.5", "2026-09-21T20:30:15:15",
            "20260921 20",
        ])
    func noStart(text: String) throws {
        let others = "<programme start=\"2026\" channel=\"c\"><title>T</title></programme>"
        let listings = try read(document(start: text).replacingOccurrences(of: "</tv>", with: others + "</tv>"))
        #expect(listings.programmes.count == 1)
        #expect(listings.skipped == 1)
        #expect(listings.remarks == ["left out 1 programme without a channel or a start that can be read"])
        let alone = refusal(Array(document(start: text).utf8))
        #expect(alone?.problem.contains("without a programme") == true)
    }

    @Test(
        "episode numbers",
        arguments: [
            ("xmltv_ns", "1.2.0/1", "S2E3"), ("xmltv_ns", "1.0.0/1", "S2E1"), ("xmltv_ns", "0 . 12/13 . 0/3", "S1E13"),
            ("xmltv_ns", "0..", "S1"), ("xmltv_ns", ".4.", "E5"), ("xmltv_ns", "3/10.6", "S4E7"),
            ("xmltv_ns", "..", ""),
            ("xmltv_ns", "a.b.c", ""), ("xmltv_ns", "99999999999999999999.1.", "E2"), ("onscreen", "S01E03", "S1E3"),
            ("onscreen", "1x03", "S1E3"), ("onscreen", "s2 ep 14", "S2E14"), ("onscreen", "E7", "E7"),
            ("onscreen", "Season 3, Episode 4", "S3E4"), ("onscreen", "#FFEE", ""), ("dd_progid", "EP01.0001", ""),
        ])
    func episodes(system: String, text: String, badge: String) throws {
        let inside = "<title>T</title><episode-num system=\"\(system)\">\(text)</episode-num>"
        #expect(try read(document(start: "2026", inside: inside)).programmes.map(\.badge) == [badge])
    }

    @Test("xmltv_ns takes precedence over onscreen, the default system")
    func episodeSystems() throws {
        let onScreen = "<episode-num>S9E9</episode-num>"
        let counted = "<episode-num system=\"xmltv_ns\">0.0.</episode-num>"
        #expect(try read(document(start: "2026", inside: onScreen + counted)).programmes.map(\.badge) == ["S1E1"])
        #expect(try read(document(start: "2026", inside: onScreen)).programmes.map(\.badge) == ["S9E9"])
    }

    @Test("titles: the first, unless one is in the reader's language")
    func titles() throws {
        let titles = "<title lang=\"en\">One</title><title lang=\"de_AT\">Eins</title><title lang=\"de\">Zwei</title>"
        for (languages, title) in [([], "One"), (["de"], "Eins"), (["fr"], "One"), (["fr", "de"], "Eins")] {
            #expect(
                try read(document(start: "2026", inside: titles), languages: languages).programmes[0].title == title)
        }
        #expect(try read(document(start: "2026", inside: "")).programmes[0].title == "?")
        let spaced = "<title>\n  A <![CDATA[& B]]>  &lt;C&#62;\n</title>"
        #expect(try read(document(start: "2026", inside: spaced)).programmes[0].title == "A & B <C>")
    }

    @Test("channels: order, first name, and those named only by programmes")
    func channels() throws {
        let listings = try read(
            """
            <tv><channel id="b"><display-name>Bee</display-name><display-name>2</display-name></channel><channel id="a"/>
            <programme start="2026" channel="z"><title>T</title></programme>
            <programme start="2026" channel="a"><title>T</title></programme></tv>
            """)
        #expect(listings.channels.map(\.id) == ["b", "a", "z"])
        #expect(listings.channels.map(\.name) == ["Bee", "", ""])
        let content = GuideContent(listings, today: 20_454)
        #expect(content.channels.map(\.name) == ["BEE", "A", "Z"])
    }

    @Test("ends: as given, else the next start; overlapping programmes stay, duplicates are removed")
    func ends() throws {
        func programme(_ start: String, _ stop: String?, _ title: String, _ channel: String = "c") -> String {
            let stop = stop.map { " stop=\"202609\($0)\"" } ?? ""
            return
                "<programme start=\"202609\(start)\"\(stop) channel=\"\(channel)\"><title>\(title)</title></programme>"
        }
        let listings = try read(
            "<tv>" + programme("212100", nil, "later") + programme("212000", "212130", "long")
                + programme("212030", nil, "open") + programme("212030", nil, "clump")
                + programme("212000", "212130", "long")
                + programme("212200", "212100", "backwards") + programme("212230", nil, "other", "d")
                + programme("232230", nil, "after a hole", "d") + "</tv>")
        let titles = ["long", "open", "clump", "later", "backwards", "other", "after a hole"]
        #expect(listings.programmes.map(\.title) == titles)
        let minutes = listings.programmes.map { programme in programme.stop.map { ($0 - programme.start) / 60 } }
        #expect(minutes == [90, 30, 30, 60, nil, nil, nil])
    }

    @Test(
        "compressed files are rejected, naming the tool to unpack them",
        arguments: [([0x1f, 0x8b, 8], "gunzip"), ([0xfd, 0x37, 0x7a, 0x58], "unxz")] as [([UInt8], String)])
    func compressed(bytes: [UInt8], tool: String) {
        let refusal = FormatError("byte 1", "is compressed; unpack it first, by \(tool)")
        #expect(throws: refusal) { try TVListings(parsing: bytes + [0, 0, 0, 0], languages: []) }
    }

    @Test("encodings: UTF-8, also with a byte-order mark, UTF-16 of either order, ISO-8859-1")
    func encodings() {
        let text = document(start: "2026", inside: "<title>Caf\u{e9}</title>")
        func sixteen(_ isBig: Bool) -> [UInt8] {
            (isBig ? [0xfe, 0xff] : [0xff, 0xfe])
                + Array("<?xml version=\"1.0\" encoding=\"UTF-16\"?>\(text)".utf16).flatMap { unit in
                    let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xff))
                    return isBig ? [high, low] : [low, high]
                }
        }
        let latin = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\(text)".unicodeScalars.map { UInt8($0.value) }
        for bytes in [Array(text.utf8), [0xef, 0xbb, 0xbf] + Array(text.utf8), sixteen(true), sixteen(false), latin] {
            #expect((try? TVListings(parsing: bytes))?.programmes.first?.title == "Caf\u{e9}")
        }
        #expect(refusal(Array("<tv><a>".utf8) + [0xff, 0xfe, 0xc3]) != nil)
    }

    @Test(
        "text that is not XML, not XMLTV or has no programme is rejected with its line",
        arguments: [
            ("", "line 1: is empty, should be XMLTV listings"),
            ("{\"a\": 1}", "line 1: is not XML: "), ("<tv>\n<programme>\n</tv>", "line 3: is not XML: "),
            ("<rss>\n</rss>", "line 1: is not XMLTV: its first element is <rss>, should be <tv>"),
            ("<tv>\n</tv>", "line 2: the listings end without a programme"),
            ("<tv/>", "line 1: the listings end without"),
            ("<!DOCTYPE tv [<!ENTITY a \"b\">]><tv>&nothing;</tv>", "line 1: is not XML: Entity 'nothing' not defined"),
        ])
    func refusals(text: String, problem: String) {
        let words = refusal(Array(text.utf8)).map { "\($0)" }
        #expect(words?.hasPrefix(problem) == true, "\(words ?? "not refused")")
    }

    @Test(
        "what a title has that XML does not allow is repaired, and the rest of the file is kept",
        arguments: [
            ("Tom & Jerry", "Tom & Jerry"), ("R&B", "R&B"), ("A &B; C", "A &B; C"), ("5 < 6 <3", "5 < 6 <3"),
            ("Caf&eacute;&nbsp;&amp; Bar&#33;", "Caf\u{e9} & Bar!"), ("one\u{1f}two", "one two"), ("&", "&"),
            ("&;", "&;"),
            ("<![CDATA[A & B]]> & C<!-- & -->", "A & B & C"), ("<![CDATA[A\u{1}B]]><!-- \u{2} -->", "A B"),
            ("A&#x0B;B&#1;C&#0;D&#xFFFF;E", "A B C D E"), ("&#;x&#y;", "&#;x&#y;"), ("&#x1F600;&#65;", "\u{1F600}A"),
        ])
    func repaired(text: String, title: String) throws {
        let others = "<programme start=\"2026\" channel=\"c\"><title>T</title></programme>"
        let listings = try read(
            "<?xml version=\"1.0\"?>\n"
                + document(start: "2025", inside: "\n<title>\(text) &</title>").replacingOccurrences(
                    of: "</tv>", with: others + "</tv>"))
        #expect(listings.programmes.map(\.title) == [title + " &", "T"])
        #expect(listings.remarks.first?.hasSuffix("that XML does not allow, from line 3 on") == true)
    }

    @Test("a byte that is not UTF-8 is replaced in a file of UTF-8, and a file of ISO-8859-1 keeps it beside a bare &")
    func foreignBytes() throws {
        let text = document(start: "2026", inside: "<title>Caf\u{e9} &</title>").unicodeScalars.map { UInt8($0.value) }
        #expect(try TVListings(parsing: text).programmes[0].title == "Caf\u{fffd} &")
        let latin = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>".utf8) + text
        #expect(try TVListings(parsing: latin).programmes[0].title == "Caf\u{e9} &")
    }

    @Test("entities of HTML are kept in a document whose type is declared elsewhere, as most are")
    func documentType() throws {
        for type in ["SYSTEM \"xmltv.dtd\"", "PUBLIC \"-//XMLTV//DTD\" \"http://example.com/xmltv.dtd\""] {
            let text =
                "<?xml version=\"1.0\"?>\n<!DOCTYPE tv \(type)>\n"
                + document(start: "2026", inside: "<title>Caf&eacute; R&D; &hellip; &amp;</title>")
                .replacingOccurrences(of: "channel=\"", with: "channel=\"&ldquo;")
            let listings = try read(text)
            #expect(listings.programmes[0].title == "Café R&D; … &")
            #expect(
                listings.channels.contains { $0.id.hasPrefix("“") }
                    && listings.remarks.contains { $0.contains("XML does not allow") })
        }
    }

    @Test("a document of UTF-16 is repaired as one of UTF-8, and one of ISO-2022 is not made another")
    func otherEncodings() throws {
        let text =
            "<?xml version=\"1.0\" encoding=\"UTF-16\"?>"
            + document(start: "2026", inside: "<title>Tom & Jérry</title>")
        for isLittleEndian in [true, false] {
            let bytes = ([0xfeff] + Array(text.utf16)).flatMap { (unit: UInt16) -> [UInt8] in
                withUnsafeBytes(of: isLittleEndian ? unit.littleEndian : unit.bigEndian, Array.init)
            }
            #expect(try TVListings(parsing: bytes).programmes[0].title == "Tom & Jérry")
        }
        let japanese =
            Array("<?xml version=\"1.0\" encoding=\"ISO-2022-JP\"?>".utf8)
            + Array(document(start: "2026", inside: "<title>a & b</title>").utf8)
        #expect(refusal(japanese) != nil)
    }

    @Test("a long comment behind a wrong character takes as long as one before it", .timeLimit(.minutes(1)))
    func longComment() throws {
        let comment = "<!--" + String(repeating: "x", count: 8_000_000) + "-->"
        let text = document(start: "2026", inside: "<title>a & b</title>\(comment)")
        #expect(try read(text).programmes[0].title == "a & b")
    }

    @Test("an entity bomb is rejected, and external entities are not read")
    func entities() throws {
        var bomb = "<!DOCTYPE tv [<!ENTITY a0 \"aaaaaaaaaa\">"
        for level in 1...12 {
            bomb += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        bomb += "]>" + document(start: "2026", inside: "<title>&a12;</title>")
        #expect(refusal(Array(bomb.utf8)) != nil)
        let loop =
            "<!DOCTYPE tv [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]>"
            + document(start: "2026", inside: "<title>&a;</title>")
        #expect(refusal(Array(loop.utf8)) != nil)
        let outside =
            "<!DOCTYPE tv SYSTEM \"/etc/passwd\" [<!ENTITY o SYSTEM \"file:///etc/passwd\"><!ENTITY i \"in\">]>"
            + document(start: "2026", inside: "<title>a&o;b&i;</title>")
        #expect(try read(outside).programmes[0].title == "abin")
    }

    @Test("a truncated document is rejected, wherever it ends")
    func truncated() throws {
        let text = """
            <?xml version="1.0"?><!DOCTYPE tv [<!ENTITY e "x">]><tv><channel id="a"><display-name>A&e;</display-name></channel>
            <programme start="20260921203000 +0200" stop="20260921213000 +0200" channel="a"><title>T<![CDATA[&]]></title>
            <!-- c --><episode-num system="xmltv_ns">1.2.</episode-num></programme></tv>
            """
        let bytes = Array(text.utf8)
        #expect(refusal(bytes) == nil)
        for count in 0..<bytes.count {
            let refusal = refusal(Array(bytes.prefix(count)))
            #expect(refusal?.place.hasPrefix("line ") == true, "\(count) bytes")
        }
    }

    // MARK: Days

    /// Berlin's time in 2026: UTC+1, and UTC+2 from 29 March to 25 October, 1:00 UTC.
    private static let berlin = LocalTime { moment in
        let spring = Int64(CalendarDate(year: 2026, month: 3, day: 29).dayNumber) * 86_400 + 3600
        let autumn = Int64(CalendarDate(year: 2026, month: 10, day: 25).dayNumber) * 86_400 + 3600
        return (spring..<autumn).contains(moment) ? 7200 : 3600
    }

    @Test("a programme belongs to the local day of its start, also on days of 23 and 25 hours")
    func days() throws {
        let cases: [(start: String, date: String, clock: String)] = [
            ("20260921215900 +0000", "2026-09-21", "23:59"), ("20260921220000 +0000", "2026-09-22", "00:00"),
            ("20260328230000 +0000", "2026-03-29", "00:00"), ("20260329005900 +0000", "2026-03-29", "01:59"),
            ("20260329010000 +0000", "2026-03-29", "03:00"), ("20260329215900 +0000", "2026-03-29", "23:59"),
            ("20260329220000 +0000", "2026-03-30", "00:00"), ("20261024220000 +0000", "2026-10-25", "00:00"),
            ("20261025003000 +0000", "2026-10-25", "02:30"), ("20261025013000 +0000", "2026-10-25", "02:30"),
            ("20261025225900 +0000", "2026-10-25", "23:59"), ("20261025230000 +0000", "2026-10-26", "00:00"),
        ]
        for (start, date, clock) in cases {
            let listings = try read(document(start: start, stop: "20270101"))
            let moment = listings.programmes[0].start
            #expect(LocalTime.date(ofDay: Self.berlin.day(of: moment)) == date)
            #expect(Self.berlin.clock(at: moment) == clock)
            let content = GuideContent(listings, today: 0, zone: Self.berlin)
            let day = try #require(LocalTime.day(ofDate: date))
            #expect(content.days == day..<day + 1)
            #expect(content[channel: 0, day: day].map(\.time) == [clock])
        }
    }

    @Test("days before 1970 are valid")
    func before1970() {
        let utc = LocalTime { _ in 0 }
        #expect(utc.day(of: -1) == -1)
        #expect(utc.clock(at: -1) == "23:59")
        #expect(utc.text(of: -1) == "1969-12-31T23:59:59+00:00")
        #expect(LocalTime { _ in -12_600 }.text(of: 0) == "1969-12-31T20:30:00-03:30")
    }

    @Test("a cell shows the programme on now or next, else the first of the evening, else the first")
    func order() throws {
        let today = try #require(LocalTime.day(ofDate: "2026-09-21"))
        let day = ["0600", "1200", "1800", "2100"].map {
            "<programme start=\"20260921\($0)00\" stop=\"20260921\($0.prefix(2))5900\" channel=\"c\"><title>\($0)</title></programme>"
        }
        let listings = try read("<tv>\(day.joined())</tv>")
        let utc = LocalTime { _ in 0 }
        func titles(_ listings: TVListings, today: Int, clock: Int64?) -> [String] {
            let content = GuideContent(listings, today: today, now: clock.map { Self.midnight + $0 * 60 }, zone: utc)
            return content[channel: 0, day: content.days.lowerBound].map(\.title)
        }
        #expect(titles(listings, today: today, clock: 6 * 60 + 10) == ["0600", "1200", "1800", "2100"])
        #expect(titles(listings, today: today, clock: 7 * 60) == ["1200", "0600", "1800", "2100"])
        #expect(titles(listings, today: today, clock: 20 * 60) == ["2100", "0600", "1200", "1800"])
        // All are over; another day; an unknown time: the evening.
        for (day, clock) in [(today, 23 * 60), (today + 1, 7 * 60), (today, nil)] as [(Int, Int64?)] {
            #expect(titles(listings, today: day, clock: clock) == ["1800", "0600", "1200", "2100"])
        }
        let morning = try read("<tv>\(day[0])\(day[1])</tv>")
        #expect(titles(morning, today: today + 1, clock: nil) == ["0600", "1200"])
    }

    @Test("a mark applies to its programme in the next file, and no other")
    func numbers() throws {
        let one = try read(document(start: "20260921203000"))
        let again = try read(
            "<tv><channel id=\"new\"/>" + document(start: "20260921223000 +0200").dropFirst(4))
        let number = one.programmes[0].number(in: one)
        #expect(again.programmes[0].number(in: again) == number)
        let marked = GuideContent(again, today: 0, watched: [number])
        #expect(marked[channel: 1, day: marked.days.lowerBound].map(\.isWatched) == [true])
        for other in [document(start: "20260921203001"), document(start: "20260921203000", inside: "<title>U</title>")]
        {
            let listings = try read(other)
            #expect(listings.programmes[0].number(in: listings) != number)
        }
    }

    @Test("a large file is read completely")
    func large() throws {
        var text = "<tv>"
        for number in 0..<20_000 {
            let (hour, minute) = (number / 60 % 24, number % 60)
            let digits = [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
            text += "<programme start=\"202609\(10 + number / 1440 % 14)\(digits)\" channel=\"\(number % 12)\">"
            text += "<title>Show \(number)</title></programme>"
        }
        let listings = try read(text + "</tv>")
        #expect(listings.programmes.count == 20_000)
        let content = GuideContent(listings, today: 0, zone: LocalTime { _ in 0 })
        let sum = content.channels.indices.reduce(0) { sum, channel in
            sum + content.days.reduce(0) { $0 + content[channel: channel, day: $1].count }
        }
        #expect(sum == 20_000)
    }
}
