import Documents

/// Updates that the box can install: the setup service's answer to `updates`.
struct SetupUpdates: Hashable {
    private struct Update: Hashable {
        var version: String
        /// `package` or `image`.
        var kind: String
        /// A path on a stick, or a URL.
        var place: String
        /// Whether it is older than the installed version.
        var isOlder: Bool
    }

    static let kinds: Set<Substring> = ["package", "image"]

    /// Newest first.
    private var updates: [Update] = []
    /// The reason that the folder of updates cannot be read.
    private var problem: String?

    /// The updates in `lines`. Lines that are not understood are left out.
    init(_ lines: [Substring]) {
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 3)
            if words.count == 4, ["update", "older"].contains(words[0]), Self.kinds.contains(words[2]) {
                updates.append(
                    Update(
                        version: String(words[1]), kind: String(words[2]), place: String(words[3]),
                        isOlder: words[0] == "older"))
            } else if words.first == "problem" {
                problem = String(line.dropFirst("problem ".count))
            }
        }
    }

    /// The updates for the page.
    var json: JSON {
        .object([
            "updates": .array(
                updates.map {
                    .object([
                        "version": .string($0.version), "kind": .string($0.kind), "place": .string($0.place),
                        "isOlder": .bool($0.isOlder),
                    ])
                }),
            "problem": .orNull(problem),
        ])
    }
}
