import Glibc
import Instrument
import Overlay
import Runtime
import Testing

@testable import Simulator

/// A server on a free port with its own overlay and keyboard.
private struct Served {
    let overlay = SimulatedOverlay(columns: 44, rows: 24, onPost: {})
    let keyboard = ControlMailbox {}
    let server: PageServer

    init(address: String = "127.0.0.1", port: Int = 0, token: String? = nil, soundRate: Int = 48_000) throws {
        server = try PageServer(
            PageServer.Configuration(address: address, port: port, token: token, soundRate: soundRate),
            overlay: overlay, keyboard: keyboard, now: monotonicNow)
    }

    var host: String { "127.0.0.1:\(server.port)" }

    /// A WebSocket that has been greeted.
    func viewer() throws -> RawClient {
        let client = try RawClient(port: server.port)
        try #require(try client.upgrade(host: host, origin: "http://\(host)"))
        let hello = try client.message()
        try #require(hello.payload == [0, 1, 44, 24, 0x80, 0xbb, 0, 0])
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

private func frame(_ shade: UInt8) -> [UInt8] { Array(repeating: shade, count: 44 * 24 * 3) }
private func frameNumber(_ payload: [UInt8]) -> UInt32 {
    payload[4..<8].reversed().reduce(0) { $0 << 8 | UInt32($1) }
}
private func acknowledgement(_ number: UInt32) -> [UInt8] {
    [4, 0, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
}
private func down(_ contact: UInt8, column: Int, row: Int) -> [UInt8] {
    let (x, y) = (column * 1024 + 512, row * 1024 + 512)
    return [1, 0, contact, 0, UInt8(x & 0xff), UInt8(x >> 8), UInt8(y & 0xff), UInt8(y >> 8)]
}

@Suite("The page's server", .serialized)
struct PageServerTests {
    @Test("serves the page and all it needs, uncached and under a strict policy")
    func resources() throws {
        let served = try Served()
        let port = served.server.port
        #expect(served.server.url == "http://127.0.0.1:\(port)/")
        for (path, type) in [
            ("/", "text/html"), ("/panel.css", "text/css"), ("/panel.js", "text/javascript"),
            ("/worker.js", "text/javascript"), ("/sound.js", "text/javascript"),
        ] {
            let answer = try RawClient(port: port).get(path, host: "localhost:\(port)")
            let head = answer.head.lowercased()
            #expect(head.hasPrefix("http/1.1 200"), "\(path)")
            #expect(head.contains("content-type: \(type); charset=utf-8"), "\(path)")
            #expect(head.contains("content-length: \(answer.body.utf8.count)\r"), "\(path)")
            #expect(head.contains("cache-control: no-store"))
            #expect(head.contains("connect-src 'self' ws://localhost:\(port);"))
            #expect(head.contains("default-src 'none'; script-src 'self';"))
        }
    }

    @Test(
        "refuses what it does not serve",
        arguments: [("/nothing", "GET", 404), ("/", "POST", 405), ("/", "DELETE", 405)])
    func refusals(path: String, method: String, status: Int) throws {
        let served = try Served()
        let answer = try RawClient(port: served.server.port).get(path, method: method, host: served.host)
        #expect(answer.head.isEmpty || answer.head.hasPrefix("HTTP/1.1 \(status)"))
        #expect(!answer.body.contains("<html"))
    }

    @Test(
        "answers only to its own names, so that a foreign name for this machine is of no use",
        arguments: ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example", ""])
    func hosts(host: String) throws {
        let served = try Served()
        let answer = try RawClient(port: served.server.port).get("/", host: host)
        #expect(!answer.head.hasPrefix("HTTP/1.1 200"))
        let client = try RawClient(port: served.server.port)
        #expect(try !client.upgrade(host: host, origin: "http://\(host)"))
    }

    @Test(
        "opens a WebSocket to its own page only",
        arguments: [
            "http://evil.example", "https://127.0.0.1", "null", "http://127.0.0.1", nil,
        ] as [String?])
    func origins(origin: String?) throws {
        let served = try Served()
        let client = try RawClient(port: served.server.port)
        #expect(try !client.upgrade(host: served.host, origin: origin))
        #expect(served.server.clients == 0)
    }

    @Test("opens a WebSocket of its own subprotocol only", arguments: [nil, "page", "chat", "pixelboop2"] as [String?])
    func subprotocols(subprotocol: String?) throws {
        let served = try Served()
        let client = try RawClient(port: served.server.port)
        #expect(
            try !client.upgrade(host: served.host, origin: "http://\(served.host)", subprotocol: subprotocol))
        #expect(served.server.clients == 0)
    }

    @Test("asks for the token, when there is one, for the page and for the WebSocket")
    func token() throws {
        let served = try Served(token: "open-sesame_1")
        let port = served.server.port
        #expect(served.server.url == "http://127.0.0.1:\(port)/?token=open-sesame_1")
        for (query, isRight) in [
            ("", false), ("?token=", false), ("?token=open-sesame_", false), ("?token=open-sesame_12", false),
            ("?token=Open-sesame_1", false), ("?other=open-sesame_1", false), ("?token=open-sesame_1", true),
            ("?a=1&token=open-sesame_1", true),
        ] {
            let answer = try RawClient(port: port).get("/" + query, host: served.host)
            #expect(answer.head.hasPrefix("HTTP/1.1 \(isRight ? 200 : 403)"), "\(query)")
            let client = try RawClient(port: port)
            let isOpen = try client.upgrade(
                path: "/panel" + query, host: served.host, origin: "http://\(served.host)")
            #expect(isOpen == isRight, "\(query)")
        }
    }

    @Test("listens at the loopback address only")
    func loopback() throws {
        let served = try Served()
        var other: String?
        var list: UnsafeMutablePointer<ifaddrs>?
        getifaddrs(&list)
        defer { freeifaddrs(list) }
        var entry = list
        while let interface = entry?.pointee {
            entry = interface.ifa_next
            guard let address = interface.ifa_addr, Int32(address.pointee.sa_family) == AF_INET else { continue }
            var text = [CChar](repeating: 0, count: 64)
            getnameinfo(address, socklen_t(MemoryLayout<sockaddr_in>.size), &text, 64, nil, 0, NI_NUMERICHOST)
            let dotted = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if !dotted.hasPrefix("127.") { other = dotted }
        }
        // 127.0.0.2 is this machine as well, and another address.
        for address in ["127.0.0.2", other].compactMap({ $0 }) {
            #expect(throws: RawClient.Failure.self, "\(address)") {
                _ = try RawClient(port: served.server.port, address: address)
            }
        }
    }

    @Test("says in one line why it cannot listen")
    func errors() throws {
        let first = try Served()
        let port = first.server.port
        for (address, givenPort, token, wanted) in [
            ("127.0.0.1", port, nil, .inUse(address: "127.0.0.1", port: port)),
            ("localhost", port, nil, .inUse(address: "127.0.0.1", port: port)),
            ("0.0.0.0", 0, nil, .tokenNeeded(address: "0.0.0.0")),
            ("192.0.2.1", 0, nil, .tokenNeeded(address: "192.0.2.1")),
            ("192.0.2.1", 4424, "secret", .noSuchAddress("192.0.2.1")),
            ("::1", 0, nil, .badAddress("::1")),
            ("127.0.0.1", 70_000, nil, .badPort(70_000)),
            ("127.0.0.1", 0, "", .badToken),
            ("127.0.0.1", 0, "two words", .badToken),
        ] as [(String, Int, String?, PageServerError)] {
            let error = thrown(PageServerError.self) {
                _ = try Served(address: address, port: givenPort, token: token)
            }
            #expect(error == wanted, "\(address)")
            #expect(error?.description.contains("\n") == false)
        }
        // The first is not disturbed, and its port is free again once it stopped.
        _ = try first.viewer()
        first.server.stop()
        first.server.stop()
        _ = try Served(port: port).viewer()
    }

    @Test("listens at every address when told to, with a token")
    func anyAddress() throws {
        let served = try Served(address: "0.0.0.0", token: "secret")
        let answer = try RawClient(port: served.server.port, address: "127.0.0.2")
            .get("/?token=secret", host: "127.0.0.2:\(served.server.port)")
        #expect(answer.head.hasPrefix("HTTP/1.1 200"))
    }

    @Test("sends the newest frame, and no more than two that are not acknowledged")
    func credit() throws {
        let served = try Served()
        served.server.show(frame(1))
        let client = try served.viewer()
        let first = try client.message()
        let head: [UInt8] = [1, 0, 0, 0, 1, 0, 0, 0]
        #expect(first == RawClient.Message(opcode: 2, payload: head + frame(1)))
        served.server.show(frame(2))
        #expect(frameNumber(try client.message().payload) == 2)
        // The credit is used up: of a hundred more only the newest counts, once there is room.
        for shade in 3...102 { served.server.show(frame(UInt8(shade))) }
        #expect(throws: RawClient.Failure.self) { _ = try client.message(milliseconds: 200) }
        client.sendFrame(acknowledgement(1))
        let newest = try client.message()
        #expect(frameNumber(newest.payload) == 102)
        #expect(newest.payload.last == 102)
        #expect(throws: RawClient.Failure.self) { _ = try client.message(milliseconds: 200) }
    }

    @Test("an acknowledgement of a frame that is not on its way closes", arguments: [0, 2, 99] as [UInt32])
    func wrongAcknowledgement(number: UInt32) throws {
        let served = try Served()
        served.server.show(frame(1))
        let client = try served.viewer()
        _ = try client.message()
        client.sendFrame(acknowledgement(number))
        #expect(try client.closeStatus() == 1008)
    }

    @Test("passes fingers on as protocol B, with 1/1024 of an LED")
    func contacts() throws {
        let served = try Served()
        let client = try served.viewer()
        client.sendFrame(down(3, column: 4, row: 7))
        client.sendFrame([1, 1, 3, 0, 0x01, 0x10, 0x00, 0x1e])
        client.sendFrame([1, 2, 3, 0, 0x01, 0x10, 0x00, 0x1e])
        let reports = served.reports(atLeast: 8).filter { $0.type == InputCode.absolute }
        #expect(
            reports.map(\.code) == [
                InputCode.trackingID, InputCode.positionX, InputCode.positionY, InputCode.positionX,
                InputCode.trackingID,
            ])
        #expect(reports.map(\.value) == [0, 4608, 7680, 4097, -1])
    }

    @Test("passes keys on")
    func keys() throws {
        let served = try Served()
        let client = try served.viewer()
        for number in Key.allCases.indices { client.sendFrame([2, UInt8(number)]) }
        var events: [ControlEvent] = []
        #expect(
            eventually {
                served.keyboard.read(into: &events)
                return events.count == Key.allCases.count
            })
        let keys: [Key] = [.space, .undo, .redo, .clear, .up, .down]
        #expect(events.map(\.event) == keys.map { .key($0) })
    }

    @Test("two browsers watch and play at once; one that goes takes its own fingers along")
    func twoClients() throws {
        let served = try Served()
        let first = try served.viewer()
        var second: RawClient? = try served.viewer()
        #expect(eventually { served.server.clients == 2 })
        served.server.show(frame(9))
        #expect(try first.message().payload.last == 9)
        #expect(try second?.message().payload.last == 9)
        first.sendFrame(down(0, column: 1, row: 5))
        #expect(served.reports(atLeast: 4).count == 4)
        second?.sendFrame(down(0, column: 2, row: 5))
        second?.sendFrame(down(1, column: 3, row: 5))
        #expect(served.reports(atLeast: 10).count == 10)
        second = nil
        // Withdrawn, not lifted: no note is made.
        let gone = served.reports(atLeast: 7)
        #expect(gone.filter { $0.code == InputCode.trackingID && $0.value == -1 }.count == 2)
        #expect(gone.filter { $0.code == InputCode.toolType && $0.value == InputCode.toolPalm }.count == 2)
        #expect(eventually { served.server.clients == 1 })
        first.sendFrame([1, 2, 0, 0, 0, 6, 0, 0x16])
        #expect(served.reports(atLeast: 3).contains { $0.code == InputCode.trackingID && $0.value == -1 })
    }

    @Test("turns away more browsers than it has room for")
    func crowd() throws {
        let served = try Served()
        var clients: [RawClient] = []
        for _ in 0..<PageServer.clientsMax { clients.append(try served.viewer()) }
        let late = try RawClient(port: served.server.port)
        #expect(try !late.upgrade(host: served.host, origin: "http://\(served.host)"))
        clients.removeLast()
        #expect(eventually { served.server.clients == PageServer.clientsMax - 1 })
        _ = try served.viewer()
    }

    @Test(
        "closes on a message that the page would not send, and lifts its fingers",
        arguments: [
            ([], 2, true, 1008), ([9], 2, true, 1008), ([1, 0, 0, 0, 0, 0, 0], 2, true, 1008),
            ([1, 4, 0, 0, 0, 0, 0, 0], 2, true, 1008), ([1, 0, 0, 0, 0, 0xb0, 0, 0], 2, true, 1008),
            ([1, 0, 0, 0, 0, 0, 0, 0x60], 2, true, 1008), ([2, 6], 2, true, 1008), ([2, 0, 0], 2, true, 1008),
            ([3, 2], 2, true, 1008), ([4, 1, 0, 0, 1, 0, 0, 0], 2, true, 1008), ([2, 0], 1, true, 1008),
            (Array(repeating: 1, count: 65), 2, true, 1009), (Array(repeating: 1, count: 5000), 2, true, 1009),
            ([2], 2, false, 1009),
        ] as [([UInt8], UInt8, Bool, Int)])
    func badMessages(payload: [UInt8], opcode: UInt8, isFinal: Bool, status: Int) throws {
        let served = try Served()
        let client = try served.viewer()
        client.sendFrame(down(0, column: 1, row: 1))
        client.sendFrame(payload, opcode: opcode, isFinal: isFinal)
        #expect(try client.closeStatus() == status)
        #expect(served.reports(atLeast: 7).contains { $0.code == InputCode.trackingID && $0.value == -1 })
        #expect(eventually { served.server.clients == 0 })
    }

    @Test("closes on a flood of messages")
    func flood() throws {
        let served = try Served()
        let client = try served.viewer()
        for _ in 0..<40_000 { client.sendFrame([1, 1, 0, 0, 0, 0, 0, 0]) }
        #expect(eventually { served.server.clients == 0 })
    }

    @Test("sends sound in blocks of 10 ms to whoever wants it, and at most 200 ms of it late")
    func sound() throws {
        let served = try Served()
        let (quiet, client) = (try served.viewer(), try served.viewer())
        #expect(!served.server.wantsSound)
        client.sendFrame([3, 1])
        #expect(eventually { served.server.wantsSound })
        served.server.play((0..<960).map { Int16($0) })
        let block = try client.message().payload
        #expect(block.count == 4 + 480 * 4)
        let start: [UInt8] = [2, 0, 0, 0, 0, 0, 1, 0, 2, 0, 3, 0]
        #expect(block.starts(with: start))
        served.server.play(Array(repeating: 1, count: 959))
        #expect(throws: RawClient.Failure.self) { _ = try client.message(milliseconds: 100) }
        served.server.play([7, 7])
        #expect(try client.message().payload.count == 4 + 480 * 4)
        #expect(throws: RawClient.Failure.self) { _ = try quiet.message(milliseconds: 100) }
        client.sendFrame([3, 0])
        #expect(eventually { !served.server.wantsSound })
    }

    @Test("reports the panel's figures")
    func figures() throws {
        let served = try Served()
        let client = try served.viewer()
        served.server.report(amps: 1.5, framesPerSecond: 60, wireBytesPerSecond: 256_000)
        let payload = try client.message().payload
        let values = stride(from: 4, to: 16, by: 4).map { start in
            Float(bitPattern: payload[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
        #expect(Array(payload[..<4]) == [3, 0, 0, 0])
        #expect(values == [1.5, 60, 256_000])
    }

    @Test("stopping withdraws every finger and closes every connection")
    func stop() throws {
        let served = try Served()
        let client = try served.viewer()
        client.sendFrame(down(0, column: 1, row: 1))
        _ = served.reports(atLeast: 4)
        served.server.stop()
        #expect(served.reports().contains { $0.code == InputCode.trackingID && $0.value == -1 })
        #expect(served.server.clients == 0)
        #expect(throws: RawClient.Failure.self) { while true { _ = try client.message() } }
        served.server.show(frame(1))
        served.server.play([0, 0])
    }
}

@Suite("The sound's queue")
struct SoundQueueTests {
    @Test("a reader that fell behind goes on near the newest")
    func late() {
        var queue = SoundQueue(rate: 1000)
        var position = 0
        let samples = (0..<1000).flatMap { [Int16($0), -Int16($0)] }
        samples.withUnsafeBufferPointer { queue.write($0) }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 40, alignment: 2)
        defer { bytes.deallocate() }
        #expect(queue.readBlock(at: &position, into: bytes) == 40)
        let first: [Int16] = [950, -950, 951, -951]
        #expect(bytes.bindMemory(to: Int16.self).starts(with: first))
        var blocks = 1
        while queue.hasBlock(at: position) {
            _ = queue.readBlock(at: &position, into: bytes)
            blocks += 1
        }
        #expect(blocks == 5)
        #expect(bytes.bindMemory(to: Int16.self).last == -999)
    }

    @Test("without a rate it takes nothing")
    func silent() {
        var queue = SoundQueue(rate: 0)
        [Int16(1), 2].withUnsafeBufferPointer { queue.write($0) }
        #expect(!queue.hasBlock(at: 0))
    }
}
