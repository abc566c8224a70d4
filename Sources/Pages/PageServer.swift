import InputEvents
import CWebSockets
import Glibc
import Instrument
import Replay
import Runtime
import Synchronization
import Threads

/// Serves the simulated panel to web browsers: shows the LEDs, plays the box's sound if there is no other output, and
/// sends back fingers and keys. Several browsers may watch and play at once.
///
/// One thread does all network I/O. The box passes frames, figures and sound through a mailbox and never waits; a slow
/// browser gets fewer frames, not older ones.
public final class PageServer: Sendable {
    /// Settings of the server.
    public struct Configuration: Hashable, Sendable {
        /// The IPv4 address to listen at; "localhost" is 127.0.0.1, and "0.0.0.0" every address of the machine.
        public var address: String
        /// The port to listen at; 0 for any free one.
        public var port: Int
        /// The proxy that serves the page to others; nil for none.
        public var proxy: PageProxy?
        /// The token that a browser sends as `?token=`; required unless `address` is a loopback address and there is no
        /// proxy.
        public var token: PageToken?
        /// Columns of the panel, 1…64.
        public var columns: Int
        /// Rows of the panel, 1…64.
        public var rows: Int
        /// Frames per second of the sound for `play`; 0 for no sound.
        public var soundRate: Int
        /// The address of the site to which links to a tune lead; nil for the page's own.
        public var site: String?

        /// Serves a panel of `columns` × `rows` at `address` and `port`.
        public init(
            address: String = "127.0.0.1", port: Int = 4424, proxy: PageProxy? = nil, token: PageToken? = nil,
            columns: Int = 44, rows: Int = 24, soundRate: Int = 0, site: String? = nil
        ) {
            self.address = address
            self.port = port
            self.proxy = proxy
            self.token = token
            self.columns = columns
            self.rows = rows
            self.soundRate = soundRate
            self.site = site
        }

        /// Throws if a server with this configuration cannot listen now. The port is tried, then released.
        public func check() throws(PageServerError) {
            if let reason = try servedAddress().reasonAgainstListening(port: port) { throw reason }
        }

        /// Whether other machines can reach the page, so that it needs a token. Throws if the address is invalid.
        public func isForOthers() throws(PageServerError) -> Bool {
            let address = try servedAddress()
            return proxy != nil || !address.isLoopback
        }

        /// The page's URL, without the token. Throws if address or port is invalid.
        public func url() throws(PageServerError) -> String { try url(port: port) }

        func url(port: Int) throws(PageServerError) -> String {
            let address = try servedAddress()
            return proxy?.url ?? "http://\(address.nameForVisitors):\(port)/"
        }

        /// The address, if address and port are valid.
        func servedAddress() throws(PageServerError) -> PageAddress {
            let address = try PageAddress(address)
            guard (0...Int(UInt16.max)).contains(port) else { throw .badPort(port) }
            return address
        }
    }

    /// Maximum number of watching browsers. The page of one more says that there are too many.
    public static let clientsMax = 8
    /// Maximum columns and rows: a contact's position is 16 bits of 1/1024 LED.
    static let sideMax = 64

    /// The listening port.
    public let port: Int
    /// The IPv4 address at which other machines reach it, 0.0.0.0 for every one of this machine; nil if none can.
    public let addressForOthers: String?
    /// The page's URL, without the token.
    public let url: String
    /// The page's URL, with the token if there is one.
    public let urlWithToken: String

    private let mailbox: PageMailbox
    private let thread: Mutex<OwnThread?>

    /// Listens and starts to serve, also `downloads`, if any. Contacts go to `overlay` and keys to `keyboard`, stamped
    /// with `now`, and dropped files to `files`; without it the page takes none.
    ///
    /// Throws if it cannot listen. Stands for `lws_create_context`.
    public init(
        _ configuration: Configuration, downloads: (any PageDownloads)? = nil, files: (any PageFiles)? = nil,
        overlay: SimulatedOverlay, keyboard: ControlMailbox, now: @escaping @Sendable () -> Instant
    ) throws(PageServerError) {
        precondition((1...Self.sideMax).contains(configuration.columns))
        precondition((1...Self.sideMax).contains(configuration.rows))
        let address = try configuration.servedAddress()
        let isForOthers = try configuration.isForOthers()
        guard !isForOthers || configuration.token != nil else {
            throw .tokenNeeded(address: configuration.proxy?.url ?? address.text)
        }
        mailbox = PageMailbox(
            pixelBytes: configuration.columns * configuration.rows * 3, soundRate: configuration.soundRate)
        let service = PageService(
            configuration, downloads, files, mailbox: mailbox, overlay: overlay, keyboard: keyboard, now: now)
        port = try service.listen(at: address, port: configuration.port)
        addressForOthers = address.isLoopback ? nil : address.text
        url = try configuration.url(port: port)
        urlWithToken = url + (configuration.token.map { "?token=\($0.text)" } ?? "")
        guard let thread = OwnThread(body: { service.run() }) else {
            service.close()
            throw .unavailable(address: address.text, port: port, reason: "no thread available")
        }
        self.thread = Mutex(thread)
    }

    deinit { stop() }

    /// Shows `pixels`: R, G, B of each LED, row by row. The newest frame replaces one not yet sent. Allocates nothing.
    public func show(_ pixels: [UInt8]) {
        mailbox.show(pixels)
    }

    /// Reports the panel's current, its frame rate and the bytes on its wire, for the page's status line.
    public func report(amps: Double, framesPerSecond: Double, wireBytesPerSecond: Double) {
        mailbox.report(
            PanelReport(amps: amps, framesPerSecond: framesPerSecond, wireBytesPerSecond: wireBytesPerSecond))
    }

    /// Sends the panel's words to the pages, for people who cannot see it.
    public func tell(_ words: PanelWords) { mailbox.tell(words) }

    /// Whether a browser wants the box's sound.
    public var wantsSound: Bool { mailbox.state.withLock { $0.listeners > 0 } }

    /// Plays interleaved stereo at the configured rate to the browsers that want it; each is at most 200 ms behind. The
    /// box itself plays the first frame at `time`: a landing of a browser is as late as its sound.
    public func play(_ samples: [Int16], at time: Instant) {
        samples.withUnsafeBufferPointer { mailbox.play($0, at: time) }
    }

    /// Number of watching browsers.
    public var clients: Int { mailbox.state.withLock { $0.viewers } }

    /// Closes every connection, cancels their fingers, and stops listening. Returns when this is done; later calls do
    /// nothing.
    public func stop() {
        thread.withLock { thread in
            guard let running = thread else { return }
            mailbox.waker.stop()
            running.join()
            thread = nil
        }
    }
}
