/// A resolution and a refresh rate of a screen.
public struct ScreenMode: Hashable, Sendable, CustomStringConvertible {
    /// Width, in pixels.
    public var width: Int
    /// Height, in pixels.
    public var height: Int
    /// Pictures a second.
    public var hertz: Int
    /// Whether the screen prefers this mode.
    public var isPreferred: Bool

    /// A mode.
    public init(width: Int, height: Int, hertz: Int, isPreferred: Bool = false) {
        self.width = width
        self.height = height
        self.hertz = hertz
        self.isPreferred = isPreferred
    }

    /// Resolution and rate.
    public var description: String { "\(width) × \(height) at \(hertz) Hz" }

    /// Maximum pixels of a mode that has a smaller alternative: 1920 × 1200.
    private static let pixelsMax = 1920 * 1200
    /// The rate of the box's own pictures.
    private static let hertzBest = 60

    /// Index in `modes` of the mode to show: the preferred one. If it has more pixels than 1920 × 1200, the largest mode
    /// of its shape with no more, which the screen enlarges by itself; of several rates the nearest to 60 Hz. Nil
    /// without modes.
    public static func best(of modes: [ScreenMode]) -> Int? {
        guard let preferred = modes.firstIndex(where: { $0.isPreferred }) ?? modes.indices.first else { return nil }
        let shape = modes[preferred]
        guard shape.pixels > pixelsMax else { return preferred }
        let smaller = modes.indices.filter { index in
            modes[index].pixels <= pixelsMax && modes[index].width * shape.height == modes[index].height * shape.width
        }
        return smaller.max { one, other in
            (modes[one].pixels, -modes[one].distance) < (modes[other].pixels, -modes[other].distance)
        } ?? preferred
    }

    private var pixels: Int { width * height }
    private var distance: Int { abs(hertz - Self.hertzBest) }
}
