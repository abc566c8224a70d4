import Formats
import Instrument
import TestSupport
import Testing

@testable import Commands

@Suite("The documentation")
struct PageTests {
    @Test("every link and picture has a target")
    func links() throws {
        let pages = try Page.all()
        #expect(pages.count > 20)
        for page in pages {
            for link in page.links {
                #expect(Checkout.exists(link.path), "\(page.path) links to \(link.path)")
                guard let heading = link.heading, link.path.hasSuffix(".md") else { continue }
                let headings = pages.first { $0.path == link.path }?.headings ?? []
                #expect(headings.contains(heading), "\(page.path) links to \(link.path)#\(heading)")
            }
        }
    }

    @Test("the README's git clone has the address of deploy/project")
    func clone() throws {
        let stated = try Checkout.text("deploy/project").firstMatch(of: /(?m)^homepage="(.*)"$/)
        let homepage = try #require(stated.map { String($0.1) })
        let address = homepage.isEmpty ? "REPOSITORY" : homepage
        #expect(try Checkout.text("README.md").contains("    git clone \(address) pixelboop"))
    }

    @Test("every page, picture and example in docs is linked to")
    func orphans() throws {
        let linked = Set(try Page.all().flatMap { $0.links.map(\.path) })
        for path in Checkout.files("docs") {
            // The site of the documentation plays the script beside a picture.
            let picture = path.hasSuffix(".jsonl") ? "\(path.dropLast(6)).png" : path
            let isLinked = linked.contains(path) || linked.contains(picture)
            #expect(isLinked, "nothing links to \(path)")
        }
    }

    @Test("the specification lists the drums in order, with their keys in MIDI files")
    func drums() throws {
        let rows = try Checkout.text("docs/spec.md").matches(of: /(?m)^\| ([\d \/]+) \|[^|]+\| ([\d \/]+) \|/)
        func numbers(_ cells: [Substring]) -> [Int] {
            cells.flatMap { $0.split(separator: " / ").compactMap { Int($0) } }
        }
        #expect(numbers(rows.map(\.1)) == Array(Track.drumKeys.indices))
        #expect(numbers(rows.map(\.2)) == Track.drumKeys)
    }

    @Test("the documentation names every target of the Makefile, and no other")
    func targets() throws {
        let makefile = try Checkout.text("Makefile")
        let targets = makefile.matches(of: /(?m)^([a-z][a-z0-9-]*):/).map { String($0.1) }
        var named: Set<String> = []
        for page in try Page.all() {
            for words in page.commands {
                guard let make = words.firstIndex(of: "make"), let target = words.dropFirst(make + 1).first else {
                    continue
                }
                #expect(targets.contains(target), "\(page.path): make \(target)")
                named.insert(target)
            }
        }
        for target in targets where target != "deb-arm64" {
            let isNamed = named.contains(target)
            #expect(isNamed, "no page mentions make \(target)")
        }
    }

    @Test("every test that the documentation runs exists")
    func tests() throws {
        var count = 0
        for page in try Page.all() {
            for words in page.commands {
                guard let run = words.firstIndex(of: "Tests/run"), let name = words.dropFirst(run + 1).first,
                    !name.hasPrefix("-"), name != "…"
                else { continue }
                count += 1
                let exists = Checkout.exists("Tests/Unit/\(name)") || Checkout.exists("Tests/System/\(name)")
                #expect(exists, "\(page.path): Tests/run \(name)")
            }
        }
        #expect(count > 10)
    }

    @Test("every command of pixelboop in the documentation exists, with its options")
    func commands() throws {
        var count = 0
        for page in try Page.all() {
            for words in page.commands {
                for call in calls(in: words) {
                    count += 1
                    let problem = problem(with: call)
                    #expect(problem == nil, "\(page.path): \(call.joined(separator: " ")): \(problem ?? "")")
                }
            }
        }
        #expect(count > 60)
    }

    @Test("a command's help lists exactly its options", arguments: Main.commands.map(\.name))
    func options(name: String) throws {
        let command = try #require(Main.commands.first { $0.name == name })
        let known = Set(command.options + command.pairs + command.flags)
        let text = command.usage + " " + command.help
        #expect(Set(text.matches(of: /(?:^|[\s\[(])(--?[a-z][a-z-]*)/).map { String($0.1) }) == known)
    }

    @Test("every file named in the documentation exists")
    func files() throws {
        for page in try Page.all() {
            for line in page.code {
                for match in line.matches(of: /(?:^|[\s"'(=])((?:Sources|Tests|deploy|docs|hardware)\/[\w.\/+-]*)/) {
                    #expect(Checkout.exists(String(match.1)), "\(page.path): \(match.1)")
                }
            }
        }
    }

    /// The calls of pixelboop among `words`: the words after its name, or a phrase that begins with a command's name.
    private func calls(in words: [String]) -> [[String]] {
        let names = Main.commands.map(\.name)
        if let first = words.first, names.contains(first), words.count > 1, words[1] != "=" { return [words] }
        guard
            let place = words.indices.last(where: { index in
                (words[index] == "pixelboop" || words[index].hasSuffix("/pixelboop"))
                    && (index == 0 || !["-u", "is-active", "from"].contains(words[index - 1]))
            }), place + 1 < words.count
        else { return [] }
        return [Array(words[(place + 1)...])]
    }

    /// The problem of `call`; nil if there is none.
    private func problem(with call: [String]) -> String? {
        if ["--help", "help"].contains(call[0]) { return nil }
        let isNamed = !call[0].hasPrefix("-")
        guard let command = Main.commands.first(where: { $0.name == (isNamed ? call[0] : "run") }) else {
            return "there is no such command"
        }
        let verbs = command.usage.split(separator: " ").first?.split(separator: "|").map(String.init) ?? []
        if verbs.count > 1, verbs[0].first?.isLowercase == true, call.count > 1, !verbs.contains(call[1]) {
            return "should be one of \(verbs)"
        }
        let known = command.options + command.pairs + command.flags + ["--help"]
        let strangers = call.filter { $0.hasPrefix("-") && $0 != "-" }
            .map { $0.split(separator: "=").first.map(String.init) ?? $0 }
            .filter { !known.contains($0) && Int($0) == nil }
        if !strangers.isEmpty { return "no option \(strangers)" }
        // The help lists all values of some options; others are files.
        let closed = ["--panel", "--by", "--picture", "--only"]
        for (option, value) in zip(call, call.dropFirst()) where closed.contains(option) {
            let words = value.split(separator: ",").filter { !$0.contains(".") && $0 != "…" }
            let text = command.usage + command.help
            if let stranger = words.first(where: { !text.contains(String($0)) }) { return "no \(option) \(stranger)" }
        }
        return nil
    }
}
