import Glibc

/// A regular file that is read in parts.
package final class InputFile {
    /// Its length in bytes.
    let size: Int
    /// When its content changed last, in seconds since 1970.
    let modified: Int64

    private let path: String
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// The open file `descriptor`, which it closes; nil if it is no regular file.
    init?(_ descriptor: Int32, of path: String) {
        self.path = path
        self.descriptor = descriptor
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        (size, modified) = (Int(status.st_size), Int64(status.st_mtim.tv_sec))
        if !isFile { return nil }
    }

    deinit { close(descriptor) }

    /// The first `count` bytes, or fewer.
    func begin(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &bytes, count, 0)
        return Array(bytes.prefix(max(0, read)))
    }

    /// Fills `buffer` with the bytes from `place` on; returns how many there are, or -1 with errno if that fails.
    func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int) -> Int {
        pread(descriptor, buffer.baseAddress, buffer.count, place)
    }

    /// The next part; nil at the end.
    func next() throws -> ArraySlice<UInt8>? {
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 { return buffer[..<count] }
            if count == 0 { return nil }
            if errno != EINTR {
                throw CommandError(.ioError, "\(path): cannot be read: \(Files.reason(errno))")
            }
        }
    }
}
