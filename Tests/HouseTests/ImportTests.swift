import Testing

@Suite("Imports")
struct ImportTests {
    /// What comes with the compiler.
    private static let toolchain: Set = [
        "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization", "Testing",
    ]
    /// The middle: pure values.
    private static let middle = ["Display", "InputEvents", "Instrument", "Input", "Panel"]

    /// The rows of docs/architecture.md's table of targets: a name, and what it imports.
    private func table() throws -> [(name: String, imports: Set<String>)] {
        try Checkout.text("docs/architecture.md").split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: /\| `(\w+)` \| .* \| (–|`[^|]*) \|/) else { return nil }
            return (String(match.1), Set(match.2.matches(of: /`(\w+)`/).map { String($0.1) }))
        }
    }

    @Test("docs/architecture.md has the targets of Package.swift with what each may import, and they go down only")
    func documented() throws {
        let targets = try Manifest.targets()
        let systemLibraries = try Manifest.systemLibraries()
        let rows = try table()
        let own = targets.filter { $0.value.folder.hasPrefix("Sources/") }.keys
        #expect(Set(rows.map(\.name)) == Set(own))
        var above = systemLibraries
        for row in rows {
            #expect(row.imports == targets[row.name]?.dependencies, "\(row.name)")
            #expect(row.imports.isSubset(of: above), "\(row.name) imports what stands below it")
            above.insert(row.name)
        }
    }

    @Test("a target imports what Package.swift names, all of it, and nothing else")
    func sources() throws {
        for (name, target) in try Manifest.targets() where target.folder.hasPrefix("Sources/") {
            if Checkout.files(target.folder, ending: ".swift").isEmpty { continue }
            let imports = try Manifest.imports(in: target.folder)
            #expect(Set(imports.keys).subtracting(Self.toolchain) == target.dependencies, "\(name)")
        }
    }

    @Test("a test imports nothing that Package.swift does not name for it")
    func tests() throws {
        for target in try Manifest.targets().values where target.folder.hasPrefix("Tests/") {
            for (module, path) in try Manifest.imports(in: target.folder) where !Self.toolchain.contains(module) {
                #expect(target.dependencies.contains(module), "\(path) imports \(module)")
            }
        }
    }

    @Test("the middle has no operating system, no clock, no chance and no words on a terminal", arguments: middle)
    func pure(name: String) throws {
        #expect(Set(try Manifest.imports(in: "Sources/\(name)").keys).isDisjoint(with: Self.toolchain))
        let outside =
            /ContinuousClock|SuspendingClock|SystemRandomNumberGenerator|\.random\(\)|\.random\(in: [^,)]*\)|CommandLine\b|\b(?:debugP|p)rint\(|readLine\(|@_silgen_name/
        for path in Checkout.files("Sources/\(name)", ending: ".swift") {
            let found = try Checkout.text(path).firstMatch(of: outside)
            #expect(found == nil, "\(path): \(found?.0 ?? "")")
        }
    }
}
