import Documents
import Replay

/// The files of a bench.
package protocol BenchFiles {
    /// Makes the box of `plan` play a copy of the library at `path`, with this day, in days since 1970, and the television
    /// listings at a path, if there are any. Throws if a file cannot be read.
    func useLibrary(
        at path: String, today: Int?, listings: String?, in plan: inout Replay.Plan
    ) throws -> any BenchLibrary
    /// Writes `bytes` to `path`, completely or not at all.
    func write(_ bytes: [UInt8], to path: String) throws
}

/// No files: each request for one is refused.
package struct NoFiles: BenchFiles {
    /// No files.
    package init() {}

    private struct Refusal: Error, CustomStringConvertible {
        let description = "this bench has no files"
    }

    package func useLibrary(
        at path: String, today: Int?, listings: String?, in plan: inout Replay.Plan
    ) throws -> any BenchLibrary { throw Refusal() }

    package func write(_ bytes: [UInt8], to path: String) throws { throw Refusal() }
}

/// The library of a box: its own copy, which goes with it.
package protocol BenchLibrary: AnyObject {
    /// Its patterns: number, name and the letter of the bank.
    func patterns() throws -> [(number: Int64, name: String, bank: String)]
    /// Writes a copy of it to `path`.
    func copy(to path: String) throws
    /// Lines about what went wrong since the last call.
    func takeNotices() -> [String]
}
