import InputEvents
import CWebSockets
import Glibc
import Instrument
import Replay
import Runtime

/// The page's server on its own thread: libwebsockets' context, its callbacks and the connections.
///
/// Unchecked because libwebsockets passes it to C callbacks as a pointer: after `listen` only the thread in `run` uses
/// it.
final class PageService: @unchecked Sendable {
    /// Send buffer of a connection, in bytes: two frames and some sound, so that little of it becomes stale.
    private static let sendBufferBytes: Int32 = 16 * 1024

    let configuration: PageServer.Configuration
    let downloads: (any PageDownloads)?
    let files: (any PageFiles)?
    let mailbox: PageMailbox
    private let overlay: SimulatedOverlay
    private let keyboard: ControlMailbox
    let now: @Sendable () -> Instant

    var access = PageAccess(names: [], port: 0, token: nil)
    private var connections = PageConnections()
    var guesses = TokenGuesses()
    /// The file of a connection, which comes in, is being kept, or is asked for.
    var exchange: PageExchange?
    /// Whether an answer about a file is awaited, also after its connection has closed: further ones would fill the
    /// memory.
    var isAwaiting = false
    private var viewers: [PageViewer] = []
    private var nextSerial = 0
    private let context: PageContext
    /// Buffer for the largest message, after the padding that libwebsockets requires.
    private let outgoing: UnsafeMutableRawBufferPointer

    /// The WebSocket subprotocol of the page.
    static let subprotocol = "pixelboop"

    init(
        _ configuration: PageServer.Configuration, _ downloads: (any PageDownloads)?, _ files: (any PageFiles)?,
        mailbox: PageMailbox, overlay: SimulatedOverlay, keyboard: ControlMailbox,
        now: @escaping @Sendable () -> Instant
    ) {
        self.configuration = configuration
        self.downloads = downloads
        self.files = files
        self.mailbox = mailbox
        self.overlay = overlay
        self.keyboard = keyboard
        self.now = now
        context = PageContext(
            [
                .init(name: "page", callback: answerRequest, sessionBytes: MemoryLayout<Int>.size),
                .init(name: PageService.subprotocol, callback: answerViewer, receiveBytes: 256),
            ], waker: mailbox.waker)
        let (pixelBytes, soundBytes) = mailbox.state.withLock {
            ($0.pixels.count, $0.sound.blockFrames * SoundQueue.channels * 2)
        }
        outgoing = .allocate(
            byteCount: clws_pre + BoxMessage.headLengthMax + max(pixelBytes, soundBytes, BoxMessage.wordsLengthMax),
            alignment: 16)
        viewers.reserveCapacity(PageServer.clientsMax)
    }

    deinit { outgoing.deallocate() }

    /// Listens at `address`; returns the port.
    func listen(at address: PageAddress, port: Int) throws(PageServerError) -> Int {
        try context.listen(at: address, port: port, user: self)
        access = PageAccess(
            names: address.names, port: context.port, proxy: configuration.proxy, token: configuration.token)
        return context.port
    }

    /// Serves until the mailbox's waker says stop.
    func run() { context.run() }

    /// Closes every connection and the listening socket.
    func close() { context.close() }

    /// Whether to accept a connection on the socket `descriptor`.
    func admits(_ descriptor: Int32) -> Bool {
        connections.admit(PageAddress.remote(of: descriptor))
    }

    /// Adds a connection, of any kind yet.
    func connected(_ connection: OpaquePointer?) { connections.add(connection) }

    func disconnected(_ connection: OpaquePointer?) {
        connections.close(UInt(bitPattern: connection))
        forgetExchange(connection)
    }

    /// Whether a WebSocket may open. If too many are open, it is closed with that reason.
    func allowsViewer(_ connection: OpaquePointer?) -> Bool {
        let request = PageRequest(connection: connection)
        guard let host = request.host, access.allows(host: host, localAddress: request.localAddress) else {
            return false
        }
        return isOwn(request, host: host) && refusalForToken(of: request) == nil
    }

    /// "Try again later", of IANA's registry of WebSocket close codes.
    private static let tooMany = lws_close_status(rawValue: 1013)

    func open(_ connection: OpaquePointer?) -> Int32 {
        guard viewers.count < PageServer.clientsMax else { return refuse(connection, Self.tooMany) }
        var bytes = Self.sendBufferBytes
        setsockopt(
            lws_get_socket_fd(connection), SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout.size(ofValue: bytes)))
        connections.watch(UInt(bitPattern: connection))
        viewers.append(
            PageViewer(connectionBits: UInt(bitPattern: connection), serial: nextSerial, now: now()))
        nextSerial += 1
        keyboard.post(.watched, at: now())
        lws_set_timer_usecs(connection, PageViewer.beatCheck.microseconds)
        count(andWake: true)
        return 0
    }

    /// Sends a beat to a viewer after a silence, so that the page learns within seconds that the box is gone.
    func checkBeat(_ connection: OpaquePointer?) {
        guard let place = place(of: connection) else { return }
        lws_set_timer_usecs(connection, PageViewer.beatCheck.microseconds)
        if viewers[place].checkBeat(at: now()) { mailbox.state.withLock { $0.wake() } }
    }

    /// The other viewers beside `viewer`.
    private func crowd(beside viewer: PageViewer) -> PageCrowd {
        let playing = viewers.count { $0.plays } - (viewer.plays ? 1 : 0)
        return PageCrowd(others: viewers.count - 1, playing: playing)
    }

    /// Wakes the viewers whose crowd has changed.
    private func tellCrowd() {
        guard viewers.contains(where: { $0.crowd != crowd(beside: $0) }) else { return }
        mailbox.state.withLock { $0.wake() }
    }

    /// Removes a viewer. Closing is also reported for connections that never opened.
    func closed(_ connection: OpaquePointer?) {
        guard let place = place(of: connection) else { return }
        let viewer = viewers.remove(at: place)
        let time = now()
        for contact in viewer.contacts {
            overlay.post(
                ContactChange(time: time, contact: viewer.overlayContact(contact), phase: .cancel, x: 0, y: 0))
        }
        for key in viewer.heldKeys { keyboard.post(.cancel(key), at: time) }
        count(andWake: true)
    }

    func receive(_ connection: OpaquePointer?, _ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard let place = place(of: connection) else { return -1 }
        // libwebsockets passes on the bytes received, which may be part of a frame, and a frame may be part of a
        // message.
        let isEnd = lws_remaining_packet_payload(connection) == 0 && lws_is_final_fragment(connection) != 0
        let arrival = viewers[place].receive(
            bytes, isEnd: isEnd, columns: configuration.columns, rows: configuration.rows)
        let time = now()
        switch arrival {
        case .part: return 0
        case .tooLong: return refuse(connection, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE)
        case .whole(let message?) where viewers[place].allowMessage(at: time) && lws_frame_is_binary(connection) != 0:
            return handle(message, from: place, connection, at: time)
        case .whole: return refuse(connection, LWS_CLOSE_STATUS_POLICY_VIOLATION)
        }
    }

    private func handle(_ message: PageMessage, from place: Int, _ connection: OpaquePointer?, at time: Instant)
        -> Int32
    {
        switch message {
        case .contact(let phase, let id, let x, let y, let heard):
            guard viewers[place].note(phase, of: id) else { return 0 }
            let contact = viewers[place].overlayContact(id)
            let delay = heard?.delay(at: time) ?? .milliseconds(0)
            overlay.post(ContactChange(time: time, contact: contact, phase: phase, x: x, y: y, delay: delay))
            if phase != .move { tellCrowd() }
        case .key(let key):
            viewers[place].note(key)
            keyboard.post(key, at: time)
            tellCrowd()
        case .sound(let isWanted):
            guard isWanted != (viewers[place].soundPosition != nil) else { return 0 }
            viewers[place].soundPosition = isWanted ? mailbox.state.withLock { $0.sound.written } : nil
            count(andWake: false)
        case .acknowledge(let number):
            guard viewers[place].acknowledge(number) else {
                return refuse(connection, LWS_CLOSE_STATUS_POLICY_VIOLATION)
            }
            mailbox.state.withLock { state in
                if viewers[place].isOwedFrame(state) { state.wake() }
            }
        }
        return 0
    }

    /// Requests a writable callback for each viewer that is behind. Only here: elsewhere libwebsockets would spin.
    func wakeViewers() {
        mailbox.state.withLock { state in
            state.isWakePending = false
            for viewer in viewers where viewer.isBehind(state, crowd(beside: viewer)) {
                lws_callback_on_writable(OpaquePointer(bitPattern: viewer.connectionBits))
            }
        }
    }

    /// Sends the viewer's pending data while the kernel accepts it: sound first, as it is urgent.
    func write(_ connection: OpaquePointer?) -> Int32 {
        guard let place = place(of: connection), let base = outgoing.baseAddress else { return 0 }
        let message = UnsafeMutableRawBufferPointer(rebasing: outgoing[clws_pre...])
        while true {
            let crowd = crowd(beside: viewers[place])
            guard let length = nextMessage(for: &viewers[place], crowd, into: message) else { return 0 }
            viewers[place].sent(at: now())
            let start = (base + clws_pre).assumingMemoryBound(to: UInt8.self)
            guard lws_write(connection, start, length, LWS_WRITE_BINARY) >= length else { return -1 }
            if lws_send_pipe_choked(connection) != 0 {
                lws_callback_on_writable(connection)
                return 0
            }
        }
    }

    private func nextMessage(
        for viewer: inout PageViewer, _ crowd: PageCrowd, into message: UnsafeMutableRawBufferPointer
    ) -> Int? {
        if !viewer.isGreeted {
            viewer.isGreeted = true
            return BoxMessage.hello(
                columns: configuration.columns, rows: configuration.rows, rate: configuration.soundRate,
                into: message)
        }
        if viewer.crowd != crowd {
            viewer.crowd = crowd
            return BoxMessage.crowd(crowd, into: message)
        }
        return mailbox.state.withLock { state -> Int? in
            if viewer.isOwedSound(state), var position = viewer.soundPosition {
                let body = UnsafeMutableRawBufferPointer(rebasing: message[BoxMessage.soundHeadLength...])
                let block = state.sound.readBlock(at: &position, into: body)
                viewer.soundPosition = position
                return BoxMessage.sound(at: SoundStamp(block.time), into: message) + block.length
            }
            if viewer.isOwedFrame(state) {
                viewer.sent(frame: state.frame)
                let head = BoxMessage.frame(state.frame, into: message)
                UnsafeMutableRawBufferPointer(rebasing: message[head...]).copyBytes(from: state.pixels)
                return head + state.pixels.count
            }
            if viewer.isOwedReport(state) {
                viewer.reportNumber = state.reportNumber
                return BoxMessage.report(state.report, into: message)
            }
            if viewer.isOwedWords(state) {
                viewer.wordsNumber = state.wordsNumber
                let head = BoxMessage.words(isNaming: state.isNaming, into: message)
                UnsafeMutableRawBufferPointer(rebasing: message[head...]).copyBytes(from: state.words)
                return head + state.words.count
            }
            return viewer.isOwedBeat ? BoxMessage.beat(into: message) : nil
        }
    }

    private func count(andWake: Bool) {
        let listeners = viewers.count { $0.soundPosition != nil }
        mailbox.state.withLock { state in
            state.viewers = viewers.count
            state.listeners = listeners
            if andWake { state.wake() }
        }
    }

    /// Closes with a reason. Its fingers are cancelled at once, before the browser's answer.
    private func refuse(_ connection: OpaquePointer?, _ status: lws_close_status) -> Int32 {
        closed(connection)
        lws_close_reason(connection, status, nil, 0)
        return -1
    }

    private func place(of connection: OpaquePointer?) -> Int? {
        viewers.firstIndex { $0.connectionBits == UInt(bitPattern: connection) }
    }
}
