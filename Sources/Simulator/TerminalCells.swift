/// The layout of LEDs in a terminal's cells. A cell is about twice as high as wide, so half a cell is square, and so are two
/// side by side.
struct TerminalLayout: Hashable {
    /// The cells of one LED.
    enum Shape: Hashable {
        /// The upper or lower half of a cell.
        case half
        /// Two cells.
        case pair
    }

    let shape: Shape
    /// Columns and rows of LEDs.
    let columns: Int
    let rows: Int

    /// The largest layout of `columns` × `rows` LEDs, with a status line below, that fits a terminal of `size`.
    init?(columns: Int, rows: Int, in size: TerminalSize) {
        self.columns = columns
        self.rows = rows
        let sizeMin = Self.sizeMin(columns: columns, rows: rows)
        if size.columns >= columns * 2, size.rows > rows {
            shape = .pair
        } else if size.columns >= sizeMin.columns, size.rows >= sizeMin.rows {
            shape = .half
        } else {
            return nil
        }
    }

    /// The smallest terminal for `columns` × `rows` LEDs: one cell for two, and a status line.
    static func sizeMin(columns: Int, rows: Int) -> TerminalSize {
        TerminalSize(columns: columns, rows: (rows + 1) / 2 + 1)
    }

    /// Cells across and down.
    var cellColumns: Int { shape == .pair ? columns * 2 : columns }
    var cellRows: Int { shape == .pair ? rows : (rows + 1) / 2 }

    /// Whether a cell is part of the panel.
    func contains(cellColumn: Int, cellRow: Int) -> Bool {
        (0..<cellColumns).contains(cellColumn) && (0..<cellRows).contains(cellRow)
    }

    /// The LED at a cell, or the nearest one. In a cell with two, `isLower` selects.
    func led(cellColumn: Int, cellRow: Int, isLower: Bool) -> (x: Double, y: Double) {
        let column = min(max(cellColumn, 0), cellColumns - 1)
        let row = min(max(cellRow, 0), cellRows - 1)
        return switch shape {
        case .pair: (Double(column / 2), Double(row))
        case .half: (Double(column), Double(min(row * 2 + (isLower ? 1 : 0), rows - 1)))
        }
    }
}

/// Encodes frames as text with 24-bit colours, and only the cells that changed.
struct TerminalCells {
    /// The upper and the lower half of a cell, 0xRRGGBB.
    private struct Cell: Equatable {
        var upper: UInt32
        var lower: UInt32
    }

    private let layout: TerminalLayout
    private var shown: [Cell?]

    init(_ layout: TerminalLayout) {
        self.layout = layout
        shown = Array(repeating: nil, count: layout.cellRows * layout.columns)
    }

    /// Appends the text that shows `pixels` (R, G, B of each LED, row by row); nothing if nothing changed.
    mutating func encode(_ pixels: [UInt8], into text: inout [UInt8]) {
        precondition(pixels.count == layout.columns * layout.rows * 3)
        var pen: (foreground: UInt32?, background: UInt32?) = (nil, nil)
        for row in 0..<layout.cellRows {
            var isPlaced = false
            for column in 0..<layout.columns {
                let cell = cell(pixels, column: column, row: row)
                let index = row * layout.columns + column
                guard shown[index] != cell else {
                    isPlaced = false
                    continue
                }
                shown[index] = cell
                let width = layout.shape == .pair ? 2 : 1
                if !isPlaced { text += "\u{1b}[\(row + 1);\(column * width + 1)H".utf8 }
                isPlaced = true
                if pen.background != cell.lower {
                    pen.background = cell.lower
                    Self.append(colour: cell.lower, as: "48", to: &text)
                }
                if cell.upper == cell.lower {
                    for _ in 0..<width { text.append(UInt8(ascii: " ")) }
                } else {
                    if pen.foreground != cell.upper {
                        pen.foreground = cell.upper
                        Self.append(colour: cell.upper, as: "38", to: &text)
                    }
                    text += "▀".utf8
                }
            }
        }
        if pen.background != nil { text += "\u{1b}[0m".utf8 }
    }

    private func cell(_ pixels: [UInt8], column: Int, row: Int) -> Cell {
        switch layout.shape {
        case .pair:
            let colour = colour(pixels, column: column, row: row)
            return Cell(upper: colour, lower: colour)
        case .half:
            return Cell(
                upper: colour(pixels, column: column, row: row * 2),
                lower: colour(pixels, column: column, row: row * 2 + 1))
        }
    }

    /// Below the last row of an odd number of rows it is black.
    private func colour(_ pixels: [UInt8], column: Int, row: Int) -> UInt32 {
        guard row < layout.rows else { return 0 }
        let start = (row * layout.columns + column) * 3
        return UInt32(pixels[start]) << 16 | UInt32(pixels[start + 1]) << 8 | UInt32(pixels[start + 2])
    }

    private static func append(colour: UInt32, as ground: String, to text: inout [UInt8]) {
        text += "\u{1b}[\(ground);2;\(colour >> 16);\(colour >> 8 & 0xff);\(colour & 0xff)m".utf8
    }
}
