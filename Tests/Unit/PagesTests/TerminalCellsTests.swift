import Testing

@testable import Pages

@Suite("The terminal's cells")
struct TerminalCellsTests {
    private func text(_ cells: inout TerminalCells, _ pixels: [UInt8]) -> String {
        var bytes: [UInt8] = []
        cells.encode(pixels, into: &bytes)
        return String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\u{1b}", with: "^")
    }

    @Test(
        "selects the largest layout that fits above a status line",
        arguments: [
            (44, 13, 1), (44, 12, nil), (43, 60, nil), (87, 60, 1), (88, 24, 1), (88, 25, 2), (131, 60, 2),
            (132, 37, 3),
            (132, 36, 2), (176, 49, 4), (200, 60, 4), (440, 200, 10),
        ] as [(Int, Int, Int?)])
    func layouts(columns: Int, rows: Int, scale: Int?) {
        let layout = TerminalLayout(columns: 44, rows: 24, in: TerminalSize(columns: columns, rows: rows))
        #expect(layout?.scale == scale)
        guard let layout else { return }
        #expect(layout.cellColumns <= columns && layout.cellRows < rows)
    }

    @Test("the place of a cell is on the LED that it shows", arguments: 1...7)
    func places(scale: Int) throws {
        let size = TerminalSize(columns: 4 * scale, rows: (5 * scale + 1) / 2 + 1)
        let layout = try #require(TerminalLayout(columns: 4, rows: 5, in: size))
        #expect(layout.scale == scale)
        for cellRow in 0..<layout.cellRows {
            let (upper, lower) = layout.ledRows(cellRow: cellRow)
            for cellColumn in 0..<layout.cellColumns {
                let above = layout.place(cellColumn: cellColumn, cellRow: cellRow, isLower: false)
                let below = layout.place(cellColumn: cellColumn, cellRow: cellRow, isLower: true)
                #expect(Int(above.x.rounded()) == cellColumn / scale && Int(above.y.rounded()) == upper)
                #expect(Int(below.y.rounded()) == lower ?? upper)
            }
        }
        let corner = layout.place(cellColumn: 999, cellRow: -2, isLower: false)
        #expect(Int(corner.x.rounded()) == 3 && Int(corner.y.rounded()) == 0)
        #expect(!layout.contains(cellColumn: 4 * scale, cellRow: 0))
    }

    @Test("draws half blocks, and then only changed cells")
    func halves() throws {
        let layout = try #require(TerminalLayout(columns: 2, rows: 2, in: TerminalSize(columns: 2, rows: 2)))
        #expect(layout.scale == 1 && layout.sharesCells)
        var cells = TerminalCells(layout)
        #expect(
            text(&cells, [255, 0, 0, 1, 2, 3, 0, 0, 255, 1, 2, 3])
                == "^[1;1H^[48;2;0;0;255m^[38;2;255;0;0m▀^[48;2;1;2;3m ^[0m")
        #expect(text(&cells, [255, 0, 0, 1, 2, 3, 0, 0, 255, 1, 2, 3]) == "")
        #expect(
            text(&cells, [255, 0, 0, 9, 2, 3, 0, 0, 255, 1, 2, 3]) == "^[1;2H^[48;2;1;2;3m^[38;2;9;2;3m▀^[0m")
    }

    @Test("draws each LED as two cells if there is room")
    func pairs() throws {
        let layout = try #require(TerminalLayout(columns: 2, rows: 1, in: TerminalSize(columns: 4, rows: 2)))
        #expect(layout.scale == 2 && !layout.sharesCells)
        var cells = TerminalCells(layout)
        #expect(text(&cells, [1, 1, 1, 2, 2, 2]) == "^[1;1H^[48;2;1;1;1m  ^[48;2;2;2;2m  ^[0m")
        #expect(text(&cells, [1, 1, 1, 3, 3, 3]) == "^[1;3H^[48;2;3;3;3m  ^[0m")
    }

    @Test("draws an LED of three squares in the halves of cells")
    func threes() throws {
        let layout = try #require(TerminalLayout(columns: 1, rows: 2, in: TerminalSize(columns: 3, rows: 4)))
        #expect(layout.scale == 3 && layout.cellRows == 3)
        var cells = TerminalCells(layout)
        #expect(
            text(&cells, [1, 1, 1, 2, 2, 2])
                == "^[1;1H^[48;2;1;1;1m   ^[2;1H^[48;2;2;2;2m^[38;2;1;1;1m▀▀▀^[3;1H   ^[0m")
    }
}
