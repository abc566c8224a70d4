import InputEvents
import Input

/// The keys and the transport at the far end of the output, by the messages that were sent to it.
struct MIDIOutput {
    private var parser = MIDIParser()
    /// Messages that are on their way, oldest first.
    private var waiting: [(due: Instant, message: MIDIMessage)] = []
    private var sounding = HeldKeys()
    /// Whether a start was sent, and no stop since.
    private(set) var isRunning = false
    /// Time of the last message.
    private var lastDue = Instant.zero

    /// Messages on their way that are remembered. The sound is rendered less than half a second ahead.
    private static let waitingMax = 1024

    /// The largest correction of the sound's clock that keeps the order of messages.
    private static let correctionMax = Instant.Span.milliseconds(50)

    init() { waiting.reserveCapacity(Self.waitingMax) }

    /// The time at which a message leaves that belongs to `time`. Two messages never change places, though the clock of
    /// the sound is corrected between them.
    func due(_ time: Instant) -> Instant { lastDue - time < Self.correctionMax ? max(time, lastDue) : time }

    /// Appends a message that leaves at `due`.
    mutating func append(_ bytes: [UInt8], due: Instant) {
        lastDue = due
        for byte in bytes {
            guard let message = parser.parse(byte) else { continue }
            switch message {
            case .start, .resume: isRunning = true
            case .stop: isRunning = false
            case .noteOn, .noteOff, .control:
                if waiting.count == Self.waitingMax { sounding.apply(waiting.removeFirst().message) }
                waiting.append((due, message))
            default: break
            }
        }
    }

    /// Applies the messages that have left by `now`.
    mutating func advance(to now: Instant) {
        let left = waiting.prefix { $0.due <= now }.count
        guard left > 0 else { return }
        for index in 0..<left { sounding.apply(waiting[index].message) }
        waiting.removeFirst(left)
    }

    /// The keys that sound, or will by a message on its way.
    var keys: HeldKeys {
        var keys = sounding
        for case (_, .noteOn(let channel, let key, let velocity)) in waiting {
            keys.apply(.noteOn(channel: channel, key: key, velocity: velocity))
        }
        return keys
    }
}
