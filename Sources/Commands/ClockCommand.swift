import Box
import Documents
import Formats
import Glibc
import InputEvents

extension Main {
    static let clock = Command(
        "clock",
        usage: "midi|clock|link|out [--seconds N] [--json] [--config FILE]",
        help: """
            Follows a clock without playing, and prints once a second how good it is: its tempo, the deviation of its ticks in
            the last four seconds, root mean square and worst, the change of its tempo since the start in millionths, and the
            ticks that did not arrive; of a Link session, the number of other members. Ctrl-C stops it. Stop the box first: it
            uses its ports and lines exclusively; but for out, which is its own.

            clock midi     MIDI clock of the ports that the configuration allows
            clock clock    pulses of the jack at gpio.clockIn
            clock link     the Link session on the local network
            clock out      the MIDI clock that leaves the box that runs on this machine

                --seconds N     end after this time, 1-86400
                --json          print JSON lines
                --config FILE   read this configuration
            """,
        options: ["--seconds", "--config"], flags: ["--json"], operands: 1...1
    ) { arguments in
        let word = arguments.operands[0]
        guard let signal = ClockMonitor.Signal(rawValue: word) else {
            throw CommandError(.usage, "clock \(word): should be clock midi, clock clock, clock link or clock out")
        }
        let seconds = try arguments.integer("--seconds", in: 1...86_400)
        let isJSON = arguments.has("--json")
        StopSignals.hold()
        let monitor = try ClockMonitor(signal, try Configuration.load(arguments["--config"]))
        let output = try OutputFile("-")
        try monitor.run(seconds: seconds) { reading in
            output.append("\(isJSON ? reading.json : reading.text(of: signal))\n".utf8)
            try output.finish()
        }
    }
}

extension ClockMonitor.Reading {
    /// The reading as a line for people.
    fileprivate func text(of signal: ClockMonitor.Signal) -> String {
        guard let tempo = status.tempo else { return signal == .link ? "no session" : "no ticks" }
        var words = ["\(decimals(tempo)) BPM"]
        if signal == .link {
            words.append(status.peers == 1 ? "1 other" : "\(status.peers) others")
        } else {
            if let rms = status.rms, let worst = status.worst {
                words += ["rms \(decimals(rms)) ms", "worst \(decimals(worst)) ms"]
            }
            if let drift { words.append("drift \(Int(drift.rounded())) ppm") }
            words.append("lost \(status.missing)")
        }
        words.append(status.lock.rawValue)
        return words.joined(separator: "  ")
    }

    fileprivate var json: String {
        var parts: [String: JSON] = [
            "microseconds": .integer(Int(time.microseconds)), "state": .string(status.lock.rawValue),
            "lost": .integer(status.missing), "peers": .integer(status.peers),
        ]
        if let tempo = status.tempo { parts["bpm"] = .double(tempo) }
        if let rms = status.rms { parts["rmsMilliseconds"] = .double(rms) }
        if let worst = status.worst { parts["worstMilliseconds"] = .double(worst) }
        if let drift { parts["driftPPM"] = .double(drift) }
        if let steps { parts["steps"] = .double(steps) }
        return JSON.object(parts).text(pretty: false)
    }

    /// `number`, 0 or more, with two decimals.
    private func decimals(_ number: Double) -> String { String(Int((number * 100).rounded()), places: 2) }
}
