import InputEvents

/// The answers that a port gives: so many to a packet, and so many a second. Who sent a packet is easily made up; an
/// answer then goes to a machine that asked for nothing.
struct AnswerBudget: Sendable {
    private let packetMax, secondMax: Int
    private var (packetRest, secondRest) = (0, 0)
    private var since: Instant?

    private static let second = Instant.Span.milliseconds(1000)

    /// `packetMax` answers to a packet, `secondMax` a second.
    init(packetMax: Int, secondMax: Int) { (self.packetMax, self.secondMax) = (packetMax, secondMax) }

    /// A packet has come at `now`.
    mutating func begin(at now: Instant) {
        packetRest = packetMax
        if let since, now - since < Self.second { return }
        (since, secondRest) = (now, secondMax)
    }

    /// How many of `wanted` answers may be given to the packet.
    mutating func spend(_ wanted: Int) -> Int {
        let count = min(wanted, packetRest, secondRest)
        (packetRest, secondRest) = (packetRest - count, secondRest - count)
        return count
    }
}
