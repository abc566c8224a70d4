import InputEvents
import Display
import Documents
import Instrument
import Replay
import Testing

/// Calibrating the overlay on the panel, from the menu on, by touch only.
@Suite("Calibration on the panel")
struct CalibrationTests {
    /// A touch script of taps.
    private struct Taps {
        var lines: [TouchScript.Line] = []
        var time = Instant.zero

        mutating func tap(_ column: Double, _ row: Double) {
            for phase in [Touch.Phase.down, .up] {
                lines.append(TouchScript.Line(at: time, act: .touch(contact: 0, phase, column: column, row: row)))
                time = time + .milliseconds(100)
            }
            time = time + .milliseconds(600)
        }

        /// From the grid to the targets.
        mutating func begin() {
            tap(1, 1)
            tap(2, 19)
            tap(35, 9)
        }
    }

    private static let targets: [(Double, Double)] = [(3, 3), (40, 3), (40, 20), (3, 20)]

    private func run(_ taps: Taps, pause: Int64 = 0) throws -> Replay.Outcome {
        var plan = Replay.Plan(TouchScript(taps.lines))
        plan.until = taps.time + .milliseconds(pause)
        return try Replay.run(plan)
    }

    @Test("four taps that are all off by one LED correct the overlay; the next finger is at its real position")
    func shifts() throws {
        var taps = Taps()
        taps.begin()
        for (column, row) in Self.targets { taps.tap(column + 1, row - 0.5) }
        // Back to the grid, and a note on step 8.
        taps.tap(2, 1.5)
        taps.tap(14, 6.5)
        let outcome = try run(taps)
        #expect(outcome.state.view.screen == .grid)
        let notes = (0..<Pattern.steps).filter { outcome.document.pattern[.melody, note: 0, step: $0] != .empty }
        #expect(notes == [8])
    }

    @Test("targets light in turn, and nothing plays meanwhile")
    func targets() throws {
        for count in 0..<4 {
            var taps = Taps()
            taps.begin()
            for (column, row) in Self.targets.prefix(count) { taps.tap(column, row) }
            let frame = try run(taps).frame
            for (index, (column, row)) in Self.targets.enumerated() {
                let led = frame[Int(column), Int(row)]
                #expect(led == (index == count ? .white : index < count ? RGB(0x44ff44) : .black))
            }
        }
    }

    @Test("inconsistent taps, and missing taps, change nothing and are reported")
    func refused() throws {
        var taps = Taps()
        taps.begin()
        for (column, row) in [(3.0, 3.0), (10, 3), (40, 20), (3, 20)] { taps.tap(column, row) }
        var outcome = try run(taps)
        #expect(outcome.state.view.tooltip?.line.text == "TOUCH NOT SET" && outcome.state.view.screen == .settings)
        var idle = Taps()
        idle.begin()
        idle.tap(3, 3)
        outcome = try run(idle, pause: 31_000)
        #expect(outcome.state.view.screen == .settings && outcome.document.pattern.isEmpty)
        // The positions of fingers are unchanged.
        idle.time = idle.time + .milliseconds(31_000)
        idle.tap(1, 2)
        idle.tap(13, 7)
        outcome = try run(idle)
        #expect(outcome.document.pattern[.melody, note: 0, step: 8] != .empty)
    }
}
