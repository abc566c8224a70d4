import Glibc
import Synchronization
import TestTags
import Testing

@testable import Devices

@Suite("Child processes", .tags(.live))
struct ChildProcessTests {
    static let commands: [(words: [String], status: Int)] = [
        ([], 0), (["true"], 0), (["false"], 1), (["sh", "-c", "exit 7"], 7),
        (["sh", "-c", "test \"$1\" = 'a b'", "-", "a b"], 0),
        (["sh", "-c", "kill -9 $$"], 137),
    ]

    @Test("the end is reported", arguments: commands)
    func status(command: (words: [String], status: Int)) throws {
        let status = try ChildProcess.run(command.words)
        #expect(status == command.status)
    }

    @Test("standard output is read to the end, and standard error is discarded")
    func output() throws {
        let result = try ChildProcess.output(of: ["sh", "-c", "seq 10000; echo no >&2; exit 3"])
        #expect(result.status == 3)
        #expect(result.text.split(separator: "\n").count == 10_000 && result.text.hasSuffix("\n10000\n"))
    }

    @Test("a missing command is an error")
    func missing() {
        do throws(DeviceError) {
            _ = try ChildProcess.run(["/no/such/command"])
            Issue.record("it ran")
        } catch {
            #expect(error.errno == ENOENT)
        }
    }

    @Test("it receives the signals that the box has blocked")
    func signals() throws {
        var blocked = sigset_t()
        var before = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let status = try ChildProcess.run(["sh", "-c", "kill -TERM $$; exit 3"])
        #expect(status == 128 + Int(SIGTERM))
    }

    /// Calls that start the process 9, which writes `parts` and ends with `status`.
    private final class FakeProcess: Sendable {
        let closed = Mutex<[Int32]>([])
        let waits = Mutex(0)
        private let parts: Mutex<[[UInt8]]>

        init(_ parts: [[UInt8]] = []) { self.parts = Mutex(parts) }

        func calls(status: Int32 = 0) -> ProcessCalls {
            ProcessCalls(
                pipe: { .success(.init(reading: 50, writing: 51)) },
                spawn: { _, _ in .success(9) },
                read: { _, buffer in
                    self.parts.withLock { parts in
                        guard !parts.isEmpty else { return .success(0) }
                        let part = parts.removeFirst()
                        buffer.copyBytes(from: part)
                        return .success(part.count)
                    }
                },
                wait: { _ in
                    self.waits.withLock { $0 += 1 }
                    return .success(status)
                },
                close: { descriptor in self.closed.withLock { $0.append(descriptor) } })
        }
    }

    @Test(
        "a command that cannot be started is refused, and leaves no descriptor open",
        arguments: [EAGAIN, ENOMEM, EACCES])
    func unstarted(errno: Int32) {
        let fake = FakeProcess()
        var calls = fake.calls()
        calls.spawn = { _, _ in .failure(SystemError(errno: errno)) }
        expect(errno) { () throws(DeviceError) in _ = try ChildProcess.run(["halt"], calls) }
        expect(errno) { () throws(DeviceError) in _ = try ChildProcess.output(of: ["halt"], calls) }
        #expect(fake.closed.withLock { $0 } == [51, 50])
        #expect(fake.waits.withLock { $0 } == 0)
    }

    private func expect(_ errno: Int32, _ start: () throws(DeviceError) -> Void) {
        do throws(DeviceError) {
            try start()
            Issue.record("it started")
        } catch {
            #expect(error.what == "halt" && error.errno == errno)
        }
    }

    @Test("without a pipe nothing is started", arguments: [EMFILE, ENFILE])
    func noPipe(errno: Int32) {
        var calls = FakeProcess().calls()
        calls.pipe = { .failure(SystemError(errno: errno)) }
        calls.spawn = { _, _ in
            Issue.record("it started")
            return .success(9)
        }
        #expect(throws: DeviceError.self) { try ChildProcess.output(of: ["df"], calls) }
    }

    @Test("signals while it waits and reads change nothing; short reads are put together")
    func interrupted() throws {
        let fake = FakeProcess([Array("a b".utf8), Array("c".utf8), Array("\n".utf8)])
        let real = fake.calls(status: 3 << 8)
        var calls = real
        let (reads, waits) = (Faults([EINTR, nil, EINTR, EINTR]), Faults([EINTR, EINTR]))
        calls.read = { descriptor, buffer in reads.result { real.read(descriptor, buffer) } }
        calls.wait = { child in waits.result { real.wait(child) } }
        let result = try ChildProcess.output(of: ["df"], calls)
        #expect(result.status == 3 && result.text == "a bc\n")
        #expect(fake.closed.withLock { $0 } == [51, 50])
    }

    @Test("output that cannot be read to the end is an error, and the command is waited for", arguments: [EIO, ENODEV])
    func unread(errno: Int32) {
        let fake = FakeProcess([Array("a".utf8)])
        let real = fake.calls()
        var calls = real
        let reads = Faults([nil, errno])
        calls.read = { descriptor, buffer in reads.result { real.read(descriptor, buffer) } }
        #expect(throws: DeviceError.self) { try ChildProcess.output(of: ["df"], calls) }
        #expect(fake.closed.withLock { $0 } == [51, 50])
        #expect(fake.waits.withLock { $0 } == 1)
    }

    @Test("a command whose end the system does not report is an error")
    func unawaited() {
        var calls = FakeProcess().calls()
        calls.wait = { _ in .failure(SystemError(errno: ECHILD)) }
        #expect(throws: DeviceError.self) { try ChildProcess.run(["halt"], calls) }
    }
}
