import Formats
import Panel

extension Main {
    static let bench = Command(
        "bench", usage: "[--json] [--frames N] | --pattern NAME -o F.json",
        help: """
            Measures, in CPU time of one core, what a frame costs (draw; map, power and encode), what a packet of ten moving
            fingers costs from the overlay's reports to the frame that is handed to the panel's writer, how many seconds of sound
            the engine renders in a second, on a typical and on a dense pattern, and what its blocks take beside the time
            that a device at 48 kHz plays them in, while every voice sounds; and what the dearest frame of the guide takes while
            it scrolls. And, in time on the wall, what it takes to open a library of 10000 patterns, to list one of its eight
            banks, and to make a guide of it.

                --json           print one JSON object instead of a table
                --frames N       frames to draw and drive, and packets to take in, 100-1000000; else 20000
                --pattern NAME   measure nothing, but write one of the patterns: typical, dense or full
                -o F.json        where to
            """,
        options: ["--frames", "--config", "--pattern", "-o"], flags: ["--json"]
    ) { arguments in
        if let name = arguments["--pattern"] {
            guard let pattern = BenchPattern(rawValue: name) else {
                throw CommandError(.usage, "--pattern is \(name), should be typical, dense or full")
            }
            guard let path = arguments["-o"] else { throw CommandError(.usage, "-o is missing; say where to write to") }
            return try Files.write(Array(pattern.document.text().utf8), to: path)
        }
        if arguments["-o"] != nil { throw CommandError(.usage, "-o needs --pattern; say which to write") }
        let configuration = try Configuration.load(arguments)
        let frames = try arguments.integer("--frames", in: 100...1_000_000) ?? 20_000
        // As many LEDs on the other kind of wire, where each bit is a byte.
        var unclocked = PanelConfiguration(columns: configuration.panel.columns)
        unclocked.chip = .ws2812b
        unclocked.chains[0].hertz = unclocked.chip.wire.defaultHertz
        let figures = BenchFigures(
            light: try LightBench(configuration.panel, frames: frames),
            unclocked: try LightBench(unclocked, frames: frames), touch: try TouchBench(packets: frames),
            typical: try SoundBench.timesRealTime(BenchPattern.typical.document),
            typicalEffects: try SoundBench.timesRealTime(BenchPattern.typical.withEffects),
            dense: try SoundBench.timesRealTime(BenchPattern.dense.document),
            blocks: try [32, 64, 128].map(SoundBench.loudBlocks), tail: try SoundBench.tailBlocks(),
            library: try LibraryBench(), guide: GuideBench(frames: frames))
        print(arguments.has("--json") ? figures.json.text(pretty: true) : figures.table)
    }
}

private struct BenchFigures {
    let light: LightBench
    let unclocked: LightBench
    let touch: TouchBench
    let typical: Int
    let typicalEffects: Int
    let dense: Int
    let blocks: [SoundBench.Blocks]
    let tail: SoundBench.Blocks
    let library: LibraryBench
    let guide: GuideBench

    var json: JSON {
        var figures: [String: JSON] = [
            "drawNanoseconds": .integer(light.draw), "driveNanoseconds": .integer(light.drive),
            "driveUnclockedNanoseconds": .integer(unclocked.drive),
            "touchNanoseconds": .integer(touch.median), "touchP999Nanoseconds": .integer(touch.p999),
            "soundTypical": .integer(typical), "soundTypicalEffects": .integer(typicalEffects),
            "soundDense": .integer(dense), "tail": json(of: tail),
            "libraryOpenMilliseconds": milliseconds(library.open),
            "libraryListMilliseconds": milliseconds(library.list),
            "libraryGuideMilliseconds": milliseconds(library.guide), "guideNanoseconds": .integer(guide.worst),
        ]
        for block in blocks { figures["blocks\(block.frames)"] = json(of: block) }
        return .object(figures)
    }

    private func json(of blocks: SoundBench.Blocks) -> JSON {
        .object([
            "deadlineMicroseconds": microseconds(blocks.deadline), "medianMicroseconds": microseconds(blocks.median),
            "p999Microseconds": microseconds(blocks.p999), "worstMicroseconds": microseconds(blocks.worst),
            "p999Percent": .integer(100 * blocks.p999 / blocks.deadline),
        ])
    }

    private func milliseconds(_ value: Double) -> JSON { .number(hundredths(value)) }

    /// With two digits after the point.
    private func hundredths(_ value: Double) -> String {
        let count = Int((value * 100).rounded())
        return "\(count / 100)." + (count % 100 < 10 ? "0" : "") + "\(count % 100)"
    }

    private func microseconds(_ nanoseconds: Int) -> JSON { .number(tenths(nanoseconds)) }

    /// Microseconds with one digit after the point.
    private func tenths(_ nanoseconds: Int) -> String { "\(nanoseconds / 1000).\(nanoseconds % 1000 / 100)" }

    var table: String {
        let rows = blocks.map { (name: "\($0.frames) frames", blocks: $0) } + [("tail, \(tail.frames)", tail)]
        return """
            draw a frame                    \(light.draw) ns
            map, power and encode it        \(light.drive) ns
            the same for WS2812B            \(unclocked.drive) ns
            ten fingers to a frame          \(touch.median) ns, 99.9 %: \(touch.p999) ns
            sound, typical pattern          \(typical) × real time
            sound, the same with effects    \(typicalEffects) × real time
            sound, dense pattern            \(dense) × real time
            open \(LibraryBench.patterns) patterns             \(hundredths(library.open)) ms
            list a bank of them             \(hundredths(library.list)) ms
            make a guide of them            \(hundredths(library.guide)) ms
            draw the guide, at worst        \(guide.worst) ns

            every voice, µs a block   median     99.9 %      worst   deadline
            \(rows.map(line).joined(separator: "\n"))
            """
    }

    private func line(_ name: String, _ blocks: SoundBench.Blocks) -> String {
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        let times = [blocks.median, blocks.p999, blocks.worst, blocks.deadline].map { right(tenths($0), 11) }
        return name + right(times.joined(), 65 - name.count)
    }
}
