import Glibc

/// Runs other programs.
public enum ChildProcess {
    /// Runs a command, searched for in PATH, and waits for its end. Returns its exit status, or 128 plus the signal that ended
    /// it. Throws if it does not start. Calls `posix_spawnp` and `waitpid`.
    public static func run(_ words: [String]) throws(DeviceError) -> Int {
        guard let name = words.first else { return 0 }
        return try wait(for: try spawn(words), name)
    }

    /// Runs a command as `run` does, and also returns its standard output; its standard error is discarded. Calls
    /// `posix_spawnp`, `pipe`, `read` and `waitpid`.
    public static func output(of words: [String]) throws(DeviceError) -> (status: Int, text: String) {
        let name = words.first ?? ""
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw DeviceError(name, errno: errno) }
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = try spawn(words, handing: writing)
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 12)
        while true {
            let count = read(reading, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return (try wait(for: child, name), String(decoding: bytes, as: UTF8.self))
    }

    /// Starts a command, with `output` as its standard output if given, and closes `output`.
    private static func spawn(_ words: [String], handing output: Int32? = nil) throws(DeviceError) -> pid_t {
        defer { if let output { close(output) } }
        let name = words.first ?? ""
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The box blocks its termination signals and ignores SIGPIPE; the child gets the defaults.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &pipe)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let refusal = posix_spawnp(&child, name, &actions, &attributes, arguments, environ)
        guard refusal == 0 else { throw DeviceError(name, errno: refusal) }
        return child
    }

    private static func wait(for child: pid_t, _ name: String) throws(DeviceError) -> Int {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw DeviceError(name, errno: errno) }
        }
        let signal = status & 0x7f
        return Int(signal == 0 ? status >> 8 & 0xff : 128 + signal)
    }
}
