/// The search for the wiring of a panel of equal tiles: it asks at which place an LED is, and each answer excludes wirings.
///
/// The places that a question names are apart by `spacing` LEDs where possible, so that a finger can tell them.
public struct WiringSearch: Sendable {
    /// An LED, and the places of the panel where it can be.
    public struct Question: Hashable, Sendable {
        /// Number of the LED, counted along the chains in order.
        public var led: Int
        /// At least two places, from the top left by rows.
        public var places: [PanelConfiguration.Place]

        /// The only one of the places that is `place` or beside it; nil if there is none, or more than one beside it.
        public func place(near place: PanelConfiguration.Place) -> PanelConfiguration.Place? {
            if places.contains(place) { return place }
            let near = places.filter { abs($0.column - place.column) <= 1 && abs($0.row - place.row) <= 1 }
            return near.count == 1 ? near[0] : nil
        }
    }

    /// Number of tiles.
    public let count: Int
    /// The tiles that are known, in order of the wire.
    public private(set) var known: [PanelConfiguration.Tile] = []
    /// The next question; nil once the wiring is known.
    public private(set) var question: Question?

    private let tilesPerChain: Int
    /// A tile at every place, from the top left by rows.
    private let tiles: [PanelConfiguration.Tile]
    /// What the next tile can be.
    private var candidates: [Candidate] = []

    /// A tile, and its places on the panel in order of the wire.
    private struct Candidate: Sendable {
        var tile: PanelConfiguration.Tile
        var places: [PanelConfiguration.Place]
    }

    /// Distance in LEDs that a finger can tell on a picture of the panel as wide as a phone.
    public static let spacing = 4

    /// A search on a panel of `columns` that has `across` tiles side by side and `down` below one another, the same number of them on
    /// each of `chains` chains. nil if the tiles or the chains cannot all be equal.
    public init?(columns: Int, across: Int, down: Int, chains: Int) {
        let rows = PanelConfiguration.rows
        guard across > 0, down > 0, chains > 0, columns.isMultiple(of: across), rows.isMultiple(of: down),
            (across * down).isMultiple(of: chains)
        else { return nil }
        let (width, height) = (columns / across, rows / down)
        tiles = (0..<across * down).map {
            PanelConfiguration.Tile(x: $0 % across * width, y: $0 / across * height, columns: width, rows: height)
        }
        count = tiles.count
        tilesPerChain = count / chains
        prepare()
    }

    /// The tiles of each chain, without rotations; nil before they are known.
    public var chains: [[PanelConfiguration.Tile]]? {
        question == nil ? Self.divided(known, by: tilesPerChain) : nil
    }

    /// `configuration` with as many LEDs on each chain as this panel has, at places that need not be right: enough to light an LED by its
    /// number. The devices are those of its first chains; nil if it has fewer.
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

    /// Takes the place of the question's LED; false, and nothing changes, if it is none of the question's places.
    public mutating func take(_ place: PanelConfiguration.Place) -> Bool {
        guard let question, question.places.contains(place) else { return false }
        let number = question.led - firstLED
        candidates.removeAll { $0.places[number] != place }
        ask()
        return true
    }

    /// Number of the next tile's first LED.
    private var firstLED: Int { known.count * (tiles[0].columns * tiles[0].rows) }

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
        ask()
    }

    /// Sets the question that divides the candidates best; goes on to the next tile if they are all the same.
    private mutating func ask() {
        var best: (number: Int, places: Set<PanelConfiguration.Place>, spacing: Int)?
        for number in candidates[0].places.indices {
            let places = Set(candidates.map { $0.places[number] })
            guard places.count > 1 else { continue }
            let spacing = Self.spacing(of: places)
            let (near, nearBefore) = (min(spacing, Self.spacing), min(best?.spacing ?? 0, Self.spacing))
            if (near, places.count, spacing) > (nearBefore, best?.places.count ?? 0, best?.spacing ?? 0) {
                best = (number, places, spacing)
            }
        }
        if let best {
            question = Question(
                led: firstLED + best.number,
                places: best.places.sorted { ($0.row, $0.column) < ($1.row, $1.column) })
            return
        }
        known.append(candidates[0].tile)
        question = nil
        if known.count < count { prepare() }
    }

    /// The least distance of two places, in columns or rows, whichever is more.
    private static func spacing(of places: Set<PanelConfiguration.Place>) -> Int {
        let places = Array(places)
        var least = Int.max
        for (index, place) in places.enumerated() {
            for other in places[..<index] {
                least = min(least, max(abs(place.column - other.column), abs(place.row - other.row)))
            }
        }
        return least
    }
}
