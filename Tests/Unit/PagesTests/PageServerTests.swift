import Glibc
import InputEvents
import Instrument
import TestSupport
import TestTags
import Testing

@testable import Pages

@Suite("The page's server", .tags(.live))
struct PageServerTests {
    @Test("has an icon for iOS: opaque, of 180 pixels, with the four lights of the other icon")
    func icon() throws {
        let resource = try #require(PageResource.served.first { $0.path == "/icon.png" })
        let bytes = try #require(resource.body)
        #expect(resource.type == "image/png" && bytes.count < 10_000)
        let image = try #require(PNGImage(bytes))
        #expect(image.columns == 180 && image.rows == 180)
        // The centres in the SVG, of 64 units.
        for (x, y, colour) in [
            (22, 22, [0xf7, 0xdc, 0x6f]), (42, 22, [0x4e, 0xcd, 0xc4]), (22, 42, [0x45, 0xb7, 0xd1]),
            (42, 42, [0xff, 0x6b, 0x6b]), (1, 1, [0x10, 0x10, 0x12]),
        ] {
            let place = 3 * (180 * (y * 180 / 64) + x * 180 / 64)
            #expect(image.rgb[place..<place + 3].map { Int($0) } == colour, "\(x), \(y)")
        }
    }

    @Test("serves the page and all its files, uncached and under a strict policy")
    func resources() throws {
        let served = try Served()
        let port = served.server.port
        #expect(served.server.url == "http://127.0.0.1:\(port)/")
        for (path, type) in [
            ("/", "text/html; charset=utf-8"), ("/panel.css", "text/css; charset=utf-8"),
            ("/icon.svg", "image/svg+xml"), ("/manifest.webmanifest", "application/manifest+json"),
            ("/panel.js", "text/javascript; charset=utf-8"), ("/keys.js", "text/javascript; charset=utf-8"),
            ("/legend.js", "text/javascript; charset=utf-8"),
            ("/audio.js", "text/javascript; charset=utf-8"), ("/box.js", "text/javascript; charset=utf-8"),
            ("/files.js", "text/javascript; charset=utf-8"), ("/shell.js", "text/javascript; charset=utf-8"),
            ("/drop.js", "text/javascript; charset=utf-8"), ("/tune.js", "text/javascript; charset=utf-8"),
            ("/worker.js", "text/javascript; charset=utf-8"),
            ("/lights.js", "text/javascript; charset=utf-8"),
            ("/sound.js", "text/javascript; charset=utf-8"), ("/service.js", "text/javascript; charset=utf-8"),
        ] {
            let answer = try RawClient(port: port).get(path, host: "localhost:\(port)")
            let head = answer.head.lowercased()
            #expect(head.hasPrefix("http/1.1 200"), "\(path)")
            #expect(head.contains("content-type: \(type)\r"), "\(path)")
            #expect(head.contains("content-length: \(answer.body.utf8.count)\r"), "\(path)")
            #expect(head.contains("cache-control: no-store"))
            #expect(head.contains("connect-src 'self' ws://localhost:\(port);"))
            #expect(head.contains("default-src 'none'; script-src 'self';"))
        }
    }

    @Test("is smaller than 200 kB, and its service keeps exactly its files")
    func size() throws {
        #expect(PageResource.served.reduce(0) { $0 + ($1.body?.count ?? 0) } < 200_000)
        let files = String(decoding: PackageResources.files_js, as: UTF8.self)
        let list = try #require(files.firstMatch(of: /shellFiles = \[([^\]]*)\]/)).1
        let kept = Set(list.matches(of: /"(\/[^"]*)"/).map { String($0.1) })
        #expect(kept == Set(PageResource.served.compactMap(\.path)).subtracting(["/service.js", "/files.js"]))
    }

    @Test("the page's keys are those of the box, in its order")
    func keys() throws {
        let script = String(decoding: PackageResources.keys_js, as: UTF8.self)
        let table = try #require(script.firstMatch(of: /keyNumbers = \{([^}]*)\}/)).1
        let entries = table.matches(of: /(\w+): (\d+)/).map { "\($0.2) \($0.1)" }
        #expect(entries == Key.allCases.enumerated().map { "\($0) \($1.rawValue)" })
        for (name, keys) in [
            ("heldKeys", Key.allCases.filter(\.isHeld)), ("repeatingKeys", Key.allCases.filter(\.repeats)),
        ] {
            let start = try #require(script.firstRange(of: "\(name) = new Set([")).upperBound
            let list = script[start...].prefix { $0 != "]" }.matches(of: /"(\w+)"/).map { String($0.1) }
            let expected = keys.filter { !Key.functions.contains($0) }.map(\.rawValue)
            #expect(Set(list) == Set(expected), "\(name)")
        }
    }

    @Test("the help has the instrument's controls, gestures, menu and keys")
    func help() throws {
        let page = String(decoding: PageResource.page.body ?? [], as: UTF8.self)
        #expect(!page.contains("<!--help-->"))
        for entry in Help.controls + Help.parts + Help.menu + Help.keys + Help.moreGestures {
            #expect(page.contains("<th scope=\"row\">\(entry.name)</th><td>\(entry.text)</td>"), "\(entry.name)")
        }
        for gesture in Help.gestures { #expect(page.contains("<th scope=\"row\">\(gesture.finger)</th><td>")) }
    }

    @Test("the page has the instrument's legend")
    func legend() throws {
        let page = String(decoding: try #require(PageResource.page.body), as: UTF8.self)
        #expect(!page.contains("<!--legend-->"))
        #expect(page.matches(of: /<span data-side=/).count == Help.legend.count)
        #expect(
            page.contains(
                "<span data-side=\"top\" data-line=\"1\" data-columns=\"0 2\" data-rows=\"0 0\" "
                    + "data-pictures=\"grid menu beside\">Play</span>"))
    }

    @Test("the help has every question of docs/how.md with its line, and no link or picture of it")
    func questions() throws {
        let page = String(decoding: try #require(PageResource.page.body), as: UTF8.self)
        let source = try Checkout.text("docs/how.md")
        let tables = PageQuestions.tables(of: source)
        let lines = source.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("? |") }
        #expect(tables.reduce(0) { $0 + $1.rows.count } == lines.count && lines.count > 50)
        for (table, line) in zip(tables.flatMap(\.rows), lines) { #expect(line.hasPrefix("| \(table.question) | ")) }
        for table in tables {
            #expect(page.contains("<caption>\(table.title)</caption>"))
            for row in table.rows {
                let start = "<tr><th scope=\"row\">\(row.question)</th><td>"
                let found = try #require(page.range(of: start), "\(row.question)")
                let answer = page[found.upperBound...].prefix { $0 != "\n" }
                #expect(answer.hasSuffix("</td></tr>") && !answer.contains("](") && !answer.contains("`"))
            }
        }
        let rows = PageQuestions.tables(
            of: "# A\n## B\n| how do I … | | |\n|---|---|---|\n| c? | d [e](f.md#g) | ![h](i) |\n")
        #expect(rows.map(\.title) == ["B"])
        #expect(rows.first?.rows == [PageQuestions.Row(question: "c?", answer: "d e")])
    }

    @Test("serves a film and a still picture of each gesture of the help, made once")
    func films() throws {
        #expect(PageResource.films.count == 2 * Help.gestures.count)
        let served = try Served()
        for path in ["/film/3.png", "/still/3.png"] {
            func answer() throws -> [UInt8] {
                let client = try RawClient(port: served.server.port)
                let lines = ["GET \(path) HTTP/1.1", "Host: \(served.host)", "Connection: close", "", ""]
                client.send(Array(lines.joined(separator: "\r\n").utf8))
                return try client.everything()
            }
            // Until it is made the server asks to come again, and serves others meanwhile.
            var last: [UInt8] = []
            let isMade = eventually(within: 60) {
                last = (try? answer()) ?? []
                return last.starts(with: Array("HTTP/1.1 200".utf8))
            }
            #expect(isMade)
            let body = try #require(PageResource.films.first { $0.path == path }?.body)
            #expect(Array(last.suffix(body.count)) == body && body.count > 1000)
        }
    }

    @Test(
        "rejects other requests",
        arguments: [("/nothing", "GET", 404), ("/", "POST", 405), ("/", "DELETE", 405)])
    func refusals(path: String, method: String, status: Int) throws {
        let served = try Served()
        let answer = try RawClient(port: served.server.port).get(path, method: method, host: served.host)
        #expect(answer.head.isEmpty || answer.head.hasPrefix("HTTP/1.1 \(status)"))
        #expect(!answer.body.contains("<html"))
    }

    @Test(
        "answers only to its own names, so that DNS rebinding fails",
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

    @Test("requires the token, if set, for the page and the WebSocket")
    func token() throws {
        let token = Served.token
        let served = try Served(token: token)
        let port = served.server.port
        #expect(served.server.url == "http://127.0.0.1:\(port)/")
        #expect(served.server.urlWithToken == "http://127.0.0.1:\(port)/?token=\(token)")
        for (query, isRight) in [
            ("", false), ("?token=", false), ("?token=\(token.dropLast())", false), ("?token=\(token)2", false),
            ("?token=\(token.uppercased())", false), ("?other=\(token)", false), ("?token=\(token)", true),
            ("?a=1&token=\(token)", true),
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
        // 127.0.0.2 is also this machine, at another address.
        for address in ["127.0.0.2", other].compactMap({ $0 }) {
            #expect(throws: RawClient.Failure.self, "\(address)") {
                _ = try RawClient(port: served.server.port, address: address)
            }
        }
    }

    @Test("reports in one line why it cannot listen")
    func errors() throws {
        let first = try Served()
        let port = first.server.port
        for (address, givenPort, token, wanted) in [
            ("127.0.0.1", port, nil, .inUse(address: "127.0.0.1", port: port)),
            ("localhost", port, nil, .inUse(address: "127.0.0.1", port: port)),
            ("0.0.0.0", 0, nil, .tokenNeeded(address: "0.0.0.0")),
            ("192.0.2.1", 0, nil, .tokenNeeded(address: "192.0.2.1")),
            ("192.0.2.1", 4424, Served.token, .noSuchAddress("192.0.2.1")),
            ("::1", 0, nil, .badAddress("::1")),
            ("127.0.0.1", 70_000, nil, .badPort(70_000)),
            ("127.0.0.1", 0, "", .badToken),
            ("127.0.0.1", 0, String(Served.token.dropLast()), .badToken),
            ("127.0.0.1", 0, Served.token + " two words", .badToken),
            ("127.0.0.1", 0, String(repeating: "a", count: 129), .badToken),
        ] as [(String, Int, String?, PageServerError)] {
            let error = thrown(PageServerError.self) {
                _ = try Served(address: address, port: givenPort, token: token)
            }
            #expect(error == wanted, "\(address)")
            #expect(error?.description.contains("\n") == false)
        }
        // The first is not disturbed, and its port is free after it stopped.
        _ = try first.viewer()
        first.server.stop()
        first.server.stop()
        _ = try Served(port: port).viewer()
    }

    @Test("listens at every address if configured, with a token")
    func anyAddress() throws {
        let served = try Served(address: "0.0.0.0", token: Served.token)
        let answer = try RawClient(port: served.server.port, address: "127.0.0.2")
            .get("/?token=\(Served.token)", host: "127.0.0.2:\(served.server.port)")
        #expect(answer.head.hasPrefix("HTTP/1.1 200"))
    }
}
