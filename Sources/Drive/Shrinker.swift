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
    /// Sessions that may be played.
    let tries: Int
    /// Sessions that were played.
    private(set) var tried = 0

    init(recipe: BoxRecipe, files: any BenchFiles, awaited: Awaited, rest: Instant.Span, tries: Int) {
        (self.recipe, self.files, self.awaited, self.rest, self.tries) = (recipe, files, awaited, rest, tries)
    }

    /// The fewest of `lines`, or fewer ones if that takes too many tries. Throws if all of them do not do it.
    mutating func shrink(_ lines: [JSON]) throws -> [JSON] {
        var lines = lines
        guard try happens(after: lines) else {
            throw FormatError("until", "does not happen after these lines; nothing can be left out")
        }
        var parts = 2
        while !lines.isEmpty, tried < tries {
            let size = max(1, lines.count / parts)
            var hasShrunk = false
            var start = 0
            while start < lines.count, tried < tries {
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
