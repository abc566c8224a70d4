import Display

/// A picture to judge a panel by: colours, steps of light, power and motion.
public enum PanelPicture: String, CaseIterable, Sendable {
    /// Every LED in one full colour.
    case red, green, blue, white
    /// Ramps from dark to full across the panel: grey, red, green and blue, one above the other.
    case ramps
    /// All white, at 10 % to 100 % of the colour current that is allowed, 10 % more each second.
    case power
    /// A bar that moves to the right by one column in each 60th of a second: where it tears or stutters, frames are lost.
    case bar

    /// Columns that the bar is wide.
    public static let barWidth = 4
    /// Steps of the power, each one second long.
    public static let powerSteps = 10

    /// Draws the picture as it is `milliseconds`, 0 or more, after it began.
    public func draw(into frame: inout Frame, at milliseconds: Int) {
        switch self {
        case .red: frame.fill(RGB(0xff0000))
        case .green: frame.fill(RGB(0x00ff00))
        case .blue: frame.fill(RGB(0x0000ff))
        case .white, .power: frame.fill(.white)
        case .ramps:
            let colours: [UInt32] = [0x010101, 0x010000, 0x000100, 0x000001]
            for row in 0..<frame.rows {
                let colour = colours[row * colours.count / frame.rows]
                for column in 0..<frame.columns {
                    frame[column, row] = RGB(colour &* UInt32(column * 255 / max(1, frame.columns - 1)))
                }
            }
        case .bar:
            frame.fill(.black)
            let first = max(0, milliseconds) * 60 / 1000
            for offset in 0..<Self.barWidth {
                let column = (first + offset) % frame.columns
                frame.fill(columns: column..<column + 1, rows: 0..<frame.rows, .white)
            }
        }
    }

    /// The `powerLimit` of the driver that belongs to the picture `milliseconds` after it began, 0-1. The power rises to the
    /// limit and starts again.
    public func powerLimit(at milliseconds: Int) -> Double {
        guard self == .power else { return 1 }
        return Double(max(0, milliseconds) / 1000 % Self.powerSteps + 1) / Double(Self.powerSteps)
    }
}
