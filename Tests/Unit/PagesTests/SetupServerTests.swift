import Pages
import Synchronization
import TestSupport
import TestTags
import Testing

@testable import Pages

/// Keeps the requests of the page, and answers them, at once or when told to.
private final class AnsweringBox: SetupAnswers {
    private struct State {
        var requests: [(name: String, body: String)] = []
        var waiting: [@Sendable (SetupAnswer) -> Void] = []
    }

    let requests: Set = ["join", "time", "close", "update"]
    private let state = Mutex(State())
    private let known: SetupAnswer?

    init(_ known: SetupAnswer?) { self.known = known }

    var asked: [String] { state.withLock { $0.requests.map { "\($0.name) \($0.body)" } } }

    func answer(_ name: String, _ body: [UInt8], answer: @escaping @Sendable (SetupAnswer) -> Void) {
        state.withLock { state in
            state.requests.append((name, String(decoding: body, as: UTF8.self)))
            if known == nil { state.waiting.append(answer) }
        }
        if let known { answer(known) }
    }

    func answer(_ number: Int, _ json: String) {
        state.withLock { $0.waiting[number] }(SetupAnswer(isDone: true, json: json))
    }
}

/// Keeps the files that are sent to the page.
private final class KeptUploads: SetupUploads {
    struct File: Equatable {
        var name: String
        var size: Int
        var bytes: [UInt8] = []
        var isEnded = false
        var isGone = false
    }

    private let state = Mutex<[File]>([])

    var files: [File] { state.withLock { $0 } }

    func begin(_ name: String, size: Int) -> any SetupUpload {
        let file = File(name: name, size: size)
        let number = state.withLock { files in
            files.append(file)
            return files.count - 1
        }
        return Upload(uploads: self, number: number, isWelcome: name != "unwelcome")
    }

    private final class Upload: SetupUpload {
        private let uploads: KeptUploads
        private let number: Int
        let refusal: SetupAnswer?

        init(uploads: KeptUploads, number: Int, isWelcome: Bool) {
            (self.uploads, self.number) = (uploads, number)
            refusal = isWelcome ? nil : SetupAnswer(isDone: false, json: #"{"error":"unwelcome"}"#)
        }

        deinit { uploads.state.withLock { $0[number].isGone = true } }

        func add(_ part: UnsafeRawBufferPointer) {
            let bytes = Array(part)
            uploads.state.withLock { $0[number].bytes += bytes }
        }

        func end() -> SetupAnswer {
            uploads.state.withLock { $0[number].isEnded = true }
            return SetupAnswer(isDone: uploads.files[number].name != "full", json: #"{"kept":true}"#)
        }
    }
}

@Suite("The setup page's server", .tags(.live))
struct SetupServerTests {
    private static let fine = SetupAnswer(isDone: true, json: #"{"zone":"UTC"}"#)

    private func serve(
        _ box: AnsweringBox, at address: String = "127.0.0.1", trusted: String? = nil, uploads: KeptUploads? = nil
    ) throws -> SetupServer {
        try SetupServer(
            .init(
                address: address, port: 0, token: try PageToken(Served.token),
                trusted: trusted.flatMap { PageNetwork($0) }),
            answers: box, uploads: uploads, now: monotonicNow)
    }

    private func ask(
        _ server: SetupServer, _ line: String, host: String? = nil, origin: String? = nil, body: String? = nil
    ) throws -> (head: String, body: String) {
        let host = host ?? "127.0.0.1:\(server.port)"
        var lines = ["\(line) HTTP/1.1", "Host: \(host)", "Connection: close"]
        if let origin { lines.append("Origin: \(origin)") }
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
        return try RawClient(port: server.port).answer(to: head, body: Array((body ?? "").utf8))
    }

    private let token = "?token=\(Served.token)"

    @Test("serves the page and its files, uncached and under a strict policy")
    func files() throws {
        let server = try serve(AnsweringBox(Self.fine))
        for (path, type) in [
            ("/\(token)", "text/html"), ("/setup.css", "text/css"), ("/setup.js", "text/javascript"),
            ("/wiring.js", "text/javascript"), ("/devices.js", "text/javascript"), ("/update.js", "text/javascript"),
            ("/icon.svg", "image/svg+xml"),
        ] {
            let answer = try ask(server, "GET \(path)")
            let head = answer.head.lowercased()
            #expect(head.hasPrefix("http/1.1 200") && head.contains("content-type: \(type)"), "\(path)")
            #expect(head.contains("content-length: \(answer.body.utf8.count)\r"))
            #expect(head.contains("cache-control: no-store") && head.contains("default-src 'none'; script-src 'self'"))
        }
    }

    @Test("state and requests go to the box, with their documents in any parts, and its answer comes back")
    func requests() throws {
        let box = AnsweringBox(Self.fine)
        let server = try serve(box)
        let origin = "http://127.0.0.1:\(server.port)"
        let state = try ask(server, "GET /state\(token)")
        #expect(state.head.hasPrefix("HTTP/1.1 200") && state.head.contains("content-type: application/json"))
        #expect(state.body == Self.fine.json)
        let names = box.requests.sorted()
        for name in names {
            let answer = try ask(server, "POST /\(name)\(token)", origin: origin, body: #"{"name":"ü"}"#)
            #expect(answer.head.hasPrefix("HTTP/1.1 200") && answer.body == Self.fine.json)
        }
        let head = "POST /join\(token) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nOrigin: \(origin)\r\n"
        let parted = try RawClient(port: server.port).answer(
            to: head + "Content-Length: 6\r\nConnection: close\r\n\r\n", body: Array("{".utf8), Array("    }".utf8))
        #expect(parted.head.hasPrefix("HTTP/1.1 200"))
        #expect(
            box.asked == ["state "] + names.map { $0 + #" {"name":"ü"}"# } + ["join {    }"])
    }

    @Test("a byte behind a document closes the connection; the box is asked once at most", arguments: [true, false])
    func byteBehind(isLate: Bool) throws {
        let box = AnsweringBox(nil)
        let server = try serve(box)
        let client = try RawClient(port: server.port)
        let head =
            "POST /close\(token) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
            + "Origin: http://127.0.0.1:\(server.port)\r\nContent-Length: 2\r\n\r\n{}"
        client.send(Array((head + (isLate ? "" : "x")).utf8))
        if isLate {
            #expect(eventually { box.asked.count == 1 })
            client.send(Array("x".utf8))
        }
        let rest = try client.everything()
        // libwebsockets 4.3 drops a request together with what follows it at once, 4.1 does not.
        #expect(rest.isEmpty && (box.asked == ["close {}"] || !isLate && box.asked.isEmpty))
        // Others are served.
        #expect(try ask(server, "GET /\(token)").head.hasPrefix("HTTP/1.1 200"))
    }

    @Test("what the box refuses is an error with its document")
    func refused() throws {
        let server = try serve(AnsweringBox(SetupAnswer(isDone: false, json: #"{"error":"no"}"#)))
        let answer = try ask(
            server, "POST /close\(token)", origin: "http://127.0.0.1:\(server.port)", body: "{}")
        #expect(answer.head.hasPrefix("HTTP/1.1 422") && answer.body == #"{"error":"no"}"#)
    }

    static let refusals: [(line: String, origin: String?, body: String?, status: String)] = [
        ("GET /", nil, nil, "403"), ("GET /state", nil, nil, "403"), ("GET /state?token=guess", nil, nil, "403"),
        ("GET /other", nil, nil, "404"), ("POST /other?token=\(Served.token)", "own", "{}", "405"),
        ("GET /panel.js", nil, nil, "404"), ("PUT /join", nil, "{}", "405"),
        ("POST /state?token=\(Served.token)", "own", "{}", "405"),
        ("POST /join", "own", "{}", "403"), ("POST /join?token=\(Served.token)", nil, "{}", "403"),
        ("POST /join?token=\(Served.token)", "http://evil.example", "{}", "403"),
        ("POST /join?token=\(Served.token)", "own", "", "413"), ("POST /join?token=\(Served.token)", "own", nil, "413"),
        ("POST /join?token=\(Served.token)", "own", String(repeating: " ", count: SetupServer.bodyMax + 1), "413"),
    ]

    @Test("refuses what is not the page's own, has no token or no document", arguments: refusals)
    func refusesOthers(_ request: (line: String, origin: String?, body: String?, status: String)) throws {
        let box = AnsweringBox(Self.fine)
        let server = try serve(box)
        let origin = request.origin == "own" ? "http://127.0.0.1:\(server.port)" : request.origin
        let answer = try ask(server, request.line, origin: origin, body: request.body)
        #expect(answer.head.hasPrefix("HTTP/1.1 \(request.status) "), "\(request): \(answer.head)")
        #expect(box.asked == [])
    }

    @Test("another name is refused, as it may be a foreign site's for this address")
    func names() throws {
        let server = try serve(AnsweringBox(Self.fine))
        #expect(try ask(server, "GET /\(token)", host: "evil.example").head.hasPrefix("HTTP/1.1 403"))
        #expect(try ask(server, "GET /\(token)", host: "localhost:\(server.port)").head.hasPrefix("HTTP/1.1 200"))
    }

    @Test("a visitor of the trusted network needs no token, and every name and path leads to the page")
    func trusted() throws {
        let box = AnsweringBox(Self.fine)
        let server = try serve(box, trusted: "127.0.0.0/8")
        #expect(try ask(server, "GET /").head.hasPrefix("HTTP/1.1 200"))
        #expect(try ask(server, "GET /state").body == Self.fine.json)
        for (path, host) in [
            ("/generate_204", "connectivitycheck.gstatic.com"), ("/hotspot-detect.html", "captive.apple.com"),
            ("/", "detectportal.firefox.com"),
        ] {
            let answer = try ask(server, "GET \(path)", host: host)
            #expect(answer.head.hasPrefix("HTTP/1.1 302"))
            #expect(answer.head.contains("location: http://127.0.0.1:\(server.port)/\r"))
        }
        #expect(try ask(server, "GET /index.php").head.hasPrefix("HTTP/1.1 302"))
        let foreign = try ask(server, "POST /close", host: "evil.example", origin: "http://evil.example", body: "{}")
        #expect(foreign.head.hasPrefix("HTTP/1.1 403"))
        // A foreign site in the browser of such a visitor.
        #expect(
            try ask(server, "POST /close", origin: "http://evil.example", body: "{}").head.hasPrefix("HTTP/1.1 403"))
        #expect(box.asked == ["state "])
    }

    @Test("a visitor from elsewhere needs the token in spite of a trusted network")
    func elsewhere() throws {
        let server = try serve(AnsweringBox(Self.fine), at: "0.0.0.0", trusted: "127.0.0.64/26")
        for (source, address, status) in [
            ("127.0.0.65", "127.0.0.66", "200"), ("127.0.0.65", "127.0.0.1", "403"), ("127.0.0.2", "127.0.0.66", "403"),
        ] {
            let client = try RawClient(port: server.port, address: address, source: source)
            let answer = try client.get("/", host: "\(address):\(server.port)")
            #expect(answer.head.hasPrefix("HTTP/1.1 \(status)"), "\(source) at \(address)")
        }
    }

    @Test("an answer may take its time, others go on, and one whose visitor has left is dropped")
    func slow() throws {
        let box = AnsweringBox(nil)
        let server = try serve(box)
        let head = "GET /state\(token) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n"
        do {
            let lost = try RawClient(port: server.port)
            lost.send(Array(head.utf8))
            #expect(eventually { box.asked.count == 1 })
        }
        let (first, second) = (try RawClient(port: server.port), try RawClient(port: server.port))
        first.send(Array(head.utf8))
        #expect(eventually { box.asked.count == 2 })
        second.send(Array(head.utf8))
        #expect(eventually { box.asked.count == 3 })
        box.answer(0, "lost")
        box.answer(2, "second")
        #expect(String(decoding: try second.everything(), as: UTF8.self).hasSuffix("second"))
        box.answer(1, "first")
        #expect(String(decoding: try first.everything(), as: UTF8.self).hasSuffix("first"))
    }

    private func uploadHead(
        _ server: SetupServer, _ name: String, size: Int?, token: String? = nil, origin: String? = nil
    ) -> String {
        let origin = origin ?? "http://127.0.0.1:\(server.port)"
        let lines = [
            "POST /upload\(token ?? self.token)&name=\(name) HTTP/1.1", "Host: 127.0.0.1:\(server.port)",
            "Origin: \(origin)", "Connection: close",
        ]
        return (lines + (size.map { ["Content-Length: \($0)"] } ?? [])).joined(separator: "\r\n") + "\r\n\r\n"
    }

    @Test("a file is handed over in parts as it comes, and the answer is about the whole")
    func upload() throws {
        let uploads = KeptUploads()
        let server = try serve(AnsweringBox(Self.fine), uploads: uploads)
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let client = try RawClient(port: server.port)
        client.send(Array(uploadHead(server, "a%2Bb~1.deb", size: content.count).utf8) + content[..<100_000])
        #expect(eventually { uploads.files.first?.bytes.count == 100_000 })
        client.send(Array(content[100_000...]))
        let text = String(decoding: try client.everything(), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200 ") && text.hasSuffix(#"{"kept":true}"#))
        #expect(
            uploads.files == [
                .init(name: "a+b~1.deb", size: content.count, bytes: content, isEnded: true, isGone: true)
            ])
    }

    @Test("a file that cannot be kept is an error after its content, and a refused one before it")
    func uploadsRefused() throws {
        let uploads = KeptUploads()
        let server = try serve(AnsweringBox(Self.fine), uploads: uploads)
        let full = try RawClient(port: server.port).answer(to: uploadHead(server, "full", size: 3), body: [1, 2, 3])
        #expect(full.head.hasPrefix("HTTP/1.1 422 ") && uploads.files.first?.bytes.count == 3)
        let unwelcome = try RawClient(port: server.port).answer(to: uploadHead(server, "unwelcome", size: 3))
        #expect(unwelcome.head.hasPrefix("HTTP/1.1 422 ") && unwelcome.body == #"{"error":"unwelcome"}"#)
        #expect(uploads.files.last == .init(name: "unwelcome", size: 3, isGone: true))
        let next = try RawClient(port: server.port).answer(to: uploadHead(server, "next", size: 1), body: [1])
        #expect(next.head.hasPrefix("HTTP/1.1 200 "))
    }

    @Test("a file whose connection is cut is dropped, and makes room for the next: there is one at a time")
    func cutUpload() throws {
        let uploads = KeptUploads()
        let server = try serve(AnsweringBox(Self.fine), uploads: uploads)
        do {
            let lost = try RawClient(port: server.port)
            lost.send(Array(uploadHead(server, "lost", size: 100).utf8) + [1, 2, 3])
            #expect(eventually { uploads.files.first?.bytes.count == 3 })
            let busy = try RawClient(port: server.port).answer(to: uploadHead(server, "busy", size: 1))
            #expect(busy.head.hasPrefix("HTTP/1.1 503 ") && busy.body.contains("on its way"))
            // Others go on.
            #expect(try ask(server, "GET /state\(token)").body == Self.fine.json)
        }
        #expect(eventually { uploads.files.first?.isGone == true })
        #expect(uploads.files.count == 1 && uploads.files.first?.isEnded == false)
        let next = try RawClient(port: server.port).answer(to: uploadHead(server, "next", size: 1), body: [1])
        #expect(next.head.hasPrefix("HTTP/1.1 200 "))
    }

    @Test("a server that stops drops the file that comes")
    func stoppedUpload() throws {
        let uploads = KeptUploads()
        let server = try serve(AnsweringBox(Self.fine), uploads: uploads)
        let client = try RawClient(port: server.port)
        client.send(Array(uploadHead(server, "lost", size: 100).utf8) + [1])
        #expect(eventually { uploads.files.first?.bytes.count == 1 })
        server.stop()
        #expect(uploads.files == [.init(name: "lost", size: 100, bytes: [1], isGone: true)])
    }

    static let uploadRefusals: [(size: Int?, token: String?, origin: String?, status: String)] = [
        (nil, nil, nil, "413"), (0, nil, nil, "413"), (-1, nil, nil, "413"), (1, "?x=1", nil, "403"),
        (1, "?token=guess", nil, "403"), (1, nil, "http://evil.example", "403"), (1, nil, "null", "403"),
    ]

    @Test("a file needs its size, the token and the page's own origin", arguments: uploadRefusals)
    func uploadsOfOthers(_ request: (size: Int?, token: String?, origin: String?, status: String)) throws {
        let uploads = KeptUploads()
        let server = try serve(AnsweringBox(Self.fine), uploads: uploads)
        let head = uploadHead(server, "a", size: request.size, token: request.token, origin: request.origin)
        let answer = try RawClient(port: server.port).answer(to: head)
        #expect(answer.head.hasPrefix("HTTP/1.1 \(request.status) "), "\(answer.head)")
        #expect(uploads.files == [])
    }

    @Test("a server without a folder takes no files, and nobody fetches one")
    func noUploads() throws {
        let server = try serve(AnsweringBox(Self.fine))
        let answer = try RawClient(port: server.port).answer(to: uploadHead(server, "a", size: 1))
        #expect(answer.head.hasPrefix("HTTP/1.1 405 "))
        let other = try serve(AnsweringBox(Self.fine), uploads: KeptUploads())
        #expect(try ask(other, "GET /upload\(token)").head.hasPrefix("HTTP/1.1 404 "))
    }

    @Test("an address with ten wrong tokens has to wait")
    func guesses() throws {
        let server = try serve(AnsweringBox(Self.fine))
        for _ in 0..<10 { #expect(try ask(server, "GET /?token=guess").head.hasPrefix("HTTP/1.1 403")) }
        #expect(try ask(server, "GET /\(token)").head.hasPrefix("HTTP/1.1 429"))
    }

    @Test(
        "a network is an address and a number of bits, and its address has no others",
        arguments: [
            ("10.42.0.0/24", ["10.42.0.0", "10.42.0.255"], ["10.42.1.0", "10.41.255.255"]),
            ("0.0.0.0/0", ["1.2.3.4"], []), ("192.168.1.7/32", ["192.168.1.7"], ["192.168.1.6"]),
        ])
    func network(_ text: String, inside: [String], outside: [String]) throws {
        let network = try #require(PageNetwork(text))
        for address in inside { #expect(network.contains(number(address)), "\(address)") }
        for address in outside { #expect(!network.contains(number(address)), "\(address)") }
    }

    @Test(
        "what is no network is none",
        arguments: [
            "", "10.42.0.0", "10.42.0.0/", "10.42.0.0/33", "10.42.0.0/-1", "10.42.0.1/24", "10.42.0/24", "a/8", "::/0",
        ])
    func noNetwork(_ text: String) { #expect(PageNetwork(text) == nil) }

    /// An address in network order.
    private func number(_ dotted: String) -> UInt32 {
        dotted.split(separator: ".").reduce(UInt32(0)) { $0 << 8 | (UInt32($1) ?? 0) }.bigEndian
    }
}
