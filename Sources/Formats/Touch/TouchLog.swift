import Instrument
import Overlay

extension FingerReport {
    /// Its line in the log of `touch monitor`: JSON, in milliseconds since `start`, in parts of the panel and in LEDs. A finger
    /// that was withdrawn is up.
    public func line(since start: Instant) -> String {
        let at = JSON.number(milliseconds: Double((time - start).microseconds) / 1000)
        let phase = touch.phase == .cancel ? .up : touch.phase
        // A fixed order, for people read it too.
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
    /// A part of a whole, to the millionth: finer than any overlay.
    fileprivate static func number(part: Double) -> JSON {
        .number(String(Int((part * 1_000_000).rounded()), places: 6))
    }
}
