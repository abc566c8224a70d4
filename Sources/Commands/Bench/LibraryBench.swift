import Box
import Documents
import FoundationEssentials
import Instrument
import Library

/// Cost of a large library.
struct LibraryBench {
    /// Milliseconds to open it, including SQLite's check of the whole file: the median of five times.
    let open: Double
    /// Milliseconds to list one of its banks: the same.
    let list: Double
    /// Milliseconds to build its guide: the same.
    let guide: Double

    /// Number of patterns,
    static let patterns = 10_000
    /// distributed among all banks.
    private static var patternsPerBank: Int { patterns / Bank.allCases.count }
    private static let times = 5

    /// Creates such a library in its own folder, and removes it.
    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pixelboop-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("library.sqlite").path
        try Self.fill(path)
        open = try Self.median { _ = try Library(path: path) }
        let library = try Library(path: path)
        list = try Self.median {
            guard try library.patterns(in: .c).count == Self.patternsPerBank else {
                throw CommandError(.ioError, "the library of the bench does not hold what was put into it")
            }
        }
        guide = try Self.median {
            guard try library.guide().channels.count == Bank.allCases.count else {
                throw CommandError(.software, "the guide of the bench lacks a bank")
            }
        }
    }

    private static func fill(_ path: String) throws {
        let library = try Library(path: path)
        for bank in Bank.allCases {
            let additions = (0..<patternsPerBank).map { number in
                var document = BenchPattern.typical.document
                document.pattern.tempo = Tempo(60 + number % 141)
                return Library.Addition(document, name: "PATTERN \(bank.letter)\(number)", to: bank)
            }
            try library.add(additions)
        }
    }

    /// Median of the wall-clock times of `body`, in milliseconds; the disk's time is included.
    private static func median(_ body: () throws -> Void) throws -> Double {
        let clock = ContinuousClock()
        let durations = try (0..<times).map { _ in try clock.measure(body) }.sorted()
        return durations[times / 2] / .milliseconds(1)
    }
}
