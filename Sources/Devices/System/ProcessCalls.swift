import Glibc

/// The system calls that run another program, one closure each so that a test can make any of them fail.
struct ProcessCalls: Sendable {
    /// Creates a pipe. Its ends are closed on exec.
    var pipe: @Sendable () -> Result<Pipe, SystemError>
    /// Starts a command, with `output` as its standard output if given; its standard error is then discarded.
    var spawn: @Sendable (_ words: [String], _ output: Int32?) -> Result<pid_t, SystemError>
    /// Reads from a descriptor; returns the number of bytes, 0 at the end.
    var read: @Sendable (_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Result<Int, SystemError>
    /// Waits for the end of a process; returns its wait status (wait(2)).
    var wait: @Sendable (_ child: pid_t) -> Result<Int32, SystemError>
    /// Closes a descriptor.
    var close: @Sendable (_ descriptor: Int32) -> Void

    /// The ends of a pipe.
    struct Pipe: Sendable {
        var reading: Int32
        var writing: Int32
    }

    /// The real calls.
    static let linux = ProcessCalls(
        pipe: {
            var ends: [Int32] = [-1, -1]
            guard Glibc.pipe(&ends) == 0 else { return .failure(SystemError(errno: errno)) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return .success(Pipe(reading: ends[0], writing: ends[1]))
        },
        spawn: spawn,
        read: { Result(returned: Glibc.read($0, $1.baseAddress, $1.count)) },
        wait: { child in
            var status: Int32 = 0
            return Result(returned: waitpid(child, &status, 0)).map { _ in status }
        },
        close: { _ = Glibc.close($0) })

    @Sendable
    private static func spawn(_ words: [String], _ output: Int32?) -> Result<pid_t, SystemError> {
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
        // Returns the error number, and leaves errno alone.
        let refusal = posix_spawnp(&child, words.first ?? "", &actions, &attributes, arguments, environ)
        return refusal == 0 ? .success(child) : .failure(SystemError(errno: refusal))
    }
}
