import Display
import Documents
import InputEvents
import Instrument
import Replay

extension DrivenBox {
    /// Columns of its panel.
    var columns: Int { box.loop.instrument.columns }

    /// The picture that its LED chips show.
    var light: Frame {
        var frame = Frame(columns: columns, rows: Instrument.rows)
        let light = box.light
        for row in 0..<frame.rows {
            for column in 0..<frame.columns {
                let at = 3 * (row * frame.columns + column)
                frame[column, row] = RGB(red: light[at], green: light[at + 1], blue: light[at + 2])
            }
        }
        return frame
    }

    /// What the answer to `state` says.
    var state: [String: JSON] {
        box.loop.instrument.stateKeys.merging(["off": .bool(box.loop.isSwitchedOff)]) { $1 }
    }
}
