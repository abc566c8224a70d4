/// The search for the wiring of a panel of equal tiles: it asks where a tile of the wire is, and then where LEDs of it
/// are. Each answer excludes wirings.
///
/// The places that a question names are apart by `spacing` LEDs where possible, so that a finger can tell them.
public struct WiringSearch: Sendable {
    /// An LED or the LEDs of a tile, and the places of the panel where it or the tile's middle can be.
    public struct Question: Hashable, Sendable {
        /// Numbers of the LEDs, counted along the chains in order.
        public var leds: Range<Int>
        /// At least two places, from the top left by rows.
        public var places: [PanelConfiguration.Place]

        /// The one of the places that `place` is within half of the least distance of two of them; nil if there is
        /// none.
        public func place(near place: PanelConfiguration.Place) -> PanelConfiguration.Place? {
            places.first { 2 * $0.distance(to: place) < WiringSearch.spacing(of: places) }
        }
    }

    /// Columns of the panel.
    public let columns: Int
    /// Number of tiles.
    public let count: Int
    /// The tiles that are known, in order of the wire.
    public private(set) var known: [PanelConfiguration.Tile] = []
    /// The next question; nil once the wiring is known.
    public private(set) var question: Question?

    private let tilesPerChain: Int
    /// A tile at every place, from the top left by rows.
    private let tiles: [PanelConfiguration.Tile]
    /// The wirings and places that the next tile can have.
    private var candidates: [Candidate] = []

    /// A tile, and its places on the panel in order of the wire.
    private struct Candidate: Sendable {
        var tile: PanelConfiguration.Tile
        var places: [PanelConfiguration.Place]

        /// The place of the LEDs with these numbers in the tile: of one LED, or of the tile's middle.
        func place(of leds: Range<Int>) -> PanelConfiguration.Place {
            if leds.count == 1 { return places[leds.lowerBound] }
            return .init(column: tile.x + tile.columns / 2, row: tile.y + tile.rows / 2)
        }
    }

    /// Distance in LEDs that a finger can tell on a picture of the panel as wide as a phone.
    public static let spacing = 6

    /// A search on a panel of `columns` that has `across` tiles side by side and `down` below one another, the same
    /// number of them on each of `chains` chains. nil if the tiles or the chains cannot all be equal.
    public init?(columns: Int, across: Int, down: Int, chains: Int) {
        let rows = PanelConfiguration.rows
        guard across > 0, down > 0, chains > 0, columns.isMultiple(of: across), rows.isMultiple(of: down),
            (across * down).isMultiple(of: chains)
        else { return nil }
        let (width, height) = (columns / across, rows / down)
        tiles = (0..<across * down).map {
            PanelConfiguration.Tile(x: $0 % across * width, y: $0 / across * height, columns: width, rows: height)
        }
        self.columns = columns
        count = tiles.count
        tilesPerChain = count / chains
        prepare()
    }

    /// Numbers of the first tile's LEDs.
    public var firstTile: Range<Int> { 0..<tiles[0].columns * tiles[0].rows }

    /// The tiles of each chain, without rotations; nil before they are known.
    public var chains: [[PanelConfiguration.Tile]]? {
        question == nil ? Self.divided(known, by: tilesPerChain) : nil
    }

    /// `configuration` with as many LEDs on each chain as this panel has, at places that need not be right: enough to
    /// light an LED by its number. The devices are the devices of its first chains; nil if it has fewer.
    public func provisional(_ configuration: PanelConfiguration) -> PanelConfiguration? {
        with(Self.divided(tiles, by: tilesPerChain), configuration)
    }

    /// `configuration` with the wiring that was found; nil before it is known.
    public func result(_ configuration: PanelConfiguration) -> PanelConfiguration? {
        chains.flatMap { with($0, configuration) }
    }

    private func with(
        _ chains: [[PanelConfiguration.Tile]], _ configuration: PanelConfiguration
    ) -> PanelConfiguration? {
        guard chains.count <= configuration.chains.count else { return nil }
        var configuration = configuration
        configuration.origin = .topLeft
        configuration.chains = zip(configuration.chains, chains).map { chain, tiles in
            var new = PanelConfiguration.Chain(device: chain.device, hertz: chain.hertz, tiles: tiles)
            if new.length != chain.length { new.hertz = configuration.chip.defaultHertz(leds: new.length) }
            return new
        }
        return configuration
    }

    private static func divided(_ tiles: [PanelConfiguration.Tile], by size: Int) -> [[PanelConfiguration.Tile]] {
        stride(from: 0, to: tiles.count, by: size).map { Array(tiles[$0..<$0 + size]) }
    }

    /// Answers the question with the place of its LED or tile; false, and nothing changes, if it is none of the
    /// question's places.
    public mutating func answer(_ place: PanelConfiguration.Place) -> Bool {
        guard let question, question.places.contains(place) else { return false }
        let leds = question.leds.lowerBound - firstLED..<question.leds.upperBound - firstLED
        candidates.removeAll { $0.place(of: leds) != place }
        divide()
        return true
    }

    /// Number of the next tile's first LED.
    private var firstLED: Int { known.count * firstTile.count }

    /// Sets the candidates of the next tile: every wiring at every free place.
    private mutating func prepare() {
        let taken = Set(known.map { [$0.x, $0.y] })
        candidates = tiles.filter { !taken.contains([$0.x, $0.y]) }.flatMap { tile in
            PanelConfiguration.Corner.allCases.flatMap { first in
                PanelConfiguration.Direction.allCases.flatMap { along in
                    [true, false].map { serpentine in
                        var tile = tile
                        (tile.first, tile.along, tile.serpentine) = (first, along, serpentine)
                        return Candidate(tile: tile, places: tile.path.map(tile.mounted))
                    }
                }
            }
        }
        // Where the tile is shows best while it is lit as a whole.
        let leds = candidates[0].places.indices
        let places = Set(candidates.map { $0.place(of: leds) })
        if places.count > 1 { ask(leds, at: places) } else { divide() }
    }

    private mutating func ask(_ leds: Range<Int>, at places: Set<PanelConfiguration.Place>) {
        question = Question(
            leds: leds.lowerBound + firstLED..<leds.upperBound + firstLED,
            places: places.sorted { ($0.row, $0.column) < ($1.row, $1.column) })
    }

    /// Sets the question that divides the candidates best; goes on to the next tile if they are all the same.
    private mutating func divide() {
        var best: (number: Int, places: Set<PanelConfiguration.Place>, spacing: Int)?
        for number in candidates[0].places.indices {
            let places = Set(candidates.map { $0.places[number] })
            guard places.count > 1 else { continue }
            let spacing = Self.spacing(of: Array(places))
            let (near, nearBefore) = (min(spacing, Self.spacing), min(best?.spacing ?? 0, Self.spacing))
            if (near, places.count, spacing) > (nearBefore, best?.places.count ?? 0, best?.spacing ?? 0) {
                best = (number, places, spacing)
            }
        }
        if let best { return ask(best.number..<best.number + 1, at: best.places) }
        known.append(candidates[0].tile)
        question = nil
        if known.count < count { prepare() }
    }

    /// The least distance of two places.
    private static func spacing(of places: [PanelConfiguration.Place]) -> Int {
        var least = Int.max
        for (index, place) in places.enumerated() {
            for other in places[..<index] { least = min(least, place.distance(to: other)) }
        }
        return least
    }
}

extension PanelConfiguration.Place {
    /// The distance in columns or in rows, whichever is more.
    fileprivate func distance(to other: Self) -> Int { max(abs(column - other.column), abs(row - other.row)) }
}
