import InputEvents

/// Log lines about input devices: when one comes or goes, and its problems, at a limited rate.
public struct InputWatch {
    private let kind: String
    /// The devices that were logged as present.
    private var present: [InputPresence] = []
    /// The problem that was logged, while it lasts.
    private var problem: DeviceFailure?
    /// Times of the lines of the last interval about devices that went and problems.
    private var logged: [String: Instant] = [:]

    /// Minimum interval between two such lines: a loose plug can connect and disconnect every second, for days.
    private static let interval = Instant.Span.milliseconds(60_000)

    /// A watch of devices of a kind, which begins its lines: touch.
    public init(_ kind: String) { self.kind = kind }

    /// The lines to log at `now`. A change that the rate limit holds back is logged later, if it still holds.
    public mutating func lines(_ status: InputStatus, at now: Instant) -> [String] {
        logged = logged.filter { now - $0.value < Self.interval }
        var lines: [String] = []
        for gone in present where !status.present.contains(gone) {
            guard log("\(kind): \(gone.what) is gone", at: now, &lines) else { continue }
            present.removeAll { $0 == gone }
        }
        for new in status.present where !present.contains(new) {
            if let index = present.firstIndex(where: { $0.what == new.what }) {
                // It is back before its absence was logged.
                present[index] = new
            } else {
                present.append(new)
                lines.append("\(kind): \(new.what)\(new.details.isEmpty ? "" : ", \(new.details)")")
            }
        }
        if let next = status.problem {
            if next != problem, log("\(kind): \(next)", at: now, &lines) { problem = next }
        } else {
            problem = nil
        }
        return lines
    }

    private mutating func log(_ line: String, at now: Instant, _ lines: inout [String]) -> Bool {
        guard logged.updateValue(logged[line] ?? now, forKey: line) == nil else { return false }
        lines.append(line)
        return true
    }
}
