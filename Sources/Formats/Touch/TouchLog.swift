import Documents
import InputEvents
import Input

extension FingerReport {
    /// Line of `touch monitor`: JSON, with the time in milliseconds since `start`, and the position as part of the
    /// panel and in LEDs. A cancelled finger is logged as up.
    public func line(since start: Instant) -> String {
        let at = JSON.number(milliseconds: Double((time - start).microseconds) / 1000)
        let phase = touch.phase == .cancel ? .up : touch.phase
        // A fixed order, because people read the log too.
        let fields: [(name: String, value: JSON)] = [
            ("at", at), ("contact", .integer(touch.contact)), ("phase", .string(phase.rawValue)),
            ("x", .number(part: x)), ("y", .number(part: y)), ("col", .integer(led(touch.column))),
            ("row", .integer(led(touch.row))),
        ]
        let text = fields.map { "\"\($0.name)\": \($0.value.text(pretty: false))" }
        return "{\(text.joined(separator: ", "))}\n"
    }

    private func led(_ place: Float) -> Int { Int((place + 0.5).rounded(.down)) }
}

extension JSON {
    /// A part of the panel with six decimals, finer than any overlay.
    fileprivate static func number(part: Double) -> JSON {
        .number(String(Int((part * 1_000_000).rounded()), places: 6))
    }
}
