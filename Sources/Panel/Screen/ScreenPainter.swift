/// Draws the LEDs of a panel on the buffers of a screen. Each buffer keeps what was drawn on it, so only the LEDs that
/// changed since then are drawn. Nothing is read from a buffer: a graphics memory is slow to read.
public struct ScreenPainter: Sendable {
    /// The place of the LEDs.
    public let layout: ScreenLayout
    private let cell: ScreenCell
    /// The picture on each buffer, three bytes per LED; empty before the first.
    private var drawn: [[UInt8]]
    /// A row of pixels of an LED.
    private var line: [UInt32]

    /// A painter for `buffers` buffers whose content is unknown.
    public init(_ layout: ScreenLayout, buffers: Int = 2) {
        self.layout = layout
        cell = ScreenCell(pitch: layout.pitch)
        drawn = Array(repeating: [], count: buffers)
        line = Array(repeating: 0, count: layout.pitch)
    }

    /// Draws `picture`, three sRGB bytes per LED, row by row, on `pixels`, which are buffer number `buffer`: XRGB8888,
    /// `stride` pixels from one line to the next. Returns the number of LEDs drawn. Draws nothing if a size is wrong.
    public mutating func draw(
        _ picture: [UInt8], on pixels: UnsafeMutableBufferPointer<UInt32>, stride: Int, buffer: Int
    ) -> Int {
        guard let first = pixels.baseAddress, stride >= layout.width, pixels.count >= stride * layout.height,
            picture.count == 3 * layout.columns * layout.rows, drawn.indices.contains(buffer)
        else { return 0 }
        let isBlank = drawn[buffer].isEmpty
        if isBlank {
            fill(first, stride)
            drawn[buffer] = Array(repeating: 0, count: picture.count)
        }
        var count = 0
        for row in 0..<layout.rows {
            for column in 0..<layout.columns {
                let at = 3 * (row * layout.columns + column)
                let (red, green, blue) = (picture[at], picture[at + 1], picture[at + 2])
                if red == drawn[buffer][at], green == drawn[buffer][at + 1], blue == drawn[buffer][at + 2] { continue }
                drawn[buffer][at] = red
                drawn[buffer][at + 1] = green
                drawn[buffer][at + 2] = blue
                let (x, y) = layout.corner(column: column, row: row)
                light(first + (y * stride + x), stride, red, green, blue)
                count += 1
            }
        }
        return isBlank ? layout.columns * layout.rows : count
    }

    /// Draws the margin, and dark LEDs.
    private func fill(_ pixels: UnsafeMutablePointer<UInt32>, _ stride: Int) {
        let (right, bottom) = (layout.left + layout.across * layout.pitch, layout.top + layout.down * layout.pitch)
        for y in 0..<layout.height {
            for x in 0..<layout.width {
                let isInside = x >= layout.left && x < right && y >= layout.top && y < bottom
                let (column, row) = ((x - layout.left) % layout.pitch, (y - layout.top) % layout.pitch)
                pixels[y * stride + x] = isInside ? cell.rest[row * layout.pitch + column] : 0
            }
        }
    }

    /// Draws the LED whose top left pixel is at `corner`. The cell is symmetric: each row is computed for two, apart
    /// from the buffer, as several pixels at once.
    private mutating func light(
        _ corner: UnsafeMutablePointer<UInt32>, _ stride: Int, _ red: UInt8, _ green: UInt8, _ blue: UInt8
    ) {
        let pitch = cell.pitch
        // Two channels in one multiplication: 8 bits × 256 fit between them.
        let (redBlue, green) = (UInt32(red) << 16 | UInt32(blue), UInt32(green) << 8)
        line.withUnsafeMutableBufferPointer { line in
            cell.rest.withUnsafeBufferPointer { rest in
                cell.lens.withUnsafeBufferPointer { lens in
                    guard let line = line.baseAddress, let rest = rest.baseAddress, let lens = lens.baseAddress else {
                        return
                    }
                    for row in 0..<(pitch + 1) / 2 {
                        let (start, count) = (cell.spans[row].lowerBound, cell.spans[row].count)
                        // Offset here, as sums of indices, which may overflow, keep the loop from working in parallel.
                        let (rest, lens) = (rest + (row * pitch + start), lens + (row * pitch + start))
                        for pixel in 0..<count {
                            let part = lens[pixel]
                            let light = (redBlue &* part) >> 8 & 0xff_00ff | (green &* part) >> 8 & 0xff00
                            line[pixel] = rest[pixel] &+ light
                        }
                        (corner + (row * stride + start)).update(from: line, count: count)
                        (corner + ((pitch - 1 - row) * stride + start)).update(from: line, count: count)
                    }
                }
            }
        }
    }
}
