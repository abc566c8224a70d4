import Documents
import Foundation
import Testing

@testable import Formats

@Suite("docs/pixelboop.json5")
struct ExampleConfigurationTests {
    @Test("it is the defaults")
    func defaults() throws {
        #expect(try Configuration(parsing: Array(page("pixelboop.json5").utf8)) == Configuration())
    }

    @Test("it has every key, and no other")
    func keys() throws {
        let example = try JSON(parsing: Array(page("pixelboop.json5").utf8), as: .json5)
        // Each object gets an unknown key; the error lists the known ones.
        for object in objects(in: example, at: "") {
            var error: FormatError?
            let bytes = Array(object.spoilt.text(pretty: false).utf8)
            do throws(FormatError) { _ = try Configuration(parsing: bytes) } catch let refusal { error = refusal }
            let refusal = try #require(error, "\(object.path)")
            let known = try #require(refusal.problem.split(separator: "the keys here are ").last, "\(refusal)")
            #expect(Set(known.split(separator: ", ").map(String.init)) == Set(object.keys), "\(object.path)")
        }
        #expect(objects(in: example, at: "").count == 20)
    }

    /// A number as people write it.
    private func plain(_ number: Substring) -> String { String(number.replacing(/\.0$/, with: "")) }

    @Test("a written configuration has every key")
    func written() throws {
        let example = try JSON(parsing: Array(page("pixelboop.json5").utf8), as: .json5)
        let keys = objects(in: example, at: "").map { Set($0.keys).subtracting(["overlays"]) }
        #expect(objects(in: Configuration().json, at: "").map { Set($0.keys) } == keys)
    }

    /// An object within the example: its path, its keys, and the whole example with an unknown key in it.
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

    @Test("every key has a comment, on its line or above its group")
    func comments() throws {
        let lines = try page("pixelboop.json5").split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines where line.contains(":") && !line.contains("//") {
            let name = line.drop { $0 == " " }.prefix { $0 != ":" }
            let isGroup = line.hasSuffix("{") || line.hasSuffix("[")
            #expect(isGroup || ["milliamps", "statusLed"].contains(name), "\(line)")
        }
    }

    @Test("the documented range of a value is the enforced one")
    func ranges() throws {
        let lines = try page("pixelboop.json5").components(separatedBy: "\n")
        var count = 0
        var group = ""
        for (number, line) in lines.enumerated() {
            let comment = line.firstMatch(of: /\/\/.*/).map { String($0.0) } ?? ""
            // A comment on its own line applies to the lines up to the next one.
            if line.wholeMatch(of: /\s*\/\/.*/) != nil { group = comment }
            let code = line.prefix(line.count - comment.count)
            for value in code.matches(of: /\w+: \[?(-?[\d.]+|null|"[a-zA-Z\d]+")/) {
                let isText = value.1.hasPrefix("\"")
                var spoilt = lines
                spoilt[number].replaceSubrange(value.1.startIndex..<value.1.endIndex, with: isText ? "\"?\"" : "1e9")
                var refusal: FormatError?
                let bytes = Array(spoilt.joined(separator: "\n").utf8)
                do throws(FormatError) { _ = try Configuration(parsing: bytes) } catch { refusal = error }
                let text = "\(comment) \(group)"
                if let range = refusal?.problem.firstMatch(of: /number from (\S+) to (\S+)$/) {
                    let (low, high) = (plain(range.1), plain(range.2))
                    let numbers = text.matches(of: /[\d.]*\d/).map { String($0.0) }
                    #expect(
                        text.contains("\(low)-\(high)") || (numbers.contains(low) && numbers.contains(high)),
                        "\(line): \(low) to \(high)")
                    count += 1
                } else if let words = refusal?.problem.firstMatch(of: /should be one of (.*)$/) {
                    // They may be in a page that it names.
                    let pages = try text.matches(of: /\w+\.md/).map { try page(String($0.0)) }.joined()
                    for word in words.1.split(separator: ", ") where !value.0.hasPrefix("activeLow") {
                        #expect((text + pages).contains(String(word)), "\(line): \(word)")
                    }
                    count += 1
                }
            }
        }
        #expect(count >= 40)
    }
}
