import Glibc

/// The system calls on the folder of the input devices, one closure each so that a test can make any of them fail.
struct InputFolderCalls: Sendable {
    /// Creates a descriptor for the changes of folders.
    var openChanges: @Sendable () -> Result<Int32, SystemError>
    /// Adds the folder at a path to the descriptor; returns the number of the watch.
    var watch: @Sendable (_ changes: Int32, _ path: String) -> Result<Int32, SystemError>
    /// Reads changes; returns the number of bytes.
    var read: @Sendable (_ changes: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Result<Int, SystemError>
    /// Closes the descriptor.
    var close: @Sendable (_ changes: Int32) -> Void
    /// All names in the folder at a path.
    var names: @Sendable (_ path: String) -> Result<[String], SystemError>
    /// The path that a path resolves to.
    var target: @Sendable (_ path: String) -> Result<String, SystemError>

    /// The real calls.
    static let linux = InputFolderCalls(
        openChanges: { Result(returned: inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))) },
        watch: { changes, path in
            Result(
                returned: inotify_add_watch(changes, path, UInt32(IN_CREATE | IN_ATTRIB | IN_DELETE | IN_ONLYDIR)))
        },
        read: { Result(returned: Glibc.read($0, $1.baseAddress, $1.count)) },
        close: { _ = Glibc.close($0) },
        names: { path in
            guard let stream = opendir(path) else { return .failure(SystemError(errno: errno)) }
            defer { closedir(stream) }
            var names: [String] = []
            while let entry = readdir(stream) {
                names.append(
                    withUnsafePointer(to: &entry.pointee.d_name) {
                        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
                    })
            }
            return .success(names)
        },
        target: { path in
            guard let resolved = realpath(path, nil) else { return .failure(SystemError(errno: errno)) }
            defer { free(resolved) }
            return .success(String(cString: resolved))
        })
}
