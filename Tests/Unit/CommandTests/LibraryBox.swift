import Documents
import Foundation
import Instrument
import Testing

extension Executable {
    /// A document of a pattern with one note, on `step` of the melody.
    static func document(_ name: String?, step: Int = 0, bpm: Int = 120) -> String {
        var pattern = Pattern()
        pattern.tempo = Tempo(bpm)
        pattern[.melody, note: 0, step: step] = .accent
        return PatternDocument(pattern: pattern, name: name).text()
    }

    /// A box whose library has patterns of these names, created in this order, in bank A.
    init(library names: [String]) throws {
        try self.init()
        var files: [String] = []
        for (index, name) in names.enumerated() {
            var document = try PatternDocument(parsing: Array(Self.document(name, step: index % 32).utf8))
            document.createdAt = "2020-01-01T00:00:0\(index)Z"
            files.append(try file("\(index).json", document.text()))
        }
        let result = try run(["library", "import"] + files)
        #expect(result.status == 0, "\(result.complaint)")
    }

    /// The listed patterns: place and name.
    func places(_ options: String...) throws -> [String] {
        let result = try run(["library", "list", "--json"] + options)
        #expect(result.status == 0, "\(result.complaint)")
        guard case .array(let list) = try JSON(parsing: Array(result.output)) else { return [] }
        return list.map { entry in "\(word(entry, "place")) \(word(entry, "name"))" }
    }
}

/// The string or number at `key` of an object.
func word(_ json: JSON, _ key: String) -> String {
    guard case .object(let parts) = json else { return "" }
    switch parts[key] {
    case .string(let word): return word
    case .number(let number): return number
    default: return ""
    }
}
