import InputEvents
import Instrument
import Replay

/// One browser's connection, owned by the service thread.
struct PageViewer {
    /// Messages per second that a browser may send continuously: twice sixteen fingers at 120 Hz and a frame's
    /// acknowledgements.
    static let messagesPerSecondMax = 4000
    /// Messages that it may send at once: the messages of sixteen fingers during a network stall of five seconds.
    static let messagesAtOnceMax = 10_000

    /// The bits of the pointer to its `lws`.
    let connectionBits: UInt
    /// Distinguishes its contacts from the contacts of others.
    let serial: Int

    /// The newest data sent, of each kind, and its position in the sound.
    var isGreeted = false
    var reportNumber = 0
    var frame: UInt32 = 0
    var soundPosition: Int?
    var wordsNumber = 0
    var crowd = PageCrowd()
    /// When something was last sent.
    private(set) var lastSent: Instant
    /// Whether it is owed a beat, because nothing else was sent for a while.
    private(set) var isOwedBeat = false

    /// Its contacts that are down, in its own numbering: up to `SimulatedOverlay.contactsMax`.
    private(set) var contacts: [Int] = []
    /// Its keys that are down and have an effect until they are released.
    private(set) var heldKeys: [Key] = []
    /// Frames sent and not yet acknowledged.
    private var inFlight = FramesInFlight()
    /// The first part of an incomplete message; up to `PageMessage.lengthMax` bytes.
    private var partial: [UInt8] = []
    private var allowance = Double(messagesAtOnceMax)
    private var allowanceTime: Instant

    init(connectionBits: UInt, serial: Int, now: Instant) {
        self.connectionBits = connectionBits
        self.serial = serial
        allowanceTime = now
        lastSent = now
        contacts.reserveCapacity(SimulatedOverlay.contactsMax)
        partial.reserveCapacity(PageMessage.lengthMax)
    }

    /// Silence after which a beat is sent, and the interval at which it is looked for.
    static let silenceMax = Instant.Span.milliseconds(700)
    static let beatCheck = Instant.Span.milliseconds(250)

    /// The result of receiving bytes.
    enum Arrival {
        case part
        case whole(PageMessage?)
        case tooLong
    }

    /// Adds bytes to the incomplete message, for a panel of `columns` × `rows`; `isEnd` marks the last ones. TCP and
    /// WebSocket may split a message anywhere.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, isEnd: Bool, columns: Int, rows: Int) -> Arrival {
        guard partial.count + bytes.count <= PageMessage.lengthMax else { return .tooLong }
        partial.append(contentsOf: bytes)
        guard isEnd else { return .part }
        defer { partial.removeAll(keepingCapacity: true) }
        return .whole(partial.withUnsafeBytes { PageMessage($0, columns: columns, rows: rows) })
    }

    /// Whether it needs to be sent something from `state`.
    func isBehind(_ state: PageMailbox.State, _ newCrowd: PageCrowd) -> Bool {
        !isGreeted || isOwedReport(state) || isOwedFrame(state) || isOwedSound(state) || isOwedWords(state)
            || crowd != newCrowd || isOwedBeat
    }

    func isOwedWords(_ state: PageMailbox.State) -> Bool { wordsNumber != state.wordsNumber }

    /// Owes a beat if nothing was sent for a while; returns whether it does.
    mutating func checkBeat(at now: Instant) -> Bool {
        isOwedBeat = now - lastSent >= Self.silenceMax
        return isOwedBeat
    }

    /// Records that something was sent at `now`.
    mutating func sent(at now: Instant) {
        lastSent = now
        isOwedBeat = false
    }

    /// Whether it has a finger or a key down.
    var plays: Bool { !contacts.isEmpty || !heldKeys.isEmpty }

    func isOwedReport(_ state: PageMailbox.State) -> Bool { reportNumber != state.reportNumber }

    func isOwedFrame(_ state: PageMailbox.State) -> Bool {
        frame != state.frame && inFlight.hasRoom
    }

    func isOwedSound(_ state: PageMailbox.State) -> Bool {
        soundPosition.map { state.sound.hasBlock(at: $0) } ?? false
    }

    mutating func sent(frame number: UInt32) {
        frame = number
        inFlight.send(number)
    }

    /// Records that frames up to `number` were drawn; false if that frame was not in flight.
    mutating func acknowledge(_ number: UInt32) -> Bool { inFlight.acknowledge(number) }

    /// Records a key's stroke.
    mutating func note(_ stroke: KeyStroke) {
        switch stroke {
        case .press(let key): if key.isHeld, !heldKeys.contains(key) { heldKeys.append(key) }
        case .release(let key), .cancel(let key): heldKeys.removeAll { $0 == key }
        case .type: break
        }
    }

    /// Records a contact's change; false if it has too many contacts.
    mutating func note(_ phase: Touch.Phase, of contact: Int) -> Bool {
        switch phase {
        case .down:
            guard !contacts.contains(contact) else { return true }
            guard contacts.count < SimulatedOverlay.contactsMax else { return false }
            contacts.append(contact)
            return true
        case .move:
            return true
        case .up, .cancel:
            contacts.removeAll { $0 == contact }
            return true
        }
    }

    /// The overlay's identifier for a contact of this connection.
    func overlayContact(_ contact: Int) -> Int { serial << 16 | contact }

    /// Counts a message at `now`; false if there were too many.
    mutating func allowMessage(at now: Instant) -> Bool {
        let seconds = Double(max(0, (now - allowanceTime).microseconds)) / 1_000_000
        allowanceTime = now
        allowance = min(
            Double(Self.messagesAtOnceMax), allowance + seconds * Double(Self.messagesPerSecondMax))
        guard allowance >= 1 else { return false }
        allowance -= 1
        return true
    }
}
