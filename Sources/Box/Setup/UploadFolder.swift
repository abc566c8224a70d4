import Glibc
import Library
import Pages

/// The folder of the update that a visitor of the setup page sends: a package or an image, its checksum and its
/// signature.
///
/// There is one update at a time. The box's setup service installs it and verifies it first, so this folder only bounds
/// what is kept: names, sizes, and the room that stays free. A file has its name once it is complete.
struct UploadFolder: SetupUploads {
    private let path: String
    /// Free bytes of the disk with the folder at a path; nil if that is unknown.
    private let freeBytes: @Sendable (_ path: String) -> Int?

    /// Bytes that stay free for the library.
    static let roomMin = 32 << 20

    /// The folder in the state folder at `stateFolder`, where the setup service looks for it.
    init(inStateFolder stateFolder: String, freeBytes: (@Sendable (String) -> Int?)? = nil) {
        path = stateFolder + "/upload"
        self.freeBytes = freeBytes ?? FolderBesideLibrary.freeBytes
    }

    /// Checks that the file `name` of `size` bytes can be sent, and removes an earlier update. Throws if it cannot, or
    /// while a file is on its way. A browser may not read an answer while it sends a large file, so the page asks
    /// first.
    func prepare(for name: String, size: Int) throws {
        let names = try open()?.names() ?? []
        guard !names.contains(where: { isPartialFileName($0.text) }) else {
            throw CommandError(
                .unavailable, "another file is on its way to the box; wait for its end, or cancel it there")
        }
        discard()
        _ = try check(name, size: size)
    }

    /// Removes the complete files.
    func discard() { remove { !isPartialFileName($0) } }

    /// Removes all files, also files that a stop left incomplete.
    func clear() { remove { _ in true } }

    func begin(_ name: String, size: Int) -> any SetupUpload {
        do {
            let name = try check(name, size: size)
            remove { UpdateFileName($0)?.update != name.update }
            let folder = try Folder.made(path)
            // Nobody else reads a file before it is verified.
            chmod(path, 0o700)
            return ArrivingFile(try OutputFile(name.text, in: folder, isSecret: true))
        } catch {
            return RefusedFile(SetupAnswer(refusing: error))
        }
    }

    /// The name of a file of `size` bytes that is in its limits and has room.
    private func check(_ name: String, size: Int) throws -> UpdateFileName {
        guard let name = UpdateFileName(name) else {
            throw CommandError(
                .badData,
                "an update's files are named pixelboop_VERSION_ARCHITECTURE.deb or .img.xz, and the same with .sha256 and .minisig"
            )
        }
        guard size > 0 else { throw CommandError(.badData, "\(name.text): is empty; copy it again") }
        guard size <= name.sizeMax else {
            throw CommandError(
                .badData, "\(name.text): has \(Self.text(size)), and the page takes up to \(Self.text(name.sizeMax))")
        }
        let folder = Files.isFolder(path) ? path : Files.parts(of: path).folder
        if let free = freeBytes(folder), free - Self.roomMin < size {
            throw CommandError(
                .ioError,
                "\(name.text): has \(Self.text(size)), and the box has room for \(Self.text(max(0, free - Self.roomMin))); "
                    + "remove something, such as old copies of the library")
        }
        return name
    }

    /// A size for people.
    private static func text(_ bytes: Int) -> String {
        switch bytes {
        case ..<(1 << 20): "\((bytes + 1023) >> 10) KiB"
        default: "\(bytes >> 20) MiB"
        }
    }

    /// Opens the folder; nil if there is none.
    private func open() throws -> Folder? {
        guard let folder = Folder(path) else {
            if errno == ENOENT { return nil }
            throw Files.cannotRead(path, errno)
        }
        return folder
    }

    private func remove(where isUnwanted: (String) -> Bool) {
        guard let folder = try? open() else { return }
        for name in (try? folder.names()) ?? [] where isUnwanted(name.text) { folder.remove(name.text) }
    }
}

/// A file on its way into the folder.
private final class ArrivingFile: SetupUpload {
    private var file: OutputFile?
    private var problem: (any Error)?

    let refusal: SetupAnswer? = nil

    init(_ file: OutputFile) { self.file = file }

    func add(_ part: UnsafeRawBufferPointer) {
        file?.append(part)
        // The room is free at once; the rest of the content is dropped, and then the visitor gets the reason.
        if let failure = file?.problem { end(with: failure) }
    }

    func end() -> SetupAnswer {
        do { try file?.finish() } catch { end(with: error) }
        file = nil
        return problem.map { SetupAnswer(refusing: $0) } ?? SetupAnswer(isDone: true, json: "{}")
    }

    private func end(with failure: any Error) {
        problem = failure
        file = nil
    }
}

/// A file whose content is not awaited.
private struct RefusedFile: SetupUpload {
    let refusal: SetupAnswer?

    init(_ refusal: SetupAnswer) { self.refusal = refusal }

    func add(_ part: UnsafeRawBufferPointer) {}
    func end() -> SetupAnswer { refusal ?? SetupAnswer(isDone: false, json: "{}") }
}
