import Documents
import InputEvents
import Instrument

/// A line that is sent: that of a touch script, whose time may be left out.
struct ScriptLine {
    let line: TouchScript.Line
    let keys: [String: JSON]

    /// The line in `field`, for a panel of `columns`. Without a time of its own it is at `last`, which becomes its time; it
    /// is not before that.
    init(_ field: JSONField, after last: inout Instant, columns: Int) throws(FormatError) {
        keys = try field.object()
        if let part = try field.part("at") {
            let time = Instant.zero + Instant.Span(milliseconds: try part.number(in: Bench.times))
            guard time >= last else {
                throw part.refused("is \(part.shown), which is before \(JSON.number(last).text(pretty: false))")
            }
            if keys["after"] != nil { throw part.refused("and after cannot stand in one line") }
            last = time
        } else if let part = try field.part("after") {
            last = last + Instant.Span(milliseconds: try part.number(in: Bench.times))
        }
        line = try TouchScript.Line(field, at: last, ["at", "after"])
        guard case .touch = line.act else { return }
        for (key, count) in [("col", columns), ("row", Instrument.rows)] {
            _ = try field.needed(key).number(in: -0.5...Double(count) - 0.5)
        }
    }
}
