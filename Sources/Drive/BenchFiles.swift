import Documents
import InputEvents
import Instrument
import Replay

/// The files of a bench.
package protocol BenchFiles {
    /// Makes the box of `plan` play a copy of `library`, with this day, in days since 1970, and the television listings
    /// at a path, if there are any. Throws if a file cannot be read.
    func useLibrary(
        _ library: LibrarySource, today: Int?, listings: String?, in plan: inout Replay.Plan
    ) throws -> any BenchLibrary
    /// Writes `bytes` to `path`, completely or not at all.
    func write(_ bytes: [UInt8], to path: String) throws
}

/// Where the library of a box comes from.
package enum LibrarySource {
    /// The file at a path; an empty library if there is none.
    case file(String)
    /// What a power cut leaves on the disk of a box.
    case disk(any BenchLibrary)
}

/// No files: each request for one is refused.
package struct NoFiles: BenchFiles {
    /// No files.
    package init() {}

    private struct Refusal: Error, CustomStringConvertible {
        let description = "this bench has no files"
    }

    package func useLibrary(
        _ library: LibrarySource, today: Int?, listings: String?, in plan: inout Replay.Plan
    ) throws -> any BenchLibrary { throw Refusal() }

    package func write(_ bytes: [UInt8], to path: String) throws { throw Refusal() }
}

/// The library of a box: its own copy, which goes with it.
package protocol BenchLibrary: AnyObject {
    /// Its patterns: number, name and the letter of the bank.
    func patterns() throws -> [(number: Int64, name: String, bank: String)]
    /// Writes a copy of it to `path`.
    func copy(to path: String) throws
    /// Writes what is due by `now`.
    func pass(at now: Instant)
    /// Why it could not be written last; nil if it could.
    var problem: String? { get }
    /// What is new about it: lines for the log, and events for the box.
    func report() -> (lines: [String], events: [Instrument.Event])
}
