import Box
import InputEvents
import Display
import Documents
import Instrument
import Panel

/// Cost of a frame of the panel.
struct LightBench {
    /// Nanoseconds of CPU time to draw one frame of the playing pattern: the median of ten runs.
    let draw: Int
    /// The same to map it, limit its power and encode it.
    let drive: Int
    /// The same for the flash guard alone, over frames of the playing pattern at 60 frames a second.
    let flashes: Int
    /// The same for frames in which every LED flashes.
    let flashesWorst: Int

    /// Draws and drives `frames` frames of `pattern`.
    init(_ configuration: PanelConfiguration, frames: Int, of pattern: BenchPattern = .typical) throws {
        var driver: PanelDriver
        do throws(PanelError) {
            driver = try PanelDriver(configuration)
        } catch {
            throw CommandError(.badConfiguration, "panel.\(error.place): \(error.problem)")
        }
        var instrument = Instrument(columns: configuration.columns)
        instrument.load(pattern.document)
        _ = instrument.update(.key(.playStop), at: .zero)
        var frame = Frame(columns: instrument.columns, rows: Instrument.rows)
        var draws: [Int] = []
        var drives: [Int] = []
        let runs = 10
        for run in 0..<runs {
            var now = Instant(milliseconds: Int64(10_000 * (run + 1)))
            _ = instrument.update(.step(run * 3, number: run * 3), at: now)
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
        let guarded = Self.guarded(configuration, frames: frames)
        flashes = guarded.playing
        flashesWorst = guarded.flashing
        draw = draws.sorted()[runs / 2]
        drive = drives.sorted()[runs / 2]
    }

    /// Nanoseconds of the flash guard for a frame of the playing typical pattern, and for one of black and white in
    /// turn.
    private static func guarded(_ configuration: PanelConfiguration, frames: Int) -> (playing: Int, flashing: Int) {
        var instrument = Instrument(columns: configuration.columns)
        instrument.load(BenchPattern.typical.document)
        _ = instrument.update(.key(.playStop), at: .zero)
        let dark = Frame(columns: instrument.columns, rows: Instrument.rows)
        var white = dark
        white.fill(.white)
        // A pattern's length: 32 steps of 125 ms.
        let playing = (0..<240).map { place in
            let now = Instant(microseconds: 2_000_000 + Int64(place) * Instrument.frameInterval.microseconds)
            let step = place * 2 / 15
            if (place - 1) * 2 / 15 != step { _ = instrument.update(.step(step, number: step), at: now) }
            var frame = dark
            instrument.draw(into: &frame, at: now)
            return frame
        }
        func median(_ pictures: [Frame]) -> Int {
            var flashGuard = FlashGuard(columns: dark.columns, rows: dark.rows)
            var now: Int64 = 0
            let runs = (0..<10).map { _ in
                let start = threadTime()
                for place in 0..<max(1, frames / 10) {
                    now += Instrument.frameInterval.microseconds
                    flashGuard.limit(pictures[place % pictures.count].pixels, at: now)
                }
                return (threadTime() - start) / max(1, frames / 10)
            }
            return runs.sorted()[5]
        }
        return (median(playing), median([dark, white]))
    }
}
