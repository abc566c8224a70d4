import Foundation
import TestSupport

/// The targets of the package, by `swift package dump-package`.
enum Manifest {
    /// A target: its folder, and the modules that it names as its dependencies.
    struct Target {
        var folder: String
        var dependencies: Set<String>
    }

    /// The description was not printed, or has another form.
    private struct Unreadable: Error {}

    /// The targets by their names, and the names of the system libraries.
    private static let package = Result { try read() }

    /// The targets by their names.
    static func targets() throws -> [String: Target] { try package.get().targets }

    /// The names of the system libraries.
    static func systemLibraries() throws -> Set<String> { try package.get().systemLibraries }

    private static func read() throws -> (targets: [String: Target], systemLibraries: Set<String>) {
        var targets: [String: Target] = [:]
        var systemLibraries: Set<String> = []
        for target in try descriptions() {
            guard let name = target["name"] as? String, let type = target["type"] as? String else { throw Unreadable() }
            if type == "system" {
                systemLibraries.insert(name)
                continue
            }
            // A dependency is an object such as {"byName": ["Display", null]}.
            let dependencies = (target["dependencies"] as? [[String: Any]] ?? []).compactMap { dependency in
                (dependency.values.first as? [Any])?.first as? String
            }
            let folder = target["path"] as? String ?? "Sources/\(name)"
            targets[name] = Target(folder: folder, dependencies: Set(dependencies))
        }
        return (targets, systemLibraries)
    }

    private static func descriptions() throws -> [[String: Any]] {
        // A scratch folder of its own: `swift test` holds the lock on the usual one.
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("pixelboop-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", Checkout.root.path, "--scratch-path", scratch.path, "dump-package",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let package = try JSONSerialization.jsonObject(with: text) as? [String: Any]
        guard process.terminationStatus == 0, let targets = package?["targets"] as? [[String: Any]] else {
            throw Unreadable()
        }
        return targets
    }

    /// The modules that the Swift files in `folder` import, each with the files that import it.
    static func imports(in folder: String) throws -> [String: Set<String>] {
        var imports: [String: Set<String>] = [:]
        for path in Checkout.files(folder, ending: ".swift") {
            // An import within #if is indented.
            let line =
                /(?m)^[ \t]*(?:@testable |@preconcurrency |public |package |internal |private )*import (?:\w+ )?(\w+)/
            for match in try Checkout.text(path).matches(of: line) {
                imports[String(match.1), default: []].insert(path)
            }
        }
        return imports
    }
}
