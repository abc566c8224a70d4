import Documents
import InputEvents
import Instrument

/// A line that is sent: that of a touch script, whose time may be left out, or a power cut.
struct ScriptLine {
    let at: Instant
    /// What it does; nil for a power cut.
    let line: TouchScript.Line?
    private let keys: [String: JSON]

    /// The line with its time.
    var json: JSON {
        var keys = keys
        keys["at"] = .number(at)
        keys["after"] = nil
        return .object(keys)
    }

    /// `line`, which has these `keys` beside its time.
    init(_ line: TouchScript.Line, _ keys: [String: JSON]) { (at, self.line, self.keys) = (line.at, line, keys) }

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
        at = last
        let common = ["at", "after"]
        if let power = try field.part("power") {
            try field.only(common + ["power"])
            let _: Bool = try power.choice([("cut", true)])
            line = nil
            return
        }
        let line = try TouchScript.Line(field, at: last, common)
        self.line = line
        guard case .touch = line.act else { return }
        for (key, count) in [("col", columns), ("row", Instrument.rows)] {
            _ = try field.needed(key).number(in: -0.5...Double(count) - 0.5)
        }
    }
}
