import Glibc

/// A file that is written in parts and gets its name when it is complete. A device, a pipe, or standard output as `-`
/// is written to directly. The first failure is kept, and thrown by `finish`.
package final class OutputFile {
    /// Whether the start can be rewritten at the end: false for a pipe or a device.
    let isFile: Bool

    private let path: String
    private let descriptor: Int32
    /// The file's folder, its temporary name and its final name; nil for a pipe or a device.
    private let place: (folder: Folder, temporary: String, name: String)?
    private var buffer: [UInt8] = []
    /// The first errno.
    private var failure: Int32?
    /// Bytes that were written; with a failure, up to the end of the last whole line.
    private var size = 0

    /// Large enough for the kernel to take a write as a few large pieces of memory: 64 KiB took it half as long again.
    private static let bufferSize = 1 << 18

    /// Begins a file for `path`. A link there is replaced, not followed. A secret is readable by its owner only.
    package convenience init(_ path: String, isSecret: Bool = false) throws {
        if path == "-" {
            self.init(path, STDOUT_FILENO, nil)
        } else if Files.isFileOrNothing(path) {
            let (folder, name) = Files.parts(of: path)
            guard let folder = Folder(folder) else { throw Files.cannotMake(path, errno) }
            try self.init(name, in: folder, calledBy: path, isSecret: isSecret)
        } else {
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Files.cannotMake(path, errno) }
            self.init(path, descriptor, nil)
        }
    }

    /// Begins a file for `name` in `folder`. Anything else of that name is replaced. A secret is readable by its owner
    /// only.
    convenience init(_ name: String, in folder: Folder, isSecret: Bool = false) throws {
        try self.init(name, in: folder, calledBy: "\(folder.path)/\(name)", isSecret: isSecret)
    }

    private convenience init(_ name: String, in folder: Folder, calledBy path: String, isSecret: Bool) throws {
        guard let temporary = folder.temporaryFile(isSecret: isSecret) else { throw Files.cannotMake(path, errno) }
        self.init(path, temporary.descriptor, (folder, temporary.name, name))
    }

    private init(_ path: String, _ descriptor: Int32, _ place: (folder: Folder, temporary: String, name: String)?) {
        self.path = path
        self.descriptor = descriptor
        self.place = place
        isFile = place != nil
    }

    deinit {
        if descriptor > STDERR_FILENO { close(descriptor) }
        // A finished file has been renamed.
        if let place { place.folder.remove(place.temporary) }
    }

    /// Gives a file that root writes to the owner of its folder.
    func giveToOwnerOfFolder() { place?.folder.give(descriptor) }

    package func append(_ bytes: some Collection<UInt8>) {
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

    /// The first failure, as soon as there is one.
    var problem: CommandError? { failure.map { Files.cannotWrite(path == "-" ? "standard output" : path, $0) } }

    /// Completes the file and gives it its name; if `isDurable` it then survives a power cut. Throws the first failure;
    /// then no file is left, or with `keepsLines` the lines before the failure, if each was appended as a whole.
    package func finish(isDurable: Bool = false, keepsLines: Bool = false) throws {
        flush()
        if let place {
            if keepsLines, failure != nil, ftruncate(descriptor, off_t(size)) == 0 {
                _ = place.folder.rename(place.temporary, place.name)
            }
            if isDurable { attempt { fsync(descriptor) == 0 } }
            attempt { place.folder.rename(place.temporary, place.name) }
            if isDurable { attempt { place.folder.synchronise() } }
        }
        if let problem { throw problem }
    }

    private func flush() {
        var written = 0
        while written < buffer.count, failure == nil {
            let count = buffer[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { written += count } else if errno != EINTR { failure = errno }
        }
        size += failure == nil ? written : buffer[..<written].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        buffer.removeAll(keepingCapacity: true)
    }

    /// Makes a system call, unless an earlier one failed.
    private func attempt(_ call: () -> Bool) {
        if failure == nil, !call() { failure = errno }
    }
}
