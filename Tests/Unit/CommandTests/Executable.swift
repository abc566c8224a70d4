import Foundation
import Testing

/// The built command, run as a user runs it: with its own state folder, and a time limit.
struct Executable {
    /// A folder for this test's files.
    let folder: String

    /// ALSA's configuration without what this machine adds to it, as a file beside the command; nil without ALSA. The
    /// plugins of JACK and PulseAudio write lines and files of their own.
    private static let alsa: String? = {
        guard let text = try? String(contentsOfFile: "/usr/share/alsa/alsa.conf", encoding: .utf8) else { return nil }
        let added = [#""/etc/"#, #""/usr/etc/"#, #""/var/lib/"#, #"{ @func concat strings [ { @func datadir }"#]
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            !added.contains { line.drop(while: \.isWhitespace).hasPrefix($0) }
        }
        let file = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("alsa.conf")
        let isWritten = (try? Data(lines.joined(separator: "\n").utf8).write(to: file, options: .atomic)) != nil
        return isWritten ? file.path : nil
    }()

    init() throws {
        folder = NSTemporaryDirectory() + "pixelboop-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    struct Result {
        var status: Int32
        var output: Data
        var complaint: String
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// The path of `name` in the folder; with `text` in it, if given.
    func file(_ name: String, _ text: String? = nil) throws -> String {
        let path = folder + "/" + name
        if let text { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
        return path
    }

    /// Its process with these arguments; `shell` has commands of a shell to begin with, without signals that are
    /// ignored.
    func process(_ arguments: [String], environment: [String: String] = [:], after shell: String? = nil) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("pixelboop")
        process.arguments = arguments
        if let shell, let program = process.executableURL {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            let words = ["--default-signal", "sh", "-c", "\(shell); exec \"$0\" \"$@\"", program.path]
            process.arguments = words + arguments
        }
        var kept = ["HOME": folder, "XDG_STATE_HOME": folder + "/state", "XDG_CONFIG_HOME": folder + "/config"]
        kept["ALSA_CONFIG_PATH"] = Self.alsa
        process.environment = kept.merging(["PATH": "/usr/bin:/bin"]) { $1 }.merging(environment) { $1 }
        return process
    }

    /// Starts it, waits until its standard error contains `words`, checks that it continues, and stops it with SIGTERM.
    /// Returns the standard error so far, and its status.
    func runUntil(_ words: String, _ arguments: [String]) throws -> (complaint: String, ranOn: Bool, status: Int32) {
        let process = process(arguments)
        let complaint = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardError = complaint
        try process.run()
        let limit = Limit(process)
        var text = ""
        while !text.contains(words) {
            let data = complaint.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        let ranOn = process.isRunning
        process.terminate()
        process.waitUntilExit()
        limit.cancel()
        return (text, ranOn, process.terminationStatus)
    }

    /// Runs it to its end.
    func run(_ arguments: String..., input: String = "", environment: [String: String] = [:]) throws -> Result {
        try run(arguments, input: input, environment: environment)
    }

    /// Runs it to its end, in `folder` if given.
    func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], folder: String? = nil,
        after shell: String? = nil
    ) throws -> Result {
        let process = process(arguments, environment: environment, after: shell)
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        let (standardInput, output, complaint) = (Pipe(), Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = complaint
        try process.run()
        let limit = Limit(process)
        Self.write(input, to: standardInput.fileHandleForWriting)
        try standardInput.fileHandleForWriting.close()
        // Standard error is a line or two and fits the pipe.
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let lines = complaint.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        limit.cancel()
        if process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL {
            Issue.record("pixelboop \(arguments.joined(separator: " ")): killed, as it did not end")
        }
        return Result(
            status: process.terminationStatus, output: data, complaint: String(decoding: lines, as: UTF8.self))
    }

    /// Writes `text` to a process that may end without reading it, which would end the tests by SIGPIPE.
    private static func write(_ text: String, to input: FileHandle) {
        var (broken, before) = (sigset_t(), sigset_t())
        sigemptyset(&broken)
        sigaddset(&broken, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &broken, &before)
        try? input.write(contentsOf: Data(text.utf8))
        var now = timespec()
        sigtimedwait(&broken, nil, &now)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}

/// Kills a process that never ends, so that its test fails and the others continue. Far above what any takes on a busy
/// machine.
struct Limit {
    private let timer: any DispatchSourceTimer

    init(_ process: Process) {
        let pid = process.processIdentifier
        timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + 300)
        timer.setEventHandler { kill(pid, SIGKILL) }
        timer.resume()
    }

    func cancel() { timer.cancel() }
}

/// A finger held on the kick at step 0: an accent, and an echo at step 2. Then Play.
let script = """
    {"at": 50, "touch": 0, "phase": "down", "col": 4, "row": 21}
    {"at": 460, "touch": 0, "phase": "up", "col": 4, "row": 21}
    {"at": 500, "key": "space"}

    """

/// The content of the file at `path`.
func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
