import CPNG
import Display

/// Pictures of the panel as PNG files, written by libpng.
public enum Picture {
    /// `frame` as a PNG with one pixel per LED.
    public static func png(_ frame: Frame) -> [UInt8] {
        png(columns: frame.columns, rows: frame.rows, rgb: frame.bytes)
    }

    /// `frames` of equal size in the look of the panel, in a grid with `across` columns.
    public static func portraits(_ frames: [Frame], across: Int, pitch: Int) -> [UInt8] {
        guard let first = frames.first else { return [] }
        // Frames are one LED apart.
        let (columns, rows) = (first.columns + 1, first.rows + 1)
        var sheet = Frame(columns: columns * across - 1, rows: rows * ((frames.count + across - 1) / across) - 1)
        sheet.fill(RGB(0x1c1c1c))
        for (index, frame) in frames.enumerated() {
            let (left, top) = (index % across * columns, index / across * rows)
            for row in 0..<frame.rows {
                for column in 0..<frame.columns { sheet[left + column, top + row] = frame[column, row] }
            }
        }
        return portrait(sheet, pitch: pitch)
    }

    /// `frame` in the look of the panel: each LED is a round light with a glow in a square of `pitch` pixels, behind a
    /// dark diffuser.
    public static func portrait(_ frame: Frame, pitch: Int = 20) -> [UInt8] {
        let radius = Float(pitch) * 0.40
        let reach = Float(pitch) * 0.5
        // Brightness of the pixels in an LED's square: full within the lens and brightest at its centre, one pixel of
        // soft edge, and a weak glow around it.
        let lens: [Float] = (0..<pitch * pitch).map { index in
            let x = Float(index % pitch) + 0.5 - reach
            let y = Float(index / pitch) + 0.5 - reach
            let distance = (x * x + y * y).squareRoot()
            let inside = min(max(radius + 0.5 - distance, 0), 1) * (1 - 0.25 * distance / radius)
            let glow = 0.14 * max(0, 1 - distance / (reach * 1.3))
            return max(inside, glow)
        }
        var rgb = [UInt8]()
        rgb.reserveCapacity(frame.columns * frame.rows * pitch * pitch * 3)
        for y in 0..<frame.rows * pitch {
            for x in 0..<frame.columns * pitch {
                let light = lens[y % pitch * pitch + x % pitch]
                let colour = RGB(0x060606).blended(towards: frame[x / pitch, y / pitch], light)
                rgb += [colour.red, colour.green, colour.blue]
            }
        }
        return png(columns: frame.columns * pitch, rows: frame.rows * pitch, rgb: rgb)
    }

    private static func png(columns: Int, rows: Int, rgb: [UInt8]) -> [UInt8] {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        image.width = UInt32(columns)
        image.height = UInt32(rows)
        image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
        // libpng's maximum size: the data, one filter byte per row, and deflate's worst-case overhead.
        var size = rgb.count + rows + rgb.count / 1000 + 1024
        var bytes = [UInt8](repeating: 0, count: size)
        let status = png_image_write_to_memory(&image, &bytes, &size, 0, rgb, 0, nil)
        precondition(status != 0, "libpng refused an image of the panel")
        return Array(bytes.prefix(size))
    }
}
