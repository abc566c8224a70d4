import Foundation
import Glibc
import TestSupport
import TestTags
import Testing
import Threads

@testable import Devices

/// A service at a UNIX socket that answers one connection.
private final class Service {
    let path = NSTemporaryDirectory() + "pixelboop-\(UUID().uuidString.prefix(8))"
    private let thread: OwnThread?

    /// Reads up to an empty line, and writes the parts of `answer`; with nil it neither reads nor answers.
    init(_ answer: [[UInt8]]?) throws {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = path
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(isBound == 0 && listen(listener, 1) == 0)
        guard let answer else {
            thread = nil
            return
        }
        thread = OwnThread {
            let connection = accept(listener, nil, nil)
            var bytes: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 100)
            while !bytes.suffix(2).elementsEqual([10, 10]) {
                let count = recv(connection, &part, part.count, 0)
                guard count > 0 else { break }
                bytes += part[..<count]
            }
            for part in [bytes] + answer { _ = send(connection, part, part.count, Int32(MSG_NOSIGNAL)) }
            close(connection)
            close(listener)
        }
    }

    deinit {
        thread?.join()
        unlink(path)
    }
}

@Suite("A service at a UNIX socket", .tags(.live))
struct LocalSocketTests {
    private let request = Array("state\n\n".utf8)

    /// The error of a request to the socket at `path`.
    private func failure(_ path: String, seconds: Int = 10) -> DeviceError? {
        do throws(DeviceError) {
            _ = try LocalSocket(path).answer(to: request, sizeMax: 100, seconds: seconds)
            return nil
        } catch {
            return error
        }
    }

    @Test("gets the request and gives its whole answer")
    func answer() throws {
        let service = try Service([Array("ok\n".utf8), [UInt8](repeating: 65, count: 9000)])
        let answer = try LocalSocket(service.path).answer(to: request, sizeMax: 10_000, seconds: 10)
        #expect(answer == request + Array("ok\n".utf8) + [UInt8](repeating: 65, count: 9000))
    }

    @Test("an answer that is too long is an error")
    func long() throws {
        let service = try Service([[UInt8](repeating: 65, count: 9000)])
        #expect(failure(service.path)?.errno == EMSGSIZE)
    }

    @Test("a service that does not answer in time is an error")
    func silent() throws {
        let service = try Service(nil)
        #expect(failure(service.path, seconds: 1)?.errno == EAGAIN)
    }

    @Test(
        "a socket that is not there, and a path that is too long, are errors",
        arguments: [("/nowhere/socket", ENOENT), (String(repeating: "x", count: 108), ENAMETOOLONG)])
    func absent(_ path: String, _ errno: Int32) {
        let error = failure(path)
        #expect(error?.errno == errno && error?.what == path)
    }
}
