import Display

/// A test picture for a panel: colours, light steps, power or motion.
public enum PanelPicture: String, CaseIterable, Sendable {
    /// Every LED in one full colour.
    case red, green, blue, white
    /// Ramps from dark to full across the panel: grey, red, green and blue, from top to bottom.
    case ramps
    /// All white at 10 % to 100 % of the allowed colour current, rising by 10 % each second.
    case power
    /// A bar that moves right by one column every 1/60 s: tearing or stutter shows lost frames.
    case bar

    /// Width of the bar in columns.
    public static let barWidth = 4
    /// Number of power steps, one second each.
    public static let powerSteps = 10

    /// Draws the picture `milliseconds`, 0 or more, after its start.
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

    /// The driver's `powerLimit` for the picture `milliseconds` after its start, 0-1. The power rises to the limit and
    /// starts again.
    public func powerLimit(at milliseconds: Int) -> Double {
        guard self == .power else { return 1 }
        return Double(max(0, milliseconds) / 1000 % Self.powerSteps + 1) / Double(Self.powerSteps)
    }
}
