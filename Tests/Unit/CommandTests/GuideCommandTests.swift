import Foundation
import TestTags
import Testing

@Suite("pixelboop guide", .tags(.live))
struct GuideCommandTests {
    private static let listings = """
        <?xml version="1.0" encoding="UTF-8"?>
        <tv><channel id="one"><display-name>One</display-name></channel>
        <programme start="20260328233000 +0000" stop="20260329013000 +0000" channel="one"><title lang="en">Night</title>
        <title lang="de">Nacht</title><episode-num system="xmltv_ns">0.4.</episode-num></programme>
        <programme start="20260329013000 +0000" channel="one"><title>Open</title></programme></tv>
        """

    @Test("lists programmes with their local days, across the change to summer time")
    func list() throws {
        let box = try Executable()
        defer { box.remove() }
        let file = try box.file("tv.xml", Self.listings)
        let berlin = try box.run(
            ["guide", file, "--list"], environment: ["TZ": "Europe/Berlin", "LANG": "de_DE.UTF-8"])
        #expect(berlin.status == 0)
        #expect(
            berlin.text == """
                {"badge":"S1E5", "channel":"One", "day":"2026-03-29", "minutes":120, "start":"2026-03-29T00:30:00+01:00", \
                "stop":"2026-03-29T03:30:00+02:00", "title":"Nacht"}
                {"badge":"", "channel":"One", "day":"2026-03-29", "minutes":null, "start":"2026-03-29T03:30:00+02:00", \
                "stop":null, "title":"Open"}

                """)
        let newYork = try box.run(
            ["guide", "-", "--list"], input: Self.listings, environment: ["TZ": "America/New_York", "LANG": "C"])
        #expect(newYork.text.contains("\"day\":\"2026-03-28\""))
        #expect(newYork.text.contains("\"start\":\"2026-03-28T19:30:00-04:00\""))
        #expect(newYork.text.contains("Night"))
    }

    @Test("draws the guide at a date, in both orientations")
    func picture() throws {
        let box = try Executable()
        defer { box.remove() }
        let file = try box.file("tv.xml", Self.listings)
        var pictures: Set<Data> = []
        for more in [["--today", "2026-03-29"], ["--today", "2026-03-29", "--turned"], ["--today", "2026-03-28"]] {
            let picture = try box.file("guide.png")
            let result = try box.run(["guide", file, "--picture", picture] + more, environment: ["TZ": "UTC"])
            #expect(result.status == 0)
            #expect(result.complaint == "")
            let data = try Data(contentsOf: URL(fileURLWithPath: picture))
            #expect(data.starts(with: [0x89, 0x50, 0x4e, 0x47]))
            pictures.insert(data)
        }
        #expect(pictures.count == 3)
    }

    @Test("reports what it leaves out")
    func remarks() throws {
        let box = try Executable()
        defer { box.remove() }
        let result = try box.run(
            ["guide", "-", "--list"],
            input: Self.listings.replacingOccurrences(of: "20260329013000 +0000\" ch", with: "x\" ch"))
        #expect(result.status == 0)
        #expect(
            result.complaint
                == "pixelboop: standard input: left out 1 programme without a channel or a start that can be read\n")
    }

    @Test(
        "bytes outside the document's encoding are reported in one line, and libxml2 adds none",
        arguments: [
            ("UTF-16", [0xff, 0xfe, 0x3c, 0, 0x74, 0, 0x76, 0, 0x3e, 0, 0, 0xd8, 0, 0]),
            ("EUC-JP", Array("<?xml version='1.0' encoding='EUC-JP'?><tv><a b='".utf8) + [0xff, 0xff, 0x8e, 0]),
            ("UTF-7", Array("<?xml version='1.0' encoding='UTF-7'?><tv><a>".utf8) + [0xc3, 0xa4, 0x73, 0x74]),
            ("UCS-4", Array("<?xml version='1.0' encoding='UCS-4'?><tv><a>".utf8)),
            ("UTF-8", Array("<tv><programme start='".utf8) + [0xff, 0xff]),
        ] as [(String, [UInt8])])
    func encoding(name: String, bytes: [UInt8]) throws {
        let box = try Executable()
        defer { box.remove() }
        let file = try box.file("tv.xml")
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let result = try box.run("guide", file, "--list")
        #expect(result.status == 65 && result.text.isEmpty, "\(name)")
        #expect(result.complaint.filter(\.isNewline).count == 1, "\(result.complaint)")
        #expect(result.complaint.hasPrefix("pixelboop: \(file): line "), "\(result.complaint)")
    }

    @Test("in a replay the guide opens at the start, and a programme marked as watched stays so")
    func watched() throws {
        let box = try Executable()
        defer { box.remove() }
        let listings = try box.file("tv.xml", Self.listings)
        let library = try box.file("library.sqlite")
        func taps(_ places: [(Int, Int)]) -> String {
            var lines = ""
            for (index, place) in places.enumerated() {
                for (phase, time) in [("down", 1000 * index + 500), ("up", 1000 * index + 600)] {
                    lines +=
                        "{\"at\": \(time), \"touch\": 0, \"phase\": \"\(phase)\", \"col\": \(place.0), \"row\": \(place.1)}\n"
                }
            }
            return lines
        }
        func frame(_ name: String, _ places: [(Int, Int)]) throws -> Data {
            let script = try box.file("\(name).jsonl", taps(places))
            let picture = try box.file("\(name).png")
            let result = try box.run(
                [
                    "replay", script, "--library", library, "--today", "2026-03-29", "--listings", listings, "--until",
                    "6000", "--frame", picture,
                ], environment: ["TZ": "UTC", "LANG": "C"])
            #expect(result.status == 0 && result.complaint.isEmpty)
            return try Data(contentsOf: URL(fileURLWithPath: picture))
        }
        let fresh = try frame("fresh", [])
        // Two taps on the cell open its card, a third hits the switch, one on the corner goes back.
        _ = try frame("marked", [(13, 8), (13, 8), (22, 20), (1, 2)])
        #expect(try frame("again", []) != fresh)
        _ = try frame("unmarked", [(13, 8), (13, 8), (22, 20), (1, 2)])
        #expect(try frame("at last", []) == fresh)
    }

    struct Misuse: Sendable {
        var arguments: [String]
        var status: Int32
        var complaint: String
    }

    @Test(
        "a misuse is reported in one line",
        arguments: [
            Misuse(arguments: ["-", "--list"], status: 65, complaint: "standard input: line 1: is not XML: "),
            Misuse(
                arguments: ["/nowhere/tv.xml", "--list"], status: 66,
                complaint: "/nowhere/tv.xml: there is no such file"),
            Misuse(arguments: ["-", "--panel", "none"], status: 65, complaint: "standard input: line 1: is not XML: "),
            Misuse(
                arguments: ["-", "--list", "--picture", "x.png"], status: 64, complaint: "use --list or --picture F.png"
            ),
            Misuse(arguments: ["-", "--turned"], status: 64, complaint: "--today and --turned are for a picture"),
            Misuse(arguments: ["-", "--list", "--audio", "none"], status: 64, complaint: "--audio is for the box"),
            Misuse(arguments: [], status: 64, complaint: "an operand is missing"),
            Misuse(
                arguments: ["-", "--picture", "x.png", "--today", "2026-02-29"], status: 64,
                complaint: "--today is 2026-02-29, should be a date as 2026-03-29"),
        ])
    func misuses(misuse: Misuse) throws {
        let box = try Executable()
        defer { box.remove() }
        let result = try box.run(["guide"] + misuse.arguments, input: "no listings")
        #expect(result.status == misuse.status)
        #expect(result.complaint.hasPrefix("pixelboop: " + misuse.complaint), "\(result.complaint)")
        #expect(result.complaint.split(separator: "\n").count == 1)
    }
}
