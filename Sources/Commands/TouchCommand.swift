import Box
import Devices
import Documents
import Formats
import Glibc
import Instrument
import Input
import Replay
import Runtime

extension Main {
    static let touch = Command(
        "touch",
        usage:
            "monitor|calibrate [--from FILE [--range X Y]] [--panel spi|screen|web|terminal] [--seconds N] [--config FILE]",
        help: """
            Shows the touch overlay's reports, or calibrates its position on the panel; Ctrl-C stops it. A running box uses the
            overlay exclusively: stop the box first.

            touch monitor     prints a JSON line per finger event, and draws the fingers on the panel:
                              {"at": ms, "contact": n, "phase": "down|move|up", "x": 0-1, "y": 0-1, "col": c, "row": r}
            touch calibrate   lights four targets in turn; tap each. The matrix is kept beside the library, or as root, on a
                              machine with the service, beside the service's: sudo pixelboop touch calibrate

                --from FILE             read a recording made by evemu-record or libinput record
                --range X Y             largest values of its axes, if it lacks them
                --overlay N             calibrate entry N of touch.overlays in the configuration, from 0
                --panel spi|screen|web|terminal
                                        draw on the LEDs (default where available), a screen or a simulated panel
                --seconds N             end after this time, 1-86400
                --config FILE           read this configuration and its matrix, and write the new matrix to it
                --listen ADDRESS:PORT, --token-file FILE   as for run
            """,
        options: ["--from", "--overlay", "--panel", "--seconds", "--config", "--listen", "--token-file"],
        pairs: [Arguments.range], operands: 1...1
    ) { arguments in
        if arguments["--from"] == nil, arguments.pair(Arguments.range) != nil {
            throw CommandError(.usage, "\(Arguments.range) is for a recording; name it with --from FILE")
        }
        // A recording needs only its file's read permission.
        let isWatching = arguments.operands[0] == "monitor" && arguments["--from"] != nil
        var options = try BoxOptions(arguments)
        if !isWatching, let words = try Service.adopt(unlessNamed: options.configuration) {
            options.configuration = try BoxOptions(parsing: words).configuration
        }
        StopSignals.hold()
        switch arguments.operands[0] {
        case "monitor":
            if arguments["--overlay"] != nil { throw CommandError(.usage, "--overlay is for touch calibrate") }
            try monitor(arguments, options)
        case "calibrate": try calibrate(arguments, options)
        case let word: throw CommandError(.usage, "touch \(word): should be touch monitor or touch calibrate")
        }
    }

    private static func monitor(_ arguments: Arguments, _ options: BoxOptions) throws {
        let configuration = CalibrationFile(configuration: options.configuration).calibrated(
            try Configuration.load(options.configuration))
        let stage = try stage(arguments, options, configuration)
        var monitor = try TouchMonitor(stage.sources, columns: configuration.panel.columns, since: stage.start)
        try stage.run(until: { monitor.nextDeadline }) { now, frame in
            monitor.read(at: now)
            if stage.isLive { try monitor.flush() }
            monitor.draw(into: &frame)
            return true
        }
        try monitor.flush()
    }

    /// The stage for the recording that `--from` names, else for the overlays of this machine.
    private static func stage(
        _ arguments: Arguments, _ options: BoxOptions, _ configuration: Configuration
    ) throws -> TouchStage {
        let recording = try arguments["--from"].map { path in
            try RecordedTouch(try Files.read(path), from: path, axes: try arguments.axes(), configuration)
        }
        return try TouchStage(
            recording, options, configuration, seconds: try arguments.integer("--seconds", in: 1...86_400))
    }

    private static func calibrate(_ arguments: Arguments, _ options: BoxOptions) throws {
        let configured = try Configuration.load(options.configuration)
        var configuration = configured
        let count = configuration.touch.overlays.count
        guard let number = try arguments.integer("--overlay", in: 0...count - 1) ?? (count == 1 ? 0 : nil) else {
            throw CommandError(
                .usage, "the configuration has several overlays; name one with --overlay, 0 to \(count - 1)")
        }
        let file = CalibrationFile(configuration: options.configuration)
        try file.check()
        configuration.touch.overlays = [configuration.touch.overlays[number]]
        configuration.touch.overlays[0].settings = OverlaySettings()
        let stage = try stage(arguments, options, configuration)
        var input = TouchInput(stage.sources, columns: configuration.panel.columns, rows: Instrument.rows)
        // Show the taps where they are on the overlay.
        input.matrix = OverlaySettings.identity
        var targets = CalibrationScreen(columns: configuration.panel.columns, at: stage.start)
        var announced: Int?
        var fingers: [FingerReport] = []
        try stage.run(until: { input.nextDeadline }) { now, frame in
            fingers.removeAll(keepingCapacity: true)
            input.read(at: now, into: &fingers)
            for finger in fingers { targets.handle(finger) }
            let calibration = targets.calibration
            if announced != calibration.count, !calibration.isComplete {
                announced = calibration.count
                let target = calibration.targets[calibration.count]
                post(
                    "tap the middle of the cross at the \(target.name) (\(calibration.count + 1) of \(calibration.targets.count))"
                )
            }
            targets.draw(into: &frame, at: now)
            return !targets.calibration.isComplete
        }
        let matrix: [Double]
        do throws(Calibration.Failure) {
            matrix = try targets.calibration.matrix()
        } catch {
            throw CommandError(.badData, "\(error); nothing was written")
        }
        try file.write(matrix, overlay: number, of: configured)
        print("the matrix \(JSON.numbers(matrix).text(pretty: false)) was written to \(file.path)")
    }
}
