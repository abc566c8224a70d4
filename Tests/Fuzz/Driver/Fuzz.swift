import CFuzzer
import Documents
import Foundation
import FuzzTargets

/// libFuzzer on the target named by the environment variable `PIXELBOOP_FUZZ`; or, with the arguments `seeds FOLDER
/// FILE…`, writes its seeds, in a folder for each target.
@main
enum Fuzz {
    static func main() throws {
        if CommandLine.arguments.dropFirst().first == "seeds" {
            return try writeSeeds(CommandLine.arguments[2], files: CommandLine.arguments.dropFirst(3))
        }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        let status = LLVMFuzzerRunDriver(&count, &arguments) { bytes, size in
            if let problem = Fuzz.target.problem(with: Array(UnsafeBufferPointer(start: bytes, count: size))) {
                fatalError(problem)
            }
            return 0
        }
        exit(status)
    }

    private static let target: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["PIXELBOOP_FUZZ"] ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            fatalError("PIXELBOOP_FUZZ is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return target
    }()

    /// Maximum bytes of a seed: longer ones are of no use to a fuzzer.
    private static let bytesMax = 16384
    /// Maximum number of recorded sessions.
    private static let sessionsMax = 30

    private static func writeSeeds(_ folder: String, files: ArraySlice<String>) throws {
        let folder = URL(fileURLWithPath: folder)
        for target in FuzzTarget.allCases {
            let subfolder = folder.appendingPathComponent(target.rawValue)
            try FileManager.default.createDirectory(at: subfolder, withIntermediateDirectories: true)
            for (number, sample) in target.samples.enumerated() {
                try Data(sample).write(to: subfolder.appendingPathComponent("sample-\(number)"))
            }
        }
        for file in files { try writeSeed(URL(fileURLWithPath: file), folder) }
    }

    /// Writes the file as a seed of the targets for such files.
    private static func writeSeed(_ file: URL, _ folder: URL) throws {
        let bytes = Array(try Data(contentsOf: file))
        let lines = wholeLines(bytes.prefix(bytesMax))
        let name = file.lastPathComponent
        switch file.pathExtension {
        case "events", "evemu", "desc":
            try write(lines, folder, .recording, name)
            if let reports = FuzzTarget.reports(in: lines) { try write(reports, folder, .reports, name) }
        case "jsonl":
            try write(lines, folder, .script, name)
            for (number, line) in bytes.split(separator: 0x0a).prefix(sessionsMax).enumerated() {
                if let script = script(in: Array(line)) { try write(script, folder, .script, "\(name)-\(number)") }
            }
        case "json5": try write(bytes, folder, .configuration, name)
        // Only the beginning of a large one.
        case "aifc", "aiff", "flac", "ogg", "opus", "wav":
            try write(Array(bytes.prefix(bytesMax)), folder, .sample, name)
        default: break
        }
    }

    private static func write(_ seed: [UInt8], _ folder: URL, _ target: FuzzTarget, _ name: String) throws {
        try Data(seed).write(to: folder.appendingPathComponent(target.rawValue).appendingPathComponent(name))
    }

    private static func wholeLines(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(bytes[...(bytes.lastIndex(of: 0x0a) ?? bytes.endIndex - 1)])
    }

    /// The touch script in the line of a recorded session; nil if there is none.
    private static func script(in line: [UInt8]) -> [UInt8]? {
        guard case .object(let parts) = try? JSON(parsing: line), case .array(let script) = parts["script"] else {
            return nil
        }
        return Array(script.map { $0.text(pretty: false) + "\n" }.joined().utf8)
    }
}
