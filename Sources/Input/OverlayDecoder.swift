import InputEvents

/// A change of a finger on an overlay.
public struct FingerReport: Hashable, Sendable {
    /// Time of the device's report.
    public var time: Instant
    /// The touch for the instrument, in LEDs.
    public var touch: Touch
    /// Calibrated but unfiltered position: 0…1 across the panel …
    public var x: Double
    /// … and down it.
    public var y: Double

    /// A report of `touch` at `x`, `y`.
    public init(time: Instant, touch: Touch, x: Double, y: Double) {
        self.time = time
        self.touch = touch
        self.x = x
        self.y = y
    }
}

/// The instrument's contact numbers, shared by all overlays.
public struct ContactNumbers: Sendable {
    private var isUsed = [Bool](repeating: false, count: Touch.contactsMax)

    /// All numbers are free.
    public init() {}

    fileprivate mutating func allocate() -> Int? {
        guard let free = isUsed.firstIndex(of: false) else { return nil }
        isUsed[free] = true
        return free
    }

    fileprivate mutating func release(_ number: Int) { isUsed[number] = false }
}

/// Turns the reports of a touch device into touches on the panel: packets, then calibration, then filters.
///
/// A finger that lands beyond the panel, or beyond the maximum number of fingers, is ignored until it lifts. A finger
/// that landed on the panel and moves off it is followed along the edge.
public struct OverlayDecoder {
    private var reader: PacketReader
    private let mapping: PanelMapping
    private let settings: OverlaySettings
    private var fingers = [Finger](repeating: Finger(), count: PacketReader.slotsMax)
    private var changes: [PacketReader.Change] = []
    /// Number of fingers whose landing is delayed.
    private var waiting = 0

    private struct Finger {
        /// The instrument's contact number.
        var number: Int?
        /// Time of landing, while the landing is delayed.
        var landed: Instant?
        /// `Touch.delay`.
        var delay = Instant.Span.milliseconds(0)
        /// Position of landing.
        var landing = PanelMapping.Place(x: 0, y: 0)
        /// Current position.
        var place = PanelMapping.Place(x: 0, y: 0)
        /// Position last reported to the instrument, in LEDs.
        var column = 0.0
        var row = 0.0
        var median = Median()
    }

    /// A decoder for `device` over a panel of `columns` × `rows`.
    public init(_ device: TouchDevice, columns: Int, rows: Int) {
        reader = PacketReader(axes: device.axes)
        mapping = PanelMapping(device, columns: columns, rows: rows)
        settings = device.settings
        changes.reserveCapacity(2 * PacketReader.slotsMax)
    }

    /// Time at which the earliest delayed landing is due.
    public var nextDeadline: Instant? {
        guard waiting > 0 else { return nil }
        let first = fingers.lazy.compactMap { $0.landed }.min()
        return first.map { $0 + settings.debounce }
    }

    /// Decodes one report, and appends the resulting finger reports to `reports`.
    public mutating func decode(
        _ report: InputReport, _ numbers: inout ContactNumbers, into reports: inout [FingerReport]
    ) {
        advance(to: report.time, &numbers, into: &reports)
        reader.read(report, into: &changes)
        applyChanges(at: report.time, &numbers, into: &reports)
    }

    /// Decodes the device's state at `time`, and appends the resulting finger reports to `reports`.
    public mutating func decode(
        _ snapshot: TouchSnapshot, at time: Instant, _ numbers: inout ContactNumbers,
        into reports: inout [FingerReport]
    ) {
        advance(to: time, &numbers, into: &reports)
        reader.read(snapshot, into: &changes)
        applyChanges(at: time, &numbers, into: &reports)
    }

    /// Appends the delayed landings that are due by `now`.
    public mutating func advance(
        to now: Instant, _ numbers: inout ContactNumbers, into reports: inout [FingerReport]
    ) {
        guard waiting > 0 else { return }
        for index in fingers.indices {
            guard let landed = fingers[index].landed, now - landed >= settings.debounce else { continue }
            land(index, at: landed, &numbers, into: &reports)
            if fingers[index].place != fingers[index].landing {
                move(index, at: landed + settings.debounce, into: &reports)
            }
        }
    }

    /// Cancels all fingers of a device that was disconnected at `now`.
    public mutating func cancelAll(
        at now: Instant, _ numbers: inout ContactNumbers, into reports: inout [FingerReport]
    ) {
        reader.cancelAll(into: &changes)
        applyChanges(at: now, &numbers, into: &reports)
    }

    // MARK: Fingers

    private mutating func applyChanges(
        at time: Instant, _ numbers: inout ContactNumbers, into reports: inout [FingerReport]
    ) {
        for change in changes { apply(change, at: time, &numbers, into: &reports) }
        changes.removeAll(keepingCapacity: true)
    }

    private mutating func apply(
        _ change: PacketReader.Change, at time: Instant, _ numbers: inout ContactNumbers,
        into reports: inout [FingerReport]
    ) {
        let index = change.slot
        let place = mapping.place(change.x, change.y)
        switch change.phase {
        case .down:
            guard mapping.isOnPanel(place) else { return }
            let delay = Instant.Span(microseconds: Int64(change.delay)) + settings.delay
            fingers[index] = Finger(
                delay: min(max(.milliseconds(0), delay), Touch.delayMax), landing: place, place: place)
            if settings.debounce > .milliseconds(0) {
                fingers[index].landed = time
                waiting += 1
            } else {
                land(index, at: time, &numbers, into: &reports)
            }
        case .move:
            fingers[index].place = place
            move(index, at: time, into: &reports)
        case .up, .cancel:
            fingers[index].place = place
            stopWaiting(index)
            end(index, change.phase, at: time, &numbers, into: &reports)
        }
    }

    private mutating func land(
        _ index: Int, at time: Instant, _ numbers: inout ContactNumbers, into reports: inout [FingerReport]
    ) {
        stopWaiting(index)
        fingers[index].number = numbers.allocate()
        let place = fingers[index].landing
        (fingers[index].column, fingers[index].row) = mapping.position(place)
        if settings.hasMedian { _ = fingers[index].median.filter(fingers[index].column, fingers[index].row) }
        report(.down, index, at: place, time, into: &reports)
    }

    /// Ends the delay of a landing, which is reported now or never.
    private mutating func stopWaiting(_ index: Int) {
        guard fingers[index].landed != nil else { return }
        fingers[index].landed = nil
        waiting -= 1
    }

    private mutating func move(_ index: Int, at time: Instant, into reports: inout [FingerReport]) {
        guard fingers[index].number != nil else { return }
        follow(index)
        report(.move, index, at: fingers[index].place, time, into: &reports)
    }

    private mutating func end(
        _ index: Int, _ phase: Touch.Phase, at time: Instant, _ numbers: inout ContactNumbers,
        into reports: inout [FingerReport]
    ) {
        guard let number = fingers[index].number else { return }
        follow(index)
        report(phase, index, at: fingers[index].place, time, into: &reports)
        fingers[index].number = nil
        numbers.release(number)
    }

    /// Updates the reported position of a finger, filtered.
    private mutating func follow(_ index: Int) {
        var (column, row) = mapping.position(fingers[index].place)
        if settings.hasMedian { (column, row) = fingers[index].median.filter(column, row) }
        let across = column - fingers[index].column
        let down = row - fingers[index].row
        guard across * across + down * down >= settings.jitter * settings.jitter else { return }
        fingers[index].column = mapping.hold(column, at: fingers[index].column)
        fingers[index].row = mapping.hold(row, at: fingers[index].row)
    }

    private func report(
        _ phase: Touch.Phase, _ index: Int, at place: PanelMapping.Place, _ time: Instant,
        into reports: inout [FingerReport]
    ) {
        guard let number = fingers[index].number else { return }
        let touch = Touch(
            contact: number, phase: phase, column: Float(fingers[index].column), row: Float(fingers[index].row),
            delay: phase == .down ? fingers[index].delay : .milliseconds(0))
        reports.append(
            FingerReport(time: time, touch: touch, x: min(max(place.x, 0), 1), y: min(max(place.y, 0), 1)))
    }
}

/// Median of the last three positions, separately for each axis.
private struct Median {
    private typealias Place = (column: Double, row: Double)
    private var last: (Place, Place)?

    /// The median including this position; the first position of a finger is returned unchanged.
    mutating func filter(_ column: Double, _ row: Double) -> (column: Double, row: Double) {
        let place = (column, row)
        let (first, second) = last ?? (place, place)
        last = (second, place)
        func middle(_ a: Double, _ b: Double, _ c: Double) -> Double { max(min(a, b), min(max(a, b), c)) }
        return (middle(first.column, second.column, column), middle(first.row, second.row, row))
    }
}
