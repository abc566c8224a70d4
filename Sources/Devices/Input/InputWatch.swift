import Instrument

/// What is worth telling of input devices: that one came or went, and what is wrong, without flooding a log.
public struct InputWatch {
    private let kind: String
    /// The devices that were told to be there.
    private var present: [InputPresence] = []
    /// What was told to be wrong, while it is.
    private var problem: DeviceFailure?
    /// When a device was told to be gone, and a problem to be there, by the line; those of the last interval.
    private var told: [String: Instant] = [:]

    /// Such a line is told at most this often: a loose plug can bring and take a device every second, for days.
    private static let interval = Instant.Span.milliseconds(60_000)

    /// Watches devices of a kind, which its lines begin with: touch. Has told nothing.
    public init(_ kind: String) { self.kind = kind }

    /// The lines to tell at `now`. What has changed and is not told now is told later, if it still is so.
    public mutating func lines(_ status: InputStatus, at now: Instant) -> [String] {
        told = told.filter { now - $0.value < Self.interval }
        var lines: [String] = []
        for gone in present where !status.present.contains(gone) {
            guard tell("\(kind): \(gone.what) is gone", at: now, &lines) else { continue }
            present.removeAll { $0 == gone }
        }
        for new in status.present where !present.contains(new) {
            if let index = present.firstIndex(where: { $0.what == new.what }) {
                // It is back before it was told to be gone.
                present[index] = new
            } else {
                present.append(new)
                lines.append("\(kind): \(new.what)\(new.details.isEmpty ? "" : ", \(new.details)")")
            }
        }
        if let next = status.problem {
            if next != problem, tell("\(kind): \(next)", at: now, &lines) { problem = next }
        } else {
            problem = nil
        }
        return lines
    }

    private mutating func tell(_ line: String, at now: Instant, _ lines: inout [String]) -> Bool {
        guard told.updateValue(told[line] ?? now, forKey: line) == nil else { return false }
        lines.append(line)
        return true
    }
}
