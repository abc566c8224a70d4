import CSQLite
import Library
import LibraryScript
import Testing

@Suite("A call of the file layer that fails once")
struct FaultTests {
    /// The calls that fail, and their result; by default the device's own error.
    struct Fault: Sendable, CustomTestStringConvertible {
        var calls: FaultyFolder.Calls
        var result: Int32 = SQLITE_OK
        var testDescription: String { "\(calls)" + (result == SQLITE_OK ? "" : ", with code \(result)") }
    }

    static let faults: [Fault] = [
        Fault(calls: .write), Fault(calls: .write, result: SQLITE_FULL), Fault(calls: .sync), Fault(calls: .truncate),
        Fault(calls: .open), Fault(calls: .open, result: SQLITE_READONLY), Fault(calls: .delete), Fault(calls: .access),
        Fault(calls: .size), Fault(calls: .read), Fault(calls: .lock), Fault(calls: .lock, result: SQLITE_BUSY),
        Fault(calls: .unlock), Fault(calls: .reserved), Fault(calls: .shmMap), Fault(calls: .shmLock),
        Fault(calls: .shmLock, result: SQLITE_BUSY), Fault(calls: .fetch),
    ]

    @Test(
        "anywhere, loses no acknowledged action, and the next try succeeds", arguments: faults)
    func once(_ fault: Fault) throws {
        let folder = FaultyFolder()
        folder.mend(counting: fault.calls)
        let calls = try play(folder, "without a fault").calls
        var seen = 0
        for index in 0..<calls {
            let folder = FaultyFolder()
            folder.fail(fault.calls, at: index, with: fault.result)
            seen += try play(folder, "\(fault.testDescription) \(index) of \(calls)").failures
        }
        print("faults: \(fault.testDescription): \(calls) calls failed in turn, \(seen) errors reported")
    }

    /// Creates a library, plays on it, reopens it and plays on, repeating each action until it is acknowledged. Checks
    /// that all of it is there at the end. Returns the number of failed tries and of calls.
    private func play(
        _ folder: FaultyFolder, _ comment: Comment
    ) throws -> (failures: Int, calls: Int) {
        var script = LibraryScript(seed: 11)
        var failures = 0
        for _ in 0..<2 {
            let library = try open(folder, &failures, comment)
            for _ in 0..<9 {
                let action = script.next()
                var tries = 1
                while !library.perform(action), tries < 3 {
                    if case .play = action { #expect(library.lastFailure != nil, comment) }
                    tries += 1
                }
                #expect(tries < 3, comment)
                #expect(library.lastFailure == nil, comment)
                failures += tries - 1
            }
        }
        let calls = folder.calls
        folder.mend()
        let library = try Library(path: folder.library)
        #expect(library.drainNotices() == [], comment)
        #expect(folder.aside.isEmpty, comment)
        #expect(try library.check() == [], comment)
        let isWhole = try LibraryContents(of: library) == script.contents
        #expect(isWhole, comment)
        return (failures, calls)
    }

    private func open(_ folder: FaultyFolder, _ failures: inout Int, _ comment: Comment) throws -> Library {
        do throws(LibraryError) {
            return try Library(path: folder.library)
        } catch {
            failures += 1
            #expect(!error.description.contains("\n"), comment)
            return try Library(path: folder.library)
        }
    }
}
