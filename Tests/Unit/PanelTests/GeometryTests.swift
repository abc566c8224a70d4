import Testing
import TestSupport

@testable import Panel

@Suite("Positions of LEDs")
struct GeometryTests {
    /// The LED numbers of a tile of 3 × 2 in the panel's top left corner, row by row; the rest of the panel has no
    /// LEDs.
    private func order(_ change: (inout PanelConfiguration.Tile) -> Void) throws -> [[Int]] {
        var tile = PanelConfiguration.Tile(x: 0, y: 0, columns: 3, rows: 2)
        change(&tile)
        let (width, height) = (tile.mountedColumns, tile.mountedRows)
        var right = PanelConfiguration.Tile(x: width, y: 0, columns: 44 - width, rows: height)
        var rest = PanelConfiguration.Tile(x: 0, y: height, columns: 44, rows: 24 - height)
        right.missing = Set(right.path)
        rest.missing = Set(rest.path)
        var configuration = PanelConfiguration()
        configuration.chains = [.init(device: "", hertz: 4_000_000, tiles: [tile, right, rest])]
        var places = [[Int]](repeating: Array(repeating: -1, count: width), count: height)
        for (number, pixel) in try Geometry(configuration).pixels.enumerated() {
            places[pixel / 44][pixel % 44] = number
        }
        return places
    }

    @Test("the reference panel runs by rows from the top left, every other row backwards")
    func reference() throws {
        let pixels = try Geometry(PanelConfiguration()).pixels
        #expect(pixels.count == 1056)
        #expect(pixels[0] == 0 && pixels[43] == 43 && pixels[44] == 87 && pixels[87] == 44 && pixels[88] == 88)
    }

    @Test("corners, directions, serpentine and missing LEDs")
    func tiles() throws {
        #expect(try order { _ in } == [[0, 1, 2], [5, 4, 3]])
        #expect(try order { $0.serpentine = false } == [[0, 1, 2], [3, 4, 5]])
        #expect(try order { $0.first = .topRight } == [[2, 1, 0], [3, 4, 5]])
        #expect(try order { $0.first = .bottomLeft } == [[5, 4, 3], [0, 1, 2]])
        #expect(try order { $0.first = .bottomRight } == [[3, 4, 5], [2, 1, 0]])
        #expect(try order { $0.along = .columns } == [[0, 3, 4], [1, 2, 5]])
        #expect(try order { ($0.along, $0.first) = (.columns, .bottomRight) } == [[5, 2, 1], [4, 3, 0]])
        #expect(try order { $0.missing = [.init(column: 1, row: 0)] } == [[0, -1, 1], [4, 3, 2]])
    }

    @Test("the panel is mirrored so that the tiles' first place is at the corner of its origin")
    func origins() throws {
        for (origin, first, end, second) in [
            (PanelConfiguration.Corner.topLeft, (0, 0), (43, 0), (43, 1)), (.topRight, (43, 0), (0, 0), (0, 1)),
            (.bottomLeft, (0, 23), (43, 23), (43, 22)), (.bottomRight, (43, 23), (0, 23), (0, 22)),
        ] {
            var configuration = PanelConfiguration()
            configuration.origin = origin
            let geometry = try Geometry(configuration)
            for (number, place) in [(0, first), (43, end), (44, second)] {
                let location = geometry.location(of: number)
                #expect((location.column, location.row) == place, "\(origin), LED \(number)")
            }
            #expect(Set(geometry.pixels).count == 1056)
        }
    }

    @Test("a tile is turned after its description: first LED, direction and missing LEDs turn with it")
    func rotations() throws {
        // As it was made: 0 1 2 above 5 4 3.
        #expect(try order { $0.rotation = .quarter } == [[5, 0], [4, 1], [3, 2]])
        #expect(try order { $0.rotation = .half } == [[3, 4, 5], [2, 1, 0]])
        #expect(try order { $0.rotation = .threeQuarters } == [[2, 3], [1, 4], [0, 5]])
        // As it was made: 0 — 1 above 4 3 2.
        #expect(
            try order { ($0.rotation, $0.missing) = (.quarter, [.init(column: 1, row: 0)]) }
                == [[4, 0], [3, -1], [2, 1]])
        // As it was made: 2 1 0 above 5 4 3.
        #expect(
            try order { ($0.rotation, $0.first, $0.serpentine) = (.quarter, .topRight, false) }
                == [[5, 2], [4, 1], [3, 0]])
    }

    /// A random panel: cut into rectangles, each wired and turned at random, shuffled and distributed among chains,
    /// with some places missing.
    private func panel(using random: inout SplitMix) -> PanelConfiguration {
        var configuration = PanelConfiguration(columns: [44, 46, 50].randomElement(using: &random) ?? 44)
        var pieces = [(x: 0, y: 0, width: configuration.columns, height: 24)]
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let piece = pieces.remove(at: .random(in: pieces.indices, using: &random))
            if Bool.random(using: &random), piece.width > 1 {
                let cut = Int.random(in: 1..<piece.width, using: &random)
                pieces.append((piece.x, piece.y, cut, piece.height))
                pieces.append((piece.x + cut, piece.y, piece.width - cut, piece.height))
            } else if piece.height > 1 {
                let cut = Int.random(in: 1..<piece.height, using: &random)
                pieces.append((piece.x, piece.y, piece.width, cut))
                pieces.append((piece.x, piece.y + cut, piece.width, piece.height - cut))
            } else {
                pieces.append(piece)
            }
        }
        var tiles = pieces.map { piece in
            let rotation = PanelConfiguration.Rotation.allCases.randomElement(using: &random) ?? .none
            let (columns, rows) =
                rotation == .none || rotation == .half ? (piece.width, piece.height) : (piece.height, piece.width)
            var tile = PanelConfiguration.Tile(x: piece.x, y: piece.y, columns: columns, rows: rows)
            tile.rotation = rotation
            tile.first = PanelConfiguration.Corner.allCases.randomElement(using: &random) ?? .topLeft
            tile.along = Bool.random(using: &random) ? .rows : .columns
            tile.serpentine = Bool.random(using: &random)
            // One place is left, so that no chain is empty.
            for _ in 0..<Int.random(in: 0...3, using: &random) where tile.missing.count + 1 < columns * rows {
                tile.missing.insert(
                    .init(
                        column: .random(in: 0..<columns, using: &random), row: .random(in: 0..<rows, using: &random)))
            }
            return tile
        }
        tiles.shuffle(using: &random)
        let chains = Int.random(in: 1...min(8, tiles.count), using: &random)
        var shares = (0..<chains).map { [tiles[$0]] }
        for tile in tiles[chains...] { shares[.random(in: 0..<chains, using: &random)].append(tile) }
        configuration.chains = shares.enumerated().map {
            .init(device: "/dev/spidev\($0).0", hertz: 4_000_000, tiles: $1)
        }
        return configuration
    }

    /// The lit places of `tile`, unordered, computed by turning the tile's corners rather than its path.
    private func litPlaces(_ tile: PanelConfiguration.Tile, columns: Int) -> [Int] {
        var places: [Int] = []
        for row in 0..<tile.rows {
            for column in 0..<tile.columns where !tile.missing.contains(.init(column: column, row: row)) {
                var (x, y, height) = (column, row, tile.rows)
                var width = tile.columns
                for _ in 0..<tile.rotation.rawValue / 90 { (x, y, width, height) = (height - 1 - y, x, height, width) }
                places.append((tile.y + y) * columns + tile.x + x)
            }
        }
        return places
    }

    @Test("LED numbers and lit places correspond one to one, tile by tile, on 10,000 random panels", arguments: 0..<8)
    func bijection(part: UInt64) throws {
        for seed in part * 1250..<(part + 1) * 1250 {
            var random = SplitMix(seed: seed)
            let configuration = panel(using: &random)
            let geometry = try Geometry(configuration)
            // The tile that lights each place, until the wire passes it.
            var owners = [Int?](repeating: nil, count: configuration.columns * 24)
            var isRight = geometry.chains.map(\.count) == configuration.chains.map(\.length)
            let tiles = zip(configuration.chains.flatMap(\.tiles), geometry.tiles.joined())
            for (owner, (tile, range)) in tiles.enumerated() {
                let places = litPlaces(tile, columns: configuration.columns)
                for place in places { owners[place] = owner }
                isRight = isRight && places.count == range.count
                for pixel in geometry.pixels[range] {
                    isRight = isRight && owners[pixel] == owner
                    owners[pixel] = nil
                }
            }
            isRight = isRight && owners.allSatisfy { $0 == nil }
            let lit = configuration.chains.reduce(0) { $0 + $1.length }
            isRight = isRight && geometry.pixels.count == lit && geometry.tiles.joined().last?.upperBound == lit
            #expect(isRight, "seed \(seed)")
            guard isRight else { return }
        }
    }

    @Test("neighbours along the wire of a serpentine tile are neighbours on the panel in any rotation")
    func serpentine() throws {
        for rotation in PanelConfiguration.Rotation.allCases {
            var tile = PanelConfiguration.Tile(x: 3, y: 2, columns: 7, rows: 5)
            tile.rotation = rotation
            let places = tile.path.map(tile.mounted)
            for (one, next) in zip(places, places.dropFirst()) {
                #expect(abs(one.column - next.column) + abs(one.row - next.row) == 1)
            }
        }
    }

    private func failure(_ tiles: [PanelConfiguration.Tile]) -> PanelError? {
        var configuration = PanelConfiguration()
        configuration.chains = [.init(device: "", hertz: 4_000_000, tiles: tiles)]
        do throws(PanelError) {
            _ = try Geometry(configuration)
            return nil
        } catch { return error }
    }

    @Test("two chains on one device are rejected, naming the second")
    func sharedDevice() {
        var configuration = PanelConfiguration()
        configuration.chains[0].tiles = [.init(x: 0, y: 0, columns: 44, rows: 12)]
        configuration.chains.append(configuration.chains[0])
        configuration.chains[1].tiles[0].y = 12
        #expect(
            throws: PanelError(
                place: "chains[1].device",
                problem: "is /dev/spidev0.0, which chain 0 uses; each chain needs its own device")
        ) { _ = try PanelDriver(configuration) }
        configuration.chains[1].device = "/dev/spidev1.0"
        #expect(throws: Never.self) { _ = try PanelDriver(configuration) }
    }

    @Test("an impossible panel is rejected, naming tile, column and row")
    func refusals() {
        let left = PanelConfiguration.Tile(x: 0, y: 0, columns: 22, rows: 24)
        let right = PanelConfiguration.Tile(x: 22, y: 0, columns: 22, rows: 24)
        #expect(failure([left, right]) == nil)
        #expect(
            failure([left, .init(x: 23, y: 0, columns: 22, rows: 24)])
                == PanelError(
                    place: "chains[0].tiles[1]",
                    problem:
                        "reaches from column 23, row 0 to column 44, row 23, beyond the panel of 44 columns and 24 rows"
                ))
        #expect(
            failure([left, .init(x: 21, y: 3, columns: 22, rows: 4)])
                == PanelError(
                    place: "chains[0].tiles[1]", problem: "covers column 21, row 3, which another tile covers"))
        #expect(
            failure([left, .init(x: 23, y: 0, columns: 21, rows: 24)])
                == PanelError(
                    place: "chains",
                    problem: "have no tile at column 22, row 0: the panel's size is 44 columns and 24 rows; "
                        + "a place without an LED belongs in a tile's missing"))
        var turned = right
        turned.rotation = .quarter
        #expect(failure([left, turned])?.place == "chains[0].tiles[1]")
        var stranger = right
        stranger.missing = [.init(column: 3, row: 24), .init(column: 22, row: 5)]
        #expect(
            failure([left, stranger])
                == PanelError(
                    place: "chains[0].tiles[1].missing",
                    problem: "has column 22, row 5, outside a tile of 22 columns and 24 rows"))
        var none = PanelConfiguration.Tile(x: 0, y: 0, columns: 44, rows: 24)
        none.missing = Set(none.path)
        #expect(failure([none]) == PanelError(place: "chains[0]", problem: "has no LED"))
    }
}
