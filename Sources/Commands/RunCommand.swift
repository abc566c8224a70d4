import Box
import Devices
import Library

extension Main {
    static let run = Command(
        "run",
        usage: "[--config FILE] [--panel spi|screen|web|terminal|none] [--audio DEVICE|FILE.wav|none] [--library FILE] "
            + "[--listen ADDRESS:PORT] [--token-file FILE] [--record FILE] [--control SOCKET]",
        help: """
            Runs the box. Without options, as the configuration describes: on the LED panel's SPI device or, on a machine without
            one, on a simulated panel served at http://127.0.0.1:4424/; sound plays through the configured ALSA device if
            present, else through the page.

                --config FILE           read this configuration
                --panel spi             drive the LED panel
                --panel screen          show the panel on this machine's screen, without a desktop
                --panel web             serve the simulated panel as a web page
                --panel terminal        show the simulated panel in this terminal
                --panel none            sound only
                --audio DEVICE          play through this ALSA device; FILE.wav writes a file, none plays nothing
                --library FILE          keep the music in this file
                --listen ADDRESS:PORT   serve the page here; port 0 takes a free one
                --token-file FILE       file of the page's secret token (default, if ADDRESS is reachable by others: page-token
                                        in the library's folder, created if missing)
                --record FILE           record the session, with a copy of the library beside it; replay renders the same sound
                --control SOCKET        let programs of the same user ask and play the box at this socket: docs/drive.md
            """,
        options: runOptions + ["--record", "--control"]
    ) { arguments in try play(arguments) }

    /// Options of every running box.
    static let runOptions = ["--config", "--panel", "--audio", "--library", "--listen", "--token-file"]

    /// Runs the box until it is switched off, with `listings`, if any, in its guide.
    static func play(_ arguments: Arguments, _ listings: Librarian.Listings? = nil) throws {
        StopSignals.hold()
        let box = try Box(try BoxOptions(arguments), version: versionNumber, listings)
        box.run()
        let end = Result { try box.stop() }
        if box.isSwitchedOff, let problem = shutDown(box.shutdownCommand) { Log.post(problem) }
        try end.get()
    }

    /// Runs the command that switches the machine off by `run`, which a test can make fail. Returns the reason that the
    /// machine stays on; nil if it goes off.
    static func shutDown(
        _ command: [String], run: ([String]) throws -> Int = { try ChildProcess.run($0) }
    ) -> String? {
        guard !command.isEmpty else { return "switched off at the panel; the machine stays on" }
        do {
            let status = try run(command)
            guard status != 0 else { return nil }
            return "the machine stays on: \(command.joined(separator: " ")) ended with status \(status)"
        } catch {
            return "the machine stays on: \(error); see gpio.shutdownCommand in the configuration"
        }
    }
}
