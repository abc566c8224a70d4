import Pages
import Synchronization
import TestSupport
import TestTags
import Testing

/// Keeps what is dropped on the page, and answers when told to.
private final class Kept: PageFiles {
    private struct State {
        var files: [PageFile] = []
        var answers: [@Sendable (PageAnswer) -> Void] = []
        var known: PageAnswer?
    }

    private let state = Mutex(State())

    /// Answers `known` at once; with nil `answer` does.
    init(_ known: PageAnswer?) { state.withLock { $0.known = known } }

    /// Answers `known` at once from now on.
    func know(_ known: PageAnswer) { state.withLock { $0.known = known } }

    var files: [PageFile] { state.withLock { $0.files } }

    func refusal(of name: String, size: Int) -> String? {
        size > Kept.sizeMax ? "\(name): is larger than \(Kept.sizeMax) bytes." : nil
    }

    static let sizeMax = 1_000_000

    func keep(_ file: PageFile, answer: @escaping @Sendable (PageAnswer) -> Void) {
        let known = state.withLock { state in
            state.files.append(file)
            state.answers.append(answer)
            return state.known
        }
        if let known { answer(known) }
    }

    func give(_ form: PageTune, answer: @escaping @Sendable (PageAnswer) -> Void) {
        state.withLock { $0.answers.append(answer) }
        answer(.tune(Array("\(form)".utf8), form))
    }

    func answer(_ number: Int, _ answer: PageAnswer) { state.withLock { $0.answers[number] }(answer) }
}

@Suite("Files dropped on the page", .tags(.live))
struct PageFileTests {
    private func post(
        _ path: String, to served: Served, size: Int?, origin: String? = nil, close: Bool = true
    ) -> String {
        var lines = ["POST \(path) HTTP/1.1", "Host: \(served.host)", "Origin: \(origin ?? "http://\(served.host)")"]
        if let size { lines.append("Content-Length: \(size)") }
        if close { lines.append("Connection: close") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    private let path = "/files?name=a%26b%20%C3%A9.wav&x=9728&y=15872"

    @Test("a file comes whole, in parts of any size, with its name and place; the answer is the box's")
    func whole() throws {
        let kept = Kept(.kept("KICK is a sample"))
        let served = try Served(files: kept)
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let answer = try RawClient(port: served.server.port).answer(
            to: post(path, to: served, size: content.count), body: Array(content[..<1]), Array(content[1..<70_000]),
            Array(content[70_000...]))
        #expect(answer.head.hasPrefix("HTTP/1.1 200 ") && answer.body == "KICK is a sample\n", "\(answer)")
        #expect(answer.head.contains("content-security-policy: default-src 'none'"))
        #expect(answer.head.contains("content-type: text/plain; charset=utf-8"))
        #expect(kept.files == [PageFile(name: "a&b é.wav", bytes: content, column: 9, row: 15)])
    }

    @Test("what the box refuses is an error with its line")
    func refused() throws {
        let served = try Served(files: Kept(.refused("a.wav: is empty")))
        let answer = try RawClient(port: served.server.port).answer(to: post(path, to: served, size: 2), body: [1, 2])
        #expect(answer.head.hasPrefix("HTTP/1.1 422 ") && answer.body == "a.wav: is empty\n")
    }

    @Test("one at a time: another waits for its answer, and one whose visitor has left makes room")
    func oneAtATime() throws {
        let kept = Kept(nil)
        let served = try Served(files: kept)
        let (first, second) = (try RawClient(port: served.server.port), try RawClient(port: served.server.port))
        first.send(Array(post(path, to: served, size: 3).utf8) + [1, 2, 3])
        #expect(eventually { kept.files.count == 1 })
        let busy = try second.answer(to: post(path, to: served, size: 1), body: [1])
        #expect(busy.head.hasPrefix("HTTP/1.1 503 "))
        kept.answer(0, .kept("first"))
        let text = String(decoding: try first.everything(), as: UTF8.self)
        #expect(text.hasSuffix("first\n"))

        do {
            let lost = try RawClient(port: served.server.port)
            lost.send(Array(post(path, to: served, size: 3).utf8) + [1])
        }
        #expect(
            eventually {
                let client = try? RawClient(port: served.server.port)
                let answer = try? client?.answer(to: post(path, to: served, size: 1, close: true), body: [2])
                return answer?.head.isEmpty == true || kept.files.count == 2
            })
        #expect(kept.files.count == 2)
    }

    @Test("a file that is being kept is awaited after its visitor has left: no more than one is in memory")
    func left() throws {
        let kept = Kept(nil)
        let served = try Served(files: kept)
        func drop() throws -> String {
            try RawClient(port: served.server.port).answer(to: post(path, to: served, size: 1), body: [2]).head
        }
        do {
            let lost = try RawClient(port: served.server.port)
            lost.send(Array(post(path, to: served, size: 3).utf8) + [1, 2, 3])
            #expect(eventually { kept.files.count == 1 })
        }
        for _ in 0..<3 { #expect(try drop().hasPrefix("HTTP/1.1 503 ")) }
        #expect(kept.files.count == 1)
        kept.know(.kept("second"))
        kept.answer(0, .kept("first"))
        #expect(eventually { (try? drop().hasPrefix("HTTP/1.1 200 ")) == true })
    }

    static let refusals: [(path: String, size: Int?, origin: String?, status: String)] = [
        ("/files?name=a.wav&x=0&y=0", 1, "http://evil.example", "403"),
        ("/files?name=a.wav&x=0&y=0", 1, "null", "403"),
        ("/files?name=a.wav&x=0&y=0", 0, nil, "422"), ("/files?name=a.wav&x=0&y=0", nil, nil, "411"),
        ("/files?name=a.wav&x=0&y=0", 65 << 20, nil, "422"), ("/files?name=&x=0&y=0", 1, nil, "400"),
        ("/files?x=0&y=0", 1, nil, "400"), ("/files?name=a.wav", 1, nil, "400"),
        ("/files?name=a.wav&x=45056&y=0", 1, nil, "400"), ("/files?name=a.wav&x=0&y=-1", 1, nil, "400"),
        ("/files?name=a.wav&x=0&y=nan", 1, nil, "400"), ("/?name=a.wav&x=0&y=0", 1, nil, "405"),
        ("/files/?name=a.wav&x=0&y=0", 1, nil, "405"),
    ]

    @Test("strangers, wrong addresses and wrong sizes are refused in words, and nothing is kept", arguments: refusals)
    func strangers(path: String, size: Int?, origin: String?, status: String) throws {
        let kept = Kept(.kept("it"))
        let served = try Served(files: kept)
        let answer = try RawClient(port: served.server.port).answer(
            to: post(path, to: served, size: size, origin: origin), body: [])
        #expect(answer.head.hasPrefix("HTTP/1.1 \(status) ") && answer.body.hasSuffix(".\n"), "\(answer)")
        #expect(kept.files == [])
    }

    @Test("the token is needed, and a page that keeps nothing refuses")
    func closed() throws {
        let kept = Kept(.kept("it"))
        let served = try Served(token: Served.token, files: kept)
        for (query, status) in [("", "403"), ("&token=wrong", "403"), ("&token=\(Served.token)", "200")] {
            let answer = try RawClient(port: served.server.port).answer(
                to: post(path + query, to: served, size: 1), body: [7])
            #expect(answer.head.hasPrefix("HTTP/1.1 \(status) "), "\(query): \(answer)")
        }
        #expect(kept.files.count == 1)
        let other = try Served()
        let answer = try RawClient(port: other.server.port).answer(to: post(path, to: other, size: 1), body: [7])
        #expect(answer.head.hasPrefix("HTTP/1.1 405 "))
    }

    @Test(
        "the playing tune comes in both forms, with the address of the site where links lead",
        arguments: [nil, "https://example.org/pixelboop/"])
    func tune(site: String?) throws {
        let served = try Served(files: Kept(nil), site: site)
        for (path, type, body) in [("/tune.json", "application/json", "json"), ("/tune.mid", "audio/midi", "midi")] {
            let answer = try RawClient(port: served.server.port).get(path, host: served.host)
            #expect(answer.head.hasPrefix("HTTP/1.1 200 ") && answer.body == body, "\(answer)")
            #expect(answer.head.contains("content-type: \(type)\r"))
            #expect(answer.head.contains("x-pixelboop-site: \(site ?? "")") == (site != nil), "\(answer.head)")
        }
    }

    @Test("the tune needs the token and the right host, waits for a file that is kept, and is missing without files")
    func noTune() throws {
        let kept = Kept(nil)
        let served = try Served(token: Served.token, files: kept)
        func tune(_ query: String, host: String) throws -> String {
            try RawClient(port: served.server.port).get("/tune.json\(query)", host: host).head
        }
        let query = "?token=\(Served.token)"
        for (query, host, status) in [
            ("", served.host, "403"), ("?token=wrong", served.host, "403"), (query, "evil.example", "403"),
            (query, served.host, "200"),
        ] {
            #expect(try tune(query, host: host).hasPrefix("HTTP/1.1 \(status) "), "\(query) \(host)")
        }
        let first = try RawClient(port: served.server.port)
        first.send(Array(post(path + "&token=\(Served.token)", to: served, size: 3).utf8) + [1, 2, 3])
        #expect(eventually { kept.files.count == 1 })
        #expect(try tune(query, host: served.host).hasPrefix("HTTP/1.1 503 "))
        kept.answer(1, .kept("first"))
        #expect(String(decoding: try first.everything(), as: UTF8.self).hasSuffix("first\n"))
        #expect(try tune(query, host: served.host).hasPrefix("HTTP/1.1 200 "))

        let other = try Served()
        let missing = try RawClient(port: other.server.port).get("/tune.json", host: other.host)
        #expect(missing.head.hasPrefix("HTTP/1.1 404 "))
    }
}
