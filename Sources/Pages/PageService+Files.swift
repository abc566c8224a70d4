import CWebSockets

// The files that visitors drop on the page: a POST to /files. One at a time, as it is in memory.

/// A file on its way into the box.
struct PageUpload {
    /// The bits of the pointer to its `lws`.
    let connectionBits: UInt
    /// The file as far as it has arrived.
    var file: PageFile
    /// Its size.
    let size: Int
    /// The answer, when it is known.
    var answer: PageAnswer?
}

extension PageService {
    static let filesPath = "/files"
    /// Maximum time for keeping a file, in seconds. The file is kept even if that takes longer.
    private static let keepingTime: Int32 = 60
    private static let lengthRequired: UInt32 = 411
    private static let notUnderstood: UInt32 = 400
    private static let refused: UInt32 = 422
    private static let busy: UInt32 = 503

    /// Begins to receive the file of an allowed POST, or refuses it.
    func receiveFile(_ connection: OpaquePointer?, _ request: PageRequest) -> Int32 {
        guard let size = request.contentLength, size >= 0 else {
            return answer(
                connection, Self.lengthRequired, "The request needs the Content-Length of the file.", isEnd: true)
        }
        guard size > 0 else { return answer(connection, Self.refused, "The file is empty.", isEnd: true) }
        guard let name = request.argument("name"), !name.isEmpty,
            let column = request.argument("x").flatMap({ Int(String(decoding: $0, as: UTF8.self)) }),
            let row = request.argument("y").flatMap({ Int(String(decoding: $0, as: UTF8.self)) }),
            (0..<configuration.columns << 10).contains(column), (0..<configuration.rows << 10).contains(row)
        else {
            return answer(
                connection, Self.notUnderstood, "The address needs name, x and y, in 1/1024 of a light.", isEnd: true)
        }
        let shownName = String(decoding: name, as: UTF8.self)
        if let refusal = files?.refusal(of: shownName, size: size) {
            return answer(connection, Self.refused, refusal, isEnd: true)
        }
        guard upload == nil, !isKeeping else {
            return answer(connection, Self.busy, "Another file is being kept: try again.", isEnd: true)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        upload = PageUpload(
            connectionBits: UInt(bitPattern: connection),
            file: PageFile(
                name: shownName, bytes: bytes, column: Float(column) / 1024 - 0.5,
                row: Float(row) / 1024 - 0.5),
            size: size)
        return 0
    }

    /// Adds `part` to the file that comes over `connection`.
    func receiveBody(_ connection: OpaquePointer?, _ part: UnsafeRawBufferPointer) -> Int32 {
        // The body of a refused request is dropped.
        guard isUploading(connection), let upload, upload.answer == nil else { return 0 }
        guard upload.file.bytes.count + part.count <= upload.size else { return -1 }
        self.upload?.file.bytes.append(contentsOf: part)
        return 0
    }

    /// Hands over the file that came over `connection`.
    func endBody(_ connection: OpaquePointer?) -> Int32 {
        guard isUploading(connection), let upload, let files else { return 0 }
        guard upload.file.bytes.count == upload.size else { return -1 }
        // Its memory goes with the file.
        self.upload?.file.bytes = []
        isKeeping = true
        lws_set_timeout(connection, PENDING_TIMEOUT_USER_OK, Self.keepingTime)
        files.keep(upload.file) { [mailbox] answer in
            mailbox.state.withLock { state in
                state.answer = answer
                state.wake()
            }
        }
        return 0
    }

    /// Asks to write the answer about the file, if there is one now.
    func scheduleAnswer() {
        guard let answer = mailbox.state.withLock({ $0.answer.take() }) else { return }
        isKeeping = false
        // The visitor may have left.
        guard let connection = upload?.connectionBits else { return }
        upload?.answer = answer
        lws_callback_on_writable(OpaquePointer(bitPattern: connection))
    }

    /// Writes the answer about the file that came over `connection`; nil if there is none.
    func writeAnswer(_ connection: OpaquePointer?) -> Int32? {
        guard isUploading(connection), let known = upload?.answer else { return nil }
        upload = nil
        switch known {
        case .kept(let text): return answer(connection, 200, text, isEnd: false)
        case .refused(let text): return answer(connection, Self.refused, text, isEnd: false)
        }
    }

    /// Forgets the file that comes over `connection`, which has closed.
    func forgetUpload(_ connection: OpaquePointer?) {
        if isUploading(connection) { upload = nil }
    }

    private func isUploading(_ connection: OpaquePointer?) -> Bool {
        upload?.connectionBits == UInt(bitPattern: connection)
    }

    /// Answers with a line of text; closes the connection if `isEnd`, as the rest of a refused body would follow.
    private func answer(_ connection: OpaquePointer?, _ status: UInt32, _ text: String, isEnd: Bool) -> Int32 {
        let body = Array("\(text)\n".utf8)
        guard
            Self.writeHead(connection, status: status, type: "text/plain; charset=utf-8", length: body.count),
            Self.writeBody(body, to: connection)
        else { return -1 }
        return !isEnd && lws_http_transaction_completed(connection) == 0 ? 0 : -1
    }
}
