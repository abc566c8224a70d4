import Formats
import Panel
import TestSupport
import Testing

@testable import Box

/// The page's scripts and the card's service are in other languages: their words are compared with this program's.
@Suite("Words of the setup page")
struct SetupVocabularyTests {
    static let folder = "deploy/image/root/usr/libexec/pixelboop"

    /// The text of the files in `folder` whose names end in `ending`.
    static func text(_ folder: String, ending: String = "") throws -> String {
        try Checkout.files(folder, ending: ending).map { try Checkout.text($0) }.joined(separator: "\n")
    }

    /// The page's scripts.
    static func page() throws -> String { try text("Sources/Pages/Setup/Page", ending: ".js") }

    /// The words in quotes in `list`.
    static func quoted(_ list: Substring) -> [String] { list.matches(of: /"([^"]*)"/).map { String($0.1) } }

    /// The words in `text`.
    static func words(_ text: Substring) -> [String] { text.split(separator: " ").map { String($0) } }

    @Test("the service reads the requests' fields, each into a variable, and describes them")
    func fields() throws {
        let script = try Checkout.text("\(Self.folder)/setup-requests")
        let fields = SetupRequests.fields.mapValues { $0.map(\.name) }
        var read: [String: [String]] = [:]
        for match in script.matches(of: /\n +([a-z |]+)\) keys="([a-z ]*)" ;;/) {
            for name in Self.words(match.1) where name != "|" { read[name] = Self.words(match.2) }
        }
        #expect(read == fields)
        let all = Set(fields.values.joined())
        let kept = script.matches(of: /\n +([a-z]+)\) [a-z_]+=\$value ;;/).map { String($0.1) }
        #expect(Set(kept) == all)
        var described: [String: [String]] = [:]
        for match in script.matches(of: /\n#     ([a-z]+) +([a-zA-Z ]+)/) {
            described[String(match.1)] = Self.words(match.2).prefix { all.contains($0) }.map { $0 }
        }
        #expect(described == fields)
    }

    @Test("the service prints the words of the state, and the page reads all values of its document")
    func state() throws {
        let service = try ["setup-requests", "seen"].map { try Checkout.text("\(Self.folder)/\($0)") }
        let lines = (service + [try Self.text("\(Self.folder)/requests")]).joined(separator: "\n").split(
            separator: "\n")
        let printed = lines.filter { line in ["echo ", "printf ", "print ", "sed "].contains { line.contains($0) } }
        let others = ["access-point", "page", "network", "joining", "address", "example", "seen", "update"]
        for word in others + SetupState.keys.keys {
            let starts = ["\"\(word) ", "'\(word) ", "/\(word) "]
            #expect(printed.contains { line in starts.contains { line.contains($0) } }, "\(word)")
        }
        guard case .object(let values) = SetupState([]).json(url: "", countries: [], pageVersion: "") else {
            return #expect(Bool(false))
        }
        // The page reads the kinds of devices by a variable.
        var read: Set = ["sound", "touch"]
        for match in try Self.page().matches(of: /[^.\w]state\.(\w+)/) { read.insert(String(match.1)) }
        #expect(read == Set(values.keys))
    }

    @Test("the page knows the states of an update and of a finding, the kinds of updates and the names of their files")
    func states() throws {
        let page = try Self.page()
        let news = try #require(page.firstMatch(of: /function updateNews\(\) \{([\s\S]*?)\n\}/))
        let cases = news.1.matches(of: /case "(\w+)"/).map { $0.1 }
        #expect(Set(cases) == SetupState.updateStates)
        let order = try #require(page.firstMatch(of: /const order = \[(.*)\];/))
        #expect(Set(Self.quoted(order.1)) == Set(FindingState.allCases.map(\.rawValue)))
        let kinds = try #require(page.firstMatch(of: /const kinds = \{(.*)\};/))
        #expect(Set(kinds.1.matches(of: /(\w+):/).map { $0.1 }) == SetupUpdates.kinds)
        let endings = try #require(page.firstMatch(of: /const endings = \[(.*)\];/))
        #expect(Self.quoted(endings.1) == UpdateFileName.parts + [""])
        func either(_ endings: [String]) -> String {
            endings.map { $0.replacing(".", with: "\\.") }.joined(separator: "|")
        }
        let files = either(UpdateFileName.kinds.map { String($0.ending.dropFirst()) })
        #expect(page.contains("/^(pixelboop_.+\\.(?:\(files)))(|\(either(UpdateFileName.parts)))$/"))
    }

    @Test("networks are of the kinds that the service tells apart, and others")
    func securities() throws {
        let script = try Checkout.text("\(Self.folder)/seen")
        let kinds = try #require(script.firstMatch(of: /my \$kind = (.*);/))
        #expect(Set(Self.quoted(kinds.1)) == Set(SetupState.securities.map { String($0) } + ["other"]))
    }

    @Test("the page and the service know the panel's corners; the page's layouts can be walked")
    func panel() throws {
        let corners = Set(PanelConfiguration.Corner.allCases.map(\.rawValue))
        let document = try Checkout.text("Sources/Pages/Setup/Page/setup.html")
        #expect(Set(document.matches(of: /data-corner="(\w+)"/).map { String($0.1) }) == corners)
        let list = try #require(try Self.text("\(Self.folder)/requests").firstMatch(of: /\n +(topLeft[\w |]*)\) ;;/))
        #expect(Set(Self.words(list.1)).subtracting(["|"]) == corners)
        let cables = document.matches(of: /name="cables" value="(\d)"/).compactMap { Int($0.1) }
        #expect(cables == [1, 2])
        let layouts = try #require(try Self.page().firstMatch(of: /const layouts = \{(.*)\};/))
        let sizes = layouts.1.matches(of: /"(\d)x(\d)":/).map { (across: Int($0.1) ?? 0, down: Int($0.2) ?? 0) }
        #expect(sizes.count == 4)
        for size in sizes {
            // One piece has one cable.
            for chains in size == (1, 1) ? [1] : cables {
                let search = WiringSearch(columns: 44, across: size.across, down: size.down, chains: chains)
                #expect(search != nil, "\(size), \(chains)")
            }
        }
    }
}
