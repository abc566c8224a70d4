import Display
import Formats
import TestSupport

/// A picture of a part of the panel with the paths of fingers over it: a ring where one landed, filled if it was held
/// there, a wider ring where one landed again, and an arrow along its path.
struct FingerPicture {
    /// The part of the panel.
    struct Part {
        let columns: Range<Int>
        let rows: Range<Int>
        /// Pixels of an LED's square.
        let pitch: Int
    }

    /// The pixels.
    private(set) var pixels: Frame
    private let part: Part

    /// Shows `part` of `frame`, and `ways` over it.
    init(_ frame: Frame, _ part: Part, _ ways: [FingerWay]) {
        var cut = Frame(columns: part.columns.count, rows: part.rows.count)
        for row in part.rows {
            for column in part.columns {
                cut[column - part.columns.lowerBound, row - part.rows.lowerBound] = frame[column, row]
            }
        }
        self.part = part
        let rgb = PNGImage(Picture.portrait(cut, pitch: part.pitch))?.rgb ?? []
        pixels = Frame(columns: cut.columns * part.pitch, rows: cut.rows * part.pitch)
        for y in 0..<pixels.rows {
            for x in 0..<pixels.columns {
                let place = 3 * (y * pixels.columns + x)
                pixels[x, y] = RGB(red: rgb[place], green: rgb[place + 1], blue: rgb[place + 2])
            }
        }
        for (index, way) in ways.enumerated() {
            let (column, row) = way.places[0]
            let before = ways[..<index].count { abs($0.places[0].column - column) + abs($0.places[0].row - row) < 1 }
            draw(way, landings: before)
        }
    }

    /// Joins pictures side by side.
    static func row(_ pictures: [FingerPicture]) -> Frame {
        let gap = 6
        let width = pictures.map(\.pixels.columns).reduce(-gap) { $0 + gap + $1 }
        var whole = Frame(columns: width, rows: pictures.map(\.pixels.rows).max() ?? 0)
        whole.fill(RGB(0x808080))
        var left = 0
        for picture in pictures {
            for y in 0..<picture.pixels.rows {
                for x in 0..<picture.pixels.columns { whole[left + x, y] = picture.pixels[x, y] }
            }
            left += picture.pixels.columns + gap
        }
        return whole
    }

    private mutating func draw(_ way: FingerWay, landings: Int) {
        let pitch = Float(part.pitch)
        let points: [Point] = way.places.map {
            (
                (Float($0.column) - Float(part.columns.lowerBound) + 0.5) * pitch,
                (Float($0.row) - Float(part.rows.lowerBound) + 0.5) * pitch
            )
        }
        let first = points[0]
        let radius = pitch * (0.72 + 0.38 * Float(landings))
        ink(around: first, radius + 2, alpha: 0.9) { 1.2 - abs(distance($0, first) - radius) }
        if way.isHeld { ink(around: first, radius, alpha: 0.35) { radius - distance($0, first) } }
        guard let last = points.last, let start = points.first(where: { distance($0, first) > radius }) else { return }
        var lines: [(Point, Point)] = []
        var previous = start
        for point in points.drop(while: { distance($0, first) <= radius }) where distance(point, previous) > 2 {
            lines.append((previous, point))
            previous = point
        }
        lines.append((previous, last))
        // The arrowhead points in the finger's last direction.
        guard let before = points.last(where: { distance($0, last) > pitch * 0.8 }) else { return }
        let length = distance(before, last)
        let back: Point = ((before.x - last.x) / length * pitch * 0.6, (before.y - last.y) / length * pitch * 0.6)
        for side: Float in [-0.7, 0.7] {
            lines.append((last, (last.x + back.x - back.y * side, last.y + back.y + back.x * side)))
        }
        // Draw all lines at once, so that no pixel is drawn twice.
        let reach = lines.map { max(distance($0.0, first), distance($0.1, first)) }.max() ?? 0
        ink(around: first, reach + 2, alpha: 0.75) { point in
            1.2 - (lines.map { distance(point, from: $0.0, to: $0.1) }.min() ?? 2)
        }
    }

    /// Paints white on the pixels around `centre` by `cover`, which is 1 or more inside and 0 or less outside.
    private mutating func ink(around centre: Point, _ reach: Float, alpha: Float, _ cover: (Point) -> Float) {
        for y in max(0, Int(centre.y - reach))..<min(pixels.rows, Int(centre.y + reach) + 1) {
            for x in max(0, Int(centre.x - reach))..<min(pixels.columns, Int(centre.x + reach) + 1) {
                let part = min(max(cover((Float(x) + 0.5, Float(y) + 0.5)), 0), 1)
                if part > 0 { pixels.blend(x, y, towards: .white, part * alpha) }
            }
        }
    }
}

/// A position in a picture, in pixels.
private typealias Point = (x: Float, y: Float)

private func distance(_ one: Point, _ other: Point) -> Float {
    ((one.x - other.x) * (one.x - other.x) + (one.y - other.y) * (one.y - other.y)).squareRoot()
}

/// The distance from `point` to the line from `start` to `end`.
private func distance(_ point: Point, from start: Point, to end: Point) -> Float {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let square = dx * dx + dy * dy
    let part = square == 0 ? 0 : ((point.x - start.x) * dx + (point.y - start.y) * dy) / square
    let near = min(max(part, 0), 1)
    return distance(point, (start.x + near * dx, start.y + near * dy))
}
