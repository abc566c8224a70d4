import CWebSockets

// Plain requests: the page's files, or an error.

extension PageService {
    /// Answers a GET with a resource or an error, and begins to receive the file of a POST.
    func respond(_ connection: OpaquePointer?, path: String, session: UnsafeMutableRawPointer?) -> Int32 {
        let request = PageRequest(connection: connection)
        let isFile = files != nil && request.isPost && path == Self.filesPath
        let resource = isFile ? refusalForFile(of: request) : resource(for: request, path: path)
        guard let resource else { return receiveFile(connection, request) }
        if resource == .missing {
            let answer = respondDownload(connection, path: path) ?? respondTune(connection, path: path)
            if let answer { return answer }
        }
        session?.storeBytes(of: PageResource.all.firstIndex(of: resource) ?? 0, as: Int.self)
        guard let host = request.host else { return -1 }
        guard
            Self.writeHead(
                connection, status: resource.status, type: resource.type, length: resource.body?.count ?? 0,
                contentSecurityPolicy: resource.contentSecurityPolicy(sockets: access.socketOrigins(host: host)))
        else { return -1 }
        lws_callback_on_writable(connection)
        return 0
    }

    /// Writes the head of an answer with a body of `length` bytes, which loads nothing unless a policy is given, and
    /// `others` of its headers; returns whether it could.
    static func writeHead(
        _ connection: OpaquePointer?, status: UInt32, type: String, length: Int,
        contentSecurityPolicy: String = "default-src 'none'; frame-ancestors 'none'",
        others: [(name: String, value: String)] = []
    ) -> Bool {
        let headers: [(name: String, value: String)] =
            others + [
                ("cache-control:", "no-store"),
                ("content-security-policy:", contentSecurityPolicy),
                ("x-content-type-options:", "nosniff"),
                ("referrer-policy:", "no-referrer"),
                ("cross-origin-resource-policy:", "same-origin"),
            ]
        return withUnsafeTemporaryAllocation(byteCount: 2048, alignment: 16) { buffer in
            guard let base = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
            let start = base + clws_pre
            var place: UnsafeMutablePointer<UInt8>? = start
            let end = base + buffer.count
            return lws_add_http_common_headers(connection, status, type, UInt64(length), &place, end) == 0
                && add(headers, to: connection, &place, end)
                && lws_finalize_write_http_header(connection, start, &place, end) == 0
        }
    }

    /// Writes the whole body of an answer; returns whether it could. libwebsockets copies the part that the socket does
    /// not accept at once.
    static func writeBody(_ body: [UInt8], to connection: OpaquePointer?) -> Bool {
        body.withUnsafeBufferPointer { bytes in
            lws_write(connection, UnsafeMutablePointer(mutating: bytes.baseAddress), bytes.count, LWS_WRITE_HTTP_FINAL)
        } >= 0
    }

    /// Adds `headers` from `place` on; returns whether there was room before `end`.
    static func add(
        _ headers: [(name: String, value: String)], to connection: OpaquePointer?,
        _ place: inout UnsafeMutablePointer<UInt8>?, _ end: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        headers.allSatisfy { header in
            lws_add_http_header_by_name(
                connection, header.name, header.value, Int32(header.value.utf8.count), &place, end) == 0
        }
    }

    private func resource(for request: PageRequest, path: String) -> PageResource {
        guard let host = request.host, access.allows(host: host, localAddress: request.localAddress) else {
            return .wrongHost
        }
        guard request.isGet else { return .wrongMethod }
        let needsToken = Self.isDownload(path) || PageTune(path: path) != nil
        if needsToken, let refusal = refusalForToken(of: request) { return refusal }
        guard let resource = PageResource.all.first(where: { $0.path == path }) else { return .missing }
        guard resource.body != nil else { return .notYet }
        // The scripts and the style are public, and a script element cannot send the token.
        return resource == .page ? refusalForToken(of: request) ?? resource : resource
    }

    /// The error for a POST of a file; nil if it is allowed. Like a WebSocket it must come from this server's own page.
    private func refusalForFile(of request: PageRequest) -> PageResource? {
        guard let host = request.host, access.allows(host: host, localAddress: request.localAddress) else {
            return .wrongHost
        }
        return isOwn(request, host: host) ? refusalForToken(of: request) : .wrongOrigin
    }

    /// Whether a script of this server's own page sent `request`.
    func isOwn(_ request: PageRequest, host: String) -> Bool {
        request.origin.map { access.allows(origin: $0, host: host) } ?? false
    }

    /// The error for a request without the right token; nil if it has it.
    func refusalForToken(of request: PageRequest) -> PageResource? {
        guesses.refusal(of: request, access, at: now())
    }

    func writeBody(_ connection: OpaquePointer?, session: UnsafeMutableRawPointer?) -> Int32 {
        if let result = writeAnswer(connection) { return result }
        guard let session else { return -1 }
        let resource = PageResource.all[session.load(as: Int.self)]
        guard Self.writeBody(resource.body ?? [], to: connection) else { return -1 }
        // End the connection: libwebsockets would wait for the body of a refused request.
        guard resource.path != nil else { return -1 }
        return lws_http_transaction_completed(connection) == 0 ? 0 : -1
    }
}
