import Instrument

/// A touch device that is there.
public struct TouchDevice: Hashable, Sendable {
    /// The ranges of its axes.
    public var axes: TouchAxes
    /// How it lies on the panel, and how its reports are read.
    public var settings: OverlaySettings
    /// Counts the times that it was plugged in: what was known of its fingers ends with each.
    public var attachment: Int

    /// A device with these axes.
    public init(axes: TouchAxes, settings: OverlaySettings = OverlaySettings(), attachment: Int = 0) {
        self.axes = axes
        self.settings = settings
        self.attachment = attachment
    }
}

/// The ranges of a touch device's axes, inclusive at both ends.
public struct TouchAxes: Hashable, Sendable {
    /// Range of `ABS_MT_POSITION_X`, or of `ABS_X` where there is none.
    public var x: ClosedRange<Int32>
    /// Range of `ABS_MT_POSITION_Y`, or of `ABS_Y` where there is none.
    public var y: ClosedRange<Int32>

    /// Axes with these ranges.
    public init(x: ClosedRange<Int32>, y: ClosedRange<Int32>) {
        self.x = x
        self.y = y
    }
}

extension ClosedRange<Int32> {
    /// The units of an axis with this range, both ends included.
    var units: Double { Double(upperBound) - Double(lowerBound) + 1 }

    /// Where `value` is on an axis with this range, 0…1; its unit's lower edge.
    func part(_ value: Int32) -> Double { (Double(value) - Double(lowerBound)) / units }
}

/// How an overlay lies on the panel, and how its reports are filtered.
public struct OverlaySettings: Hashable, Sendable {
    /// From places on the overlay to places on the panel, both 0…1 from the top left: 2 × 3, row by row, as libinput's
    /// calibration matrix.
    public var matrix = Self.identity
    /// How far beyond its LED's border a finger goes before it counts as on the next, in LEDs; 0-0.5. So a finger that rests
    /// on a border stays on one of the two.
    public var hysteresis = 0.15
    /// Contacts that are shorter than this never were. Adds as much latency to every landing; 0 for none.
    public var debounce = Instant.Span.milliseconds(0)
    /// Each place is the median of the last three. Adds one report of latency.
    public var hasMedian = false
    /// Moves shorter than this are not followed, in LEDs. Adds no latency.
    public var jitter = 0.0

    /// The matrix of an overlay that lies on the panel exactly.
    public static let identity: [Double] = [1, 0, 0, 0, 1, 0]

    /// An overlay that lies on the panel exactly, unfiltered.
    public init() {}
}
