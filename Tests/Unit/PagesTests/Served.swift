import Glibc
import Input
import Runtime
import TestSupport
import Testing

@testable import Replay
@testable import Pages

/// A server on a free port with its own overlay and keyboard.
struct Served {
    let overlay = SimulatedOverlay(columns: 44, rows: 24, onPost: {})
    let keyboard = ControlMailbox {}
    let server: PageServer

    /// A token of the minimum length.
    static let token = "open-sesame_1.0123456789~abcdefg"

    init(
        address: String = "127.0.0.1", port: Int = 0, proxy: PageProxy? = nil, token: String? = nil,
        soundRate: Int = 48_000,
        downloads: (any PageDownloads)? = nil, files: (any PageFiles)? = nil, site: String? = nil
    ) throws {
        let token = try token.map { text throws in try PageToken(text) }
        server = try PageServer(
            PageServer.Configuration(
                address: address, port: port, proxy: proxy, token: token, soundRate: soundRate, site: site),
            downloads: downloads, files: files, overlay: overlay, keyboard: keyboard, now: monotonicNow)
    }

    var host: String { "127.0.0.1:\(server.port)" }

    /// A WebSocket after the hello message.
    func viewer(source: String = "127.0.0.1") throws -> RawClient {
        let client = try RawClient(port: server.port, source: source)
        try #require(try client.upgrade(host: host, origin: "http://\(host)"))
        let hello = try client.message()
        try #require(hello.payload == [0, 2, 44, 24, 0x80, 0xbb, 0, 0])
        return client
    }

    func reports() -> [InputReport] {
        var reports: [InputReport] = []
        overlay.read(into: &reports)
        return reports
    }

    /// Waits until the overlay has reported `count` times.
    func reports(atLeast count: Int) -> [InputReport] {
        var all: [InputReport] = []
        _ = eventually {
            all += reports()
            return all.count >= count
        }
        return all
    }
}

extension RawClient {
    /// The next message apart from beats and the number of others.
    func content(milliseconds: Int32 = 5000) throws -> Message {
        while true {
            let message = try message(milliseconds: milliseconds)
            guard let kind = message.payload.first, message.opcode == 2, [4, 6].contains(kind) else { return message }
        }
    }

    /// The next message of `kind`.
    func message(ofKind kind: UInt8) throws -> [UInt8] {
        while true {
            let payload = try message().payload
            if payload.first == kind { return payload }
        }
    }
}

/// The message of a landing finger.
func down(_ contact: UInt8, column: Int, row: Int) -> [UInt8] {
    let (x, y) = (column * 1024 + 512, row * 1024 + 512)
    return [1, 0, contact, 0, UInt8(x & 0xff), UInt8(x >> 8), UInt8(y & 0xff), UInt8(y >> 8)]
}
