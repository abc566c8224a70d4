import Display
import Formats
import Foundation
import Instrument
import Panel
import Runtime
import Simulator

extension Main {
    static let bench = Command(
        "bench", usage: "[--json] [--frames N]",
        help: """
            Measures, in CPU time of one core, what a frame costs (draw; map, power and encode) and how many seconds of sound
            the engine renders in a second, on a typical and on a dense pattern.

                --json       print one JSON object instead of a table
                --frames N   frames to draw and drive, 100-1000000; else 20000
            """,
        options: ["--frames", "--config"], flags: ["--json"]
    ) { arguments in
        let configuration = try Configuration.load(arguments)
        let frames = try arguments.integer("--frames", in: 100...1_000_000) ?? 20_000
        let light = try Bench.light(configuration.panel, frames: frames)
        let typical = Bench.sound(Bench.typical)
        let dense = Bench.sound(Bench.dense)
        if arguments.has("--json") {
            let figures: [String: JSON] = [
                "drawNanoseconds": .integer(light.draw), "driveNanoseconds": .integer(light.drive),
                "soundTypical": .integer(typical), "soundDense": .integer(dense),
            ]
            print(JSON.object(figures).text(pretty: true))
        } else {
            print("draw a frame                \(light.draw) ns")
            print("map, power and encode it    \(light.drive) ns")
            print("sound, typical pattern      \(typical) × real time")
            print("sound, dense pattern        \(dense) × real time")
        }
    }
}

/// What is measured, and on what.
private enum Bench {
    /// A pattern as players make them: a melody with held notes, chords, a bass line and a beat.
    static let typical: Pattern = {
        var pattern = Pattern()
        for step in 0..<Pattern.steps {
            if step % 2 == 0 { pattern[.melody, note: [0, 4, 7, 11, 9, 7, 4, 2][step / 2 % 8], step: step] = .normal }
            if step % 2 == 1, step % 8 > 4 { pattern[.melody, note: 9, step: step] = .sustain }
            if step % 8 == 0 { for note in [0, 4, 7] { pattern[.chords, note: note, step: step] = .accent } }
            if step % 8 == 1 || step % 8 == 2 {
                for note in [0, 4, 7] { pattern[.chords, note: note, step: step] = .sustain }
            }
            if step % 4 == 0 { pattern[.bass, note: step % 8 == 0 ? 0 : 7, step: step] = .accent }
            if step % 8 == 0 { pattern[.rhythm, note: 0, step: step] = .accent }
            if step % 8 == 4 { pattern[.rhythm, note: 3, step: step] = .normal }
            if step % 2 == 0 { pattern[.rhythm, note: 7, step: step] = .normal }
        }
        return pattern
    }()

    /// Every second step of every note of every track.
    static let dense: Pattern = {
        var pattern = Pattern()
        for track in Track.allCases {
            for note in 0..<Pattern.notes {
                for step in stride(from: note % 2, to: Pattern.steps, by: 2) {
                    pattern[track, note: note, step: step] = .accent
                }
            }
        }
        return pattern
    }()

    /// CPU time of this process, in nanoseconds.
    private static func cpuTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Nanoseconds to draw one frame of the playing typical pattern, and to make the bytes for the wire of it: the
    /// median of ten runs.
    static func light(_ configuration: PanelConfiguration, frames: Int) throws -> (draw: Int, drive: Int) {
        var driver: PanelDriver
        do throws(PanelError) {
            driver = try PanelDriver(configuration)
        } catch {
            throw CommandError(.badConfiguration, "panel.\(error.place): \(error.problem)")
        }
        var instrument = Instrument(columns: configuration.columns)
        instrument.load(typical)
        _ = instrument.update(.key(.space), at: .zero)
        var frame = Frame(columns: instrument.columns, rows: Instrument.rows)
        var draws: [Int] = []
        var drives: [Int] = []
        let runs = 10
        for run in 0..<runs {
            var now = Instant(milliseconds: Int64(10_000 * (run + 1)))
            _ = instrument.update(.step(run * 3), at: now)
            let start = cpuTime()
            for _ in 0..<frames / runs {
                now = now + Instant.Span(microseconds: 10)
                instrument.draw(into: &frame, at: now)
            }
            let middle = cpuTime()
            for _ in 0..<frames / runs { driver.drive(frame) }
            draws.append((middle - start) / (frames / runs))
            drives.append((cpuTime() - middle) / (frames / runs))
        }
        return (draws.sorted()[runs / 2], drives.sorted()[runs / 2])
    }

    /// Seconds of sound rendered in a second of CPU time, over thirty seconds of `pattern`.
    static func sound(_ pattern: Pattern) -> Int {
        let seconds = 30
        guard let engine = Engine(rate: 48_000) else { return 0 }
        var instrument = Instrument()
        instrument.load(pattern)
        _ = instrument.update(.key(.space), at: .zero)
        engine.synchronise(with: instrument.state, [], at: 0)
        let audio = VirtualAudio(engine, block: 128) { _ in }
        let start = cpuTime()
        for second in 1...seconds {
            audio.advance(to: Instant(milliseconds: Int64(second) * 1000))
            engine.takeReports { _, _ in }
        }
        return seconds * 1_000_000_000 / max(1, cpuTime() - start)
    }
}
