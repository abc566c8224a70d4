/// Position of every LED: for each LED number, counted along the chains in order, the pixel index in a frame.
public struct Geometry: Hashable, Sendable {
    /// `pixels[number]` is `row * columns + column` of the LED with that number; all are different.
    public let pixels: [Int]
    /// The LED numbers of each chain.
    public let chains: [Range<Int>]
    /// The LED numbers of each tile of each chain.
    public let tiles: [[Range<Int>]]
    /// Columns of the panel.
    public let columns: Int

    /// The geometry of `configuration`'s chains. Throws `PanelError` with the tile and the place for a tile that
    /// exceeds the panel, overlaps another tile, or lists a missing place outside itself; for a chain without LEDs; and
    /// for a place of the panel without a tile.
    public init(_ configuration: PanelConfiguration) throws(PanelError) {
        var cover = Cover(columns: configuration.columns)
        var chains: [Range<Int>] = []
        var tiles: [[Range<Int>]] = []
        for (chainIndex, chain) in configuration.chains.enumerated() {
            let start = cover.pixels.count
            var ranges: [Range<Int>] = []
            for (tileIndex, tile) in chain.tiles.enumerated() {
                ranges.append(try cover.lay(tile, named: "chains[\(chainIndex)].tiles[\(tileIndex)]"))
            }
            let end = cover.pixels.count
            guard end > start else { throw PanelError(place: "chains[\(chainIndex)]", problem: "has no LED") }
            chains.append(start..<end)
            tiles.append(ranges)
        }
        try cover.check()
        let (origin, columns) = (configuration.origin, configuration.columns)
        pixels = cover.pixels.map { pixel in
            let (row, column) = pixel.quotientAndRemainder(dividingBy: columns)
            let mounted = (
                row: origin.isLow ? PanelConfiguration.rows - 1 - row : row,
                column: origin.isRight ? columns - 1 - column : column
            )
            return mounted.row * columns + mounted.column
        }
        self.chains = chains
        self.tiles = tiles
        self.columns = columns
    }

    /// The position of the LED `number`, 0 to the number of LEDs − 1.
    public func location(of number: Int) -> LEDLocation {
        let chain = chains.firstIndex { $0.contains(number) } ?? 0
        let tile = tiles[chain].firstIndex { $0.contains(number) } ?? 0
        let (row, column) = pixels[number].quotientAndRemainder(dividingBy: columns)
        return LEDLocation(number: number, chain: chain, tile: tile, column: column, row: row)
    }
}

/// The area covered while tiles are placed one by one.
private struct Cover {
    /// Pixel index of each LED so far, as in `Geometry.pixels`.
    private(set) var pixels: [Int] = []
    private let columns: Int
    private let rows = PanelConfiguration.rows
    /// Covered places, by pixel index. A missing place of a tile counts as covered: it was left out on purpose.
    private var isCovered: [Bool]

    init(columns: Int) {
        self.columns = columns
        isCovered = Array(repeating: false, count: columns * rows)
        pixels.reserveCapacity(columns * rows)
    }

    /// Places `tile`; `name` is for errors. Returns the numbers of its LEDs.
    mutating func lay(_ tile: PanelConfiguration.Tile, named name: String) throws(PanelError) -> Range<Int> {
        try tile.check(name, columns: columns, rows: rows)
        let start = pixels.count
        for spot in tile.path {
            let place = tile.mounted(spot)
            let pixel = place.row * columns + place.column
            guard !isCovered[pixel] else {
                throw PanelError(
                    place: name, problem: "covers column \(place.column), row \(place.row), which another tile covers")
            }
            isCovered[pixel] = true
            if tile.missing.isEmpty || !tile.missing.contains(spot) { pixels.append(pixel) }
        }
        return start..<pixels.count
    }

    /// Throws `PanelError` unless the whole panel is covered.
    func check() throws(PanelError) {
        guard let pixel = isCovered.firstIndex(of: false) else { return }
        let (row, column) = pixel.quotientAndRemainder(dividingBy: columns)
        throw PanelError(
            place: "chains",
            problem: "have no tile at column \(column), row \(row): the panel's size is \(columns) columns and "
                + "\(rows) rows; a place without an LED belongs in a tile's missing")
    }
}

/// Position of an LED, on the wire and on the panel. All numbers count from 0.
public struct LEDLocation: Hashable, Sendable {
    /// LED number, counted along the chains in order.
    public var number: Int
    /// Chain.
    public var chain: Int
    /// Tile within the chain.
    public var tile: Int
    /// Column on the panel, from the left.
    public var column: Int
    /// Row on the panel, from the top.
    public var row: Int
}

extension PanelConfiguration.Tile {
    /// The places of the unrotated tile in wiring order, missing ones included.
    var path: [PanelConfiguration.Place] {
        let (startsRight, startsLow) = (first.isRight, first.isLow)
        let (lines, length) = along == .rows ? (rows, columns) : (columns, rows)
        let (linesRunBack, placesRunBack) = along == .rows ? (startsLow, startsRight) : (startsRight, startsLow)
        var path: [PanelConfiguration.Place] = []
        path.reserveCapacity(rows * columns)
        for line in 0..<lines {
            let isBackwards = placesRunBack != (serpentine && line % 2 == 1)
            let across = linesRunBack ? lines - 1 - line : line
            for step in 0..<length {
                let along = isBackwards ? length - 1 - step : step
                path.append(
                    self.along == .rows ? .init(column: along, row: across) : .init(column: across, row: along))
            }
        }
        return path
    }

    /// The position on the panel of `place`, given in the unrotated tile.
    func mounted(_ place: PanelConfiguration.Place) -> PanelConfiguration.Place {
        switch rotation {
        case .none: .init(column: x + place.column, row: y + place.row)
        case .quarter: .init(column: x + rows - 1 - place.row, row: y + place.column)
        case .half: .init(column: x + columns - 1 - place.column, row: y + rows - 1 - place.row)
        case .threeQuarters: .init(column: x + place.row, row: y + columns - 1 - place.column)
        }
    }

    /// Throws `PanelError` unless the tile fits in a panel of `columns` × `rows`; `name` is for errors.
    func check(_ name: String, columns panelColumns: Int, rows panelRows: Int) throws(PanelError) {
        guard columns > 0, rows > 0 else { throw PanelError(place: name, problem: "has no places") }
        guard x >= 0, y >= 0, x <= panelColumns - mountedColumns, y <= panelRows - mountedRows else {
            let last = "column \(x + mountedColumns - 1), row \(y + mountedRows - 1)"
            throw PanelError(
                place: name,
                problem: "reaches from column \(x), row \(y) to \(last), "
                    + "beyond the panel of \(panelColumns) columns and \(panelRows) rows")
        }
        // The first by row, so that the message is always the same for a description.
        let outside = missing.filter { !(0..<columns).contains($0.column) || !(0..<rows).contains($0.row) }
        if let place = outside.min(by: { ($0.row, $0.column) < ($1.row, $1.column) }) {
            throw PanelError(
                place: "\(name).missing",
                problem: "has column \(place.column), row \(place.row), outside a tile of \(columns) columns and "
                    + "\(rows) rows")
        }
    }
}
