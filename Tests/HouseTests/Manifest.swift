/// What Package.swift says of the targets.
enum Manifest {
    /// A target: its folder, and the modules that it names as its dependencies.
    struct Target {
        var folder: String
        var dependencies: Set<String>
    }

    /// The targets by their names.
    static func targets() throws -> [String: Target] {
        let text = try Checkout.text("Package.swift")
        let start = /(library|tests|arget)\(\s*(?:name: )?"(\w+)"(?:,\s*(?:dependencies: )?\[([^\]]*)\])?/
        let matches = text.matches(of: start)
        var targets: [String: Target] = [:]
        for (index, match) in matches.enumerated() {
            let end = index + 1 < matches.count ? matches[index + 1].range.lowerBound : text.endIndex
            let path = text[match.range.upperBound..<end].firstMatch(of: /path: "([^"]*)"/).map { String($0.1) }
            let folder = path ?? (match.1 == "tests" ? "Tests/\(match.2)" : "Sources/\(match.2)")
            let names = (match.3 ?? "").matches(of: /"(\w+)"/).map { String($0.1) }
            targets[String(match.2)] = Target(folder: folder, dependencies: Set(names))
        }
        return targets
    }

    /// The libraries of the system.
    static func systemLibraries() throws -> Set<String> {
        Set(try Checkout.text("Package.swift").matches(of: /systemLibrary\(name: "(\w+)"/).map { String($0.1) })
    }

    /// The modules that the Swift files in `folder` import, and by which file.
    static func imports(in folder: String) throws -> [String: String] {
        var imports: [String: String] = [:]
        for path in Checkout.files(folder, ending: ".swift") {
            let line = /(?m)^(?:@testable |@preconcurrency |public |package |internal |private )*import (?:\w+ )?(\w+)/
            for match in try Checkout.text(path).matches(of: line) { imports[String(match.1)] = path }
        }
        return imports
    }
}
