import CWebSockets

// The files that visitors drop on the page, a POST to /files, and the playing tune as a file, a GET. One at a time, as
// it is in memory.

/// A file on its way into the box or out of it.
struct PageExchange {
    /// The bits of the pointer to its `lws`.
    let connectionBits: UInt
    /// The file as far as it has arrived; nil for one that leaves.
    var file: PageFile?
    /// Its size.
    var size = 0
    /// The answer, when it is known.
    var answer: PageAnswer?

    init(_ connection: OpaquePointer?, _ file: PageFile? = nil, size: Int = 0) {
        connectionBits = UInt(bitPattern: connection)
        self.file = file
        self.size = size
    }
}

extension PageService {
    static let filesPath = "/files"
    /// Maximum time until an answer, in seconds. A file is kept even if that takes longer.
    private static let answerTime: Int32 = 60
    private static let lengthRequired: UInt32 = 411
    private static let notUnderstood: UInt32 = 400
    private static let refused: UInt32 = 422
    private static let busy: UInt32 = 503
    private static let busyLine = "Another file is on its way: try again."
    /// The header with the address of the site to which a shared link leads.
    private static let siteHeader = "x-pixelboop-site:"

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
        guard isFree else { return answer(connection, Self.busy, Self.busyLine, isEnd: true) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        exchange = PageExchange(
            connection,
            PageFile(
                name: shownName, bytes: bytes, column: Float(column) / 1024 - 0.5,
                row: Float(row) / 1024 - 0.5),
            size: size)
        return 0
    }

    /// Asks for the playing tune, for an allowed GET; nil if `path` is not its path.
    func respondTune(_ connection: OpaquePointer?, path: String) -> Int32? {
        guard let files, let form = PageTune(path: path) else { return nil }
        guard isFree else { return answer(connection, Self.busy, Self.busyLine, isEnd: false) }
        exchange = PageExchange(connection)
        awaitAnswer(connection)
        files.give(form, answer: take)
        return 0
    }

    private var isFree: Bool { exchange == nil && !isAwaiting }

    private func awaitAnswer(_ connection: OpaquePointer?) {
        isAwaiting = true
        lws_set_timeout(connection, PENDING_TIMEOUT_USER_OK, Self.answerTime)
    }

    /// Takes the answer, on any thread.
    private var take: @Sendable (PageAnswer) -> Void {
        { [mailbox] answer in
            mailbox.state.withLock { state in
                state.answer = answer
                state.wake()
            }
        }
    }

    /// Adds `part` to the file that comes over `connection`.
    func receiveBody(_ connection: OpaquePointer?, _ part: UnsafeRawBufferPointer) -> Int32 {
        // The body of a refused request is dropped.
        guard isExchanging(connection), exchange?.answer == nil, let count = exchange?.file?.bytes.count,
            let size = exchange?.size
        else { return 0 }
        guard count + part.count <= size else { return -1 }
        exchange?.file?.bytes.append(contentsOf: part)
        return 0
    }

    /// Hands over the file that came over `connection`.
    func endBody(_ connection: OpaquePointer?) -> Int32 {
        guard isExchanging(connection), let exchange, let file = exchange.file, let files else { return 0 }
        guard file.bytes.count == exchange.size else { return -1 }
        // Its memory goes with the file.
        self.exchange?.file?.bytes = []
        awaitAnswer(connection)
        files.keep(file, answer: take)
        return 0
    }

    /// Asks to write the answer, if there is one now.
    func scheduleAnswer() {
        guard let answer = mailbox.state.withLock({ $0.answer.take() }) else { return }
        isAwaiting = false
        // The visitor may have left.
        guard let connection = exchange?.connectionBits else { return }
        exchange?.answer = answer
        lws_callback_on_writable(OpaquePointer(bitPattern: connection))
    }

    /// Writes the answer to the visitor of `connection`; nil if there is none.
    func writeAnswer(_ connection: OpaquePointer?) -> Int32? {
        guard isExchanging(connection), let known = exchange?.answer else { return nil }
        exchange = nil
        switch known {
        case .kept(let text): return answer(connection, 200, text, isEnd: false)
        case .refused(let text): return answer(connection, Self.refused, text, isEnd: false)
        case .tune(let bytes, let form):
            let site = configuration.site.map { [(name: Self.siteHeader, value: $0)] } ?? []
            return answer(connection, 200, form.type, bytes, others: site, isEnd: false)
        }
    }

    /// Forgets the file of `connection`, which has closed.
    func forgetExchange(_ connection: OpaquePointer?) {
        if isExchanging(connection) { exchange = nil }
    }

    private func isExchanging(_ connection: OpaquePointer?) -> Bool {
        exchange?.connectionBits == UInt(bitPattern: connection)
    }

    /// Answers with a line of text; closes the connection if `isEnd`, as the rest of a refused body would follow.
    private func answer(_ connection: OpaquePointer?, _ status: UInt32, _ text: String, isEnd: Bool) -> Int32 {
        answer(connection, status, "text/plain; charset=utf-8", Array("\(text)\n".utf8), isEnd: isEnd)
    }

    private func answer(
        _ connection: OpaquePointer?, _ status: UInt32, _ type: String, _ body: [UInt8],
        others: [(name: String, value: String)] = [], isEnd: Bool
    ) -> Int32 {
        guard
            Self.writeHead(connection, status: status, type: type, length: body.count, others: others),
            Self.writeBody(body, to: connection)
        else { return -1 }
        return !isEnd && lws_http_transaction_completed(connection) == 0 ? 0 : -1
    }
}
