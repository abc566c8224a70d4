import Box
import InputEvents
import Display
import Formats
import Instrument
import Panel

/// Cost of a frame of the panel.
struct LightBench {
    /// Nanoseconds of CPU time to draw one frame of the playing typical pattern: the median of ten runs.
    let draw: Int
    /// The same to map it, limit its power and encode it.
    let drive: Int

    /// Draws and drives `frames` frames.
    init(_ configuration: PanelConfiguration, frames: Int) throws {
        var driver: PanelDriver
        do throws(PanelError) {
            driver = try PanelDriver(configuration)
        } catch {
            throw CommandError(.badConfiguration, "panel.\(error.place): \(error.problem)")
        }
        var instrument = Instrument(columns: configuration.columns)
        instrument.load(BenchPattern.typical.document)
        _ = instrument.update(.key(.playStop), at: .zero)
        var frame = Frame(columns: instrument.columns, rows: Instrument.rows)
        var draws: [Int] = []
        var drives: [Int] = []
        let runs = 10
        for run in 0..<runs {
            var now = Instant(milliseconds: Int64(10_000 * (run + 1)))
            _ = instrument.update(.step(run * 3), at: now)
            let start = threadTime()
            for _ in 0..<frames / runs {
                now = now + Instant.Span(microseconds: 10)
                instrument.draw(into: &frame, at: now)
            }
            let middle = threadTime()
            for _ in 0..<frames / runs { driver.drive(frame) }
            draws.append((middle - start) / (frames / runs))
            drives.append((threadTime() - middle) / (frames / runs))
        }
        draw = draws.sorted()[runs / 2]
        drive = drives.sorted()[runs / 2]
    }
}
