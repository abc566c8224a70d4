import Glibc

/// A file that is written piece by piece and appears under its name when it is whole; what is not a file (a device, a pipe,
/// standard output as `-`) is written to directly. The first failure is kept, and thrown by `finish`.
final class OutputFile {
    /// Whether the start can be written again at the end: not in a pipe or a device.
    let isFile: Bool

    private let path: String
    private let partial: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// The first errno.
    private var failure: Int32?

    private static let bufferSize = 1 << 16

    /// Begins the file that will be at `path`.
    init(_ path: String) throws {
        self.path = path
        partial = path + ".partial"
        isFile = path != "-" && Files.isFileOrNothing(path)
        if path == "-" {
            descriptor = STDOUT_FILENO
        } else if isFile {
            descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        } else {
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
        }
        if descriptor < 0 { throw CommandError(.cannotCreate, "\(path): cannot be made: \(Files.reason(errno))") }
    }

    deinit {
        if descriptor > STDERR_FILENO { close(descriptor) }
        // Only a file that was not finished is still there.
        if isFile { unlink(partial) }
    }

    func append(_ bytes: some Collection<UInt8>) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { flush() }
    }

    /// Replaces the first bytes of the file.
    func rewriteStart(with bytes: [UInt8]) {
        flush()
        attempt { lseek(descriptor, 0, SEEK_SET) == 0 }
        buffer = bytes
        flush()
    }

    /// Puts the whole file in its place. Throws what went wrong on the way; then no file is left.
    func finish() throws {
        flush()
        if isFile {
            attempt { rename(partial, path) == 0 }
        }
        if let failure { throw Files.cannotWrite(path == "-" ? "standard output" : path, failure) }
    }

    private func flush() {
        var written = 0
        while written < buffer.count, failure == nil {
            let count = buffer[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { written += count } else if errno != EINTR { failure = errno }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Does the next system call, unless one has failed already.
    private func attempt(_ call: () -> Bool) {
        if failure == nil, !call() { failure = errno }
    }
}
