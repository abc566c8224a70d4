import InputEvents
import Glibc
import Instrument
import TestSupport
import TestTags
import Testing

@testable import Pages

@Suite("Misuse of the page", .tags(.live))
struct PageStrangersTests {
    /// Whether the page is served to a machine with the address `source`.
    private func isServed(_ served: Served, to source: String) throws -> Bool {
        let client = try RawClient(port: served.server.port, source: source)
        return try client.get("/", host: served.host).head.hasPrefix("HTTP/1.1 200")
    }

    @Test("one machine with all its connections open does not exclude others")
    func share() throws {
        let served = try Served()
        let held = try (0..<100).map { _ in try RawClient(port: served.server.port, source: "127.0.0.9") }
        #expect(try isServed(served, to: "127.0.0.1"))
        _ = try served.viewer()
        // The last of them were refused.
        let last = try #require(held.last)
        #expect(try last.everything(milliseconds: 2000).isEmpty)
    }

    @Test("behind a proxy the page belongs to its name, path and scheme, and needs the token")
    func proxy() throws {
        let proxy = PageProxy(scheme: "https", host: "box.example.org", path: "/music/")
        #expect(throws: PageServerError.self) { try Served(proxy: proxy) }
        let served = try Served(proxy: proxy, token: Served.token)
        #expect(served.server.url == "https://box.example.org/music/")
        func opens(host: String, origin: String, token: String = Served.token) throws -> Bool {
            try RawClient(port: served.server.port).upgrade(path: "/panel?token=\(token)", host: host, origin: origin)
        }
        // A proxy passes on its own name, or the box's.
        for host in ["box.example.org", "Box.Example.Org", served.host] {
            #expect(try opens(host: host, origin: "https://box.example.org"), "\(host)")
            #expect(try !opens(host: host, origin: "https://box.example.org", token: "wrong"), "\(host)")
            #expect(try !opens(host: host, origin: "https://evil.example.org"), "\(host)")
            #expect(try !opens(host: host, origin: "https://box.example.org.evil"), "\(host)")
            let page = try RawClient(port: served.server.port).get("/?token=\(Served.token)", host: host)
            #expect(
                page.head.hasPrefix("HTTP/1.1 200") && page.head.contains(" wss://box.example.org; "), "\(page.head)")
        }
        #expect(try opens(host: served.host, origin: "http://\(served.host)"))
        #expect(try !opens(host: "other.example.org", origin: "https://box.example.org"))
    }

    @Test("idle connections of many machines are closed for requests, and those of viewers are not")
    func room() throws {
        let served = try Served()
        let viewer = try served.viewer()
        let held = try (0..<200).map { try RawClient(port: served.server.port, source: "127.0.1.\($0 + 1)") }
        let start = monotonicNow()
        for visit in 0..<20 { #expect(try isServed(served, to: "127.0.2.\(visit + 1)")) }
        _ = try served.viewer(source: "127.0.0.3")
        // Before the silent ones time out.
        #expect((monotonicNow() - start).microseconds < 3_000_000)
        viewer.sendFrame(down(0, column: 3, row: 4))
        #expect(!served.reports(atLeast: 1).isEmpty)
        #expect(held.count == 200)
    }

    @Test("silent connections, and requests sent letter by letter, are closed")
    func idle() throws {
        let served = try Served()
        let silent = try RawClient(port: served.server.port)
        let slow = try RawClient(port: served.server.port)
        let idle = try RawClient(port: served.server.port)
        idle.send(Array("GET / HTTP/1.1\r\nHost: \(served.host)\r\n\r\n".utf8))
        let start = monotonicNow()
        var rest = Array("GET / HTTP/1.1\r\nX: \(String(repeating: "y", count: 250))".utf8)[...]
        // A letter every 0.1 s does not keep a connection open; sending fails once it is closed.
        let isCut = eventually(within: 18) {
            guard let next = rest.popFirst() else { return false }
            usleep(100_000)
            return !slow.send([next])
        }
        #expect(isCut)
        _ = try silent.everything(milliseconds: 100)
        _ = try idle.everything(milliseconds: 100)
        #expect((monotonicNow() - start).microseconds < 18_000_000)
    }

    @Test("does not speak HTTP/2, whose streams would not be counted")
    func http2() throws {
        let served = try Served()
        let upgrade = try RawClient(port: served.server.port)
        upgrade.send(
            Array(
                """
                GET / HTTP/1.1\r\nHost: \(served.host)\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\
                HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n
                """.utf8))
        #expect(try upgrade.everything().isEmpty)
        let preface = try RawClient(port: served.server.port)
        preface.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0])
        let answer = try preface.everything(milliseconds: 10_000)
        // An HTTP/2 server begins with a SETTINGS frame (RFC 9113, 3.4).
        #expect(answer.isEmpty || answer.starts(with: "HTTP/1.0 403".utf8), "\(answer)")
    }

    @Test("limits wrong tokens per machine, for a while")
    func guesses() throws {
        let served = try Served(token: Served.token)
        func status(_ token: String, from source: String) throws -> Substring {
            let client = try RawClient(port: served.server.port, source: source)
            return try client.get("/?token=\(token)", host: served.host).head.dropFirst(9).prefix(3)
        }
        for guess in 0..<TokenGuesses.countMax { #expect(try status("\(guess)", from: "127.0.0.4") == "403") }
        #expect(try status("11", from: "127.0.0.4") == "429")
        #expect(try status(Served.token, from: "127.0.0.4") == "429")
        let socket = try RawClient(port: served.server.port, source: "127.0.0.4")
        #expect(
            try !socket.upgrade(
                path: "/panel?token=\(Served.token)", host: served.host, origin: "http://\(served.host)"))
        #expect(try status(Served.token, from: "127.0.0.5") == "200")
    }

    @Test("an address may send a wrong token every six seconds, and is forgotten after a minute")
    func guessTimes() {
        var guesses = TokenGuesses()
        for _ in 0..<10 {
            #expect(!guesses.isExhausted(1, at: .zero))
            guesses.count(1, at: .zero)
        }
        #expect(guesses.isExhausted(1, at: Instant(milliseconds: 5999)))
        #expect(!guesses.isExhausted(1, at: Instant(milliseconds: 6000)))
        guesses.count(1, at: Instant(milliseconds: 6000))
        #expect(guesses.isExhausted(1, at: Instant(milliseconds: 6001)))
        #expect(!guesses.isExhausted(2, at: Instant(milliseconds: 6001)))
        // The table is bounded: guesses from everywhere replace the address with the fewest.
        for address in 2..<UInt32(TokenGuesses.addressesMax + 100) {
            guesses.count(address, at: Instant(milliseconds: 6001))
        }
        #expect(guesses.isExhausted(1, at: Instant(milliseconds: 6001)))
        #expect(!guesses.isExhausted(1, at: Instant(milliseconds: 12_000)))
    }

    @Test("a generated token has 128 random bits")
    func randomTokens() throws {
        let tokens = (0..<1000).map { _ in PageToken.random().text }
        #expect(Set(tokens).count == 1000)
        for place in 0..<32 {
            let digits = Set(tokens.map { Array($0)[place] })
            #expect(digits == Set("0123456789abcdef"), "digit \(place)")
        }
        for token in tokens { #expect(try PageToken(token).text == token) }
    }
}
