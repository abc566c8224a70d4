import Documents
import Foundation
import Instrument
import TestTags
import Testing

@Suite("Own sounds on the command line", .tags(.live))
struct LibrarySoundTests {
    /// The file of a sound with a drive of its own.
    private func sound(_ name: String, of track: Track = .bass) throws -> String {
        var settings = SoundSettings()
        settings[.track(track, .drive)] = 44
        return SoundDocument(SoundPreset(settings, of: track, named: try #require(SoundName(name)))).text()
    }

    @Test("are imported, listed, exported unchanged, replaced and removed")
    func exchange() throws {
        let box = try Executable()
        defer { box.remove() }
        let bass = try box.file("bass.json", try sound("MY BASS"))
        let kit = try box.file("kit.json", try sound("MY BASS", of: .rhythm))
        let added = try box.run("library", "import-sound", bass, kit)
        #expect(added.status == 0 && added.text == "MY BASS   melodic\nMY BASS   kit\n", "\(added.complaint)")
        #expect(try box.run("library", "import-sound", bass).status == 0)
        #expect(try box.run("library", "presets").text == "MY BASS   melodic\nMY BASS   kit\n")
        #expect(try box.run("library", "presets", "--json").text.contains("\"kind\" : \"kit\""))
        let written = (melodic: try sound("MY BASS"), kit: try sound("MY BASS", of: .rhythm))
        #expect(try box.run("library", "export-sound", "MY BASS", "-o", "-").text == written.melodic)
        #expect(try box.run("library", "export-sound", "MY BASS", "--kit", "-o", "-").text == written.kit)
        #expect(try box.run("library", "remove-sound", "MY BASS").status == 0)
        #expect(try box.run("library", "presets").text == "MY BASS   kit\n")
        #expect(try box.run("library", "check").status == 0)
        let missing = try box.run("library", "remove-sound", "MINE")
        #expect(missing.status == 66 && missing.complaint.contains("there is no own sound MINE"))
    }

    @Test("an invalid one, or one with a factory sound's name, is refused, and none is added")
    func refused() throws {
        let box = try Executable()
        defer { box.remove() }
        let good = try box.file("good.json", try sound("GOOD"))
        for (name, text) in [("a.json", "{}"), ("b.json", #"{"name": "ORGAN", "sound": {"model": "organ"}}"#)] {
            let result = try box.run("library", "import-sound", good, try box.file(name, text))
            #expect(result.status == 65 && result.complaint.contains("name"), "\(result.complaint)")
        }
        #expect(try box.run("library", "presets").status == 66)
    }
}
