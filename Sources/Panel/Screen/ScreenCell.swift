/// The look of one LED on a screen: a black cell with a round diffuser, through which its light shines, brighter in the
/// middle. It is that of the page (Sources/Pages/Page/lights.js) without its glow on the neighbours and its reflection
/// from above: a cell with both would change with its neighbours, and could not be mirrored.
///
/// Pixels are XRGB8888: blue in the lowest byte (drm_fourcc.h, `DRM_FORMAT_XRGB8888`).
struct ScreenCell {
    /// Width and height, in pixels.
    let pitch: Int
    /// The cell without its light, row by row.
    let rest: [UInt32]
    /// The light's part of a pixel, 0-256, row by row.
    let lens: [UInt32]
    /// The pixels of each row that the light reaches: columns of the cell, symmetric about its middle.
    let spans: [Range<Int>]

    /// A value at a distance from the middle.
    private typealias Point = (distance: Double, value: Double)

    /// Greys of the unlit cell at distances from the middle, in halves of the pitch.
    private static let diffuser: [Point] = [
        (0, 0x10), (0.774, 0x0a), (0.837, 0x13), (0.9, 0x05),
    ]
    /// Transmission of the light at distances from the middle, in halves of the pitch.
    private static let transmission: [Point] = [
        (0, 1), (0.396, 0.98), (0.686, 0.82), (0.81, 0.5), (0.88, 0),
    ]

    /// A cell of `pitch` × `pitch` pixels.
    init(pitch: Int) {
        self.pitch = pitch
        var (rest, lens, spans) = ([UInt32](), [UInt32](), [Range<Int>]())
        let half = Double(pitch) / 2
        for row in 0..<pitch {
            var lit: [Int] = []
            for column in 0..<pitch {
                let (x, y) = (Double(column) + 0.5 - half, Double(row) + 0.5 - half)
                let distance = (x * x + y * y).squareRoot() / half
                let grey = UInt32(Self.value(at: distance, on: Self.diffuser))
                let part = UInt32(256 * Self.value(at: distance, on: Self.transmission))
                // The light covers what the plastic reflects.
                rest.append(grey * (256 - part) / 256 * 0x01_0101)
                lens.append(part)
                if part > 0 { lit.append(column) }
            }
            spans.append(lit.first.map { $0..<pitch - $0 } ?? 0..<0)
        }
        (self.rest, self.lens, self.spans) = (rest, lens, spans)
    }

    /// The value at `distance` on straight lines between `points`; beyond the last point its value.
    private static func value(at distance: Double, on points: [Point]) -> Double {
        guard let next = points.firstIndex(where: { $0.distance >= distance }) else { return points.last?.value ?? 0 }
        guard next > 0 else { return points[0].value }
        let (from, to) = (points[next - 1], points[next])
        return from.value + (to.value - from.value) * (distance - from.distance) / (to.distance - from.distance)
    }
}
