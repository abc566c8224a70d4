import Box
import Devices
import Library

extension Main {
    static let run = Command(
        "run",
        usage: "[--config FILE] [--panel spi|web|terminal|none] [--audio DEVICE|FILE.wav|none] [--library FILE] "
            + "[--listen ADDRESS:PORT] [--token-file FILE]",
        help: """
            Runs the box. Without options it is what the configuration describes: the LED panel on its SPI device, or on a
            machine without one a simulated panel, served at http://127.0.0.1:4424/; the sound comes out of the configured
            ALSA device if there is one, else of the page.

                --config FILE           read this configuration
                --panel spi             drive the LED panel
                --panel web             serve the simulated panel as a web page
                --panel terminal        show the simulated panel in this terminal
                --panel none            no panel: sound only
                --audio DEVICE          play through this ALSA device; FILE.wav writes a file, none plays nothing
                --library FILE          keep what is played in this file
                --listen ADDRESS:PORT   serve the page here; port 0 takes a free one
                --token-file FILE       the secret that the page asks for; where others can reach ADDRESS and no file is named,
                                        one is made: page-token in the folder of the library
            """,
        options: runOptions
    ) { arguments in try play(arguments) }

    /// What can be said of a box that runs.
    static let runOptions = ["--config", "--panel", "--audio", "--library", "--listen", "--token-file"]

    /// Runs the box, with `listings` for its guide if there are any, until it is switched off.
    static func play(_ arguments: Arguments, _ listings: Librarian.Listings? = nil) throws {
        StopSignals.hold()
        let box = try Box(try BoxOptions(arguments), version: versionNumber, listings)
        box.run()
        let end = Result { try box.stop() }
        if box.isSwitchedOff, let problem = shutDown(box.shutdownCommand) { tell(problem) }
        try end.get()
    }

    /// Runs the command that switches the machine off by `run`, which a test can make fail. Returns why the machine stays on; nil
    /// if it goes off.
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
