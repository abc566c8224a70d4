import CWebSockets
import InputEvents

/// The setup page's server on its own thread: its callbacks and the connections.
///
/// Unchecked because libwebsockets passes it to C callbacks as a pointer: after `listen` only the thread in `run` uses
/// it.
final class SetupService: @unchecked Sendable {
    /// A request whose document or file arrives, or which waits for its answer.
    private struct Exchange {
        /// Answers name it: another connection may have the same bits later.
        let number: Int
        let name: String
        /// Bytes of the document or of the file, and of these the received ones.
        let size: Int
        var received = 0
        var body: [UInt8] = []
        /// The file in place of a document.
        var file: (any SetupUpload)?
        /// Whether the box was asked: libwebsockets says that a document has ended again for each byte behind it.
        var isAsked = false
        var answer: SetupAnswer?
    }

    /// Maximum time for an answer, in seconds: the box starts again with other LEDs.
    private static let answerTime: Int32 = 90
    /// Maximum time without the next bytes of a request, in seconds: a phone's radio or the card may stall within a
    /// file.
    private static let silenceMax: UInt32 = 30
    /// Maximum number of requests that wait.
    private static let exchangesMax = 16

    private let trusted: PageNetwork?
    private let token: PageToken
    private let answers: any SetupAnswers
    private let uploads: (any SetupUploads)?
    private let mailbox: SetupMailbox
    private let now: @Sendable () -> Instant
    private let context: PageContext
    private var access = PageAccess(names: [], port: 0, token: nil)
    private var connections = PageConnections()
    private var guesses = TokenGuesses()
    /// By the bits of the pointer to the `lws`.
    private var exchanges: [UInt: Exchange] = [:]
    private var nextNumber = 0

    init(
        _ configuration: SetupServer.Configuration, _ answers: any SetupAnswers, _ uploads: (any SetupUploads)?,
        mailbox: SetupMailbox, now: @escaping @Sendable () -> Instant
    ) {
        trusted = configuration.trusted
        token = configuration.token
        self.answers = answers
        self.uploads = uploads
        self.mailbox = mailbox
        self.now = now
        context = PageContext(
            [.init(name: "setup", callback: answerSetup)], waker: mailbox.waker, silenceMax: Self.silenceMax)
    }

    /// Listens at `address`; returns the port.
    func listen(at address: PageAddress, port: Int) throws(PageServerError) -> Int {
        try context.listen(at: address, port: port, user: self)
        access = PageAccess(names: address.names, port: context.port, token: token)
        return context.port
    }

    /// Serves until the mailbox's waker says stop.
    func run() { context.run() }

    /// Closes every connection and the listening socket.
    func close() { context.close() }

    // MARK: Connections

    /// Whether to accept a connection on the socket `descriptor`.
    func admits(_ descriptor: Int32) -> Bool { connections.admit(PageAddress.remote(of: descriptor)) }

    func connected(_ connection: OpaquePointer?) { connections.add(connection) }

    func disconnected(_ connection: OpaquePointer?) {
        connections.close(UInt(bitPattern: connection))
        exchanges[UInt(bitPattern: connection)] = nil
    }

    // MARK: Requests

    /// Answers with a resource or an error, or begins a request to the box.
    func respond(_ connection: OpaquePointer?, path: String) -> Int32 {
        let request = PageRequest(connection: connection)
        // Also the box's own address: a visitor of another interface could reach it by one of those.
        let isTrusted = trusted.map { $0.contains(request.remoteAddress) && $0.contains(request.localNumber) } ?? false
        guard let host = request.host, access.allows(host: host, localAddress: request.localAddress) else {
            // A phone looks for a sign-in page in a new network by asking for a page of its maker.
            return isTrusted && request.isGet
                ? lead(connection, to: request.localAddress) : Self.write(.wrongHost, to: connection, host: "")
        }
        let name = String(path.dropFirst())
        let isUpload = name == SetupServer.upload && uploads != nil
        if request.isPost, isUpload || answers.requests.contains(name) {
            guard request.origin.map({ access.allows(origin: $0, host: host) }) ?? false else {
                return Self.write(.wrongOrigin, to: connection, host: host)
            }
            if let refusal = refusal(of: request, isTrusted: isTrusted) {
                return Self.write(refusal, to: connection, host: host)
            }
            // Limits of a file depend on its kind.
            guard let size = request.contentLength, size > 0, isUpload || size <= SetupServer.bodyMax else {
                return Self.write(.tooLarge, to: connection, host: host)
            }
            return isUpload
                ? beginUpload(connection, request, size: size) : begin(connection, name, size: size)
        }
        guard request.isGet else { return Self.write(.wrongMethod, to: connection, host: host) }
        let isState = path == "/state"
        guard let resource = PageResource.setup.first(where: { $0.path == path }) ?? (isState ? .setupPage : nil) else {
            return isTrusted
                ? lead(connection, to: request.localAddress) : Self.write(.missing, to: connection, host: host)
        }
        // The script and the style are public, and a script element cannot send the token.
        if resource == .setupPage, let refusal = refusal(of: request, isTrusted: isTrusted) {
            return Self.write(refusal, to: connection, host: host)
        }
        return isState ? begin(connection, "state", size: 0) : Self.write(resource, to: connection, host: host)
    }

    /// The error for a request that needs the token and lacks it.
    private func refusal(of request: PageRequest, isTrusted: Bool) -> PageResource? {
        isTrusted ? nil : guesses.refusal(of: request, access, at: now())
    }

    private func begin(_ connection: OpaquePointer?, _ name: String, size: Int) -> Int32 {
        guard exchanges.count < Self.exchangesMax else { return Self.write(.busy, to: connection, host: "") }
        exchanges[UInt(bitPattern: connection)] = Exchange(number: nextNumber, name: name, size: size)
        nextNumber += 1
        return size == 0 ? ask(connection) : 0
    }

    /// Begins to receive a file, unless another one is on its way or this one is refused.
    private func beginUpload(_ connection: OpaquePointer?, _ request: PageRequest, size: Int) -> Int32 {
        guard let uploads, !exchanges.values.contains(where: { $0.file != nil }) else {
            return Self.write(.uploading, to: connection, host: "")
        }
        let file = uploads.begin(String(decoding: request.argument("name") ?? [], as: UTF8.self), size: size)
        if let refusal = file.refusal {
            _ = Self.write(refusal, to: connection)
            // The file would follow.
            return -1
        }
        let bits = UInt(bitPattern: connection)
        connections.watch(bits)
        let result = begin(connection, SetupServer.upload, size: size)
        exchanges[bits]?.file = file
        return result
    }

    /// Adds `part` to the document or the file of a request.
    func receiveBody(_ connection: OpaquePointer?, _ part: UnsafeRawBufferPointer) -> Int32 {
        let bits = UInt(bitPattern: connection)
        // The body of a refused request is dropped.
        guard let exchange = exchanges[bits] else { return 0 }
        guard exchange.received + part.count <= exchange.size else { return -1 }
        exchanges[bits]?.received += part.count
        if let file = exchange.file { file.add(part) } else { exchanges[bits]?.body.append(contentsOf: part) }
        return 0
    }

    /// Asks the box with the whole document of a request, or keeps the whole file.
    func endBody(_ connection: OpaquePointer?) -> Int32 { ask(connection) }

    private func ask(_ connection: OpaquePointer?) -> Int32 {
        guard let exchange = exchanges[UInt(bitPattern: connection)] else { return 0 }
        guard exchange.received == exchange.size, !exchange.isAsked else { return -1 }
        exchanges[UInt(bitPattern: connection)]?.isAsked = true
        if let file = exchange.file {
            exchanges[UInt(bitPattern: connection)]?.file = nil
            mailbox.post(file.end(), to: exchange.number)
            return 0
        }
        lws_set_timeout(connection, PENDING_TIMEOUT_USER_OK, Self.answerTime)
        answers.answer(exchange.name, exchange.body) { [mailbox, number = exchange.number] in
            mailbox.post($0, to: number)
        }
        return 0
    }

    /// Requests a writable callback for each answer that has come. Only here: elsewhere libwebsockets would spin.
    func scheduleAnswers() {
        for (number, answer) in mailbox.drain() {
            // The visitor may have left.
            guard let bits = exchanges.first(where: { $0.value.number == number })?.key else { continue }
            exchanges[bits]?.answer = answer
            lws_callback_on_writable(OpaquePointer(bitPattern: bits))
        }
    }

    /// Writes the answer to the request of `connection`.
    func writeAnswer(_ connection: OpaquePointer?) -> Int32 {
        guard let answer = exchanges[UInt(bitPattern: connection)]?.answer else { return 0 }
        exchanges[UInt(bitPattern: connection)] = nil
        return Self.write(answer, to: connection) && lws_http_transaction_completed(connection) == 0 ? 0 : -1
    }

    /// Writes an answer; returns whether it could.
    private static func write(_ answer: SetupAnswer, to connection: OpaquePointer?) -> Bool {
        let body = Array(answer.json.utf8)
        return PageService.writeHead(
            connection, status: answer.isDone ? 200 : 422, type: "application/json", length: body.count)
            && PageService.writeBody(body, to: connection)
    }

    /// Writes a resource. An error ends the connection, as the rest of a refused document would follow.
    private static func write(_ resource: PageResource, to connection: OpaquePointer?, host: String) -> Int32 {
        let body = resource.body ?? []
        guard
            PageService.writeHead(
                connection, status: resource.status, type: resource.type, length: body.count,
                contentSecurityPolicy: resource.contentSecurityPolicy(sockets: ["ws://\(host)"])),
            PageService.writeBody(body, to: connection), resource.path != nil
        else { return -1 }
        return lws_http_transaction_completed(connection) == 0 ? 0 : -1
    }

    /// Leads a visitor to the page at `address`.
    private func lead(_ connection: OpaquePointer?, to address: String) -> Int32 {
        let url = PageAddress.url(host: address, port: context.port)
        let body = Array("The setup page of this box: \(url)\n".utf8)
        guard
            PageService.writeHead(
                connection, status: 302, type: "text/plain; charset=utf-8", length: body.count,
                others: [("location:", url)]),
            PageService.writeBody(body, to: connection)
        else { return -1 }
        return -1
    }
}
