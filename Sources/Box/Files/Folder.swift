import Glibc
import Library

/// An open folder; its files are opened relative to it.
///
/// A stick, or a folder that another user may write, can hold symbolic links, pipes and devices. A folder that is not
/// trusted follows no link and leaves no file system, so that nothing outside it is read or overwritten. Every folder
/// reads regular files only.
package final class Folder {
    /// Its name for messages.
    let path: String
    private let descriptor: Int32
    private let isTrusted: Bool

    private init(path: String, descriptor: Int32, isTrusted: Bool) {
        self.path = path
        self.descriptor = descriptor
        self.isTrusted = isTrusted
    }

    /// Opens the folder at `path`, named by the user: links in it are followed. Nil with errno if it cannot be opened.
    convenience init?(_ path: String, isTrusted: Bool = true) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.init(path: path, descriptor: descriptor, isTrusted: isTrusted)
    }

    /// Opens the folder at `path`, named by the user; creates it if missing.
    package static func made(_ path: String) throws -> Folder {
        try Files.makeFolder(path)
        guard let folder = Folder(path) else { throw Files.cannotRead(path, errno) }
        return folder
    }

    /// Opens the folder at `path`, at the top of a stick.
    static func onStick(_ path: String) throws -> Folder {
        let (mount, name) = Files.parts(of: path)
        guard let stick = Folder(mount, isTrusted: false), let folder = try stick.folder(name) else {
            throw Files.cannotRead(path, errno)
        }
        return folder
    }

    deinit { close(descriptor) }

    /// Opens the subfolder `name`; creates it if missing.
    func makeFolder(_ name: String) throws -> Folder {
        let path = "\(path)/\(name)"
        if mkdirat(descriptor, name, 0o777) != 0, errno != EEXIST { throw Files.cannotMakeFolder(path, errno) }
        guard let folder = try folder(name) else { throw Files.cannotRead(path, errno) }
        return folder
    }

    /// Opens the subfolder `name`; nil if there is none.
    func folder(_ name: String) throws -> Folder? {
        let path = "\(path)/\(name)"
        let descriptor = openat(self.descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | linkFlag)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            // open(2) reports a link as ELOOP, or as ENOTDIR with O_DIRECTORY.
            if !isTrusted, errno == ENOTDIR || errno == ELOOP { throw notFollowed(path) }
            throw Files.cannotRead(path, errno)
        }
        let folder = Folder(path: path, descriptor: descriptor, isTrusted: isTrusted)
        guard isTrusted || folder.device == device else {
            throw CommandError(.badData, "\(path): is another file system; move the files onto this one")
        }
        return folder
    }

    /// The name of a file as the file system has it, which need not be UTF-8.
    struct Name {
        fileprivate let bytes: [CChar]

        fileprivate init(bytes: [CChar]) { self.bytes = bytes }

        init(_ text: String) { bytes = Array(text.utf8CString) }

        /// The name for messages; invalid UTF-8 is replaced.
        var text: String { String(decoding: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) }
    }

    /// Names of the entries, unordered.
    func names() throws -> [Name] {
        guard let stream = fdopendir(openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else {
            throw Files.cannotRead(path, errno)
        }
        defer { closedir(stream) }
        var names: [Name] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    Name(bytes: bytes.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) + [0])
                })
        }
        return names
    }

    /// The content of the file `name` in the folder at `path`, in which other users may write: no link there is
    /// followed. Nil where the folder or the file is missing.
    static func content(
        of name: String, inUntrusted path: String, sizeMax: Int, isSecret: Bool = false
    ) throws -> [UInt8]? {
        do {
            guard let folder = Folder(path, isTrusted: false) else { throw Files.cannotRead(path, errno) }
            return try folder.read(Name(name), sizeMax: sizeMax, isSecret: isSecret)
        } catch let error as CommandError where error.status == .noInput {
            return nil
        }
    }

    /// Reads the regular file `name`, at most `sizeMax` bytes. A secret that every user can read is refused.
    func read(_ name: Name, sizeMax: Int, isSecret: Bool = false) throws -> [UInt8] {
        let path = "\(path)/\(name.text)"
        // A pipe without a writer would block open(2) for ever.
        let file = openat(descriptor, name.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | linkFlag)
        guard file >= 0 else { throw errno == ELOOP ? notFollowed(path) : Files.cannotRead(path, errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandError(.badData, "\(path): is not a regular file; remove it")
        }
        guard !isSecret || status.st_mode & (S_IRWXO) == 0 else {
            throw CommandError(.noPermission, "\(path): every user may read it; run chmod o= \(path)")
        }
        return try Files.read(file, of: path, sizeMax: sizeMax)
    }

    /// Opens the regular file `name`; nil if there is none.
    func file(_ name: Name) -> InputFile? {
        let file = openat(descriptor, name.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | linkFlag)
        return file < 0 ? nil : InputFile(file, of: "\(path)/\(name.text)")
    }

    /// Opens the regular file `name`; nil if there is none.
    func file(_ name: String) -> InputFile? { file(Name(name)) }

    /// Creates an empty file with an unpredictable name; returns the name too. Nil with errno if that fails.
    func temporaryFile(isSecret: Bool = false) -> (name: String, descriptor: Int32)? {
        let name = partialFileName()
        let file = openat(
            descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, isSecret ? 0o600 : 0o666)
        return file < 0 ? nil : (name, file)
    }

    /// Gives `file`, created by root, to the folder's owner and makes it readable for all: in the folder of a service
    /// the service must read it, whatever root's umask is. Does nothing for another user, or if the file system has no
    /// owners.
    func give(_ file: Int32) {
        var status = stat()
        guard geteuid() == 0, fstat(descriptor, &status) == 0 else { return }
        _ = fchown(file, status.st_uid, status.st_gid)
        _ = fchmod(file, 0o644)
    }

    /// Renames the file `name` to `other` and replaces a file or link of that name; false with errno if that fails.
    func rename(_ name: String, _ other: String) -> Bool { renameat(descriptor, name, descriptor, other) == 0 }

    /// Removes the file `name`.
    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    /// Writes the folder's entries to the disk; false with errno if that fails.
    func synchronise() -> Bool { fsync(descriptor) == 0 }

    private var linkFlag: Int32 { isTrusted ? 0 : O_NOFOLLOW }

    private var device: dev_t {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status.st_dev : 0
    }

    private func notFollowed(_ path: String) -> CommandError {
        CommandError(.badData, "\(path): is a link, or no folder; nothing outside is read or written")
    }
}
