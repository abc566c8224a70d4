import Display

/// How a panel is built: its LEDs, how they are wired and what may flow into them (SPEC 10, `panel`).
public struct PanelConfiguration: Hashable, Sendable {
    /// Columns of the panel: 44, 46 or 50.
    public var columns: Int
    /// Rows of the panel.
    public static let rows = Frame.panelRows
    /// Which LEDs. All chains have the same.
    public var chip = LEDChip.sk9822
    /// Brightness, 0-1, of the light itself.
    public var brightness = 0.6
    /// Exponent from sRGB value to light.
    public var gamma = 2.4
    /// What of each channel's light makes white, 0-1.
    public var whiteBalance = ChannelValues(red: 1, green: 1, blue: 1)
    /// Whether fractions of a step may be shown by dithering in time, where frames are fast enough.
    public var dither = true
    /// Current of each channel of one LED at full.
    public var milliamps = ChannelValues(red: 18, green: 18, blue: 18)
    /// Current of the white LED at full, of chips that have one.
    public var whiteMilliamps = 18.0
    /// Current of one dark LED.
    public var standbyMilliamps = 1.0
    /// Injection zones.
    public var zones: [Zone]
    /// The chains, in order of LED numbers.
    public var chains: [Chain]

    /// The reference build: SK9822 by rows from the top left, serpentine, one chain, one supply of 8 A; or the same with
    /// another chip, at its own clock.
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

    /// LEDs that one supply line feeds, numbered along the chains in order.
    public struct Zone: Hashable, Sendable {
        /// The most that may flow.
        public var amps: Double
        /// First LED.
        public var from: Int
        /// LEDs.
        public var count: Int

        /// A zone of `count` LEDs from number `from`.
        public init(amps: Double, from: Int, count: Int) {
            self.amps = amps
            self.from = from
            self.count = count
        }
    }

    /// One data line.
    public struct Chain: Hashable, Sendable {
        /// The SPI device.
        public var device: String
        /// Its clock.
        public var hertz: Int
        /// Its tiles, in the order in which the data passes them.
        public var tiles: [Tile]

        /// A chain of `tiles`.
        public init(device: String, hertz: Int, tiles: [Tile]) {
            self.device = device
            self.hertz = hertz
            self.tiles = tiles
        }

        /// LEDs in the chain.
        public var length: Int { tiles.reduce(0) { $0 + $1.columns * $1.rows - $1.missing.count } }
    }

    /// A rectangle of LEDs, wired line by line. It is described as it was made, and then turned.
    public struct Tile: Hashable, Sendable {
        /// Panel column of its left edge, as it is mounted.
        public var x: Int
        /// Panel row of its top edge, as it is mounted.
        public var y: Int
        /// Its width, as it was made.
        public var columns: Int
        /// Its height, as it was made.
        public var rows: Int
        /// How it is turned on the panel.
        public var rotation = Rotation.none
        /// The corner of its first LED.
        public var first = Corner.topLeft
        /// The direction in which the chain runs first.
        public var along = Direction.rows
        /// Every other line runs back.
        public var serpentine = true
        /// Places in the tile that have no LED.
        public var missing: Set<Place> = []

        /// Its width on the panel.
        public var mountedColumns: Int { rotation.isUpright ? columns : rows }
        /// Its height on the panel.
        public var mountedRows: Int { rotation.isUpright ? rows : columns }

        /// A tile wired by rows from its top left, serpentine, no LED missing.
        public init(x: Int, y: Int, columns: Int, rows: Int) {
            self.x = x
            self.y = y
            self.columns = columns
            self.rows = rows
        }
    }

    /// A place in a tile.
    public struct Place: Hashable, Sendable {
        /// From the tile's left edge.
        public var column: Int
        /// From the tile's top edge.
        public var row: Int

        /// The place at `column`, `row`.
        public init(column: Int, row: Int) {
            self.column = column
            self.row = row
        }
    }

    /// How far a tile is turned, in degrees clockwise as seen from the front.
    public enum Rotation: Int, CaseIterable, Sendable {
        /// As it was made.
        case none = 0
        /// Its top edge to the right.
        case quarter = 90
        /// Upside down.
        case half = 180
        /// Its top edge to the left.
        case threeQuarters = 270

        var isUpright: Bool { self == .none || self == .half }
    }

    /// A corner of a tile.
    public enum Corner: String, CaseIterable, Sendable {
        /// The corners, as seen from the front.
        case topLeft, topRight, bottomLeft, bottomRight
    }

    /// What a line of a tile is.
    public enum Direction: String, CaseIterable, Sendable {
        /// The chain runs along rows or along columns first.
        case rows, columns
    }
}

/// One number for each colour channel.
public struct ChannelValues: Hashable, Sendable {
    /// Red's.
    public var red: Double
    /// Green's.
    public var green: Double
    /// Blue's.
    public var blue: Double

    /// These numbers.
    public init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// Why a panel description cannot be: which part, and what is wrong with it.
public struct PanelError: Error, Hashable, Sendable {
    /// The part (`chains[0].tiles[1]`).
    public var place: String
    /// What is wrong with it and what to do.
    public var problem: String
}
