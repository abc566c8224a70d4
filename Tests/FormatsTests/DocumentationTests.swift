import Foundation
import Instrument
import Testing

@testable import Formats

/// A page of docs.
func page(_ name: String) throws -> String {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../docs/\(name)").standardizedFileURL
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
}

@Suite("docs/formats.md")
struct DocumentationTests {
    @Test("its table of the sound is the instrument's")
    func soundTable() throws {
        let text = try page("formats.md")
        let part = text.split(separator: "### Sound").last?.split(separator: "\n## ").first
        let section = try #require(part)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        var documented: [String] = []
        for row in rows {
            try #require(row.count == 4, "\(row)")
            let word = row[0].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
            // A row may stand for the same control of each track, with one standard for all or one for each.
            let standards = row[3].split(separator: ", ").map { $0.split(separator: " ") }
            for track in Track.allCases where word.hasPrefix("TRACK.") || track == .melody {
                let own = standards.first { $0.count == 1 || $0[0] == track.name }?.last ?? "?"
                documented.append("\(word.replacing("TRACK", with: track.name)): \(row[2]), \(own)")
            }
        }
        let actual = SoundControl.allCases.map {
            "\($0.word): \($0.range.lowerBound) to \($0.range.upperBound), \($0.standard)"
        }
        #expect(documented.sorted() == actual.sorted())
    }
}

@Suite("docs/pixelboop.json5")
struct ExampleConfigurationTests {
    @Test("it is the defaults")
    func defaults() throws {
        #expect(try Configuration(parsing: Array(page("pixelboop.json5").utf8)) == Configuration())
    }

    @Test("it has every key that there is, and no other")
    func keys() throws {
        let example = try JSON(parsing: Array(page("pixelboop.json5").utf8), as: .json5)
        // Each object is given a key that nobody knows; what refuses it lists those that it knows.
        for object in objects(in: example, at: "") {
            var error: FormatError?
            let bytes = Array(object.spoilt.text(pretty: false).utf8)
            do throws(FormatError) { _ = try Configuration(parsing: bytes) } catch let refusal { error = refusal }
            let refusal = try #require(error, "\(object.path)")
            let known = try #require(refusal.problem.split(separator: "the keys here are ").last, "\(refusal)")
            #expect(Set(known.split(separator: ", ").map(String.init)) == Set(object.keys), "\(object.path)")
        }
        #expect(objects(in: example, at: "").count == 9)
    }

    /// An object within the example: its path, its keys, and the whole example with a stranger among them.
    private struct Part {
        var path: String
        var keys: [String]
        var spoilt: JSON
    }

    private func objects(in json: JSON, at path: String) -> [Part] {
        switch json {
        case .object(let values):
            var spoilt = values
            spoilt["stranger"] = .null
            let own = Part(path: path, keys: Array(values.keys), spoilt: .object(spoilt))
            return [own]
                + values.sorted { $0.key < $1.key }.flatMap { key, value in
                    objects(in: value, at: "\(path).\(key)").map { part in
                        var whole = values
                        whole[key] = part.spoilt
                        return Part(path: part.path, keys: part.keys, spoilt: .object(whole))
                    }
                }
        case .array(let values):
            return values.enumerated().flatMap { index, value in
                objects(in: value, at: "\(path)[\(index)]").map { part in
                    var whole = values
                    whole[index] = part.spoilt
                    return Part(path: part.path, keys: part.keys, spoilt: .array(whole))
                }
            }
        default: return []
        }
    }

    @Test("every key is explained: it has a comment on its line, or above its group")
    func comments() throws {
        let lines = try page("pixelboop.json5").split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines where line.contains(":") && !line.contains("//") {
            let name = line.drop { $0 == " " }.prefix { $0 != ":" }
            let isGroup = line.hasSuffix("{") || line.hasSuffix("[")
            #expect(isGroup || ["milliamps", "statusLed"].contains(name), "\(line)")
        }
    }
}
