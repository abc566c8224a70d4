import TestSupport
import Testing

@Suite("Includes")
struct IncludeTests {
    private static let root = "Sources/Synth"

    /// The folders of `Synth` in the order of docs/architecture.md's table; `Synth` itself is "".
    private func folders() throws -> [String] {
        try Checkout.text("docs/architecture.md").matches(of: /(?m)^\| `Synth\/(\w*)` \|/).map { String($0.1) }
    }

    /// The folder in `Synth` of `path`, a file there.
    private func folder(of path: some StringProtocol) -> String {
        let parts = path.split(separator: "/")
        return parts.count == 1 ? "" : String(parts[0])
    }

    /// The file in `Synth` that the file `path` includes as `name`.
    private func included(_ name: Substring, by path: Substring) -> String? {
        let up = name.hasPrefix("../")
        let beside = up ? String(name.dropFirst(3)) : folder(of: path) + "/" + name
        return [beside, String(name), "include/" + name].first { Checkout.exists(Self.root + "/" + $0) }
    }

    @Test("docs/architecture.md lists the folders of Synth, and includes go up its table only")
    func order() throws {
        let folders = try folders()
        let paths = Checkout.files(Self.root).map { $0.dropFirst(Self.root.count + 1) }
        #expect(Set(folders) == Set(paths.map { folder(of: $0) }))
        for path in paths {
            let place = try #require(folders.firstIndex(of: folder(of: path)))
            for include in try Checkout.text("\(Self.root)/\(path)").matches(of: /(?m)^#include "(.+)"$/) {
                let target = try #require(included(include.1, by: path), "\(path) includes \(include.1)")
                let isAllowed = folders[...place].contains(folder(of: target))
                #expect(isAllowed, "\(path) includes \(target)")
            }
        }
    }
}
