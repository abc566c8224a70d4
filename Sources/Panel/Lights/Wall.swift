import Display

/// A wall of lights on the network that shows the panel's picture.
public struct Wall: Hashable, Sendable {
    /// How the light is sent.
    public var transport = LightProtocol.ddp
    /// The IPv4 address of the wall; nil for the multicast addresses of the universes.
    public var address: String?
    /// UDP port; nil for the protocol's own port.
    public var port: Int?
    /// The network interface that the light leaves by; nil for the route's interface.
    public var interface: String?
    /// The first universe; nil for the protocol's first. The others follow.
    public var universe: Int?
    /// Size of the wall in LEDs; the panel's picture is scaled to it. Nil for the panel's.
    public var columns, rows: Int?
    /// The tiles of the wall in the order of its LEDs; empty for one, row by row from the top left.
    public var tiles: [PanelConfiguration.Tile] = []
    /// Share of the light, 0-1.
    public var brightness = 1.0
    /// Which picture is sent.
    public var stage = Stage.drawn
    /// Pictures per second at most; nil for the protocol's maximum.
    public var rate: Int?

    /// A picture on its way to the panel's LEDs.
    public enum Stage: String, CaseIterable, Sendable {
        /// As it is drawn, without flashes.
        case drawn
        /// Dimmed as the panel is: by the player, by the limit of its current, by heat.
        case lit
    }

    /// Columns and rows at most, of a wall and of a tile.
    public static let sideMax = 256
    /// LEDs at most.
    public static let ledsMax = 16_384
    /// Walls at most.
    public static let countMax = 8

    /// Its protocol and address, for messages.
    public var name: String {
        address.map { "\(transport.name) to \($0)" } ?? "\(transport.name) by multicast"
    }

    /// The first universe.
    public var firstUniverse: Int { universe ?? transport.firstUniverse }

    /// A wall that shows the panel by DDP.
    public init() {}
}

/// The light of a wall's LEDs, in their order.
public struct WallPicture: Sendable {
    /// The panel's places that an LED shows: the average of them.
    private struct Source: Sendable {
        var columns: Range<Int>
        var rows: Range<Int>
    }

    private let sources: [Source]
    private let panelColumns: Int
    /// The byte for each value of a colour.
    private let levels: [UInt8]
    /// Red, green and blue of each LED after the last `draw`.
    public private(set) var bytes: [UInt8]

    /// A dark picture of `wall` beside a panel of `panelColumns`. Throws `PanelError` for a tile beyond the wall, too
    /// many LEDs, or universes beyond the last.
    public init(_ wall: Wall, panelColumns: Int) throws(PanelError) {
        let (columns, rows) = (wall.columns ?? panelColumns, wall.rows ?? PanelConfiguration.rows)
        var tiles = wall.tiles
        if tiles.isEmpty {
            tiles = [.init(x: 0, y: 0, columns: columns, rows: rows)]
            tiles[0].serpentine = false
        }
        var sources: [Source] = []
        for (number, tile) in tiles.enumerated() {
            try tile.check("tiles[\(number)]", columns: columns, rows: rows)
            for spot in tile.path where !tile.missing.contains(spot) {
                let place = tile.mounted(spot)
                sources.append(
                    Source(
                        columns: Self.part(place.column, of: columns, in: panelColumns),
                        rows: Self.part(place.row, of: rows, in: PanelConfiguration.rows)))
            }
        }
        guard (1...Wall.ledsMax).contains(sources.count) else {
            throw PanelError(place: "tiles", problem: "have \(sources.count) LEDs, should be 1 to \(Wall.ledsMax)")
        }
        let last = wall.firstUniverse + (3 * sources.count - 1) / wall.transport.chunk
        guard !wall.transport.hasUniverses || last <= wall.transport.universes.upperBound else {
            throw PanelError(
                place: "universe",
                problem: "puts the last LED into universe \(last), beyond \(wall.transport.universes.upperBound)")
        }
        self.sources = sources
        self.panelColumns = panelColumns
        levels = (0...255).map { UInt8((Double($0) * max(0, min(wall.brightness, 1))).rounded()) }
        bytes = Array(repeating: 0, count: 3 * sources.count)
    }

    /// Indices of the LEDs in part `number` of `count` parts of `places` LEDs; never empty.
    static func part(_ number: Int, of count: Int, in places: Int) -> Range<Int> {
        let first = number * places / count
        return first..<max(first + 1, (number + 1) * places / count)
    }

    /// Draws the panel's picture `pixels`, row by row.
    public mutating func draw(_ pixels: [RGB]) {
        for (led, source) in sources.enumerated() {
            var (red, green, blue) = (0, 0, 0)
            for row in source.rows {
                for column in source.columns {
                    let pixel = pixels[row * panelColumns + column]
                    red += Int(pixel.red)
                    green += Int(pixel.green)
                    blue += Int(pixel.blue)
                }
            }
            let count = source.rows.count * source.columns.count
            bytes[3 * led] = levels[(red + count / 2) / count]
            bytes[3 * led + 1] = levels[(green + count / 2) / count]
            bytes[3 * led + 2] = levels[(blue + count / 2) / count]
        }
    }
}
