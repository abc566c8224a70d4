import Documents
import Instrument
import Synchronization
import Testing

@testable import Library

@Suite("Progress of long tasks")
struct ProgressTests {
    /// The parts that a task reported.
    private final class Parts: Sendable {
        private let all = Mutex<[Double]>([])

        var seen: [Double] { all.withLock { $0 } }

        func add(_ part: Double) { all.withLock { $0.append(part) } }
    }

    private func parts(of task: (@escaping Library.Progress) throws -> Void) throws -> [Double] {
        let parts = Parts()
        try task { parts.add($0) }
        return parts.seen
    }

    @Test("import, check and backup report growing parts of their work, from the beginning to near the end")
    func growing() throws {
        let folder = Folder()
        let library = try Library(path: folder.library)
        let additions = (0..<400).map { number in
            var pattern = Pattern()
            pattern[.melody, note: number % 12, step: number % 32] = .accent
            return Library.Addition(PatternDocument(pattern: pattern, name: "P\(number)"), to: .a)
        }
        let tasks: [(@escaping Library.Progress) throws -> Void] = [
            { try library.add(additions, $0) }, { _ = try library.check($0) },
            { try library.backup(to: folder.path + "/backup.sqlite", $0) },
        ]
        for (number, task) in tasks.enumerated() {
            let seen = try parts(of: task)
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 <= $1 }, "task \(number): \(seen)")
            #expect(seen.allSatisfy { (0...1).contains($0) }, "task \(number)")
            #expect((seen.last ?? 0) >= 0.5 && (seen.first ?? 1) <= 0.5, "task \(number): \(seen)")
        }
    }
}
