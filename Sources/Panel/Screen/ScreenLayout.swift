/// The place of a panel's LEDs on a screen: squares of equal size, as large as whole pixels allow, centred.
public struct ScreenLayout: Hashable, Sendable {
    /// Width of the screen's mode, in pixels.
    public let width: Int
    /// Height of the screen's mode, in pixels.
    public let height: Int
    /// Columns of the panel.
    public let columns: Int
    /// Rows of the panel.
    public let rows: Int
    /// Rotation of the panel on the screen, clockwise.
    public let rotation: PanelConfiguration.Rotation
    /// Width and height of an LED, in pixels; 4-`pitchMax`.
    public let pitch: Int
    /// Width of the margin at the left, in pixels.
    public let left: Int
    /// Height of the margin at the top, in pixels.
    public let top: Int

    /// Maximum of `pitch`: the LEDs of 24 rows fill 1080 lines. It bounds the time that a picture takes.
    public static let pitchMax = 45
    /// Minimum of `pitch`: an LED of fewer pixels has no shape.
    static let pitchMin = 4

    /// The place of `columns` × `rows` LEDs on a mode of `width` × `height` pixels, turned by `rotation`. Nil if the mode
    /// is too small.
    public init?(
        width: Int, height: Int, columns: Int, rows: Int = PanelConfiguration.rows,
        rotation: PanelConfiguration.Rotation = .none
    ) {
        let (across, down) = rotation.isUpright ? (columns, rows) : (rows, columns)
        guard across > 0, down > 0 else { return nil }
        let pitch = min(width / across, height / down, Self.pitchMax)
        guard pitch >= Self.pitchMin else { return nil }
        self.width = width
        self.height = height
        self.columns = columns
        self.rows = rows
        self.rotation = rotation
        self.pitch = pitch
        left = (width - across * pitch) / 2
        top = (height - down * pitch) / 2
    }

    /// LEDs side by side on the screen.
    var across: Int { rotation.isUpright ? columns : rows }
    /// LEDs one below the other on the screen.
    var down: Int { rotation.isUpright ? rows : columns }

    /// The top left pixel of the LED at `column`, `row`.
    public func corner(column: Int, row: Int) -> (x: Int, y: Int) {
        let (x, y) =
            switch rotation {
            case .none: (column, row)
            case .quarter: (rows - 1 - row, column)
            case .half: (columns - 1 - column, rows - 1 - row)
            case .threeQuarters: (row, columns - 1 - column)
            }
        return (left + x * pitch, top + y * pitch)
    }

    /// The LED at pixel `x`, `y`; nil in the margin.
    public func led(x: Int, y: Int) -> (column: Int, row: Int)? {
        guard x >= left, y >= top else { return nil }
        let (x, y) = ((x - left) / pitch, (y - top) / pitch)
        guard x < across, y < down else { return nil }
        return switch rotation {
        case .none: (x, y)
        case .quarter: (y, rows - 1 - x)
        case .half: (columns - 1 - x, rows - 1 - y)
        case .threeQuarters: (columns - 1 - y, x)
        }
    }

    /// Matrix from a touch overlay that covers the whole screen to the panel, both 0…1 from the top left: 2 × 3, row by
    /// row, as `OverlaySettings.matrix`.
    public var touchMatrix: [Double] {
        let (picture, lines) = (Double(across * pitch), Double(down * pitch))
        let (x, y) = (Double(width) / picture, Double(height) / lines)
        let (fromLeft, fromTop) = (-Double(left) / picture, -Double(top) / lines)
        return switch rotation {
        case .none: [x, 0, fromLeft, 0, y, fromTop]
        case .quarter: [0, y, fromTop, -x, 0, 1 - fromLeft]
        case .half: [-x, 0, 1 - fromLeft, 0, -y, 1 - fromTop]
        case .threeQuarters: [0, -y, 1 - fromTop, x, 0, fromLeft]
        }
    }
}

extension PanelConfiguration.Rotation {
    /// This rotation, and then `other`.
    public static func + (one: Self, other: Self) -> Self {
        Self(rawValue: (one.rawValue + other.rawValue) % 360) ?? .none
    }
}
