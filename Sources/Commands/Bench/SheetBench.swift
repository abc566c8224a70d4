import InputEvents
import Display
import Instrument

/// Cost of a frame of a sheet.
struct SheetBench {
    /// Nanoseconds of CPU time to draw a frame of the slowest sheet: for each sheet the median of ten runs.
    let worst: Int

    /// The taps that open each sheet, in LEDs from the sequencer's left; the menu is beside it.
    private static let ways: [[(column: Float, row: Float)]] = [
        [sound], [sound, (1, 9)], [sound, (12, 2)], [(-4, 11)], [(-4, 15)], [settings], [settings, (41, 15)],
        [settings, (41, 21)], [settings, (12, 15)],
    ]
    private static let sound: (column: Float, row: Float) = (-4, 7)
    private static let settings: (column: Float, row: Float) = (-4, 19)

    /// Draws about `frames` frames.
    init(frames: Int) {
        let columns = 50
        var frame = Frame(columns: columns, rows: Instrument.rows)
        let runs = 10
        let framesPerRun = max(1, frames / runs / Self.ways.count)
        worst =
            Self.ways.map { way in
                var instrument = Instrument(columns: columns)
                instrument.load(BenchPattern.typical.document)
                _ = instrument.update(.key(.playStop), at: .zero)
                for place in way {
                    for phase in [Touch.Phase.down, .up] {
                        let touch = Touch(contact: 0, phase: phase, column: place.column + 6, row: place.row)
                        _ = instrument.update(.touch(touch), at: .zero)
                    }
                }
                precondition(instrument.state.view.screen != .grid)
                var now = Instant.zero
                let times = (0..<runs).map { run in
                    _ = instrument.update(.step(run * 3, number: run * 3), at: now)
                    let start = threadTime()
                    for _ in 0..<framesPerRun {
                        now = now + Instrument.frameInterval
                        instrument.draw(into: &frame, at: now)
                    }
                    return (threadTime() - start) / framesPerRun
                }
                return times.sorted()[runs / 2]
            }.max() ?? 0
    }
}
