import Documents
import InputEvents

/// Finds the fewest lines of a session that still do something: it leaves out halves, then quarters and so on, as long as
/// that stays (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).
struct Shrinker {
    let recipe: BoxRecipe
    let files: any BenchFiles
    let awaited: Awaited
    /// Time after the last line in which it has to happen.
    let rest: Instant.Span
    /// Sessions that were played.
    private(set) var tried = 0

    init(recipe: BoxRecipe, files: any BenchFiles, awaited: Awaited, rest: Instant.Span) {
        (self.recipe, self.files, self.awaited, self.rest) = (recipe, files, awaited, rest)
    }

    /// The fewest of `lines`. Throws if all of them do not do it.
    mutating func shrink(_ lines: [JSON]) throws -> [JSON] {
        var lines = lines
        guard try happens(after: lines) else {
            throw FormatError("until", "does not happen after these lines; nothing can be left out")
        }
        var parts = 2
        while !lines.isEmpty {
            let size = max(1, lines.count / parts)
            var hasShrunk = false
            var start = 0
            while start < lines.count {
                var fewer = lines
                fewer.removeSubrange(start..<min(lines.count, start + size))
                if try happens(after: fewer) {
                    lines = fewer
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if !hasShrunk {
                if size == 1 { break }
                parts *= 2
            }
        }
        return lines
    }

    /// Whether it happens in a session of `lines`.
    private mutating func happens(after lines: [JSON]) throws -> Bool {
        tried += 1
        let box = try DrivenBox(recipe, files)
        box.wanted = [awaited.kind]
        try box.repeat(lines)
        box.run(before: (box.lines.last?.at ?? .zero) + rest)
        return box.happenings.contains { awaited.isMet(by: $0) }
    }
}
