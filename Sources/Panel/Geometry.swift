/// Which LED of which chain stands where: for each LED number, counted along the chains in order, the place in a frame.
public struct Geometry: Hashable, Sendable {
    /// `pixels[number]` is `row * columns + column` of the LED with that number. No two are alike.
    public let pixels: [Int]
    /// The LED numbers of each chain.
    public let chains: [Range<Int>]

    /// The geometry of `configuration`'s chains. Throws `PanelError` naming a tile that leaves the panel or covers a place
    /// that has an LED already.
    public init(_ configuration: PanelConfiguration) throws(PanelError) {
        let columns = configuration.columns
        var pixels: [Int] = []
        var chains: [Range<Int>] = []
        var isTaken = [Bool](repeating: false, count: columns * PanelConfiguration.rows)
        for (chainIndex, chain) in configuration.chains.enumerated() {
            let start = pixels.count
            for (tileIndex, tile) in chain.tiles.enumerated() {
                let place = "chains[\(chainIndex)].tiles[\(tileIndex)]"
                guard tile.x + tile.columns <= columns, tile.y + tile.rows <= PanelConfiguration.rows else {
                    throw PanelError(
                        place: place,
                        problem: "leaves the panel of \(columns) columns and \(PanelConfiguration.rows) rows")
                }
                for spot in tile.path where !tile.missing.contains(spot) {
                    let pixel = (tile.y + spot.row) * columns + tile.x + spot.column
                    guard !isTaken[pixel] else {
                        let (row, column) = pixel.quotientAndRemainder(dividingBy: columns)
                        throw PanelError(
                            place: place, problem: "covers column \(column), row \(row), where another tile has an LED")
                    }
                    isTaken[pixel] = true
                    pixels.append(pixel)
                }
            }
            chains.append(start..<pixels.count)
        }
        self.pixels = pixels
        self.chains = chains
    }
}

extension PanelConfiguration.Tile {
    /// Its places in the order in which the chain passes them, missing ones included.
    var path: [PanelConfiguration.Place] {
        let startsRight = first == .topRight || first == .bottomRight
        let startsLow = first == .bottomLeft || first == .bottomRight
        let (lines, length) = along == .rows ? (rows, columns) : (columns, rows)
        let (linesRunBack, placesRunBack) = along == .rows ? (startsLow, startsRight) : (startsRight, startsLow)
        return (0..<lines).flatMap { line in
            (0..<length).map { step in
                let isBackwards = placesRunBack != (serpentine && line % 2 == 1)
                let across = linesRunBack ? lines - 1 - line : line
                let along = isBackwards ? length - 1 - step : step
                return self.along == .rows ? .init(column: along, row: across) : .init(column: across, row: along)
            }
        }
    }
}
