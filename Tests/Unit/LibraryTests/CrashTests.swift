import Foundation
import Library
import LibraryScript
import TestSupport
import TestTags
import Testing

/// Mostly the time of starting processes. Only many kills hit rare moments: `make check-crashes` has 500, and each run
/// another seed.
@Suite("A process that is killed", .tags(.live))
struct CrashTests {
    /// Number of successive kills on one library.
    private static let killsPerLibrary = 8
    /// Actions of a process that is not killed.
    private static let actions = 12

    /// Number of processes to kill.
    private static let crashes = ProcessInfo.processInfo.environment["PIXELBOOP_CRASHES"].flatMap { Int($0) } ?? 40

    @Test("at any moment loses no acknowledged action, and leaves a library that opens without a message")
    func killed() throws {
        let (seed, crashes) = (SplitMix.seed, Self.crashes)
        var random = SplitMix(seed: seed)
        var outcomes = Outcomes()
        print("crash test: seed \(seed), \(crashes) kills")
        var round = 0
        while round < crashes {
            let folder = Folder(onDisk: true)
            let script = random.next()
            var done = 0
            for _ in 0..<min(Self.killsPerLibrary, crashes - round) {
                let probe = try Probe(folder.library, script: script, done: done, count: Self.actions)
                let acknowledged = try probe.end(at: Moment(Self.actions, using: &random)) ?? done
                let found = try number(
                    folder, script, acknowledged, "seed \(seed), round \(round), \(acknowledged) acknowledged")
                outcomes.note(began: done, acknowledged: acknowledged, found: found, Self.actions)
                done = found
                round += 1
            }
        }
        print("crash test: \(outcomes)")
    }

    /// Number of actions of `script` in the library of `folder`: those acknowledged, or one more.
    private func number(
        _ folder: Folder, _ script: UInt64, _ acknowledged: Int, _ comment: Comment
    ) throws -> Int {
        var expected = LibraryScript(seed: script)
        expected.skip(acknowledged)
        let library = try Library(path: folder.library)
        #expect(library.drainNotices() == [], comment)
        #expect(folder.aside.isEmpty, comment)
        #expect(try library.check() == [], comment)
        let contents = try LibraryContents(of: library)
        if contents == expected.contents { return acknowledged }
        _ = expected.next()
        // Compares without printing: a failure of `#expect` would print all values.
        let isNext = contents == expected.contents
        #expect(isNext, comment)
        return acknowledged + 1
    }
}

/// Moment of a kill.
private enum Moment {
    /// Microseconds after the start.
    case start(UInt32)
    /// Microseconds after a number of further acknowledged actions.
    case action(Int, UInt32)

    init(_ actions: Int, using random: inout SplitMix) {
        if Int.random(in: 0..<4, using: &random) == 0 {
            self = .start(.random(in: 0..<30_000, using: &random))
        } else {
            self = .action(.random(in: 0...actions, using: &random), .random(in: 0..<4000, using: &random))
        }
    }
}

/// Results of the processes.
private struct Outcomes: CustomStringConvertible {
    private var (unborn, working, written, whole) = (0, 0, 0, 0)

    mutating func note(began: Int, acknowledged: Int, found: Int, _ actions: Int) {
        switch (acknowledged - began, found - acknowledged) {
        case (_, 1): written += 1
        case (0, _): unborn += 1
        case (actions, _): whole += 1
        default: working += 1
        }
    }

    var description: String {
        "\(unborn) killed before the first acknowledgement, \(working) between two, \(written) after an action was on the "
            + "disk and before it was acknowledged, \(whole) after the last"
    }
}

/// A process that edits and saves.
private final class Probe {
    private let process = Process()
    private let output = Pipe()
    private var words: [UInt8] = []

    init(_ library: String, script: UInt64, done: Int, count: Int) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("SaveProbe")
        process.arguments = [library, "\(script)", "\(done)", "\(count)"]
        process.standardOutput = output
        try process.run()
        // Closed here, so that the pipe ends with the child.
        try output.fileHandleForWriting.close()
    }

    /// Kills the process at `moment`, unless it has ended before. Returns the last number it printed, if any.
    func end(at moment: Moment) throws -> Int? {
        switch moment {
        case .start(let microseconds):
            usleep(microseconds)
        case .action(let count, let microseconds):
            while words.count(where: { $0 == UInt8(ascii: "\n") }) < count, read() {}
            usleep(microseconds)
        }
        kill(process.processIdentifier, SIGKILL)
        while read() {}
        process.waitUntilExit()
        if process.terminationReason == .exit { #expect(process.terminationStatus == 0) }
        let lines = String(decoding: words, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: true)
        return lines.last.flatMap { Int($0) }
    }

    /// Reads the available output; false at the end.
    private func read() -> Bool {
        let data = output.fileHandleForReading.availableData
        words += data
        return !data.isEmpty
    }
}
