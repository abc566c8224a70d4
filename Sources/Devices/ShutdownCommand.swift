import Glibc

/// The command that switches the machine off.
public enum ShutdownCommand {
    /// Runs `words`, the first of which is looked for along the path, and waits for its end: its exit status, or 128 and the
    /// signal that ended it. Throws what the system refused. Stands for `posix_spawnp` and `waitpid`.
    public static func run(_ words: [String]) throws(DeviceError) -> Int {
        guard let name = words.first else { return 0 }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The box blocks the signals that end it and ignores SIGPIPE; its child is to have none of that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &pipe)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let refusal = posix_spawnp(&child, name, nil, &attributes, arguments, environ)
        guard refusal == 0 else { throw DeviceError(name, errno: refusal) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw DeviceError(name, errno: errno) }
        }
        let signal = status & 0x7f
        return Int(signal == 0 ? status >> 8 & 0xff : 128 + signal)
    }
}
