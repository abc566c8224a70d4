import Documents
import FoundationEssentials
import InputEvents

/// The newest part of a box's sound that nobody has asked for.
struct KeptSound {
    private let channels: Int
    private let framesMax: Int
    private var samples: [Float] = []
    /// Number of the first frame in `samples`.
    private var first = 0
    private var lost = 0

    /// The last `framesMax` frames of interleaved `channels`.
    init(channels: Int, framesMax: Int) {
        self.channels = channels
        self.framesMax = framesMax
    }

    mutating func append(_ more: UnsafeMutableBufferPointer<Float>) {
        samples += more
        // The beginning is cut off now and then only: that moves the rest.
        if samples.count / channels > 2 * framesMax { drop() }
    }

    /// Appends silence up to `frame`.
    mutating func fill(to frame: Int) {
        let missing = frame - first - samples.count / channels
        guard missing > 0 else { return }
        let kept = min(missing, framesMax)
        if kept < missing {
            let gone = frame - kept - first
            (first, lost, samples) = (first + gone, lost + gone, [])
        }
        samples += repeatElement(0, count: kept * channels)
    }

    private mutating func drop() {
        let surplus = max(0, samples.count / channels - framesMax)
        samples.removeFirst(surplus * channels)
        first += surplus
        lost += surplus
    }

    /// All that is kept, interleaved, with the number of its first frame and the number of frames before it that are
    /// lost. It is no longer kept.
    mutating func take() -> (samples: [Float], first: Int, lost: Int) {
        drop()
        defer {
            first += samples.count / channels
            (samples, lost) = ([], 0)
        }
        return (samples, first, lost)
    }
}

/// The newest messages to a chain of LEDs that nobody has asked for.
struct KeptWire {
    private let span: Instant.Span
    private var messages: [(at: Instant, bytes: [UInt8])] = []
    private var lost = 0

    /// The messages of the last `span`.
    init(span: Instant.Span) { self.span = span }

    mutating func append(_ message: [UInt8], at now: Instant) {
        messages.append((now, message))
        if let first = messages.first, now - first.at > span + span { drop(before: now - span) }
    }

    private mutating func drop(before time: Instant) {
        let old = messages.prefix { $0.at < time }.count
        messages.removeFirst(old)
        lost += old
    }

    /// What the answer says of the messages of the last `span` before `now`. They are no longer kept.
    mutating func take(at now: Instant) -> JSON {
        drop(before: now - span)
        defer { (messages, lost) = ([], 0) }
        return .object([
            "bytes": .bytes(messages.flatMap { $0.bytes }), "lost": .integer(lost),
            "messages": .array(
                messages.map { .object(["at": .number($0.at), "length": .integer($0.bytes.count)]) }),
        ])
    }
}

extension JSON {
    /// Bytes in base64.
    static func bytes(_ bytes: [UInt8]) -> JSON { .string(Data(bytes).base64EncodedString()) }
}
