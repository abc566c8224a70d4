import Input
import InputEvents

/// Checks the bytes of a MIDI port, each after a delay: an even number of input bytes.
func checkStream(_ bytes: [UInt8]) throws(Violation) {
    var cable = MIDICable()
    var synchroniser = Synchroniser(source: (bytes.first ?? 0) & 1 == 0 ? .midi : .clock)
    var now = Instant.zero
    for pair in stride(from: 0, to: bytes.count - 1, by: 2) {
        // From no delay to 8 s.
        let delay = Int64(bytes[pair])
        now = now + Instant.Span(microseconds: delay * delay * 125)
        if bytes[pair + 1] & 0xf0 == 0xf0 { _ = synchroniser.receive(ClockEdge.clock, at: now) }
        _ = synchroniser.advance(to: now)
        for message in cable.advance(to: now) + cable.receive(bytes[pair + 1], at: now) {
            try check(message)
            _ = synchroniser.receive(message, at: now)
        }
        try check(synchroniser, at: now)
    }
}

private func check(_ message: MIDIMessage) throws(Violation) {
    let isValid =
        switch message {
        case .noteOn(let channel, let key, let velocity):
            (0..<16).contains(channel) && (0..<128).contains(key) && (1..<128).contains(velocity)
        case .noteOff(let channel, let key): (0..<16).contains(channel) && (0..<128).contains(key)
        case .keyPressure(let channel, let one, let other), .control(let channel, let one, let other):
            (0..<16).contains(channel) && (0..<128).contains(one) && (0..<128).contains(other)
        case .program(let channel, let value), .channelPressure(let channel, let value):
            (0..<16).contains(channel) && (0..<128).contains(value)
        case .bend(let channel, let value): (0..<16).contains(channel) && (-8192..<8192).contains(value)
        case .songPosition(let sixteenths): (0..<16384).contains(sixteenths)
        case .clock, .start, .resume, .stop, .identityRequest, .activeSensing, .reset: true
        }
    try require(isValid, "\(message) is out of range")
}

private func check(_ synchroniser: Synchroniser, at now: Instant) throws(Violation) {
    guard let steering = synchroniser.steering(at: Double(now.microseconds)) else { return }
    try require(steering.steps.isFinite && abs(steering.steps) < 1e9, "the position is \(steering.steps) steps")
    let tempos = Synchroniser.tempos
    try require(
        steering.tempo > tempos.lowerBound / 2.1 && steering.tempo < tempos.upperBound * 2.1,
        "the tempo is \(steering.tempo)")
}
