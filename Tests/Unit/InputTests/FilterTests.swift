import InputEvents
import Input
import Testing

/// A finger on an overlay with 1000 units per LED and these settings.
private struct Finger {
    var fingers: Fingers
    private var now = Instant.zero

    init(_ change: (inout OverlaySettings) -> Void) {
        var settings = OverlaySettings()
        change(&settings)
        fingers = Fingers(TouchDevice(axes: TouchAxes(x: 0...43_999, y: 0...23_999), settings: settings))
    }

    /// Moves it to `column`, row 5, `milliseconds` later.
    mutating func at(_ column: Double, after milliseconds: Int64 = 10) {
        now = now + .milliseconds(milliseconds)
        let isDown = fingers.touches.last.map { $0.phase != .up } ?? false
        if !isDown { fingers.read([(InputCode.trackingID, 1), (InputCode.positionY, 5500)], at: now) }
        fingers.read([(InputCode.positionX, Int32(column * 1000 + 500)), (InputCode.report, 0)], at: now)
    }

    mutating func lift(after milliseconds: Int64 = 10) {
        now = now + .milliseconds(milliseconds)
        fingers.read([(InputCode.trackingID, -1), (InputCode.report, 0)], at: now)
    }

    mutating func wait(_ milliseconds: Int64) {
        now = now + .milliseconds(milliseconds)
        fingers.advance(to: now)
    }

    var columns: [Float] { fingers.touches.map(\.column) }
    var leds: [Int] { columns.map { Int(($0 + 0.5).rounded(.down)) } }
    var phases: [Touch.Phase] { fingers.touches.map(\.phase) }
    var milliseconds: [Int64] { fingers.reports.map { $0.time.microseconds / 1000 } }
}

@Suite("Positions and filters")
struct FilterTests {
    @Test("a finger resting on the border of two LEDs stays on one")
    func border() {
        var finger = Finger { _ in }
        for column in [10.4, 10.52, 10.48, 10.6, 10.45, 10.64] { finger.at(column) }
        #expect(finger.leds == [10, 10, 10, 10, 10, 10])
        finger.at(10.66)
        for column in [10.4, 10.52, 10.36] { finger.at(column) }
        #expect(finger.leds.suffix(4) == [11, 11, 11, 11])
        finger.at(10.34)
        #expect(finger.leds.last == 10)
        #expect(finger.columns.last == 10.34)
    }

    @Test("without hysteresis its position is unchanged")
    func noHysteresis() {
        var finger = Finger { $0.hysteresis = 0 }
        for column in [10.4, 10.52, 10.48] { finger.at(column) }
        #expect(finger.leds == [10, 11, 10])
    }

    /// The overlay is twice the panel's size, with the panel in its middle.
    private func larger(_ settings: inout OverlaySettings) { settings.matrix = [2, 0, -0.5, 0, 2, -0.25] }

    /// The position of the panel's `column` on that overlay, in LEDs of the overlay.
    private func under(_ column: Double) -> Double { (column + 22) / 2 - 0.25 }

    @Test(
        "up to half an LED beyond the edge counts as the edge; a finger that lands farther out is ignored until it lifts",
        arguments: [(0, 3), (-0.99, 3), (-1.01, 0), (43.99, 3), (44.01, 0)])
    func beyond(column: Double, count: Int) {
        var finger = Finger(larger)
        finger.at(under(column))
        finger.at(under(20))
        finger.lift()
        #expect(finger.phases.count == count)
    }

    @Test("a finger that landed on the panel is followed beyond its edge, along the edge")
    func leaving() {
        var finger = Finger(larger)
        for column in [8, -11, 6] as [Double] { finger.at(under(column)) }
        finger.lift()
        #expect(finger.phases == [.down, .move, .move, .up])
        #expect(finger.leds == [8, 0, 6, 6])
    }

    @Test(
        "debounce: shorter contacts are ignored; longer ones keep their landing time, and are reported that much later")
    func debounce() {
        var finger = Finger { $0.debounce = .milliseconds(30) }
        finger.at(5, after: 100)
        finger.lift(after: 29)
        #expect(finger.phases == [])
        finger.at(6, after: 100)
        finger.at(8, after: 10)
        finger.wait(19)
        #expect(finger.phases == [])
        finger.wait(1)
        #expect(finger.phases == [.down, .move])
        #expect(finger.milliseconds == [229, 259])
        #expect(finger.leds == [6, 8])
        finger.lift()
        #expect(finger.phases == [.down, .move, .up])
    }

    @Test("debounce: a lift after the time reports landing and lift, even without reports between")
    func debounceLate() {
        var finger = Finger { $0.debounce = .milliseconds(30) }
        finger.at(5, after: 100)
        finger.lift(after: 30)
        #expect(finger.phases == [.down, .up])
        #expect(finger.milliseconds == [100, 130])
    }

    @Test("a landing is as late as its device reports it, and no other report is")
    func delay() {
        var finger = Finger { $0.delay = .milliseconds(12) }
        for column in [5, 6] as [Double] { finger.at(column, after: 100) }
        finger.lift()
        #expect(finger.fingers.touches.map(\.delay) == [.milliseconds(12), .milliseconds(0), .milliseconds(0)])
    }

    @Test("median of three: one wrong position is ignored, and the right one is a report late")
    func median() {
        var finger = Finger {
            $0.hasMedian = true
            $0.hysteresis = 0
        }
        for column in [5, 5, 30, 5, 6, 7, 8] as [Double] { finger.at(column) }
        #expect(finger.leds == [5, 5, 5, 6, 6, 7])
        finger.lift()
        #expect(finger.leds.last == 8)
    }

    @Test("jitter: moves shorter than the threshold are not followed")
    func jitter() {
        var finger = Finger {
            $0.jitter = 0.5
            $0.hysteresis = 0
        }
        for column in [5, 5.3, 4.8, 5.4, 5.6, 5.4, 5.2, 5] { finger.at(column) }
        #expect(finger.columns == [5, 5, 5, 5, 5.6, 5.6, 5.6, 5])
    }

    @Test("without filters every report has its own time and position")
    func unfiltered() {
        var finger = Finger { _ in }
        for column in stride(from: 3, to: 9, by: 1.0) { finger.at(column) }
        finger.lift()
        #expect(finger.columns == [3, 4, 5, 6, 7, 8, 8])
        #expect(finger.milliseconds == [10, 20, 30, 40, 50, 60, 70])
    }
}
