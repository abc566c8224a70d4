import Foundation
import Glibc
import Testing

@testable import Box

/// The socket at which programs connect.
struct SocketListenerTests {
    private func path(_ name: String = UUID().uuidString) -> String {
        FileManager.default.temporaryDirectory.appending(path: "pixelboop-\(name)").path
    }

    @Test("it is the user's alone, and gone afterwards")
    func permissions() throws {
        let path = path()
        do {
            let listener = try SocketListener(path)
            var status = stat()
            #expect(lstat(path, &status) == 0)
            #expect(status.st_mode == S_IFSOCK | 0o600)
            listener.stop()
            #expect(listener.accept() == nil)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("the socket of a process that was killed is replaced, another's is not")
    func leftOver() throws {
        let path = path()
        // A socket that is bound and closed, as of a killed process.
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let killed = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(killed, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        #expect(isBound)
        close(killed)
        let listener = try SocketListener(path)
        #expect(throws: CommandError.self) { try SocketListener(path) }
        listener.stop()
    }

    @Test("another file, a missing folder and a name that is too long are refused")
    func refused() throws {
        let path = path()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        for other in [path, "/nowhere/socket", String(repeating: "x", count: 200), ""] {
            #expect(throws: CommandError.self) { try SocketListener(other) }
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }
}

/// Lines of programs.
struct LinesTests {
    @Test("lines arrive whole, however their bytes come, and the last one without its end")
    func lines() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let answers = OutputLines(ends[1])
        try answers.write("one")
        try answers.write("")
        _ = "tw".withCString { write(ends[1], $0, 2) }
        let lines = InputLines(ends[0])
        #expect(try lines.next() == Array("one".utf8))
        #expect(try lines.next() == [])
        _ = "o\nthree".withCString { write(ends[1], $0, 7) }
        close(ends[1])
        #expect(try lines.next() == Array("two".utf8))
        #expect(try lines.next() == Array("three".utf8))
        #expect(try lines.next() == nil)
        close(ends[0])
    }
}
