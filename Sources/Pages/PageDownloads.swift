import CWebSockets

/// Files that the page offers for download.
public protocol PageDownloads: Sendable {
    /// The files, newest first: each with a line about it. Both are plain text.
    var files: [(name: String, text: String)] { get }
    /// The path of the file of this name; nil if it is none of them.
    func path(of name: String) -> String?
}

// The list of downloads at /takes, and each of them below it.

extension PageService {
    static let listPath = "/takes"
    /// Room for the headers of a file, in bytes.
    private static let headersMax = 1024

    /// Whether `path` is the path of a download or of their list.
    static func isDownload(_ path: String) -> Bool { path == listPath || path.hasPrefix(listPath + "/") }

    /// Answers an allowed GET for a download or their list; nil if there is none at `path`.
    func respondDownload(_ connection: OpaquePointer?, path: String) -> Int32? {
        guard let downloads, Self.isDownload(path) else { return nil }
        guard path != Self.listPath else { return respondList(connection, downloads) }
        guard let file = downloads.path(of: String(path.dropFirst(Self.listPath.count + 1))) else { return nil }
        return serve(file, connection)
    }

    private func respondList(_ connection: OpaquePointer?, _ downloads: any PageDownloads) -> Int32 {
        let query = access.query
        let rows = downloads.files.map {
            "<li><a href=\"takes/\(Self.escaped($0.name))\(query)\" download>\(Self.escaped($0.name))</a> \(Self.escaped($0.text))</li>\n"
        }
        let list =
            rows.isEmpty
            ? "<p>No takes yet: hold the blue light at the panel's lower right.</p>\n" : "<ul>\n\(rows.joined())</ul>\n"
        let body = Array(
            """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><title>Takes</title>
            <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="dark">
            <h1>Takes</h1>
            \(list)<p><a href="/\(query)">Back to the panel</a></p>
            </html>

            """.utf8)
        guard Self.writeHead(connection, status: 200, type: "text/html; charset=utf-8", length: body.count) else {
            return -1
        }
        return Self.writeBody(body, to: connection) && lws_http_transaction_completed(connection) == 0 ? 0 : -1
    }

    private func serve(_ file: String, _ connection: OpaquePointer?) -> Int32 {
        let headers = [
            ("cache-control:", "no-store"), ("content-disposition:", "attachment"),
            ("x-content-type-options:", "nosniff"), ("cross-origin-resource-policy:", "same-origin"),
        ]
        let type = file.hasSuffix(".wav") ? "audio/wav" : "application/jsonl"
        let sent = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.headersMax) { buffer -> Int32 in
            guard let start = buffer.baseAddress else { return -1 }
            var place: UnsafeMutablePointer<UInt8>? = start
            guard Self.add(headers, to: connection, &place, start + buffer.count), let end = place else { return -1 }
            return start.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
                lws_serve_http_file(connection, file, type, $0, Int32(end - start))
            }
        }
        // Above 0 the answer is complete already.
        guard sent > 0 else { return sent }
        return lws_http_transaction_completed(connection) == 0 ? 0 : -1
    }

    private static func escaped(_ text: String) -> String {
        text.map { ["<": "&lt;", ">": "&gt;", "&": "&amp;", "\"": "&quot;"][$0] ?? String($0) }.joined()
    }
}
