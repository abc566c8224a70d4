import TestSupport
import Testing

@testable import Commands

@Suite("Licences")
struct LicenceTests {
    /// The tag of a licence identifier; split, as tools take the whole for a statement about this file.
    private static let tag = "SPDX-License-" + "Identifier"

    /// An entry of `REUSE.toml`: patterns of paths, and the licence of the files that match.
    private struct Entry {
        var patterns: [String]
        var licence: String
    }

    private func entries() throws -> [Entry] {
        try Checkout.text("REUSE.toml").split(separator: "[[annotations]]").dropFirst().map { text in
            let lines = text.split(separator: "\n")
            func words(_ key: String) -> [String] {
                let line = lines.first { $0.hasPrefix(key) } ?? ""
                return line.matches(of: /"([^"]+)"/).map { String($0.1) }
            }
            return Entry(patterns: words("path"), licence: try #require(words(Self.tag).first))
        }
    }

    /// Whether `path` matches a pattern of `REUSE.toml`: `*` is any part of a name, `**` any part of a path.
    private func matches(_ path: String, _ pattern: String) throws -> Bool {
        let escaped = pattern.replacing(".", with: "\\.").replacing("**", with: "\u{1}")
        let regex = try Regex(escaped.replacing("*", with: "[^/]*").replacing("\u{1}", with: ".*"))
        return path.wholeMatch(of: regex) != nil
    }

    @Test("REUSE.toml gives every file a licence, and every entry matches a file")
    func files() throws {
        let patterns = try entries().flatMap(\.patterns)
        #expect(patterns.count > 5)
        let files = Checkout.files()
        for file in files {
            let isCovered = try patterns.contains { try matches(file, $0) }
            #expect(isCovered, "\(file)")
        }
        for pattern in patterns {
            let isUsed = try files.contains { try matches($0, pattern) }
            #expect(isUsed, "\(pattern)")
        }
    }

    @Test("LICENSES has exactly the texts of the licences in use, and LICENSE names them")
    func texts() throws {
        var named = Set(try entries().map(\.licence))
        for file in Checkout.files("Sources") + Checkout.files("Tests") where file.contains(/\.[ch]$/) {
            for line in try Checkout.text(file).split(separator: "\n") where line.contains(Self.tag) {
                named.insert(String(line.split(separator: " ").last ?? ""))
            }
        }
        #expect(Checkout.files("LICENSES") == named.map { "LICENSES/\($0).txt" }.sorted())
        let summary = try Checkout.text("LICENSE")
        for licence in named {
            let isSummarised = summary.contains("    \(licence) ")
            #expect(isSummarised, "\(licence)")
        }
    }

    @Test("the changelog's newest version is the program's")
    func changelog() throws {
        let newest = try Checkout.text("CHANGELOG.md").firstMatch(of: /(?m)^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/)
        #expect(newest.map { String($0.1) } == Main.versionNumber)
    }
}
