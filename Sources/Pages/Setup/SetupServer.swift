import InputEvents
import Synchronization
import Threads

/// Answers the requests of the setup page. Requests and answers are JSON.
public protocol SetupAnswers: Sendable {
    /// Names of the requests by POST; `state` is a GET.
    var requests: Set<String> { get }
    /// Answers the request `name` with the document `body`, which is empty for `state`; calls `answer` once, on any
    /// thread. Returns at once.
    func answer(_ name: String, _ body: [UInt8], answer: @escaping @Sendable (SetupAnswer) -> Void)
}

/// The answer to a request of the setup page.
public struct SetupAnswer: Hashable, Sendable {
    /// Whether the request was done.
    public var isDone: Bool
    /// A JSON document.
    public var json: String

    /// An answer with the document `json`.
    public init(isDone: Bool, json: String) {
        self.isDone = isDone
        self.json = json
    }
}

/// Keeps the files of an update that visitors of the setup page send.
public protocol SetupUploads: Sendable {
    /// Begins the file `name` of `size` bytes. Called by the server's thread, for one file at a time.
    func begin(_ name: String, size: Int) -> any SetupUpload
}

/// A file that a visitor sends. Unless it is ended it leaves nothing behind.
public protocol SetupUpload {
    /// The answer if the file is refused before its content comes.
    var refusal: SetupAnswer? { get }
    /// Adds the next bytes of the content.
    func add(_ part: UnsafeRawBufferPointer)
    /// Keeps the file with its whole content; returns the answer for the visitor.
    func end() -> SetupAnswer
}

/// Serves the setup page to web browsers: networks, time zone, LEDs, sound, touch and updates of a box.
///
/// One thread does all network I/O. Everyone needs the token, except visitors of the box's own access point, whose
/// password is as secret: they come from a trusted network.
public final class SetupServer: Sendable {
    /// Settings of the server.
    public struct Configuration: Hashable, Sendable {
        /// The IPv4 address to listen at; "0.0.0.0" is every address of the machine.
        public var address: String
        /// The port to listen at; 0 for any free one.
        public var port: Int
        /// The token that a browser sends as `?token=`.
        public var token: PageToken
        /// The network whose visitors need no token at the box's address in it; nil for none. From there every other
        /// name is led to the page.
        public var trusted: PageNetwork?

        /// Serves the page at `address` and `port`.
        public init(address: String, port: Int, token: PageToken, trusted: PageNetwork? = nil) {
            self.address = address
            self.port = port
            self.token = token
            self.trusted = trusted
        }
    }

    /// Maximum bytes of a request's document.
    public static let bodyMax = 4096
    /// The request by POST whose body is a file.
    static let upload = "upload"

    /// The listening port.
    public let port: Int
    /// The page's URL, without the token.
    public let url: String

    private let mailbox = SetupMailbox()
    private let thread: Mutex<OwnThread?>

    /// Listens and starts to serve; `answers` answers what the page asks, `uploads` keeps the files that it sends (nil
    /// refuses them), and `now` is the time for counting wrong tokens.
    ///
    /// Throws if it cannot listen. Stands for `lws_create_context`.
    public init(
        _ configuration: Configuration, answers: any SetupAnswers, uploads: (any SetupUploads)? = nil,
        now: @escaping @Sendable () -> Instant
    ) throws(PageServerError) {
        let address = try PageAddress(configuration.address)
        guard (0...Int(UInt16.max)).contains(configuration.port) else { throw .badPort(configuration.port) }
        let service = SetupService(configuration, answers, uploads, mailbox: mailbox, now: now)
        port = try service.listen(at: address, port: configuration.port)
        url = PageAddress.url(host: address.nameForVisitors, port: port)
        guard let thread = OwnThread(body: { service.run() }) else {
            service.close()
            throw .unavailable(address: address.text, port: port, reason: "no thread available")
        }
        self.thread = Mutex(thread)
    }

    /// The page's URL with the token, for visitors who know the box as `host`.
    public func url(host: String, token: PageToken) -> String {
        PageAddress.url(host: host, port: port) + "?token=\(token.text)"
    }

    deinit { stop() }

    /// Closes every connection, and stops listening. Returns when this is done; later calls do nothing.
    public func stop() {
        thread.withLock { thread in
            guard let running = thread else { return }
            mailbox.waker.stop()
            running.join()
            thread = nil
        }
    }
}
