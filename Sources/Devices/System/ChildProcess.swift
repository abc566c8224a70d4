import Glibc

/// Runs other programs.
public enum ChildProcess {
    /// Runs a command, searched for in PATH, and waits for its end. Returns its exit status, or 128 plus the signal
    /// that ended it. Throws if it does not start. Calls `posix_spawnp` and `waitpid`.
    public static func run(_ words: [String]) throws(DeviceError) -> Int { try run(words, .linux) }

    static func run(_ words: [String], _ calls: ProcessCalls) throws(DeviceError) -> Int {
        guard let name = words.first else { return 0 }
        return try wait(for: try calls.spawn(words, nil).get(for: name), name, calls)
    }

    /// Runs a command as `run` does, and also returns its standard output; its standard error is discarded. Calls
    /// `posix_spawnp`, `pipe`, `read` and `waitpid`.
    public static func output(of words: [String]) throws(DeviceError) -> (status: Int, text: String) {
        try output(of: words, .linux)
    }

    static func output(
        of words: [String], _ calls: ProcessCalls
    ) throws(DeviceError) -> (status: Int, text: String) {
        let name = words.first ?? ""
        let pipe = try calls.pipe().get(for: name)
        let started = calls.spawn(words, pipe.writing)
        calls.close(pipe.writing)
        let child: pid_t
        do throws(DeviceError) {
            child = try started.get(for: name)
        } catch {
            calls.close(pipe.reading)
            throw error
        }
        let bytes = read(pipe.reading, calls)
        // Closed before the wait: a child that still writes then ends, instead of blocking for ever.
        calls.close(pipe.reading)
        let status = try wait(for: child, name, calls)
        return (status, String(decoding: try bytes.get(for: name), as: UTF8.self))
    }

    /// Everything up to the end of `descriptor`.
    private static func read(_ descriptor: Int32, _ calls: ProcessCalls) -> Result<[UInt8], SystemError> {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 12)
        while true {
            switch part.withUnsafeMutableBytes({ calls.read(descriptor, $0) }) {
            case .success(0): return .success(bytes)
            case .success(let count): bytes += part[..<count]
            case .failure(let error) where error.errno == EINTR: continue
            case .failure(let error): return .failure(error)
            }
        }
    }

    private static func wait(for child: pid_t, _ name: String, _ calls: ProcessCalls) throws(DeviceError) -> Int {
        var ended = calls.wait(child)
        while case .failure(let error) = ended, error.errno == EINTR { ended = calls.wait(child) }
        let status = try ended.get(for: name)
        let signal = status & 0x7f
        return Int(signal == 0 ? status >> 8 & 0xff : 128 + signal)
    }
}
