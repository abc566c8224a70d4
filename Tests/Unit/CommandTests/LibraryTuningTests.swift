import Foundation
import TestTags
import Testing

@Suite("Own tunings on the command line", .tags(.live))
struct LibraryTuningTests {
    /// A scale.
    static let werckmeister = """
        ! werck3.scl
        !
        Andreas Werckmeister's temperament III
         12
        !
         256/243
         192.18
         32/27
         390.225
         4/3
         1024/729
         696.09
         128/81
         888.27
         16/9
         1092.18
         2/1

        """
    private static let listed = "0.0 90.2 192.2 294.1 390.2 498.0 588.3 696.1 792.2 888.3 996.1 1092.2"

    /// A mapping with A4 at `hertz`.
    static func mapping(_ hertz: String) -> String { "0\n0\n127\n60\n69\n\(hertz)\n0\n" }

    @Test("are imported with their mapping, listed, exported, replaced and removed")
    func exchange() throws {
        let box = try Executable()
        defer { box.remove() }
        let scale = try box.file("werck 3.scl", Self.werckmeister)
        let added = try box.run("library", "import-tuning", scale)
        #expect(added.status == 0 && added.text == "WERCK 3   \(Self.listed)\n", "\(added.complaint)")
        let replaced = try box.run(
            "library", "import-tuning", scale, try box.file("werck 3.kbm", Self.mapping("415.3")))
        #expect(replaced.text == "WERCK 3   \(Self.listed)  A4 415.300 Hz\n", "\(replaced.complaint)")
        #expect(try box.run("library", "tunings").text == replaced.text)
        let json = try box.run("library", "tunings", "--json").text
        #expect(json.contains("\"a4\" : 415.3") && json.contains("90.225") && json.contains("\"name\" : \"WERCK 3\""))

        // A file that is written reads back equal.
        let written = box.folder + "/out.scl"
        #expect(try box.run("library", "export-tuning", "WERCK 3", "-o", written).status == 0)
        let text = try String(contentsOfFile: written, encoding: .utf8)
        #expect(text.hasPrefix("WERCK 3\n 12\n!\n 90.225\n 192.180\n") && text.hasSuffix(" 1092.180\n 2/1\n"))
        #expect(try box.run("library", "export-tuning", "WERCK 3", "-o", "-").text == text)
        #expect(try box.run("library", "remove-tuning", "WERCK 3").status == 0)
        #expect(try box.run("library", "tunings").text == "")
        let again = try box.run("library", "import-tuning", written, box.folder + "/out.kbm")
        #expect(again.text == replaced.text, "\(again.complaint)")
        #expect(try box.run("library", "check").status == 0)
        let missing = try box.run("library", "remove-tuning", "MINE")
        #expect(missing.status == 66 && missing.complaint.contains("there is no own tuning MINE"))
    }

    @Test("an invalid one is refused in one line with its place, and none is added")
    func refused() throws {
        let box = try Executable()
        defer { box.remove() }
        let good = try box.file("good.scl", Self.werckmeister)
        let cases =
            [
                (
                    "a.scl", Self.werckmeister.replacing(" 12\n", with: " 19\n"), 65,
                    "a.scl: line 4: the scale has 19 notes"
                ),
                ("a.scl", Self.werckmeister.replacing(" 2/1", with: " 3/1"), 65, "should be an octave above the first"),
                ("good.kbm", Self.mapping("392"), 65, "makes A4 (key 69) 392.00 Hz, should be 415 to 466"),
                ("good.kbm", "7\n", 65, "good.kbm: line 1: is \"7\""),
                ("other.kbm", Self.mapping("440"), 64, "other.kbm: is a mapping; name the scale"),
                ("♥.scl", Self.werckmeister, 65, "has no name that the panel can show"),
            ] as [(String, String, Int32, String)]
        for (name, text, status, complaint) in cases {
            let result = try box.run("library", "import-tuning", good, try box.file(name, text))
            #expect(result.status == status && result.complaint.contains(complaint), "\(result.complaint)")
            #expect(result.complaint.filter(\.isNewline).count == 1)
        }
        #expect(try box.run("library", "tunings").status == 66)
    }
}
