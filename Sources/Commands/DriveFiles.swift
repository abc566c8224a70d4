import Box
import Drive
import Formats
import FoundationEssentials
import InputEvents
import Instrument
import Library
import Replay
import Synchronization

/// The files of `drive`.
struct DriveFiles: BenchFiles {
    func useLibrary(
        _ source: LibrarySource, today: Int?, listings: String?, in plan: inout Replay.Plan
    ) throws -> any BenchLibrary {
        let library = try CopiedLibrary(source)
        let listings = try listings.map { path in
            let listings = try ListingsFile.read(path)
            return { watched in ListingsFile.guide(listings, today: today, watched: watched) } as Librarian.Listings
        }
        plan.play(library.library, at: library.copy.path, today: today, listings: listings)
        return library
    }

    func write(_ bytes: [UInt8], to path: String) throws { try Files.write(bytes, to: path) }
}

/// A box's own copy of a library, written as its clock goes.
private final class CopiedLibrary: BenchLibrary {
    let library: Library
    let copy: LibraryCopy
    private let timer = VirtualTimer()
    private var watch = MemoryWatch()

    init(_ source: LibrarySource) throws {
        switch source {
        case .file(let path):
            copy = try LibraryCopy(of: FileManager.default.fileExists(atPath: path) ? path : nil)
        case .disk(let library):
            guard let library = library as? CopiedLibrary else { preconditionFailure("a library of another bench") }
            copy = try LibraryCopy(leftAt: library.copy.path)
        }
        library = try Libraries.player(copy.path, timer: timer.start)
    }

    func pass(at now: Instant) { timer.pass(now) }

    var problem: String? { library.lastFailure?.description }

    func report() -> (lines: [String], events: [Instrument.Event]) {
        var (lines, events): ([String], [Instrument.Event]) = ([], [])
        watch.report(library, log: { lines.append($0) }, { events.append($0) })
        return (lines, events)
    }

    func patterns() throws -> [(number: Int64, name: String, bank: String)] {
        library.flush()
        return try library.patterns().map { ($0.number, $0.name, $0.bank.letter) }
    }

    func copy(to path: String) throws {
        library.flush()
        try library.backup(to: path)
    }
}

/// Runs what is due on a virtual clock.
private final class VirtualTimer: Sendable {
    private struct State {
        var now = Instant.zero
        var waiting: [(due: Instant, body: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())

    /// Runs `body` at the pass after `delay`.
    @Sendable func start(_ delay: Instant.Span, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.waiting.append(($0.now + delay, body)) }
    }

    /// Runs what is due by `now`, the earliest first.
    func pass(_ now: Instant) {
        while let body = next(by: now) { body() }
        state.withLock { $0.now = now }
    }

    private func next(by now: Instant) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let due = state.waiting.indices.filter { state.waiting[$0].due <= now }
            guard let first = due.min(by: { state.waiting[$0].due < state.waiting[$1].due }) else { return nil }
            let (time, body) = state.waiting.remove(at: first)
            state.now = max(state.now, time)
            return body
        }
    }
}
