import Box
import Documents
import Formats
import Panel

extension Main {
    static let bench = Command(
        "bench", usage: "[--json] [--frames N] [--only PARTS] | --pattern NAME -o F.json",
        help: """
            Measures the CPU time, on one core, of a frame (draw; map, power and encode), of a packet of ten moving fingers from
            the overlay's reports to the frame handed to the panel's writer, on the grid, the lanes, the keys and the effects, of the
            slowest sheet's frame, and of the slowest frame while the guide scrolls. Sound: seconds rendered per second, for a typical and a dense
            pattern, and the time of blocks with every voice sounding, compared with their playing time at 48 kHz. A virtual box in
            the hands of a program. Wall-clock time: opening a library of 10000 patterns, listing one of its eight banks, and building its guide.

                --json           print one JSON object instead of a table
                --frames N       frames to draw and drive, and packets to process, 100-1000000 (default 20000)
                --only PARTS     measure only these, separated by commas: light, touch, lanes, keys, sound, drive, library
                --pattern NAME   measure nothing; write one of the patterns: typical, dense or full
                -o F.json        output file for --pattern
                --config FILE    read this configuration; the panel's chip and chains affect the figures
            """,
        options: ["--frames", "--only", "--config", "--pattern", "-o"], flags: ["--json"]
    ) { arguments in
        if let name = arguments["--pattern"] {
            guard let pattern = BenchPattern(rawValue: name) else {
                throw CommandError(.usage, "--pattern is \(name), should be typical, dense or full")
            }
            guard let path = arguments["-o"] else { throw CommandError(.usage, "-o is missing; name the output file") }
            return try Files.write(Array(pattern.document.text().utf8), to: path)
        }
        if arguments["-o"] != nil { throw CommandError(.usage, "-o needs --pattern; name the pattern") }
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
                throw CommandError(
                    .usage, "--only has \(word), should be light, touch, lanes, keys, sound, drive or library")
            }
            return part
        }
    }
}

/// The parts of the bench.
private enum BenchPart: String, CaseIterable {
    case light, touch, lanes, keys, sound, drive, library

    func figures(_ panel: PanelConfiguration, frames: Int) throws -> [BenchFigure] {
        switch self {
        case .light:
            // As many LEDs without a clock wire, where each bit is a byte.
            var unclocked = PanelConfiguration(columns: panel.columns)
            unclocked.chip = .ws2812b
            unclocked.chains[0].hertz = unclocked.chip.wire.defaultHertz
            let light = try LightBench(panel, frames: frames)
            let other = try LightBench(unclocked, frames: frames)
            let long = try LightBench(panel, frames: frames, of: .long)
            return [
                .nanoseconds("drawNanoseconds", "draw a frame", light.draw),
                .nanoseconds("drawLongNanoseconds", "draw a frame of 128 full steps", long.draw),
                .nanoseconds("driveNanoseconds", "map, power and encode it", light.drive),
                .nanoseconds("flashGuardNanoseconds", "limit its flashes", light.flashes),
                .nanoseconds("flashGuardWorstNanoseconds", "the same if all flash", light.flashesWorst),
                .nanoseconds("driveUnclockedNanoseconds", "the same for WS2812B", other.drive),
                .nanoseconds("sheetNanoseconds", "draw the slowest sheet", SheetBench(frames: frames).worst),
                .nanoseconds("guideNanoseconds", "draw the guide, worst frame", GuideBench(frames: frames).worst),
            ]
        case .touch:
            let touch = try TouchBench(packets: frames)
            let long = try TouchBench(packets: frames, of: .long)
            return [
                .nanoseconds("touchNanoseconds", "ten fingers to a frame", touch.median),
                .nanoseconds("touchP999Nanoseconds", "99.9 % of them within", touch.p999),
                .nanoseconds("touchLongNanoseconds", "the same over 128 full steps", long.median),
            ]
        case .lanes:
            let lanes = try TouchBench(packets: frames, on: .lanes)
            return [.nanoseconds("touchLanesNanoseconds", "ten bars of a lane to a frame", lanes.median)]
        case .keys:
            let keys = try TouchBench(packets: frames, on: .keys)
            let effects = try TouchBench(packets: frames, on: .effects)
            return [
                .nanoseconds("touchKeysNanoseconds", "ten fingers on keys to a frame", keys.median),
                .nanoseconds("touchEffectsNanoseconds", "ten fingers on effects to a frame", effects.median),
            ]
        case .sound:
            let speeds: [BenchFigure] = try [
                .timesRealTime("soundTypical", "sound, typical pattern", BenchPattern.typical.document),
                .timesRealTime("soundTypicalEffects", "sound, typical with effects", BenchPattern.typical.withEffects),
                .timesRealTime("soundLanes", "sound, typical with lanes", BenchPattern.typical.withLanes),
                .timesRealTime("soundDense", "sound, dense pattern", BenchPattern.dense.document),
                .timesRealTime("soundSamples", "samples on all pads, dense", BenchPattern.dense.withSamples),
                .timesRealTime("soundFactory", "factory sounds, typical", BenchPattern.typical.withFactorySounds),
                .timesRealTime("soundFactoryDense", "factory sounds, dense", BenchPattern.dense.withFactorySounds),
            ]
            var blocks: [BenchFigure] = try [32, 64, 128].map {
                try .blocks("blocks\($0)", "every voice, \($0) frames", SoundBench.loudBlocks(of: $0))
            }
            let full = BenchPattern.full
            blocks += try [
                .blocks(
                    "dearest64", "dearest sounds, 64 frames", SoundBench.loudBlocks(of: 64, full.withDearestSounds)),
                .blocks("samples64", "samples on all pads, 64 frames", SoundBench.loudBlocks(of: 64, full.withSamples)),
                .blocks(
                    "long64", "128 full steps, 64 frames", SoundBench.loudBlocks(of: 64, BenchPattern.long.document)),
                .blocks("fx64", "dearest sounds and FX, 64", SoundBench.fxBlocks(of: 64, full.withDearestSounds)),
                .blocks("tail", "tail", SoundBench.tailBlocks()),
            ]
            return speeds + blocks
        case .drive:
            let drive = DriveBench()
            return [
                .nanoseconds("driveNewNanoseconds", "make a virtual box", drive.make),
                .nanoseconds("driveStepNanoseconds", "a sixtieth of it, frame read", drive.step),
                .timesRealTime("driveWatched", "a box whose frames are read", drive.timesWatched),
                .timesRealTime("driveUnwatched", "a box without sound and light", drive.timesUnwatched),
            ]
        case .library:
            let library = try LibraryBench()
            return [
                .milliseconds("libraryOpenMilliseconds", "open \(LibraryBench.patterns) patterns", library.open),
                .milliseconds("libraryListMilliseconds", "list a bank of them", library.list),
                .milliseconds("libraryGuideMilliseconds", "build a guide of them", library.guide),
            ]
        }
    }
}

/// One figure, as JSON and as a line of text.
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
        timesRealTime(key, name, try SoundBench.timesRealTime(document))
    }

    static func timesRealTime(_ key: String, _ name: String, _ times: Int) -> Self {
        Self(key, .integer(times), name, "\(times) × real time")
    }

    /// Time of blocks compared with their playing time.
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
