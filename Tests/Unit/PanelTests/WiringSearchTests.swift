import TestSupport
import Testing

@testable import Panel

@Suite("The search for a panel's wiring")
struct WiringSearchTests {
    /// A panel's tiles and chains.
    struct Layout: CustomTestStringConvertible {
        var across: Int
        var down: Int
        var chains: Int
        /// Maximum number of questions.
        var questionsMax: Int
        /// Least distance of two places of a question.
        var spacing = WiringSearch.spacing

        var testDescription: String { "\(across)×\(down) tiles on \(chains) chains" }
    }

    /// `panel` with a random wiring of this layout.
    private func wired(_ layout: Layout, using random: inout SplitMix) throws -> PanelConfiguration {
        var panel = PanelConfiguration()
        let (columns, rows) = (panel.columns / layout.across, PanelConfiguration.rows / layout.down)
        let places = (0..<layout.across * layout.down).shuffled(using: &random)
        let tiles = try places.map { place in
            var tile = PanelConfiguration.Tile(
                x: place % layout.across * columns, y: place / layout.across * rows, columns: columns, rows: rows)
            tile.rotation = Bool.random(using: &random) ? .none : .half
            tile.first = try #require(PanelConfiguration.Corner.allCases.randomElement(using: &random))
            tile.along = Bool.random(using: &random) ? .rows : .columns
            tile.serpentine = Bool.random(using: &random)
            return tile
        }
        let size = tiles.count / layout.chains
        panel.chains = (0..<layout.chains).map { chain in
            .init(
                device: "/dev/spidev0.\(chain)", hertz: LEDChip.sk9822.defaultHertz(leds: 1056 / layout.chains),
                tiles: Array(tiles[chain * size..<(chain + 1) * size]))
        }
        return panel
    }

    /// The least distance of two of `places`.
    private func spacing(_ places: [PanelConfiguration.Place]) -> Int {
        places.indices.flatMap { index in
            places[..<index].map { max(abs($0.column - places[index].column), abs($0.row - places[index].row)) }
        }.min() ?? 0
    }

    @Test(
        "finds any wiring by few answers",
        arguments: [
            Layout(across: 1, down: 1, chains: 1, questionsMax: 2),
            Layout(across: 2, down: 1, chains: 1, questionsMax: 5),
            Layout(across: 2, down: 1, chains: 2, questionsMax: 5),
            Layout(across: 1, down: 2, chains: 2, questionsMax: 5),
            Layout(across: 2, down: 2, chains: 1, questionsMax: 11),
            Layout(across: 2, down: 2, chains: 2, questionsMax: 11),
            Layout(across: 4, down: 2, chains: 2, questionsMax: 31),
            Layout(across: 1, down: 24, chains: 1, questionsMax: 47, spacing: 1),
        ])
    func finds(_ layout: Layout) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        for _ in 0..<20 {
            let panel = try wired(layout, using: &random)
            let geometry = try Geometry(panel)
            var search = try #require(
                WiringSearch(columns: 44, across: layout.across, down: layout.down, chains: layout.chains))
            var questions = 0
            while let question = search.question, questions < 1000 {
                questions += 1
                let leds = question.leds.map { geometry.location(of: $0) }
                let isTile = leds.count > 1
                let size = (columns: 44 / layout.across, rows: 24 / layout.down)
                let place = PanelConfiguration.Place(
                    column: isTile ? leds[0].column / size.columns * size.columns + size.columns / 2 : leds[0].column,
                    row: isTile ? leds[0].row / size.rows * size.rows + size.rows / 2 : leds[0].row)
                #expect(question.places.count > 1)
                let isTaken = search.answer(place)
                #expect(isTaken, "seed \(seed): \(place), \(question)")
                #expect(spacing(question.places) >= layout.spacing, "\(question)")
            }
            #expect(questions <= layout.questionsMax, "seed \(seed)")
            let found = try #require(search.result(panel))
            #expect(try Geometry(found).pixels == geometry.pixels, "seed \(seed)")
            #expect(found.chains.map(\.length) == panel.chains.map(\.length))
        }
    }

    @Test("takes no place that the question does not name, and has no wiring before it is known")
    func strangePlaces() throws {
        var search = try #require(WiringSearch(columns: 44, across: 2, down: 2, chains: 2))
        let question = try #require(search.question)
        let place = question.places[0]
        let strange = PanelConfiguration.Place(column: place.column + 1, row: place.row)
        let isTaken = search.answer(strange)
        #expect(!isTaken && search.question == question)
        // A finger need not be exact.
        #expect(question.leds == 0..<264 && question.places.map(\.column) == [11, 33, 11, 33])
        #expect(question.place(near: strange) == place)
        #expect(question.place(near: .init(column: 16, row: 0)) == nil)
        #expect(question.place(near: .init(column: 22, row: 6)) == nil)
        #expect(search.chains == nil && search.result(PanelConfiguration()) == nil)
    }

    @Test("lights LEDs by their numbers on as many chains as the configuration has, and turns its picture no more")
    func provisional() throws {
        let search = try #require(WiringSearch(columns: 44, across: 2, down: 2, chains: 2))
        #expect(search.provisional(PanelConfiguration()) == nil)
        var panel = PanelConfiguration()
        panel.chains = [
            .init(device: "/dev/spidev0.0", hertz: 5_000_000, tiles: [.init(x: 0, y: 0, columns: 44, rows: 12)]),
            .init(device: "/dev/spidev0.1", hertz: 6_000_000, tiles: [.init(x: 0, y: 12, columns: 44, rows: 12)]),
        ]
        panel.origin = .bottomRight
        let two = try #require(search.provisional(panel))
        #expect(two.origin == .topLeft && two.chains.map(\.hertz) == [5_000_000, 6_000_000])
        #expect(try Geometry(two).chains == [0..<528, 528..<1056])
        let one = try #require(WiringSearch(columns: 44, across: 1, down: 1, chains: 1)?.provisional(panel))
        #expect(one.chains.map(\.device) == ["/dev/spidev0.0"])
        #expect(one.chains.map(\.hertz) == [LEDChip.sk9822.defaultHertz(leds: 1056)])
    }

    @Test("there is no search for tiles or chains of unequal size")
    func unequal() {
        for (columns, across, down, chains) in [
            (44, 3, 1, 1), (44, 1, 5, 1), (44, 1, 1, 2), (44, 2, 2, 3), (46, 4, 1, 1), (44, 0, 1, 1), (44, 1, 1, 0),
        ] {
            #expect(WiringSearch(columns: columns, across: across, down: down, chains: chains) == nil)
        }
        #expect(WiringSearch(columns: 46, across: 2, down: 2, chains: 2) != nil)
    }
}
