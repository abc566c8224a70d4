import Foundation
import InputEvents
import Instrument
import TestSupport
import Testing

@testable import Formats

/// A page of docs.
func page(_ name: String) throws -> String {
    try Checkout.text("docs/\(name)")
}

@Suite("docs/formats.md")
struct DocumentationTests {
    @Test("its table of sound settings matches the instrument")
    func soundTable() throws {
        let text = try page("formats.md")
        let part = text.split(separator: "### Sound\n").last?.split(separator: "\n### ").first
        let section = try #require(part)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        var documented: [String] = []
        for row in rows {
            try #require(row.count == 4, "\(row)")
            let word = row[0].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
            // A row may describe the same control of each track, with one default for all or one for each.
            let defaults = row[3].split(separator: ", ").map { $0.split(separator: " ") }
            for track in Track.allCases where word.hasPrefix("TRACK.") || track == .melody {
                if word == "TRACK.model", track == .rhythm { continue }
                let own = defaults.first { $0.count == 1 || $0[0] == track.name }?.last ?? "?"
                let words =
                    word.contains("PAD") ? Track.rhythm.notes.map { word.replacing("PAD", with: "\($0 + 1)") } : [word]
                for word in words {
                    documented.append("\(word.replacing("TRACK", with: track.name)): \(row[2]), \(own)")
                }
            }
        }
        let actual = SoundControl.allCases.filter { $0.trackControl?.timbre == nil }.map { control in
            guard let words = control.words else {
                let range = control.range
                return "\(control.word): \(range.lowerBound) to \(range.upperBound), \(control.defaultValue)"
            }
            return "\(control.word): \(words.joined(separator: ", ")), \(words[control.defaultValue])"
        }
        #expect(documented.sorted() == actual.sorted())
        for model in SoundModel.allCases where model != .plain {
            let line = "- \(model.word): \(model.timbres.map { "`\($0.key)`" }.joined(separator: ", "))"
            #expect(section.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
    }

    @Test("its section on touch scripts names every key")
    func keys() throws {
        let text = try page("formats.md")
        let script = try #require(text.split(separator: "## Touch script\n").last)
        let section = try #require(script.split(separator: "\n## ").first)
        let words = Set(section.split { !$0.isLetter }.map(String.init))
        for key in Key.allCases { #expect(words.contains(key.rawValue), "\(key.rawValue)") }
    }
}
