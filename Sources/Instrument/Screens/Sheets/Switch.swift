import Display

/// A setting's switch.
enum Switch {
    /// Draws the switch, six columns by three rows; while on, its knob is on the right and lit.
    static func draw(isOn: Bool, colour: RGB, into frame: inout Frame, column: Int, row: Int) {
        let ground = isOn ? RGB.black.blended(towards: colour, 0.2) : RGB(0x161616)
        frame.fill(columns: column..<column + 6, rows: row..<row + 3, ground)
        let knob = isOn ? column + 3 : column
        frame.fill(columns: knob..<knob + 3, rows: row..<row + 3, isOn ? colour : RGB(0x585858))
    }
}

/// The lamp of one of several choices.
enum Lamp {
    /// Draws the lamp, three columns by three rows; if it is off, only one dim LED in its middle.
    static func draw(isOn: Bool, colour: RGB, into frame: inout Frame, column: Int, row: Int) {
        frame[column + 1, row + 1] = RGB(0x383838)
        if isOn { frame.fill(columns: column..<column + 3, rows: row..<row + 3, colour) }
    }
}
