import InputEvents

/// A connected touch device.
public struct TouchDevice: Hashable, Sendable {
    /// Ranges of its axes.
    public var axes: TouchAxes
    /// Its calibration and filters.
    public var settings: OverlaySettings
    /// Number of times it was connected; each connection begins without fingers.
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

    /// The position of `value` on an axis with this range, 0…1, at the lower edge of its unit.
    func part(_ value: Int32) -> Double { (Double(value) - Double(lowerBound)) / units }
}

/// Calibration and filters of an overlay.
public struct OverlaySettings: Hashable, Sendable {
    /// Matrix from overlay to panel, both 0…1 from the top left: 2 × 3, row by row, as libinput's calibration matrix.
    public var matrix = Self.identity
    /// Hysteresis: distance beyond its LED's border before a finger changes LED, in LEDs; 0-0.5. It keeps a finger that
    /// rests on a border on one of the two LEDs.
    public var hysteresis = 0.15
    /// Minimum duration of a contact; shorter ones are ignored. Delays every landing by this time; 0 for none.
    public var debounce = Instant.Span.milliseconds(0)
    /// Whether positions are the median of the last three. Adds one report of latency.
    public var hasMedian = false
    /// Time from a landing to the device's report of it, which is part of `Touch.delay`.
    public var delay = Instant.Span.milliseconds(0)
    /// Minimum length of a move, in LEDs; shorter ones are ignored. Adds no latency.
    public var jitter = 0.0

    /// The matrix of an overlay that covers the panel exactly.
    public static let identity: [Double] = [1, 0, 0, 0, 1, 0]

    /// An overlay that covers the panel exactly, unfiltered.
    public init() {}
}
