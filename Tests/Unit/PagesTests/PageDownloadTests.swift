import Foundation
import Pages
import TestSupport
import TestTags
import Testing

/// Files in a folder.
private struct Files: PageDownloads {
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "pixelboop-downloads-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    func write(_ name: String, _ bytes: Data) throws { try bytes.write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    var files: [(name: String, text: String)] { [("take-1.wav", "8.0 s <b>&\"")] }

    func path(of name: String) -> String? { name == "take-1.wav" ? "\(folder)/\(name)" : nil }
}

@Suite("Downloads of the page", .tags(.live))
struct PageDownloadTests {
    @Test("the list has a link for each file, and text is no markup")
    func list() throws {
        let files = try Files()
        defer { files.remove() }
        let served = try Served(downloads: files)
        let answer = try RawClient(port: served.server.port).get("/takes", host: served.host)
        #expect(answer.head.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.head.contains("content-security-policy: default-src 'none'"))
        #expect(
            answer.body.contains("<a href=\"takes/take-1.wav\" download>take-1.wav</a> 8.0 s &lt;b&gt;&amp;&quot;</li>")
        )
    }

    @Test("a file comes whole, however large, as an attachment")
    func file() throws {
        let files = try Files()
        defer { files.remove() }
        let content = String(repeating: "pixelboop ", count: 400_000)
        try files.write("take-1.wav", Data(content.utf8))
        let served = try Served(downloads: files)
        let answer = try RawClient(port: served.server.port).get("/takes/take-1.wav", host: served.host)
        #expect(answer.head.contains("content-type: audio/wav"))
        #expect(answer.head.contains("content-disposition: attachment"))
        #expect(answer.head.contains("content-length: 4000000"))
        let isWhole = answer.body == content
        #expect(isWhole)
    }

    static let strangers = [
        "/takes/take-2.wav", "/takes/", "/takes/../take-1.wav", "/takes/..%2fother", "/takes/take-1.wav/", "/takesX",
        "/takes/%00", "/takes/take-1.wav%00.txt",
    ]

    @Test("another name is not found", arguments: strangers)
    func missing(path: String) throws {
        let files = try Files()
        defer { files.remove() }
        try files.write("other", Data("secret".utf8))
        try files.write("take-1.wav", Data("sound".utf8))
        let served = try Served(downloads: files)
        let answer = try RawClient(port: served.server.port).get(path, host: served.host)
        // libwebsockets hangs up on a zero byte.
        #expect(answer.head.hasPrefix("HTTP/1.1 4") || answer.head.isEmpty, "\(answer.head)")
        #expect(!answer.body.contains("secret") && !answer.body.contains("sound"))
    }

    @Test("without downloads there is nothing")
    func none() throws {
        let served = try Served()
        let answer = try RawClient(port: served.server.port).get("/takes", host: served.host)
        #expect(answer.head.hasPrefix("HTTP/1.1 404 "))
    }

    @Test("they need the page's token, which their links have")
    func token() throws {
        let files = try Files()
        defer { files.remove() }
        try files.write("take-1.wav", Data("sound".utf8))
        let served = try Served(token: Served.token, downloads: files)
        for path in ["/takes", "/takes/take-1.wav", "/takes?token=wrong", "/takes/take-1.wav?token=wrong"] {
            let answer = try RawClient(port: served.server.port).get(path, host: served.host)
            #expect(answer.head.hasPrefix("HTTP/1.1 403 "), "\(path)")
        }
        let query = "?token=\(Served.token)"
        let list = try RawClient(port: served.server.port).get("/takes\(query)", host: served.host)
        #expect(list.body.contains("href=\"takes/take-1.wav\(query)\""))
        let file = try RawClient(port: served.server.port).get("/takes/take-1.wav\(query)", host: served.host)
        #expect(file.body == "sound")
        let stranger = try RawClient(port: served.server.port).get("/takes\(query)", host: "evil.example")
        #expect(stranger.head.hasPrefix("HTTP/1.1 403 "))
    }
}
