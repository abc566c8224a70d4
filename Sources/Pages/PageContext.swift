import CWebSockets
import Glibc

/// A server's context of libwebsockets, and the memory that it points into. One thread uses it.
final class PageContext {
    /// A subprotocol of WebSockets, or the plain requests, and its callback.
    struct Handler {
        let name: String
        let callback:
            @convention(c) (
                OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int
            ) -> Int32
        /// Bytes of memory for each connection.
        var sessionBytes = 0
        /// Size of the buffer for a received message, in bytes.
        var receiveBytes = 0
    }

    /// Maximum descriptors of libwebsockets: the connections, the connections that close for others, and its own.
    private static let descriptorsMax = UInt32(PageConnections.countMax) + 16
    /// Maximum time for a request, and for an idle connection after the answer, in seconds.
    static let requestTime: UInt32 = 5
    /// Time since the last answer to a ping before the next ping, and before a connection is dropped, in seconds. Their
    /// difference is the longest time that a network may stall. The latter limits how long a vanished browser's finger
    /// stays down.
    private static let silenceBeforePing: UInt16 = 5
    private static let silenceBeforeHangup: UInt16 = 15

    /// The listening port.
    private(set) var port = 0
    private var context: OpaquePointer?
    private let waker: PageWaker
    private let silenceMax: UInt32
    private let protocols: UnsafeMutablePointer<lws_protocols>
    private let patience = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)
    private let names: [UnsafeMutablePointer<CChar>?]
    private var interface: UnsafeMutablePointer<CChar>?

    /// A context for `handlers`, which `waker` wakes; the first gets plain requests, and upgrades without a
    /// subprotocol. A request may be silent for `silenceMax` seconds before its next bytes.
    init(_ handlers: [Handler], waker: PageWaker, silenceMax: UInt32 = requestTime) {
        self.waker = waker
        self.silenceMax = silenceMax
        names = handlers.map { strdup($0.name) }
        // libwebsockets' list ends with an empty one.
        protocols = .allocate(capacity: handlers.count + 1)
        protocols.initialize(repeating: lws_protocols(), count: handlers.count + 1)
        patience.initialize(to: lws_retry_bo_t())
        for (place, handler) in handlers.enumerated() {
            protocols[place].name = UnsafePointer(names[place])
            protocols[place].callback = handler.callback
            protocols[place].per_session_data_size = handler.sessionBytes
            protocols[place].rx_buffer_size = handler.receiveBytes
        }
        patience.pointee.secs_since_valid_ping = Self.silenceBeforePing
        patience.pointee.secs_since_valid_hangup = Self.silenceBeforeHangup
    }

    deinit {
        protocols.deallocate()
        patience.deallocate()
        free(interface)
        for name in names { free(name) }
    }

    /// Listens at `address`; the callbacks find `user` by `lws_context_user`. Calls `lws_create_context`.
    func listen(at address: PageAddress, port: Int, user: AnyObject) throws(PageServerError) {
        if let reason = address.reasonAgainstListening(port: port) { throw reason }
        lws_set_log_level(0, nil)
        interface = address.isAny ? nil : strdup(address.text)
        var info = lws_context_creation_info()
        info.port = Int32(port)
        info.iface = UnsafePointer(interface)
        info.protocols = UnsafePointer(protocols)
        info.retry_and_idle_policy = UnsafePointer(patience)
        info.fd_limit_per_thread = Self.descriptorsMax
        info.timeout_secs = silenceMax
        info.timeout_secs_ah_idle = Self.requestTime
        info.keepalive_timeout = Int32(Self.requestTime)
        // Without DISABLE_IPV6, libwebsockets takes an IPv4 interface for every address.
        info.options = UInt64(LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND)
        info.user = Unmanaged.passUnretained(user).toOpaque()
        guard let context = lws_create_context(&info) else {
            throw address.reasonAgainstListening(port: port) ?? address.unavailable(port: port, EAGAIN)
        }
        self.context = context
        waker.setContext(UInt(bitPattern: context))
        self.port = Int(lws_get_vhost_listen_port(lws_get_vhost_by_name(context, "default")))
    }

    /// Waits for events and calls the callbacks until the waker says stop, then closes. Calls `lws_service`.
    func run() {
        while !waker.isStopping {
            guard lws_service(context, 0) >= 0 else { break }
        }
        close()
    }

    /// Closes every connection and the listening socket.
    func close() {
        waker.setContext(0)
        lws_context_destroy(context)
        context = nil
    }
}
