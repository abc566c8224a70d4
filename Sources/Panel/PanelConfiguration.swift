import Display

/// How a panel is built: its LEDs, their wiring and their current limits (docs/spec.md, section 10, `panel`).
public struct PanelConfiguration: Hashable, Sendable {
    /// Columns of the panel: 44, 46 or 50.
    public var columns: Int
    /// Rows of the panel.
    public static let rows = Frame.panelRows
    /// Type of the LEDs, the same in all chains.
    public var chip = LEDChip.sk9822
    /// The order of the LEDs' colours in their data; nil for that of the chip's datasheet.
    public var order: ColourOrder?
    /// Brightness of the light, 0-1.
    public var brightness = 0.6
    /// Exponent from sRGB value to light.
    public var gamma = 2.4
    /// Share of each channel's light that makes white, 0-1.
    public var whiteBalance = ChannelValues(red: 1, green: 1, blue: 1)
    /// The corner of the mounted panel at which column 0, row 0 of the tiles is: the picture is mirrored there.
    public var origin = Corner.topLeft
    /// Whether fractions of a step may be shown by temporal dithering, at a sufficient frame rate.
    public var dither = true
    /// Whether flashes are limited (docs/panel.md, Flashes).
    public var flashGuard = true
    /// The temperatures at which the light is limited.
    public var heat = Heat()
    /// The screen that shows the panel in place of LEDs.
    public var screen = Screen()
    /// Current of each channel of one LED at full light.
    public var milliamps = ChannelValues(red: 18, green: 18, blue: 18)
    /// Current of the white LED at full light, for chips with one.
    public var whiteMilliamps = 18.0
    /// Current of one dark LED.
    public var standbyMilliamps = 1.0
    /// Injection zones.
    public var zones: [Zone]
    /// The chains, in order of LED numbers.
    public var chains: [Chain]

    /// The reference build: SK9822 by rows from the top left, serpentine, one chain, one 8 A supply; or the same with
    /// another chip at its default clock.
    public init(columns: Int = 44, chip: LEDChip = .sk9822) {
        self.columns = columns
        self.chip = chip
        chains = [
            Chain(
                device: "/dev/spidev0.0", hertz: chip.defaultHertz(leds: columns * Self.rows),
                tiles: [Tile(x: 0, y: 0, columns: columns, rows: Self.rows)])
        ]
        zones = [Zone(amps: 8, from: 0, count: columns * Self.rows)]
    }

    /// LEDs fed by one supply line, numbered along the chains in order.
    public struct Zone: Hashable, Sendable {
        /// Maximum current.
        public var amps: Double
        /// Number of the first LED.
        public var from: Int
        /// Number of LEDs.
        public var count: Int

        /// A zone of `count` LEDs from number `from`.
        public init(amps: Double, from: Int, count: Int) {
            self.amps = amps
            self.from = from
            self.count = count
        }
    }

    /// The sensor of the LEDs' temperature, and what it limits.
    public struct Heat: Hashable, Sendable {
        /// Name of the kernel's hwmon device; nil for none.
        public var sensor: String?
        /// Temperature in degrees Celsius from which the light is limited, 30-119.
        public var dimFrom = 60
        /// Temperature in degrees Celsius from which a tenth of the colours' current is left, above `dimFrom`, at most
        /// 120.
        public var dimTo = 75

        /// No sensor.
        public init() {}
    }

    /// A screen that shows the panel in place of LEDs.
    public struct Screen: Hashable, Sendable {
        /// Whether the box uses a screen by itself, if the LEDs' device is missing.
        public var isAutomatic = false
        /// Name of its connector, such as HDMI-A-1; nil for the first one with a screen.
        public var connector: String?
        /// Rotation of the panel on the screen.
        public var rotation = Rotation.none
        /// Minutes without a change of the picture, but for the pulse of an LED, after which the screen is switched
        /// off, up to 1440; 0 for never.
        public var blankMinutes = 0

        /// Any screen, upright, always on, when asked for.
        public init() {}
    }

    /// One data line.
    public struct Chain: Hashable, Sendable {
        /// The SPI device.
        public var device: String
        /// SPI clock.
        public var hertz: Int
        /// Tiles, in the order in which the data passes them.
        public var tiles: [Tile]

        /// A chain of `tiles`.
        public init(device: String, hertz: Int, tiles: [Tile]) {
            self.device = device
            self.hertz = hertz
            self.tiles = tiles
        }

        /// Number of LEDs in the chain.
        public var length: Int { tiles.reduce(0) { $0 + $1.columns * $1.rows - $1.missing.count } }
    }

    /// A rectangle of LEDs, wired line by line. Its wiring is described unrotated; the rotation is applied afterwards.
    public struct Tile: Hashable, Sendable {
        /// Panel column of the left edge of the mounted tile.
        public var x: Int
        /// Panel row of the top edge of the mounted tile.
        public var y: Int
        /// Columns of the unrotated tile.
        public var columns: Int
        /// Rows of the unrotated tile.
        public var rows: Int
        /// Rotation on the panel.
        public var rotation = Rotation.none
        /// Corner of the first LED.
        public var first = Corner.topLeft
        /// Direction of the wiring's lines.
        public var along = Direction.rows
        /// Whether every other line runs backwards.
        public var serpentine = true
        /// Places in the tile without an LED.
        public var missing: Set<Place> = []

        /// Columns on the panel.
        public var mountedColumns: Int { rotation.isUpright ? columns : rows }
        /// Rows on the panel.
        public var mountedRows: Int { rotation.isUpright ? rows : columns }

        /// A tile wired by rows from the top left, serpentine, with no LED missing.
        public init(x: Int, y: Int, columns: Int, rows: Int) {
            self.x = x
            self.y = y
            self.columns = columns
            self.rows = rows
        }
    }

    /// A place in a tile.
    public struct Place: Hashable, Sendable {
        /// Column from the tile's left edge.
        public var column: Int
        /// Row from the tile's top edge.
        public var row: Int

        /// The place at `column`, `row`.
        public init(column: Int, row: Int) {
            self.column = column
            self.row = row
        }
    }

    /// Rotation of a tile, or of the panel on a screen, in degrees clockwise as seen from the front.
    public enum Rotation: Int, CaseIterable, Sendable {
        /// Unrotated.
        case none = 0
        /// Top edge to the right.
        case quarter = 90
        /// Upside down.
        case half = 180
        /// Top edge to the left.
        case threeQuarters = 270

        var isUpright: Bool { self == .none || self == .half }
    }

    /// A corner of a tile or of the panel.
    public enum Corner: String, CaseIterable, Sendable {
        /// The corners, as seen from the front.
        case topLeft, topRight, bottomLeft, bottomRight

        var isRight: Bool { self == .topRight || self == .bottomRight }
        var isLow: Bool { self == .bottomLeft || self == .bottomRight }
    }

    /// Direction of a tile's lines.
    public enum Direction: String, CaseIterable, Sendable {
        /// The chain runs along rows or along columns.
        case rows, columns
    }
}

/// One value for each colour channel.
public struct ChannelValues: Hashable, Sendable {
    /// Red.
    public var red: Double
    /// Green.
    public var green: Double
    /// Blue.
    public var blue: Double

    /// The values of the three channels.
    public init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// A part of a panel description that is invalid, and the reason.
public struct PanelError: Error, Hashable, Sendable {
    /// The part (`chains[0].tiles[1]`).
    public var place: String
    /// The problem, and what to do.
    public var problem: String
}
