import Box
import Formats
import Panel

extension Main {
    static let bench = Command(
        "bench", usage: "[--json] [--frames N] [--only PARTS] | --pattern NAME -o F.json",
        help: """
            Measures, in CPU time of one core, what a frame costs (draw; map, power and encode), what a packet of ten moving
            fingers costs from the overlay's reports to the frame that is handed to the panel's writer, how many seconds of sound
            the engine renders in a second, on a typical and on a dense pattern, and what its blocks take beside the time
            that a device at 48 kHz plays them in, while every voice sounds; and what a frame of the dearest sheet takes, and the
            dearest frame of the guide while it scrolls. And, in time on the wall, what it takes to open a library of 10000 patterns, to list one of its eight
            banks, and to make a guide of it.

                --json           print one JSON object instead of a table
                --frames N       frames to draw and drive, and packets to take in, 100-1000000; else 20000
                --only PARTS     measure only these, with commas between them: light, touch, sound, library
                --pattern NAME   measure nothing, but write one of the patterns: typical, dense or full
                -o F.json        where to
                --config FILE    read this configuration: the panel's chip and chains are in the figures
            """,
        options: ["--frames", "--only", "--config", "--pattern", "-o"], flags: ["--json"]
    ) { arguments in
        if let name = arguments["--pattern"] {
            guard let pattern = BenchPattern(rawValue: name) else {
                throw CommandError(.usage, "--pattern is \(name), should be typical, dense or full")
            }
            guard let path = arguments["-o"] else { throw CommandError(.usage, "-o is missing; say where to write to") }
            return try Files.write(Array(pattern.document.text().utf8), to: path)
        }
        if arguments["-o"] != nil { throw CommandError(.usage, "-o needs --pattern; say which to write") }
        let configuration = try Configuration.load(arguments["--config"])
        let frames = try arguments.integer("--frames", in: 100...1_000_000) ?? 20_000
        let rows = try parts(arguments["--only"]).flatMap { try $0.figures(configuration.panel, frames: frames) }
        if arguments.has("--json") {
            let figures = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.json) })
            print(JSON.object(figures).text(pretty: true))
        } else {
            for row in rows { print(row.line) }
        }
    }

    private static func parts(_ words: String?) throws -> [BenchPart] {
        guard let words else { return BenchPart.allCases }
        return try words.split(separator: ",", omittingEmptySubsequences: false).map { word in
            guard let part = BenchPart(rawValue: String(word)) else {
                throw CommandError(.usage, "--only has \(word), should be light, touch, sound or library")
            }
            return part
        }
    }
}

/// What can be measured apart.
private enum BenchPart: String, CaseIterable {
    case light, touch, sound, library

    func figures(_ panel: PanelConfiguration, frames: Int) throws -> [BenchFigure] {
        switch self {
        case .light:
            // As many LEDs on the other kind of wire, where each bit is a byte.
            var unclocked = PanelConfiguration(columns: panel.columns)
            unclocked.chip = .ws2812b
            unclocked.chains[0].hertz = unclocked.chip.wire.defaultHertz
            let light = try LightBench(panel, frames: frames)
            let other = try LightBench(unclocked, frames: frames)
            return [
                .nanoseconds("drawNanoseconds", "draw a frame", light.draw),
                .nanoseconds("driveNanoseconds", "map, power and encode it", light.drive),
                .nanoseconds("driveUnclockedNanoseconds", "the same for WS2812B", other.drive),
                .nanoseconds("sheetNanoseconds", "draw the dearest sheet", SheetBench(frames: frames).worst),
                .nanoseconds("guideNanoseconds", "draw the guide, at worst", GuideBench(frames: frames).worst),
            ]
        case .touch:
            let touch = try TouchBench(packets: frames)
            return [
                .nanoseconds("touchNanoseconds", "ten fingers to a frame", touch.median),
                .nanoseconds("touchP999Nanoseconds", "99.9 % of them within", touch.p999),
            ]
        case .sound:
            return try [
                .timesRealTime("soundTypical", "sound, typical pattern", BenchPattern.typical.document),
                .timesRealTime("soundTypicalEffects", "sound, the same with effects", BenchPattern.typical.withEffects),
                .timesRealTime("soundDense", "sound, dense pattern", BenchPattern.dense.document),
            ]
                + [32, 64, 128].map {
                    try .blocks("blocks\($0)", "every voice, \($0) frames", SoundBench.loudBlocks(of: $0))
                }
                + [.blocks("tail", "tail", SoundBench.tailBlocks())]
        case .library:
            let library = try LibraryBench()
            return [
                .milliseconds("libraryOpenMilliseconds", "open \(LibraryBench.patterns) patterns", library.open),
                .milliseconds("libraryListMilliseconds", "list a bank of them", library.list),
                .milliseconds("libraryGuideMilliseconds", "make a guide of them", library.guide),
            ]
        }
    }
}

/// One figure, for a script and for a reader.
private struct BenchFigure {
    let key: String
    let json: JSON
    let line: String

    private init(_ key: String, _ json: JSON, _ name: String, _ text: String) {
        self.key = key
        self.json = json
        line = name.padded(31) + " " + text
    }

    static func nanoseconds(_ key: String, _ name: String, _ count: Int) -> Self {
        Self(key, .integer(count), name, "\(count) ns")
    }

    static func milliseconds(_ key: String, _ name: String, _ count: Double) -> Self {
        let text = String(Int((count * 100).rounded()), places: 2)
        return Self(key, .number(text), name, "\(text) ms")
    }

    static func timesRealTime(_ key: String, _ name: String, _ document: PatternDocument) throws -> Self {
        let times = try SoundBench.timesRealTime(document)
        return Self(key, .integer(times), name, "\(times) × real time")
    }

    /// How long blocks take beside the time that they play.
    static func blocks(_ key: String, _ name: String, _ blocks: SoundBench.Blocks) -> Self {
        let (deadline, median) = (tenths(blocks.deadline), tenths(blocks.median))
        let (p999, worst) = (tenths(blocks.p999), tenths(blocks.worst))
        let json = JSON.object([
            "deadlineMicroseconds": .number(deadline), "medianMicroseconds": .number(median),
            "p999Microseconds": .number(p999), "worstMicroseconds": .number(worst),
            "p999Percent": .integer(100 * blocks.p999 / blocks.deadline),
        ])
        return Self(key, json, name, "\(median) µs of \(deadline), 99.9 %: \(p999), worst: \(worst)")
    }

    /// Microseconds with one digit after the point.
    private static func tenths(_ nanoseconds: Int) -> String { String(nanoseconds / 100, places: 1) }
}
