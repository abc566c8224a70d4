import Formats
import Foundation

/// A file that is written piece by piece and appears under its name when it is whole; what is not a file (a device, a pipe,
/// standard output as `-`) is written to directly. The first failure is kept, and thrown by `finish`.
final class OutputFile {
    /// Whether the start can be written again at the end: not in a pipe or a device.
    let isFile: Bool

    private let path: String
    private let partial: String
    private let file: FileHandle
    private var buffer = Data()
    private var failure: (any Error)?

    private static let bufferSize = 1 << 16

    /// Begins the file that will be at `path`.
    init(_ path: String) throws {
        self.path = path
        partial = path + ".partial"
        isFile = path != "-" && Files.isFileOrNothing(path)
        if path == "-" {
            file = .standardOutput
            return
        }
        if isFile { _ = FileManager.default.createFile(atPath: partial, contents: nil) }
        guard let file = FileHandle(forWritingAtPath: isFile ? partial : path) else {
            throw CommandError(.cannotCreate, "\(path): cannot be made: \(String(cString: strerror(errno)))")
        }
        self.file = file
    }

    deinit {
        // Only a file that was not finished is still there.
        if isFile { unlink(partial) }
    }

    func append(_ bytes: [UInt8]) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { flush() }
    }

    /// Replaces the first bytes of the file.
    func rewriteStart(with bytes: [UInt8]) {
        flush()
        attempt {
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data(bytes))
        }
    }

    /// Puts the whole file in its place. Throws what went wrong on the way; then no file is left.
    func finish() throws {
        flush()
        if isFile {
            attempt {
                try file.close()
                guard rename(partial, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            }
        }
        if let failure { throw Files.cannotWrite(path == "-" ? "standard output" : path, failure) }
    }

    private func flush() {
        attempt { try file.write(contentsOf: buffer) }
        buffer.removeAll(keepingCapacity: true)
    }

    private func attempt(_ body: () throws -> Void) {
        guard failure == nil else { return }
        do { try body() } catch { failure = error }
    }
}

/// A WAVE file of stereo float samples, written as they come.
final class WaveWriter {
    private let file: OutputFile
    private let rate: Int
    private var frames = 0

    /// Begins the file at `path`, for sound at `rate` frames a second.
    init(_ path: String, rate: Int) throws {
        file = try OutputFile(path)
        self.rate = rate
        // A pipe cannot be gone back in: its header says the most that it can, as streams do.
        file.append(WaveFile.header(frames: file.isFile ? 0 : Int(UInt32.max), channels: 2, rate: rate))
    }

    func append(_ samples: UnsafeMutableBufferPointer<Float>) {
        file.append(WaveFile.data(samples))
        frames += samples.count / 2
    }

    func finish() throws {
        if file.isFile { file.rewriteStart(with: WaveFile.header(frames: frames, channels: 2, rate: rate)) }
        try file.finish()
    }
}
