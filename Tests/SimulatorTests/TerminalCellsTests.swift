import Testing

@testable import Simulator

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
            (200, 60, .pair), (88, 25, .pair), (87, 60, .half), (88, 24, .half), (44, 13, .half), (44, 12, nil),
            (43, 60, nil),
        ] as [(Int, Int, TerminalLayout.Shape?)])
    func layouts(columns: Int, rows: Int, shape: TerminalLayout.Shape?) {
        let layout = TerminalLayout(columns: 44, rows: 24, in: TerminalSize(columns: columns, rows: rows))
        #expect(layout?.shape == shape)
    }

    @Test("the LED of a cell is the one under the finger")
    func places() throws {
        let half = try #require(TerminalLayout(columns: 4, rows: 4, in: TerminalSize(columns: 4, rows: 3)))
        #expect(half.led(cellColumn: 3, cellRow: 1, isLower: false) == (3, 2))
        #expect(half.led(cellColumn: 3, cellRow: 1, isLower: true) == (3, 3))
        #expect(half.led(cellColumn: 99, cellRow: -2, isLower: false) == (3, 0))
        #expect(!half.contains(cellColumn: 4, cellRow: 0))
        let pair = try #require(TerminalLayout(columns: 4, rows: 4, in: TerminalSize(columns: 8, rows: 5)))
        #expect(pair.led(cellColumn: 7, cellRow: 3, isLower: true) == (3, 3))
    }

    @Test("draws half blocks, and then only changed cells")
    func halves() throws {
        let layout = try #require(TerminalLayout(columns: 2, rows: 2, in: TerminalSize(columns: 2, rows: 2)))
        #expect(layout.shape == .half)
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
        #expect(layout.shape == .pair)
        var cells = TerminalCells(layout)
        #expect(text(&cells, [1, 1, 1, 2, 2, 2]) == "^[1;1H^[48;2;1;1;1m  ^[48;2;2;2;2m  ^[0m")
        #expect(text(&cells, [1, 1, 1, 3, 3, 3]) == "^[1;3H^[48;2;3;3;3m  ^[0m")
    }
}
