import TestSupport
import Testing

@Suite("Imports")
struct ImportTests {
    /// Modules of the toolchain.
    private static let toolchain: Set = [
        "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization", "Testing",
    ]
    /// The pure targets.
    private static let middle = [
        "Display", "InputEvents", "Instrument", "Input", "Panel", "Documents", "Runtime", "Replay", "Browser",
    ]
    /// The pure targets with state that threads share. They import its mutex.
    private static let shared: Set = ["Runtime", "Replay"]

    /// The rows of docs/architecture.md's table of targets: name and imports.
    private func table() throws -> [(name: String, imports: Set<String>)] {
        try Checkout.text("docs/architecture.md").split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: /\| `(\w+)` \| .* \| (–|`[^|]*) \|/) else { return nil }
            return (String(match.1), Set(match.2.matches(of: /`(\w+)`/).map { String($0.1) }))
        }
    }

    @Test("docs/architecture.md lists the targets and imports of Package.swift, and imports go down only")
    func documented() throws {
        let targets = try Manifest.targets()
        let systemLibraries = try Manifest.systemLibraries()
        let rows = try table()
        let own = targets.filter { $0.value.folder.hasPrefix("Sources/") }.keys
        #expect(Set(rows.map(\.name)) == Set(own))
        var above = systemLibraries
        for row in rows {
            #expect(row.imports == targets[row.name]?.dependencies, "\(row.name)")
            #expect(row.imports.isSubset(of: above), "\(row.name) imports a target below it")
            above.insert(row.name)
        }
    }

    @Test("a target imports exactly its dependencies in Package.swift")
    func sources() throws {
        for (name, target) in try Manifest.targets() where target.folder.hasPrefix("Sources/") {
            if Checkout.files(target.folder, ending: ".swift").isEmpty { continue }
            let imports = try Manifest.imports(in: target.folder)
            #expect(Set(imports.keys).subtracting(Self.toolchain) == target.dependencies, "\(name)")
        }
    }

    @Test("a test target imports only its dependencies in Package.swift")
    func tests() throws {
        for target in try Manifest.targets().values where target.folder.hasPrefix("Tests/") {
            for (module, paths) in try Manifest.imports(in: target.folder) where !Self.toolchain.contains(module) {
                #expect(target.dependencies.contains(module), "\(paths.sorted()) import \(module)")
            }
        }
    }

    @Test("the pure targets use no operating system, clock, randomness or terminal", arguments: middle)
    func pure(name: String) throws {
        let forbidden = Self.toolchain.subtracting(Self.shared.contains(name) ? ["Synchronization"] : [])
        for (module, paths) in try Manifest.imports(in: "Sources/\(name)") where forbidden.contains(module) {
            Issue.record("\(paths.sorted()) import \(module)")
        }
        let outside =
            /ContinuousClock|SuspendingClock|SystemRandomNumberGenerator|\.random\(\)|\.random\(in: [^,)]*\)|CommandLine\b|\b(?:debugP|p)rint\(|readLine\(|@_silgen_name/
        for path in Checkout.files("Sources/\(name)", ending: ".swift") {
            let found = try Checkout.text(path).firstMatch(of: outside)
            #expect(found == nil, "\(path): \(found?.0 ?? "")")
        }
    }

    @Test("make site compiles the pure targets, in the order of their imports")
    func site() throws {
        let script = try Checkout.text("deploy/site/wasm")
        let targets = try #require(script.firstMatch(of: /\ntargets="(.*)"\n/)).1
        #expect(targets.split(separator: " ").map(String.init) == Self.middle)
    }
}
