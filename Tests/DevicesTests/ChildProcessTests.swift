import Glibc
import Testing

@testable import Devices

@Suite("A command of the system")
struct ChildProcessTests {
    static let commands: [(words: [String], status: Int)] = [
        ([], 0), (["true"], 0), (["false"], 1), (["sh", "-c", "exit 7"], 7),
        (["sh", "-c", "test \"$1\" = 'a b'", "-", "a b"], 0),
        (["sh", "-c", "kill -9 $$"], 137),
    ]

    @Test("its end is told", arguments: commands)
    func status(command: (words: [String], status: Int)) throws {
        let status = try ChildProcess.run(command.words)
        #expect(status == command.status)
    }

    @Test("its output is read to the end, and its complaint is not shown")
    func output() throws {
        let result = try ChildProcess.output(of: ["sh", "-c", "seq 10000; echo no >&2; exit 3"])
        #expect(result.status == 3)
        #expect(result.text.split(separator: "\n").count == 10_000 && result.text.hasSuffix("\n10000\n"))
    }

    @Test("one that is not there is refused")
    func missing() {
        do throws(DeviceError) {
            _ = try ChildProcess.run(["/no/such/command"])
            Issue.record("it ran")
        } catch {
            #expect(error.errno == ENOENT)
        }
    }

    @Test("it takes the signals that the box has blocked")
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
}
