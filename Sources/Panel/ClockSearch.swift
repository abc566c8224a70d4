/// The search for the highest SPI clock that a panel's chains take: each clock is a tenth above the last clock that was
/// right.
public struct ClockSearch: Hashable, Sendable {
    /// The present clock in Hz.
    public private(set) var hertz: Int
    /// The highest right clock in Hz; nil before one was right.
    public private(set) var right: Int?
    /// Whether the search has ended: a clock was wrong, or the highest one was right.
    public private(set) var isOver = false

    private let range: ClosedRange<Int>

    /// A search for `configuration` on `chain`, or on all chains together. It begins at half of the configured clock.
    public init(_ configuration: PanelConfiguration, chain: Int? = nil) {
        let range = configuration.chip.wire.hertz
        let configured = configuration.chains.enumerated()
            .filter { chain == nil || $0.offset == chain }.map { $0.element.hertz }
        self.range = range
        hertz = max(range.lowerBound, (configured.min() ?? range.lowerBound) / 2)
    }

    /// Whether the highest clock of the chip was right.
    public var isFull: Bool { right == range.upperBound }

    /// Applies the judgement of the present clock.
    public mutating func judge(isRight: Bool) {
        guard !isOver else { return }
        guard isRight else {
            isOver = true
            return
        }
        right = hertz
        isOver = hertz == range.upperBound
        hertz = min(range.upperBound, hertz + hertz / 10)
    }

    /// The clock to configure if `right` is the highest right one: a fifth less, in whole tenths of a megahertz if
    /// there are any.
    ///
    /// LEDs are slower when they are hot and when the supply's voltage sags in bright pictures, and the eye misses rare
    /// errors.
    public static func recommended(for right: Int) -> Int {
        let reduced = right / 5 * 4
        return reduced >= 100_000 ? reduced / 100_000 * 100_000 : reduced
    }
}
